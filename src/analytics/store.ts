// Every statement that writes differences, or reads what is counted.
import { combine } from '../postgres/combine.ts'
import { arrayText } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { wholeBlocks } from './blocks.ts'
import type { Day } from './days.ts'
import { type Counts, MEASURES, type Measure } from './measures.ts'
import { hourOf } from './quarter.ts'

/** A row of differences. */
export interface Row extends Counts {
  tenant_id: string
  /** ISO 8601. */
  quarter: string
  /** Empty where there is none. */
  currency: string
  /** The product's id, pieces, amount. */
  lines?: (readonly [string, number, number])[]
}

const AMOUNTS: Measure[] = ['total', 'paid', 'given_back']
/** MEASURES with their types, for rows that travel as JSON. */
export const TYPED_MEASURES = MEASURES.map(name => `${name} ${AMOUNTS.includes(name) ? 'numeric' : 'bigint'}`).join(', ')
const NAMES = `tenant_id, quarter, currency, ${MEASURES.join(', ')}, lines`
const TYPED = `tenant_id text, quarter timestamptz, currency text, ${TYPED_MEASURES}, lines jsonb`

/** Inserts differences, as a part of a statement. They are few and have few of the columns, so they go as JSON. */
export const insertPart = (rows: Row[]): Fragment => part`
  insert into analytics_differences (${part.unsafe(NAMES)})
  select ${part.unsafe(NAMES)} from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (${part.unsafe(TYPED)})`

const SUMS = part.unsafe(MEASURES.map(name => `coalesce(sum(c.${name}), 0) as ${name}`).join(', '))
const ALL = part.unsafe(['currency', ...MEASURES].join(', '))

/** What was counted on one day, in one currency. */
export type DayCounts = Record<Measure, number> & {
  /** The place of the day among those asked for, from one on. */
  day: number
  currency: string
}

export interface Sold {
  product_id: string
  name: string
  sku: string | null
  quantity: number
  amount: number
}

/**
 * What was counted on these days, folded and not yet folded, of one moment.
 * @param days in a row, the first one first
 * @param currency of the amounts of products
 * @param most products
 */
export async function counts(
  sql: Queryable,
  tenant: string,
  { days, currency, most }: { days: Day[]; currency: string; most: number },
): Promise<{ days: DayCounts[]; products: Sold[] }> {
  const [first, last] = [days[0] as Day, days.at(-1) as Day]
  const [from, to] = [new Date(first.from), new Date(last.to)]
  const whole = wholeBlocks(first.date, last.date)
  const starts = arrayText(days.map(each => new Date(each.from).toISOString()))
  const parted = arrayText(partedHours(days))
  const found = await combine(sql, {
    reads: {
      days: part`
        select width_bucket(c.at, (select ${starts}::text::timestamptz[])) as day, c.currency, ${SUMS}
          from (
            select hour as at, ${ALL}
              from analytics_hours
             where tenant_id = ${tenant} and hour >= ${from} and hour < ${to} and hour <> all ((select ${parted}::text::timestamptz[])::timestamptz[])
             union all
            select p.*
              from unnest(${parted}::text::timestamptz[]) h (hour),
                   lateral (
                     select quarter, ${ALL}
                       from analytics_quarters
                      where tenant_id = ${tenant} and quarter >= greatest(h.hour, ${from}) and quarter < least(h.hour + interval '1 hour', ${to})
                     offset 0) p
             union all
            select quarter, ${ALL} from analytics_differences where tenant_id = ${tenant} and quarter >= ${from} and quarter < ${to}
          ) c
         group by 1, 2`,
      products: part`
        select s.product_id, coalesce(p.name, '') as name, p.sku, s.pieces as quantity, s.amount
          from (
            select s.product_id, sum(s.pieces) as pieces, coalesce(sum(s.amount) filter (where s.currency = ${currency}), 0) as amount
              from (
                select product_id, currency, pieces, amount
                  from analytics_blocks
                 where tenant_id = ${tenant} and day >= ${whole.from}::text::date and day < ${whole.to}::text::date
                 union all
                select product_id, currency, pieces, amount
                  from analytics_products
                 where tenant_id = ${tenant} and day >= ${first.date}::text::date and day < ${whole.from}::text::date
                 union all
                select product_id, currency, pieces, amount
                  from analytics_products
                 where tenant_id = ${tenant} and day >= ${whole.to}::text::date and day <= ${last.date}::text::date
                 union all
                select l ->> 0, d.currency, (l ->> 1)::bigint, (l ->> 2)::numeric
                  from analytics_differences d, jsonb_array_elements(d.lines) l
                 where d.tenant_id = ${tenant} and d.quarter >= ${from} and d.quarter < ${to}
              ) s
             group by s.product_id
            having sum(s.pieces) > 0
             order by 2 desc, 3 desc, 1
             limit ${most}
          ) s
          left join products p on p.tenant_id = ${tenant} and p.id = s.product_id
         order by 4 desc, 5 desc, 1`,
    },
  })
  return found as { days: DayCounts[]; products: Sold[] }
}

/** The hours in which a day begins that does not begin with them, and that in which the last one ends. */
function partedHours(days: Day[]): string[] {
  const midnights = [...days.map(each => each.from), (days.at(-1) as Day).to]
  return midnights.filter(at => hourOf(at) < at).map(at => new Date(hourOf(at)).toISOString())
}
