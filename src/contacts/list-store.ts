// Contacts as they are read: one, and lists.
import { keysetPage, type Page, type PageRequest, part, type Sort, type TimeFilters, timeConditions } from '../postgres/page.ts'
import type { Fragment, Queryable } from '../postgres/sql.ts'
import type { Source } from '../postgres/walk.ts'
import { json, named } from './store.ts'

/** The public JSON of one contact. */
export async function json1(sql: Queryable, tenant: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`select ${json} from contacts t where t.tenant_id = ${tenant} and t.id = ${id}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}

const sorts: Record<string, Sort> = {
  created_at: { by: part`t.created_at`, type: 'time' },
  updated_at: { by: part`t.updated_at`, type: 'time' },
}

export interface Filters extends TimeFilters {
  q?: string
  email?: string
  phone?: string
  external_id?: string
  tag?: string
  blocked?: boolean
}

export function list(sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> {
  const { from, where } = rows(tenant, filters)
  return keysetPage(sql, from, json, where, sorts, page)
}

/** All contacts of these filters, to walk through. */
export const rows = (tenant: string, filters: Filters): Source => ({
  from: filters.tag === undefined ? part`contacts t` : tagged(filters.tag),
  json,
  where: [part`t.tenant_id = ${tenant}`, ...conditions(tenant, filters)],
})

// The tag's own table leads, so that a page of a tag is a piece of its index.
const tagged = (tag: string): Fragment => part`(
  select g.tenant_id, g.contact_id as id, g.created_at, c.updated_at, c.email, c.phone, c.external_id, c.blocked, c.orders_count,
         c.total_spent_amount, c.last_message_at, c.doc
    from contact_tags g
    join contacts c on c.tenant_id = g.tenant_id and c.id = g.contact_id
   where g.tag = ${tag}) t`

function conditions(tenant: string, f: Filters): Fragment[] {
  const found = timeConditions(f)
  if (f.q !== undefined) found.push(part`t.id = any(array(${search(tenant, f.q)}))`)
  if (f.email !== undefined) found.push(part`lower(t.email) = lower(${f.email})`)
  if (f.phone !== undefined) found.push(part`t.phone = ${f.phone}`)
  if (f.external_id !== undefined) found.push(part`t.external_id = ${f.external_id}`)
  // Written out, for the index is of those blocked alone.
  if (f.blocked !== undefined) found.push(f.blocked ? part`t.blocked` : part`not t.blocked`)
  return found
}

// What staff type into a search box. The ids first: a walk of the list's own order could look at every contact before it finds one.
const search = (tenant: string, text: string): Fragment => part`
  select id from contacts
   where tenant_id = ${tenant} and name is not null
     and (lower(name) collate "C") >= lower(${text}) and (lower(name) collate "C") < lower(${text}) || chr(1114111)
  union all
  ${named(tenant, [{ email: text, phone: text, external_id: text }])}`
