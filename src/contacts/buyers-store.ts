// Every statement by which orders find, make and count their customers.
import { part } from '../postgres/page.ts'
import type { Fragment, Queryable, Tx } from '../postgres/sql.ts'
import type { Asked, Buyer } from './buyers.ts'
import type { Contact } from './schema.ts'

/** For each asked the contact with this id; without an id the one with this address, else the one with this number. `n` counts from one. */
export const findAll = (asked: Asked[]): Fragment => part`
  select a.n, a.tenant_id as tenant, c.id, c.doc::json ->> 'name' as name, c.email, c.phone
    from unnest(${asked.map(each => each.tenant)}::text[], ${asked.map(each => each.customer.contact_id ?? null)}::text[],
                ${asked.map(each => each.customer.email ?? null)}::text[], ${asked.map(each => each.customer.phone ?? null)}::text[])
         with ordinality as a (tenant_id, contact_id, email, phone, n),
         lateral (
           (select c.* from contacts c where a.contact_id is not null and c.tenant_id = a.tenant_id and c.id = a.contact_id)
           union all
           (select c.* from contacts c
             where a.contact_id is null and c.tenant_id = a.tenant_id and c.email is not null and lower(c.email) = lower(a.email))
           union all
           (select c.* from contacts c where a.contact_id is null and c.tenant_id = a.tenant_id and c.phone = a.phone)
           limit 1
         ) c`

export const find = (tx: Queryable, asked: Asked[]): Promise<(Buyer & { n: number })[]> => tx<(Buyer & { n: number })[]>`${findAll(asked)}`

/** Orders of one tenant wait for each other at its counter, so no two of them count the same contacts in different orders. */
export const countOrders = (counted: Buyer[]): Fragment => part`
  update contacts c set orders_count = c.orders_count + u.orders
    from (
      select tenant_id, id, count(*)::integer as orders
        from unnest(${counted.map(each => each.tenant)}::text[], ${counted.map(each => each.id)}::text[]) as u (tenant_id, id)
       group by tenant_id, id
    ) u
   where c.tenant_id = u.tenant_id and c.id = u.id`

/** @returns the ids of those inserted: of the others somebody has the address or number */
export async function insertAll(tx: Tx, made: { tenant: string; contact: Contact }[]): Promise<string[]> {
  // In one order, so that two who make the same contacts never wait for each other in a circle.
  const sorted = made.toSorted((a, b) => (identity(a) < identity(b) ? -1 : 1))
  const rows = await tx<{ id: string }[]>`
    insert into contacts (tenant_id, id, email, phone, version, created_at, updated_at, doc)
    select u.tenant_id, u.id, u.email, u.phone, 1, u.at::timestamptz, u.at::timestamptz, u.doc
      from unnest(${sorted.map(each => each.tenant)}::text[], ${sorted.map(each => each.contact.id)}::text[],
                  ${sorted.map(each => each.contact.email)}::text[], ${sorted.map(each => each.contact.phone)}::text[],
                  ${sorted.map(each => each.contact.created_at)}::text[], ${sorted.map(each => JSON.stringify(each.contact))}::text[])
           with ordinality as u (tenant_id, id, email, phone, at, doc, n)
     order by u.n
    on conflict do nothing
    returning id`
  return rows.map(row => row.id)
}

const identity = ({ tenant, contact }: { tenant: string; contact: Contact }): string =>
  `${tenant} ${contact.email?.toLowerCase() ?? ''} ${contact.phone ?? ''}`
