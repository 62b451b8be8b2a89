// Every statement that compares what was counted with the tables it was counted from.

import { STATUSES } from '../orders/lifecycle.ts'
import { combine } from '../postgres/combine.ts'
import { type Fragment, part, type Queryable, type Sql, type Tx } from '../postgres/sql.ts'
import { addJob } from '../queue/jobs.ts'
import { nextBlock } from './blocks.ts'
import { addTo, type DaySold, hour } from './fold-store.ts'
import { type Counts, columnOf, MEASURES, type Measure } from './measures.ts'
import { type Row, TYPED_MEASURES } from './store.ts'

/** What is compared: from one moment on, and before another. */
export interface Span {
  tenant: string
  from: Date
  to: Date
}

/** What the count lacks of a span, at one moment. */
export interface Lack {
  /** The number of the last recount at that moment. */
  number: number
  quarters: ({ quarter: string; currency: string } & Counts)[]
  /** The product's id, pieces and amount, by currency. */
  sold: { currency: string; lines: Row['lines'] }[]
}

const quarter = (column: Fragment): Fragment => part`date_bin('15 minutes', ${column}, timestamptz '2000-01-01 00:00:00+00')`

/** Orders that were created in a span, as they are now. */
export const lackOfOrders = (sql: Queryable, span: Span, date: string): Promise<Lack> =>
  lack(sql, span, [...STATUSES.map(columnOf), 'total'], {
    counted: part`
      select ${quarter(part`o.created_at`)} as quarter, o.currency, ${IS_STATUS},
             case when o.status <> 'CANCELLED' then o.total_amount else 0 end as total
        from orders o
       where o.tenant_id = ${span.tenant} and o.created_at >= ${span.from} and o.created_at < ${span.to}`,
    sold: part`
      select u.currency, json_agg(json_build_array(u.product_id, u.pieces, u.amount)) as lines
        from (
          select s.currency, s.product_id, sum(s.pieces) as pieces, sum(s.amount) as amount
            from (
              select o.currency, i ->> 'product_id' as product_id, (i ->> 'quantity')::bigint as pieces, (i ->> 'total_amount')::numeric as amount
                from orders o, jsonb_array_elements(o.doc::jsonb -> 'items') i
               where o.tenant_id = ${span.tenant} and o.created_at >= ${span.from} and o.created_at < ${span.to}
                 and o.status <> 'CANCELLED' and i ->> 'product_id' is not null
               union all
              select p.currency, p.product_id, - p.pieces, - p.amount
                from analytics_products p
               where p.tenant_id = ${span.tenant} and p.day = ${date}::text::date
               union all
              select d.currency, l ->> 0, - (l ->> 1)::bigint, - (l ->> 2)::numeric
                from analytics_differences d, jsonb_array_elements(d.lines) l
               where d.tenant_id = ${span.tenant} and d.quarter >= ${span.from} and d.quarter < ${span.to}
            ) s
           group by s.currency, s.product_id
          having sum(s.pieces) <> 0 or sum(s.amount) <> 0
        ) u
       group by u.currency`,
  })

const IS_STATUS = part.unsafe(STATUSES.map(status => `(o.status = '${status}')::integer as ${columnOf(status)}`).join(', '))

/** Money that came or went back in a span. */
export const lackOfMoney = (sql: Queryable, span: Span): Promise<Lack> =>
  lack(sql, span, ['paid', 'given_back'], {
    counted: part`
      select ${quarter(part`m.at`)} as quarter, m.currency, m.paid, m.given_back
        from (
          select (p.doc::jsonb ->> 'paid_at')::timestamptz as at, p.doc::jsonb ->> 'currency' as currency,
                 (p.doc::jsonb ->> 'amount')::numeric as paid, 0 as given_back
            from payments p
           where p.tenant_id = ${span.tenant} and p.status = 'paid'
           union all
          select (f.doc::jsonb ->> 'completed_at')::timestamptz, f.doc::jsonb ->> 'currency', 0, f.amount
            from refunds f
           where f.tenant_id = ${span.tenant} and f.status = 'completed'
        ) m
       where m.at >= ${span.from} and m.at < ${span.to}`,
  })

