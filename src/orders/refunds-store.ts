// Every statement of refunds.
import { listPage, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, TimeFilters } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Refund } from './refund-schema.ts'

type Between = Pick<TimeFilters, 'created_after' | 'created_before'>

export const list = (sql: Queryable, tenant: string, order: string, filters: Between, page: PageRequest): Promise<Page> =>
  listPage(
    sql,
    {
      from: part`refunds t`,
      json: part`t.doc`,
      scope: part`t.tenant_id = ${tenant} and t.order_id = ${order}`,
      sorts: { created_at: { by: part`t.created_at`, type: 'time' } },
    },
    timeFilters(filters),
    page,
  )

/** The public JSON of one refund. */
export async function findJson(sql: Queryable, tenant: string, order: string, id: string): Promise<string | undefined> {
  const [row] = await sql<{ doc: string }[]>`
    select doc from refunds where tenant_id = ${tenant} and id = ${id} and order_id = ${order}`
  return row?.doc
}

const asRefunds = (rows: { doc: string }[]): Refund[] => rows.map(row => JSON.parse(row.doc) as Refund)

/** The pending refunds of orders, whose rows are locked. */
export const pendingOf = async (sql: Queryable, tenant: string, orders: string[]): Promise<Refund[]> =>
  asRefunds(
    await sql<{ doc: string }[]>`
    select doc from refunds where tenant_id = ${tenant} and order_id = any(${arrayText(orders)}::text::text[]) and status = 'pending'`,
  )

/**
 * The refund that a provider names: by its own id, of this payment or of none of its order's; else the latest completed one of this payment and of exactly this
 * amount, told of without an id.
 * @param named `except`: ids of refunds that are not looked at
 */
export async function named(
  sql: Queryable,
  tenant: string,
  order: string,
  payment: string,
  { reference, amount, except }: { reference: string; amount: number; except: string[] },
): Promise<Refund | undefined> {
  const rows = await sql<{ doc: string }[]>`
    select doc
      from refunds
     where tenant_id = ${tenant} and order_id = ${order} and id <> all(${arrayText(except)}::text::text[])
       and ((reference = ${reference} and (payment_id = ${payment} or payment_id is null))
         or (payment_id = ${payment} and reference is null and status = 'completed' and amount = ${amount}))
     order by reference is null, payment_id is null, created_at desc, id desc
     limit 1`
  return asRefunds(rows)[0]
}

/** Completed refunds of a payment that were told of without an id, the smallest first. @param except ids of refunds that are not looked at */
export const unnamed = async (
  sql: Queryable,
  tenant: string,
  order: string,
  payment: string,
  except: string[],
  limit: number,
): Promise<Refund[]> =>
  asRefunds(
    await sql<{ doc: string }[]>`
    select doc
      from refunds
     where tenant_id = ${tenant} and order_id = ${order} and payment_id = ${payment} and id <> all(${arrayText(except)}::text::text[])
       and reference is null and status = 'completed'
     order by amount
     limit ${limit}`,
  )

/** @param payment undefined: of any payment of the order, or of none; else also those of none count */
export async function has(sql: Queryable, tenant: string, order: string, payment: string | undefined, reference: string): Promise<boolean> {
  const of = payment === undefined ? part`` : part`and (payment_id = ${payment} or payment_id is null)`
  const rows =
    await sql`select 1 from refunds where tenant_id = ${tenant} and order_id = ${order} and reference = ${reference} ${of} limit 1`
  return rows.length > 0
}

/** A completed refund of a payment, of exactly this amount, that its provider told of. @returns its id */
export async function findTold(
  sql: Queryable,
  tenant: string,
  order: string,
  payment: string,
  amount: number,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id
      from refunds
     where tenant_id = ${tenant} and order_id = ${order} and payment_id = ${payment} and amount = ${amount} and status = 'completed' and told
     limit 1`
  return row?.id
}

/** Inserts refunds, or replaces those that there are, as a part of a statement. @param told ids of those that a provider told of */
export const saveAll = (tenant: string, refunds: Refund[], told: string[] = []): Fragment => part`
  insert into refunds as t (${REFUND.names})
  select ${REFUND.names} from ${REFUND.of(refunds.map(refund => ({ tenant_id: tenant, ...row(refund), told: told.includes(refund.id) })))}
  on conflict (tenant_id, id) do update
     set payment_id = excluded.payment_id, reference = excluded.reference, amount = excluded.amount, status = excluded.status, doc = excluded.doc,
         told = t.told or excluded.told`

const REFUND = columns({
  tenant_id: 'text',
  id: 'text',
  order_id: 'text',
  payment_id: 'text',
  reference: 'text',
  amount: 'bigint',
  status: 'text',
  created_at: 'timestamptz',
  doc: 'json',
  told: 'boolean',
})

// The columns and the text come from one object, so they cannot drift apart.
const row = (refund: Refund) => {
  const { id, order_id, payment_id, reference, amount, status, created_at } = refund
  return { id, order_id, payment_id, reference, amount, status, created_at, doc: JSON.stringify(refund) }
}
