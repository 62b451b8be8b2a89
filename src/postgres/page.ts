// A page by keyset: rows after (value, id) in one order, their JSON joined by the database into one text that nobody decodes.
import postgres from 'postgres'
import type { Fragment, Queryable, Sql } from './sql.ts'

/** Composes parts of statements. It never connects; a lane would take its turn for every part. */
export const part = postgres({ max: 1 }) as unknown as Sql

/** A time as the interface writes it: ISO 8601, UTC, with milliseconds. */
export const iso = (column: Fragment): Fragment => part`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export type SortType = 'time' | 'number' | 'text'
export interface Sort {
  /** The expression sorted by: a column of the table, qualified. Not null. */
  by: Fragment
  type: SortType
}

export interface PageRequest {
  sort: string
  dir: 'asc' | 'desc'
  limit: number
  after?: { last: string | number; id: string }
  offset?: number
}

/** The filters every list takes. */
export interface TimeFilters {
  created_after?: string
  created_before?: string
  updated_after?: string
  updated_before?: string
}

export function timeConditions({ created_after, created_before, updated_after, updated_before }: TimeFilters): Fragment[] {
  const found: Fragment[] = []
  if (created_after !== undefined) found.push(part`t.created_at > ${created_after}::text::timestamptz`)
  if (created_before !== undefined) found.push(part`t.created_at < ${created_before}::text::timestamptz`)
  if (updated_after !== undefined) found.push(part`t.updated_at > ${updated_after}::text::timestamptz`)
  if (updated_before !== undefined) found.push(part`t.updated_at < ${updated_before}::text::timestamptz`)
  return found
}

export interface Page {
  /** JSON texts joined by commas. */
  data: Buffer
  /** The last row's place, where more rows follow it. */
  next: { last: string | number; id: string } | undefined
}

/**
 * @param from the table, as `orders t`
 * @param json the row's JSON text
 * @param where each a condition on `t`, the tenant's first
 */
export async function keysetPage(
  sql: Queryable,
  from: Fragment,
  json: Fragment,
  where: Fragment[],
  sorts: Record<string, Sort>,
  asked: PageRequest,
): Promise<Page> {
  const { by, type } = sorts[asked.sort] as Sort
  const descending = asked.dir === 'desc'
  const direction = descending ? part`desc` : part`asc`
  const last = asked.after && cast(asked.after.last, type)
  const after =
    asked.after &&
    (descending
      ? part`and (${by}, t.id) < (${last as Fragment}, ${asked.after.id})`
      : part`and (${by}, t.id) > (${last as Fragment}, ${asked.after.id})`)
  // One row more than asked for tells whether there is a next page. The columns of `order by` are qualified on purpose.
  const rows = await sql`
    select string_agg(p.json, ',') filter (where p.n <= ${asked.limit}),
           count(*),
           (max(p.sort) filter (where p.n = ${asked.limit}))${type === 'time' ? part`` : part`::text`},
           max(p.id) filter (where p.n = ${asked.limit})
      from (
        select r.json, r.sort, r.id, row_number() over () as n
          from (
            select ${json} as json, ${type === 'time' ? part`(extract(epoch from ${by}) * 1000)::bigint` : by} as sort, t.id
              from ${from}
             where ${where.map((condition, index) => (index === 0 ? condition : part` and ${condition}`))} ${after ?? part``}
             order by ${by} ${direction}, t.id ${direction}
             limit ${asked.limit + 1} ${asked.offset === undefined ? part`` : part`offset ${asked.offset}`}
          ) r
      ) p`.raw()
  const [data, count, value, id] = rows[0] as unknown as (Buffer | null)[]
  const more = Number(count) > asked.limit
  return {
    data: data ?? EMPTY,
    next: more ? { last: uncast(String(value), type), id: String(id) } : undefined,
  }
}

const EMPTY = Buffer.alloc(0)

function cast(value: string | number, type: SortType): Fragment {
  if (type === 'time') return part`${value as string}::text::timestamptz`
  return type === 'number' ? part`${value as number}::bigint` : part`${value as string}::text`
}

function uncast(text: string, type: SortType): string | number {
  if (type === 'time') return new Date(Number(text)).toISOString()
  return type === 'number' ? Number(text) : text
}
