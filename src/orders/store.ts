// Every statement of orders.
import { belongsTo, type Searched } from '../contacts/searched.ts'
import type { Ref } from '../ids.ts'
import { batchedOn } from '../postgres/batch.ts'
import { type Filter, type List, listPage, range, timeFilters } from '../postgres/list-page.ts'
import { all, type Page, type PageRequest, type Sort, type TimeFilters } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import { type Source, sourceOf } from '../postgres/walk.ts'
import { STATUSES } from './lifecycle.ts'
import { FULFILLMENT_STATUSES, type Order, PAYMENT_STATUSES, SOURCES } from './schema.ts'

const sorts: Record<string, Sort> = {
  created_at: { by: part`t.created_at`, type: 'time' },
  updated_at: { by: part`t.updated_at`, type: 'time' },
  total_amount: { by: part`t.total_amount`, type: 'number' },
}

export interface Filters extends TimeFilters {
  q?: string
  status?: string[]
  payment_status?: string[]
  fulfillment_status?: string[]
  source?: string[]
  customer_email?: string
  contact_id?: string
  external_id?: string
  number?: number
  min_total?: number
  max_total?: number
  customers?: Searched
}

const ofTenant = (tenant: string): List => ({ from: part`orders t`, json: part`t.doc`, scope: part`t.tenant_id = ${tenant}`, sorts })