/** What was said in a span. The text of a message cannot look like its author: quotes in it are escaped. */
export const lackOfTalks = (sql: Queryable, span: Span): Promise<Lack> =>
  lack(sql, span, ['started', 'inbound', 'ai_replies', 'takeovers', 'escalations'], {
    counted: part`
      select ${quarter(part`c.created_at`)} as quarter, '' as currency, 1 as started, 0 as inbound, 0 as ai_replies, 0 as takeovers, 0 as escalations
        from conversations c
       where c.tenant_id = ${span.tenant} and c.created_at >= ${span.from} and c.created_at < ${span.to}
       union all
      select ${quarter(part`(c.doc::jsonb -> 'escalation' ->> 'requested_at')::timestamptz`)}, '', 0, 0, 0, 0, 1
        from conversations c
       where c.tenant_id = ${span.tenant} and position('"escalation":{' in c.doc) > 0
         and (c.doc::jsonb -> 'escalation' ->> 'requested_at')::timestamptz >= ${span.from}
         and (c.doc::jsonb -> 'escalation' ->> 'requested_at')::timestamptz < ${span.to}
       union all
      select ${quarter(part`m.created_at`)}, '', 0, (position('"direction":"inbound"' in m.doc) > 0)::integer,
             (m.status <> 'failed' and position('"author":{"type":"ai"' in m.doc) > 0)::integer, m.took_over::integer, 0
        from messages m
       where m.tenant_id = ${span.tenant} and m.created_at >= ${span.from} and m.created_at < ${span.to}`,
  })

/** Hours of one statement. */
const HOURS = 1_000

export type HourLack = { hour: string; currency: string } & Record<Measure, number>

/** What hours from one on lack of their quarters, of one moment: so many of them at once. */
export async function lackOfHours(sql: Queryable, tenant: string, from: Date): Promise<{ number: number; lacking: HourLack[] }> {
  const each = (write: (name: Measure) => string, between = ', '): Fragment => part.unsafe(MEASURES.map(write).join(between))
  const found = await combine(sql, {
    reads: {
      last: part`select number from analytics_recounts where tenant_id = ${tenant}`,
      lacking: part`
        select u.hour, u.currency, ${each(name => `sum(u.${name}) as ${name}`)}
          from (
            select ${hour(part`q.quarter`)} as hour, q.currency, ${each(name => `q.${name}`)}
              from analytics_quarters q
             where q.tenant_id = ${tenant} and q.quarter >= ${from}
             union all
            select h.hour, h.currency, ${each(name => `- h.${name}`)}
              from analytics_hours h
             where h.tenant_id = ${tenant} and h.hour >= ${from}
          ) u
         group by u.hour, u.currency
        having ${each(name => `sum(u.${name}) <> 0`, ' or ')}
         limit ${HOURS}`,
    },
  })
  return { number: found.last[0].number, lacking: found.lacking }
}

/** Adds what hours lack. */
export const addHours = (tenant: string, lacking: HourLack[]): Fragment =>
  addTo(
    'hour',
    part`
      select ${tenant}::text, r.hour, r.currency, ${part.unsafe(MEASURES.join(', '))}
        from json_to_recordset(${JSON.stringify(lacking)}::text::json) as r (hour timestamptz, currency text, ${part.unsafe(TYPED_MEASURES)})`,
  )

