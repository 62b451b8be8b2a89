// Every statement that folds differences into what was counted before.
import { combine } from '../postgres/combine.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import { MEASURES } from './measures.ts'

const NAMES = part.unsafe(MEASURES.join(', '))
const SUMS = part.unsafe(MEASURES.map(name => `coalesce(sum(${name}), 0)`).join(', '))
const ADDED = part.unsafe(MEASURES.map(name => `${name} = q.${name} + excluded.${name}`).join(', '))

export interface Taken {
  rows: number
  /** The last workspace of these rows. */
  last: string
  /** What was sold of products, or not after all. */
  sold: { tenant_id: string; quarter: string; product_id: string; currency: string; pieces: number; amount: number }[]
}

/**
 * Takes differences, and adds what they count to their quarter hours. What another process holds is left to it. Rows are written in the order of their keys,
 * so two that do this at once cannot deadlock.
 * Each is deleted at its place, for where autovacuum last found the table empty, a plan by ids reads all of it for each.
 * @param after only of workspaces behind this one, in the order of their ids
 */
export async function take(tx: Tx, after: string, most: number): Promise<Taken> {
  const taken = part`
    delete from analytics_differences d
     using (
       select o.ctid as place
         from analytics_differences o
        where o.tenant_id > ${after}
        order by o.tenant_id, o.id
        limit ${most}
          for update skip locked
     ) old
     where d.ctid = old.place
    returning d.*`
  const found = await combine(tx, {
    before: { taken },
    reads: {
      counts: part`select count(*) as rows, coalesce(max(t.tenant_id), '') as last from taken t`,
      sold: part`
        select t.tenant_id, t.quarter, l ->> 0 as product_id, t.currency, sum((l ->> 1)::bigint) as pieces, sum((l ->> 2)::numeric) as amount
          from taken t, jsonb_array_elements(t.lines) l
         group by 1, 2, 3, 4`,
    },
    writes: [
      addTo('quarter', part`select tenant_id, quarter, currency, ${SUMS} from taken group by 1, 2, 3`),
      addTo('hour', part`select tenant_id, ${hour(part`quarter`)}, currency, ${SUMS} from taken group by 1, 2, 3`),
    ],
  })
  return { ...found.counts[0], sold: found.sold } as Taken
}

/** The hour of a quarter hour. */
export const hour = (quarter: Fragment): Fragment => part`date_bin('1 hour', ${quarter}, timestamptz '2000-01-01 00:00:00+00')`

/** Adds counts to quarter hours, or to hours. @param counts rows of the key and of MEASURES */
export const addTo = (unit: 'quarter' | 'hour', counts: Fragment): Fragment => part`
  insert into ${part.unsafe(`analytics_${unit}s`)} as q (tenant_id, ${part.unsafe(unit)}, currency, ${NAMES})
  ${counts}
   order by 1, 2, 3
  on conflict (tenant_id, ${part.unsafe(unit)}, currency) do update set ${ADDED}`

export interface DaySold {
  tenant_id: string
  day: string
  product_id: string
  currency: string
  pieces: number
  amount: number
}

const SOLD = columns({ tenant_id: 'text', day: 'date', product_id: 'text', currency: 'text', pieces: 'bigint', amount: 'numeric' })

/** Adds what was sold to the days of products, or to the blocks that begin on these days, in the order of their keys. */
export const addSold = (to: 'analytics_products' | 'analytics_blocks', rows: DaySold[]): Fragment => part`
  insert into ${part.unsafe(to)} as s (${SOLD.names})
  select ${SOLD.names} from ${SOLD.of(rows)}
   order by tenant_id, day, product_id, currency
  on conflict (tenant_id, day, product_id, currency) do update
     set pieces = s.pieces + excluded.pieces, amount = s.amount + excluded.amount`

export interface Waiting {
  /** Seconds for which the oldest has waited. */
  seconds: number
  /** The workspace whose it is. */
  tenant: string
}

/** The difference that has waited longest to be folded. */
export async function oldest(sql: Queryable): Promise<Waiting | undefined> {
  const [row] = await sql<Waiting[]>`
    select t.id as tenant, extract(epoch from now() - uuid_extract_timestamp(d.id))::integer as seconds
      from tenants t,
           lateral (
             select o.id
               from analytics_differences o
              where o.tenant_id = t.id
              order by o.id
              limit 1) d
     order by d.id
     limit 1`
  return row
}