export const list = (sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> =>
  listPage(sql, ofTenant(tenant), conditions(filters), page)

/** All orders that match the filters, to walk through. */
export const rows = (tenant: string, filters: Filters): Source => sourceOf(ofTenant(tenant), conditions(filters))

function conditions(f: Filters): Filter[] {
  const found: Filter[] = []
  if (f.number !== undefined) found.push({ kind: 'unique', where: part`t.number = ${f.number}` })
  if (f.external_id !== undefined) found.push({ kind: 'unique', where: part`t.external_id = ${f.external_id}` })
  if (f.contact_id !== undefined)
    found.push({ kind: 'equality', where: part`t.contact_id = ${f.contact_id}`, sort: 'created_at', selective: true })
  if (f.customer_email !== undefined)
    found.push({ kind: 'equality', where: emailIs(f.customer_email), sort: 'created_at', selective: true })
  if (f.customers !== undefined) found.push(belongsTo(f.customers))
  if (f.q !== undefined) found.push(search(f.q))
  if (f.status ?? f.payment_status ?? f.fulfillment_status ?? f.source) found.push(states(f))
  const from = f.min_total === undefined ? undefined : part`t.total_amount >= ${f.min_total}`
  const to = f.max_total === undefined ? undefined : part`t.total_amount <= ${f.max_total}`
  return [...found, ...range('total_amount', { from, to }), ...timeFilters(f)]
}

const emailIs = (email: string): Fragment => part`t.customer_email = ${email.toLowerCase()}`

// One index begins with all four columns: those that are not asked for are given every value they can have.
function states(f: Filters): Filter {
  const asked = {
    status: f.status ?? STATUSES,
    payment_status: f.payment_status ?? PAYMENT_STATUSES,
    fulfillment_status: f.fulfillment_status ?? FULFILLMENT_STATUSES,
    source: f.source ?? SOURCES,
  }
  const columns = Object.entries(asked)
  const given = columns.filter(([name]) => f[name as keyof typeof asked] !== undefined)
  const name = (column: string): Fragment => part`${part(column as never)}`
  return {
    kind: 'values',
    where: all(given.map(([column, values]) => part`t.${name(column)} = any(${values as string[]}::text[])`)),
    sort: 'created_at',
    values: part`(select * from ${columns.map(
      ([column, values], index) => part`${index === 0 ? part`` : part`, `}unnest(${[...new Set(values)]}::text[]) as ${name(column)}`,
    )}) a`,
    each: [all(columns.map(([column]) => part`t.${name(column)} = a.${name(column)}`))],
  }
}

// The text of a search box: an order's number, its external id, or a customer's address.
function search(text: string): Filter {
  const number = Number(/^#?(\d{1,9})$/.exec(text)?.[1] ?? 0)
  const ways = [part`t.number = ${number}`, part`t.external_id = ${text}`, emailIs(text)] as const
  return {
    kind: 'values',
    where: part`(${ways[0]} or ${ways[1]} or ${ways[2]})`,
    sort: 'created_at',
    values: part`(values (1)) a`,
    each: [
      ways[0],
      part`${ways[1]} and t.number <> ${number}`,
      part`${ways[2]} and t.number <> ${number} and t.external_id is distinct from ${text}`,
    ],
    selective: true,
  }
}

/** Reads of one statement. The next one waits for its end: with 50, agents that send batches of ten waited for one another while the database had nothing to do. */
const READS_MAX = 200

/** The public JSON of one order. Requests that arrive together share a statement: under load that halves the cost of a read. */
export const doc = batchedOn(async (sql: Queryable, asked: Ref[]): Promise<(Buffer | undefined)[]> => {
  const rows = await sql`
    select t.doc
      from ${REF.numbered(asked)}
      left join orders t on t.tenant_id = r.tenant and t.id = r.id
     order by r.n`.raw()
  return (rows as unknown as (Buffer | null)[][]).map(([text]) => text ?? undefined)
}, READS_MAX)

const REF = columns({ tenant: 'text', id: 'text' })

/** Locks orders in id order. @returns their public JSON */
export async function lockAll(tx: Tx, tenant: string, ids: string[]): Promise<string[]> {
  const rows = await tx<{ doc: string }[]>`
    select doc from orders where tenant_id = ${tenant} and id = any(${arrayText(ids)}::text::text[]) order by id for no key update`
  return rows.map(row => row.doc)
}

export async function lock(tx: Tx, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await tx`select doc from orders where tenant_id = ${tenant} and id = ${id} for no key update`
  return row?.['doc']
}

/**
 * Takes the next `count` order numbers of each tenant, as a part of a statement that returns the last of them. Orders of one tenant wait here
 * for each other. Tenants are in one order, so two statements cannot deadlock.
 */
export const nextNumbers = (counts: Map<string, number>): Fragment => part`
  insert into order_counters as c (tenant_id, last_number)
  select r.tenant, r.count from ${COUNT.few(asRows(counts))}
   order by r.tenant
  on conflict (tenant_id) do update set last_number = c.last_number + excluded.last_number
  returning tenant_id as tenant, last_number`

const COUNT = columns({ tenant: 'text', count: 'integer' })
const asRows = (counts: Iterable<[string, number]>) => Array.from(counts, ([tenant, count]) => ({ tenant, count }))

/**
 * Gives back the numbers taken for refused orders, as parts of a statement: the counters are still ours, so no number is missing from the sequence,
 * and a tenant without orders has no counter.
 */
export function giveBackNumbers(counts: Map<string, number>): Fragment[] {
  const left = [...counts].filter(([, count]) => count > 0)
  if (left.length === 0) return []
  const unused = COUNT.of(asRows(left))
  return [
    part`update order_counters c set last_number = c.last_number - r.count from ${unused} where c.tenant_id = r.tenant and c.last_number > r.count`,
    part`delete from order_counters c using ${unused} where c.tenant_id = r.tenant and c.last_number = r.count`,
  ]
}

/** Inserts orders, as a part of a statement. */
export const insertAll = (orders: { tenant: string; order: Order; text: string }[]): Fragment => part`
  insert into orders (${ORDER.names})
  select ${ORDER.names} from ${ORDER.few(
    orders.map(({ tenant, order, text }) => ({ tenant_id: tenant, id: order.id, number: order.number, ...row(order, text) })),
  )}`

const ORDER = columns({
  tenant_id: 'text',
  id: 'text',
  number: 'integer',
  external_id: 'text',
  source: 'text',
  status: 'text',
  payment_status: 'text',
  fulfillment_status: 'text',
  currency: 'text',
  total_amount: 'bigint',
  contact_id: 'text',
  customer_email: 'text',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  doc: 'json',
})

/** Writes orders whose rows are locked, as a part of a statement. What identifies an order is never changed. */
export const saveAll = (orders: { tenant: string; order: Order; text: string }[]): Fragment => part`
  update orders o
     set status = r.status, payment_status = r.payment_status, fulfillment_status = r.fulfillment_status, total_amount = r.total_amount,
         version = r.version, updated_at = r.updated_at, doc = r.doc
    from ${ORDER.of(orders.map(({ tenant, order, text }) => ({ tenant_id: tenant, id: order.id, number: order.number, ...row(order, text) })))}
   where o.tenant_id = r.tenant_id and o.id = r.id`

// The columns and the text come from one object, so they cannot drift apart.
function row(order: Order, text: string) {
  const {
    external_id,
    source,
    status,
    payment_status,
    fulfillment_status,
    currency,
    total_amount,
    version,
    created_at,
    updated_at,
    customer,
  } = order
  const kept = { external_id, source, status, payment_status, fulfillment_status, currency, total_amount, version, created_at, updated_at }
  return { ...kept, contact_id: customer.contact_id, customer_email: customer.email?.toLowerCase() ?? null, doc: text }
}

/** Orders that have these external ids, as a part of a statement. */
export const withExternalIds = (asked: { tenant: string; external_id: string }[]): Fragment => part`
  select o.tenant_id as tenant, o.external_id, o.id
    from ${EXTERNAL_ID.of(asked)}
    join orders o on o.tenant_id = r.tenant and o.external_id = r.external_id`

const EXTERNAL_ID = columns({ tenant: 'text', external_id: 'text' })

/** How a callback names an order. */
export interface Naming {
  id?: string
  number?: number
  external_id?: string
}

/** The ids of the orders that are named, in the order of the namings; null where the workspace has none of that name. */
export async function idsOf(sql: Queryable, tenant: string, namings: Naming[]): Promise<(string | null)[]> {
  const asked = namings.map(({ id, number, external_id }) => ({ id: id ?? null, number: number ?? null, external_id: external_id ?? null }))
  const rows = await sql<{ id: string | null }[]>`
    select coalesce(
             (select o.id from orders o where o.tenant_id = ${tenant} and o.id = r.id),
             (select o.id from orders o where o.tenant_id = ${tenant} and o.number = r.number),
             (select o.id from orders o where o.tenant_id = ${tenant} and o.external_id = r.external_id)) as id
      from ${NAMING.numbered(asked)}
     order by r.n`
  return rows.map(row => row.id)
}

const NAMING = columns({ id: 'text', number: 'integer', external_id: 'text' })

export async function exists(sql: Queryable, tenant: string, id: string): Promise<boolean> {
  return (await sql`select 1 from orders where tenant_id = ${tenant} and id = ${id}`).length > 0
}
