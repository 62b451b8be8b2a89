// Every statement of payments.
import { type Filter, type List, listPage, timeFilters } from '../../postgres/list-page.ts'
import { all, iso, type Page, type PageRequest, type TimeFilters } from '../../postgres/page.ts'
import { arrayText, columns } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../../postgres/sql.ts'
import type { Entry } from './payment.ts'
import { PAYMENT_STATUSES, type Payment, PROVIDERS } from './schema.ts'

export interface Filters extends TimeFilters {
  status?: string[]
  provider?: string[]
  order_id?: string
}

const ofTenant = (tenant: string): List => ({
  from: part`payments t`,
  json: part`t.doc`,
  scope: part`t.tenant_id = ${tenant}`,
  sorts: { created_at: { by: part`t.created_at`, type: 'time' } },
})

export const list = (sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> =>
  listPage(sql, ofTenant(tenant), conditions(filters), page)

function conditions(f: Filters): Filter[] {
  const found: Filter[] = []
  if (f.order_id !== undefined)
    found.push({ kind: 'equality', where: part`t.order_id = ${f.order_id}`, sort: 'created_at', selective: true })
  if (f.status ?? f.provider) found.push(states(f))
  return [...found, ...timeFilters(f)]
}

// One index begins with both columns: one that is not asked for is given every value it can have.
function states({ status, provider }: Filters): Filter {
  const asked = [
    part`t.status = any(${status ?? [...PAYMENT_STATUSES]}::text[])`,
    part`t.provider = any(${provider ?? [...PROVIDERS]}::text[])`,
  ]
  return {
    kind: 'values',
    where: all(asked),
    sort: 'created_at',
    values: part`(select * from unnest(${[...new Set(status ?? PAYMENT_STATUSES)]}::text[]) as status,
                       unnest(${[...new Set(provider ?? PROVIDERS)]}::text[]) as provider) a`,
    each: [part`t.status = a.status and t.provider = a.provider`],
  }
}

/** The public JSON of one payment. */
export async function findJson(sql: Queryable, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ doc: string }[]>`select doc from payments where tenant_id = ${tenant} and id = ${id}`
  return row?.doc
}

interface Row extends Omit<Entry, 'payment' | 'disputes' | 'told_failures'> {
  doc: string
  disputes: string
  told_failures: string
}

const entry = part`
  t.doc, t.charge, t.told_refunded_amount, t.told_failures, ${iso(part`t.told_sum_at`)} as told_sum_at, t.disputes`

const asEntry = ({ doc, disputes, told_failures, ...rest }: Row): Entry => ({
  payment: JSON.parse(doc) as Payment,
  disputes: JSON.parse(disputes) as Entry['disputes'],
  told_failures: JSON.parse(told_failures) as Entry['told_failures'],
  ...rest,
})

export async function find(sql: Queryable, tenant: string, id: string): Promise<Entry | undefined> {
  const [row] = await sql<Row[]>`
    select ${entry} from payments t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row && asEntry(row)
}

/** The same, locked. Its order's row is locked before it. */
export async function lock(tx: Tx, tenant: string, id: string): Promise<Entry> {
  const [row] = await tx<Row[]>`
    select ${entry} from payments t where t.tenant_id = ${tenant} and t.id = ${id} for no key update`
  return asEntry(row as Row)
}

/** The payments that paid an order. */
export async function paidOf(sql: Queryable, tenant: string, order: string, limit: number): Promise<Entry[]> {
  const rows = await sql<Row[]>`
    select ${entry}
      from payments t
     where t.tenant_id = ${tenant} and t.order_id = ${order} and t.status = 'paid'
     order by t.created_at desc, t.id desc
     limit ${limit}`
  return rows.map(asEntry)
}

/** How a provider names a payment: by its reference, or by a charge of it. */
export interface Key {
  reference: string | null
  charge: string | null
}

/** The payments of a provider that have any of these names, locked in one order; those of an order are changed by the holder of its row alone. */
export async function lockOfKeys(tx: Tx, tenant: string, provider: string, keys: Key[]): Promise<Entry[]> {
  const rows = await tx<Row[]>`
    select ${entry}
      from payments t
     where t.tenant_id = ${tenant} and t.id = any(array(${idsOfKeys(tenant, provider, keys)}))
     order by t.id
       for no key update`
  return rows.map(asEntry)
}

/** The orders of those payments, which have to be locked first. */
export async function ordersOfKeys(sql: Queryable, tenant: string, provider: string, keys: Key[]): Promise<string[]> {
  const rows = await sql<{ order_id: string }[]>`
    select distinct t.order_id
      from payments t
     where t.tenant_id = ${tenant} and t.id = any(array(${idsOfKeys(tenant, provider, keys)})) and t.order_id is not null`
  return rows.map(row => row.order_id)
}

function idsOfKeys(tenant: string, provider: string, keys: Key[]): Fragment {
  const names = (of: (key: Key) => string | null) =>
    part`${arrayText([...new Set(keys.map(of).filter(each => each !== null))])}::text::text[]`
  return part`
  select id from payments
   where tenant_id = ${tenant} and provider_id = ${provider} and reference is not null and reference = any(${names(key => key.reference)})
  union
  select id from payments
   where tenant_id = ${tenant} and provider_id = ${provider} and charge is not null and charge = any(${names(key => key.charge)})`
}

/** The payment with this reference that was recorded by hand. */
export async function withOwnReference(sql: Queryable, tenant: string, reference: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from payments where tenant_id = ${tenant} and provider_id is null and reference = ${reference}`
  return row?.id
}

/** Inserts payments, or replaces those that there are, as a part of a statement. */
export const saveAll = (tenant: string, entries: Entry[]): Fragment => part`
  insert into payments as t (${PAYMENT.names})
  select ${PAYMENT.names} from ${PAYMENT.of(entries.map(entry => ({ tenant_id: tenant, ...row(entry) })))}
  on conflict (tenant_id, id) do update
     set order_id = excluded.order_id, reference = excluded.reference, charge = excluded.charge, status = excluded.status, updated_at = excluded.updated_at,
         told_refunded_amount = excluded.told_refunded_amount, told_failures = excluded.told_failures,
         told_sum_at = excluded.told_sum_at, disputes = excluded.disputes, doc = excluded.doc`

const PAYMENT = columns({
  tenant_id: 'text',
  id: 'text',
  order_id: 'text',
  provider: 'text',
  provider_id: 'text',
  reference: 'text',
  charge: 'text',
  status: 'text',
  told_refunded_amount: 'bigint',
  told_failures: 'json',
  told_sum_at: 'timestamptz',
  disputes: 'json',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  doc: 'json',
})

// The columns and the text come from one object, so they cannot drift apart.
function row({ payment, disputes, told_failures, ...told }: Entry) {
  const { id, order_id, provider, provider_id, reference, status, created_at, updated_at } = payment
  const kept = { id, order_id, provider, provider_id, reference, status, created_at, updated_at }
  const texts = { disputes: JSON.stringify(disputes), told_failures: JSON.stringify(told_failures), doc: JSON.stringify(payment) }
  return { ...kept, ...told, ...texts }
}
