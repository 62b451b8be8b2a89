// Every statement that reads contacts: one, and lists.
import { type Filter, type List, listPage, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, Sort, TimeFilters } from '../postgres/page.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { type Source, sourceOf } from '../postgres/walk.ts'
import { dialled, phoneKey } from './phone.ts'
import { json, withAny } from './store.ts'

/** The public JSON of one contact. */
export async function findJson(sql: Queryable, tenant: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`select ${json} from contacts t where t.tenant_id = ${tenant} and t.id = ${id} and t.merged_into is null`.raw()
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

export function list(sql: Queryable, tenant: string, { tag, ...filters }: Filters, page: PageRequest): Promise<Page> {
  const all = conditions(tenant, filters)
  if (tag === undefined) return listPage(sql, listOf(tenant), all, page)
  // The tags' index is in the order of creation, and leads where nothing else is asked for; else the tag is a filter among others.
  const leads = page.sort === 'created_at' && all.every(each => each.kind === 'range' && each.sort === 'created_at')
  if (leads) return listPage(sql, listOf(tenant, tagged(tag)), all, page)
  return listPage(sql, listOf(tenant), [withTag(tenant, tag), ...all], page)
}

/** All contacts that match the filters, to walk through. */
export const rows = (tenant: string, { tag, ...filters }: Filters): Source =>
  sourceOf(listOf(tenant, tag === undefined ? undefined : tagged(tag)), conditions(tenant, filters))

const listOf = (tenant: string, from: Fragment = part`contacts t`): List => ({
  from,
  json,
  scope: part`t.tenant_id = ${tenant} and t.merged_into is null`,
  sorts,
})

const tagged = (tag: string): Fragment => part`(
  select g.tenant_id, g.contact_id as id, g.created_at, c.updated_at, c.name, c.email, c.email_claimed, c.phone, c.phone_key, c.external_id, c.blocked, c.merged_into, c.orders_count,
         c.total_spent_amount, c.last_message_at, c.doc
    from contact_tags g
    join contacts c on c.tenant_id = g.tenant_id and c.id = g.contact_id
   where g.tag = ${tag}) t`

const withTag = (tenant: string, tag: string): Filter => ({
  kind: 'values',
  where: part`exists (select from contact_tags g where g.tenant_id = t.tenant_id and g.contact_id = t.id and g.tag = ${tag})`,
  ...havingIds(part`(select g.contact_id as id from contact_tags g where g.tenant_id = ${tenant} and g.tag = ${tag}) a`),
})

function conditions(tenant: string, f: Filters): Filter[] {
  const found: Filter[] = []
  if (f.external_id !== undefined) found.push({ kind: 'unique', where: part`t.external_id = ${f.external_id}` })
  if (f.email !== undefined) found.push({ kind: 'unique', where: part`lower(t.email) = lower(${f.email})` })
  if (f.phone !== undefined) found.push({ kind: 'unique', where: part`t.phone_key = ${phoneKey(f.phone)}` })
  if (f.q !== undefined)
    found.push({ kind: 'values', where: matches(f.q, part`t`), ...havingIds(part`(${search(tenant, f.q)}) a`), selective: true })
  // Written out, for the index holds blocked contacts alone.
  if (f.blocked === true) found.push({ kind: 'equality', where: part`t.blocked`, sort: 'created_at' })
  if (f.blocked === false) found.push({ kind: 'residual', where: part`not t.blocked` })
  return [...found, ...timeFilters(f)]
}

/** Contacts whose ids an index finds, in no order of a sort. */
const havingIds = (ids: Fragment) => ({ values: ids, each: [part`t.id = a.id`] })

/** The ids of the contacts that the text of a search box matches, as a part of a statement. */
export const search = (tenant: string, text: string): Fragment => part`
  select id from contacts where tenant_id = ${tenant} and name is not null and ${beginning(text, part`contacts`)}
  union all
  ${withAny(tenant, [{ email: text, phone: dialled(text), external_id: text }])}`

/** Whether the text of a search box matches `contact`, an alias of the table. */
export const matches = (text: string, contact: Fragment): Fragment => part`
  (${beginning(text, contact)} or lower(${contact}.email) = lower(${text}) or ${contact}.phone_key = ${phoneKey(dialled(text))} or ${contact}.external_id = ${text})`

// By bytes, as the index is, whatever the database's collation; and as bounds, for a generic plan cannot know the pattern.
const beginning = (text: string, contact: Fragment): Fragment => part`
  (lower(${contact}.name) collate "C") >= lower(${text}) and (lower(${contact}.name) collate "C") < lower(${text}) || chr(1114111)`
