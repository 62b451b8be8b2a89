// Every statement of contacts.
import { part } from '../postgres/page.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import type { Contact } from './schema.ts'

// Each of these three is part of the statement that its caller sends: see postgres/together.ts.

/** The contact with this address, else the one with this number. */
export const find = (tenant: string, { email, phone }: { email?: string; phone?: string }): Fragment => part`
  select id, doc::json ->> 'name' as name, email, phone, 0 as place
    from contacts
   where tenant_id = ${tenant} and email is not null and lower(email) = lower(${email ?? null}::text)
  union all
  select id, doc::json ->> 'name', email, phone, 1 from contacts where tenant_id = ${tenant} and phone = ${phone ?? null}::text
  order by place
  limit 1`

export const byId = (tenant: string, id: string): Fragment => part`
  select id, doc::json ->> 'name' as name, email, phone from contacts where tenant_id = ${tenant} and id = ${id}`

export const countOrder = (tenant: string, id: string): Fragment => part`
  update contacts set orders_count = orders_count + 1 where tenant_id = ${tenant} and id = ${id}`

/** @returns false when another contact has this address or number */
export async function insert(tx: Tx, tenant: string, contact: Contact): Promise<boolean> {
  const { id, email, phone, external_id, version, created_at, updated_at } = contact
  const row = {
    tenant_id: tenant,
    id,
    email,
    phone,
    external_id,
    version,
    created_at,
    updated_at,
    doc: JSON.stringify(contact),
  }
  const rows = await tx`insert into contacts ${tx(row)} on conflict do nothing returning 1`
  return rows.length > 0
}
