// Every statement of orders.
import { batchedOn } from '../postgres/batch.ts'
import { inTime } from '../postgres/in-time.ts'
import { keysetPage, type Page, type PageRequest, part, type Sort, type TimeFilters, timeConditions } from '../postgres/page.ts'
import type { Fragment, Queryable, Tx } from '../postgres/sql.ts'
import type { Order } from './schema.ts'

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
}

export function list(sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> {
  return keysetPage(sql, part`orders t`, part`t.doc`, [part`t.tenant_id = ${tenant}`, ...conditions(filters)], sorts, page)
}

function conditions(f: Filters): Fragment[] {
  const found = timeConditions(f)
  if (f.q !== undefined) found.push(search(f.q))
  if (f.status !== undefined) found.push(part`t.status = any(${f.status}::text[])`)
  if (f.payment_status !== undefined) found.push(part`t.payment_status = any(${f.payment_status}::text[])`)
  if (f.fulfillment_status !== undefined) found.push(part`t.fulfillment_status = any(${f.fulfillment_status}::text[])`)
  if (f.source !== undefined) found.push(part`t.source = any(${f.source}::text[])`)
  if (f.customer_email !== undefined) found.push(part`t.customer_email = ${f.customer_email.toLowerCase()}`)
  if (f.contact_id !== undefined) found.push(part`t.contact_id = ${f.contact_id}`)
  if (f.external_id !== undefined) found.push(part`t.external_id = ${f.external_id}`)
  if (f.number !== undefined) found.push(part`t.number = ${f.number}`)
  if (f.min_total !== undefined) found.push(part`t.total_amount >= ${f.min_total}`)
  if (f.max_total !== undefined) found.push(part`t.total_amount <= ${f.max_total}`)
  return found
}

// What staff type into a search box: an order's number, its external id, or a customer's address.
function search(text: string): Fragment {
  const number = /^#?(\d{1,9})$/.exec(text)?.[1]
  return part`(t.external_id = ${text} or t.customer_email = ${text.toLowerCase()} ${number === undefined ? part`` : part`or t.number = ${Number(number)}`})`
}

/** Reads of one statement. */
const READS_MAX = 50

/** The public JSON of one order. Requests that arrive together share a statement: under load it halves what reading costs. */
export const doc = batchedOn(async (sql: Queryable, asked: { tenant: string; id: string }[]): Promise<(Buffer | undefined)[]> => {
  const reading = sql`
    select t.doc
      from unnest(${asked.map(each => each.tenant)}::text[], ${asked.map(each => each.id)}::text[]) with ordinality as a (tenant_id, id, n)
      left join orders t on t.tenant_id = a.tenant_id and t.id = a.id
     order by a.n`.raw()
  const rows = await inTime(reading.execute())
  return (rows as unknown as (Buffer | null)[][]).map(([text]) => text ?? undefined)
}, READS_MAX)

export async function lock(tx: Tx, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await tx`select doc from orders where tenant_id = ${tenant} and id = ${id} for no key update`
  return row?.['doc']
}

/** The tenant's next order number. Orders of one tenant wait here for each other, so it is taken as late as can be. */
export const nextNumber = (tenant: string): Fragment => part`
  insert into order_counters as c (tenant_id, last_number) values (${tenant}, 1)
  on conflict (tenant_id) do update set last_number = c.last_number + 1
  returning last_number`

export const insert = (tenant: string, order: Order, text: string): Fragment => part`
  insert into orders ${part({ tenant_id: tenant, id: order.id, number: order.number, ...columns(order, text) })}`

export async function save(tx: Tx, tenant: string, order: Order, text: string): Promise<void> {
  await tx`update orders set ${tx(columns(order, text))} where tenant_id = ${tenant} and id = ${order.id}`
}

// The columns and the text come from one object, so they cannot part.
function columns(order: Order, text: string) {
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

export const withExternalId = (tenant: string, externalId: string): Fragment => part`
  select id from orders where tenant_id = ${tenant} and external_id = ${externalId}`
