// Conversations and messages as they are read: one, and lists.
import { belongsTo, type Searched } from '../contacts/searched.ts'
import { CONVERSATION_MESSAGES } from '../limits/conversations.ts'
import { type Filter, type List, listPage, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, Sort, TimeFilters } from '../postgres/page.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { json } from './store.ts'

const sorts: Record<string, Sort> = {
  updated_at: { by: part`t.updated_at`, type: 'time' },
  created_at: { by: part`t.created_at`, type: 'time' },
}

export interface Filters extends TimeFilters {
  platform?: string[]
  status?: string[]
  ai_status?: string
  contact_id?: string
  /** Null: not assigned. */
  assigned_to?: string | null
  channel_id?: string
  unread?: boolean
  failed?: boolean
  customers?: Searched
}

export const list = (sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> =>
  listPage(sql, { from: part`conversations t`, json, scope: part`t.tenant_id = ${tenant}`, sorts }, conditions(filters), page)

// Every index continues with updated_at. A partial index is of the rarer values: those are written out, so that the planner knows it applies.
function conditions(f: Filters): Filter[] {
  const found: Filter[] = []
  if (f.contact_id !== undefined)
    found.push({ kind: 'equality', where: part`t.contact_id = ${f.contact_id}`, sort: 'updated_at', selective: true })
  if (f.customers !== undefined) found.push(belongsTo(f.customers))
  if (f.assigned_to === null) found.push({ kind: 'residual', where: part`t.assigned_to is null` })
  else if (f.assigned_to !== undefined) found.push({ kind: 'equality', where: part`t.assigned_to = ${f.assigned_to}`, sort: 'updated_at' })
  if (f.channel_id !== undefined) found.push({ kind: 'equality', where: part`t.channel_id = ${f.channel_id}`, sort: 'updated_at' })
  if (f.failed === true) found.push({ kind: 'equality', where: part`t.failed_count > 0`, sort: 'updated_at' })
  if (f.failed === false) found.push({ kind: 'residual', where: part`t.failed_count = 0` })
  if (f.unread === true) found.push({ kind: 'equality', where: part`t.unread_count > 0`, sort: 'updated_at' })
  if (f.unread === false) found.push({ kind: 'residual', where: part`t.unread_count = 0` })
  if (f.ai_status === 'paused') found.push({ kind: 'equality', where: part`t.ai_status = 'paused'`, sort: 'updated_at' })
  if (f.ai_status === 'on') found.push({ kind: 'residual', where: part`t.ai_status = 'on'` })
  if (f.platform !== undefined) found.push(anyOf(part`t.platform`, f.platform))
  if (f.status !== undefined) found.push(anyOf(part`t.status`, f.status))
  return [...found, ...timeFilters(f)]
}

function anyOf(column: Fragment, values: string[]): Filter {
  const rows = part`(select * from unnest(${[...new Set(values)]}::text[]) as u (value)) a`
  return {
    kind: 'values',
    where: part`${column} = any(${values}::text[])`,
    sort: 'updated_at',
    values: rows,
    each: [part`${column} = a.value`],
  }
}

/** The public JSON of one conversation, with its newest messages. */
export async function findDetail(sql: Queryable, tenant: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`
    select left(${json}, -1) || ',"messages":[' || coalesce((
             select string_agg(m.doc, ',' order by m.created_at desc, m.id desc)
               from (select m.* from messages m
                      where m.tenant_id = t.tenant_id and m.conversation_id = t.id
                      order by m.created_at desc, m.id desc
                      limit ${CONVERSATION_MESSAGES}) m), '') || ']}'
      from conversations t
     where t.tenant_id = ${tenant} and t.id = ${id}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}

export async function exists(sql: Queryable, tenant: string, id: string): Promise<boolean> {
  return (await sql`select 1 from conversations where tenant_id = ${tenant} and id = ${id}`).length > 0
}

/** @returns whether this message is one of another conversation, which one that is gone is not; undefined where there is no such conversation */
export async function placeOf(
  sql: Queryable,
  tenant: string,
  id: string,
  message: string | null,
): Promise<{ elsewhere: boolean } | undefined> {
  const [row] = await sql<{ elsewhere: boolean }[]>`
    select exists (select from messages m
                    where m.tenant_id = ${tenant} and m.id = ${message}::text and m.conversation_id <> ${id}) as elsewhere
      from conversations c
     where c.tenant_id = ${tenant} and c.id = ${id}`
  return row
}

/** The public JSON of conversations, in no order. */
export async function findAll(sql: Queryable, tenant: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ json: string }[]>`
    select ${json} as json from conversations t where t.tenant_id = ${tenant} and t.id = any(${ids}::text[])`
  return rows.map(row => row.json)
}

/** The public JSON of messages, the oldest first. */
export async function findMessages(sql: Queryable, tenant: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ doc: string }[]>`
    select m.doc from messages m where m.tenant_id = ${tenant} and m.id = any(${ids}::text[]) order by m.created_at, m.id`
  return rows.map(row => row.doc)
}

/** The public JSON of one message. */
export async function findMessage(sql: Queryable, tenant: string, conversation: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`
    select m.doc from messages m where m.tenant_id = ${tenant} and m.conversation_id = ${conversation} and m.id = ${id}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}

type Between = Pick<TimeFilters, 'created_after' | 'created_before'>

export const messages = (sql: Queryable, tenant: string, conversation: string, filters: Between, page: PageRequest): Promise<Page> =>
  listPage(sql, messagesOf(tenant, conversation), timeFilters(filters), page)

const messagesOf = (tenant: string, conversation: string): List => ({
  from: part`messages t`,
  json: part`t.doc`,
  scope: part`t.tenant_id = ${tenant} and t.conversation_id = ${conversation}`,
  sorts: { created_at: { by: part`t.created_at`, type: 'time' } },
})