/** One statement, and so one moment: whatever is counted after it changes no difference between the count and the tables. */
async function lack(
  sql: Queryable,
  { tenant, from, to }: Span,
  measures: Measure[],
  { counted, sold }: { counted: Fragment; sold?: Fragment },
): Promise<Lack> {
  const each = (write: (name: Measure) => string, between = ', '): Fragment => part.unsafe(measures.map(write).join(between))
  const found = await combine(sql, {
    reads: {
      last: part`select number from analytics_recounts where tenant_id = ${tenant}`,
      quarters: part`
        select u.quarter, u.currency, ${each(name => `sum(u.${name}) as ${name}`)}
          from (
            ${counted}
             union all
            select q.quarter, q.currency, ${each(name => `- q.${name}`)}
              from analytics_quarters q
             where q.tenant_id = ${tenant} and q.quarter >= ${from} and q.quarter < ${to}
             union all
            select d.quarter, d.currency, ${each(name => `- coalesce(d.${name}, 0)`)}
              from analytics_differences d
             where d.tenant_id = ${tenant} and d.quarter >= ${from} and d.quarter < ${to}
          ) u
         group by u.quarter, u.currency
        having ${each(name => `sum(u.${name}) <> 0`, ' or ')}`,
      sold,
    },
  })
  return { number: found.last[0].number, quarters: found.quarters, sold: found.sold } as Lack
}

/** What a block lacks of its days, of one moment. */
export async function lackOfBlock(sql: Queryable, tenant: string, block: string): Promise<{ number: number; lacking: DaySold[] }> {
  const found = await combine(sql, {
    reads: {
      last: part`select number from analytics_recounts where tenant_id = ${tenant}`,
      lacking: part`
        select ${tenant}::text as tenant_id, ${block}::text as day, u.product_id, u.currency, sum(u.pieces) as pieces, sum(u.amount) as amount
          from (
            select p.product_id, p.currency, p.pieces, p.amount
              from analytics_products p
             where p.tenant_id = ${tenant} and p.day >= ${block}::text::date and p.day < ${nextBlock(block)}::text::date
             union all
            select b.product_id, b.currency, - b.pieces, - b.amount
              from analytics_blocks b
             where b.tenant_id = ${tenant} and b.day = ${block}::text::date
          ) u
         group by u.product_id, u.currency
        having sum(u.pieces) <> 0 or sum(u.amount) <> 0`,
    },
  })
  return { number: found.last[0].number, lacking: found.lacking }
}

/** Makes sure that recounts of a workspace are numbered. */
export async function number(sql: Queryable, tenant: string): Promise<void> {
  await sql`insert into analytics_recounts (tenant_id) values (${tenant}) on conflict do nothing`
}

/** @returns whether there was no other recount since */
export async function advance(tx: Tx, tenant: string, number: number): Promise<boolean> {
  const { count } = await tx`update analytics_recounts set number = number + 1 where tenant_id = ${tenant} and number = ${number}`
  return count > 0
}

/** The first moment of which there is anything to compare that belongs to days; undefined where there is none. */
export async function first(sql: Queryable, tenant: string): Promise<Date | undefined> {
  const [row] = await sql<{ at: Date | null }[]>`
    select least(
             (select min(o.created_at) from orders o where o.tenant_id = ${tenant}),
             (select min(q.quarter) from analytics_quarters q where q.tenant_id = ${tenant}),
             (select min(d.quarter) from analytics_differences d where d.tenant_id = ${tenant}),
             (select min(p.day) from analytics_products p where p.tenant_id = ${tenant})) as at`
  return row?.at ?? undefined
}

/** Workspaces whose recounts are queued at once. */
const AT_ONCE = 100
/** The last tries come after hours. */
const TRIES = 20

/** Queues the recounts that are due. */
export async function queueRecounts(sql: Sql): Promise<void> {
  await sql`
    with due as (
      update analytics_recounts r
         set due_at = r.again_at, again_at = null
        from (select o.tenant_id from analytics_recounts o where o.due_at <= now() limit ${AT_ONCE} for update skip locked) due
       where r.tenant_id = due.tenant_id
      returning r.tenant_id
    )
    select ${addJob('analytics/recount', { tenantId: part`d.tenant_id` }, { maxAttempts: TRIES })} from due d`
}

export async function dueRecounts(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from analytics_recounts where due_at <= now()`
  return row?.count ?? 0
}
