// A page by keyset: rows after (value, id) in one order. The database joins their JSON into one text, which is never decoded here.
import { PAGE_BYTES } from '../limits/lists.ts'
import { type Fragment, part, type Queryable } from './sql.ts'

/** A time as the interface writes it: ISO 8601, UTC, with milliseconds. */
export const iso = (column: Fragment): Fragment => part`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A JSON object without spaces, which `json_build_object` writes between all its members. @param members as a `select` lists them: `t.id, t.state as status` */
export const object = (members: Fragment): Fragment => part`(select row_to_json(o) from (select ${members}) o)`

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
  /** How many rows may be looked at for the page, where no index alone finds its rows; LIST_SCAN_MAX unless given. */
  scan?: number
}

/** The filters every list takes. */
export interface TimeFilters {
  created_after?: string
  created_before?: string
  updated_after?: string
  updated_before?: string
}

export interface Page {
  /** JSON texts joined by commas. */
  data: Buffer
  /** The place of the last row, or of the last row looked at; undefined where none follows. */
  next: { last: string | number; id: string } | undefined
  /** The rows looked at did not fill the page, though more may follow. */
  short: boolean
}

/** The `order by` list. Its columns are qualified on purpose: else PostgreSQL would sort by the selected expression, which no index has. */
export function order({ by }: Sort, dir: 'asc' | 'desc'): Fragment {
  const direction = dir === 'desc' ? part`desc` : part`asc`
  return part`${by} ${direction}, t.id ${direction}`
}

/** The rows after the cursor: a condition, or none. */
export function after({ by, type }: Sort, { after: place, dir }: PageRequest): Fragment[] {
  if (!place) return []
  return dir === 'desc'
    ? [part`(${by}, t.id) < (${cast(place.last, type)}, ${place.id})`]
    : [part`(${by}, t.id) > (${cast(place.last, type)}, ${place.id})`]
}

export const all = (conditions: Fragment[]): Fragment =>
  part`${conditions.map((condition, index) => (index === 0 ? condition : part` and ${condition}`))}`

/** The sort's value as it is sent to this process: times as whole milliseconds. */
export const travelling = ({ by, type }: Sort): Fragment => (type === 'time' ? part`(extract(epoch from ${by}) * 1000)::bigint` : by)

/** The last row that a page may look at, if there is one. `short` is the condition that the rows looked at did not fill the page. */
export type Stop = (short: Fragment) => Fragment

/**
 * @param from the table, as `orders t`
 * @param json the row's JSON text
 * @param where each a condition on `t`, the tenant's first
 * @param stop finds where a page that is not full goes on, if `from` does not have all rows
 */
export async function keysetPage(
  sql: Queryable,
  from: Fragment,
  json: Fragment,
  where: Fragment[],
  sorts: Record<string, Sort>,
  request: PageRequest,
  stop?: Stop,
): Promise<Page> {
  const sort = sorts[request.sort] as Sort
  // One row more than requested tells whether there is a next page. Bytes are counted without reading what is stored apart from its row.
  const page = part`
    select string_agg(p.json, ',') filter (where p.fits) as data,
           bool_or(not p.fits) as more,
           (max(p.sort) filter (where p.fits and p.ends))${sort.type === 'time' ? part`` : part`::text`} as sort,
           max(p.id) filter (where p.fits and p.ends) as id
      from (
        select r.json, r.sort, r.id,
               ${fits(request.limit, mostBytes(request))} as fits, ${ends(request.limit, mostBytes(request))} as ends
          from (
            select ${json} as json, ${travelling(sort)} as sort, t.id
              from ${from}
             where ${all([...where, ...after(sort, request)])}
             order by ${order(sort, request.dir)}
             limit ${request.limit + 1} ${request.offset === undefined ? part`` : part`offset ${request.offset}`}
          ) r
        ${upToRow}
      ) p`
  const rows = await (stop
    ? sql`select p.*, s.* from (${page}) p left join lateral (${stop(part`p.more is not true`)}) s on true`
    : sql`${page}`
  ).raw()
  const [data, more, value, id, stopValue, stopId] = rows[0] as unknown as (Buffer | null | undefined)[]
  const full = more?.toString() === 't'
  const next = full ? [value, id] : [stopValue, stopId]
  return {
    data: data ?? EMPTY,
    next: next[1] ? { last: uncast(String(next[0]), sort.type), id: String(next[1]) } : undefined,
    short: !full && Boolean(stopId),
  }
}

/** Whether a row of `r` is on the page: its JSON is `r.json`, and its window `w` is `upToRow`. */
export const fits = (limit: number, mostBytes = PAGE_BYTES): Fragment =>
  part`row_number() over w <= ${limit} and ${bytes} - octet_length(r.json) < ${mostBytes}::bigint`

/** Whether the page is full with this row, if it is on the page. */
export const ends = (limit: number, mostBytes = PAGE_BYTES): Fragment =>
  part`(row_number() over w = ${limit} or ${bytes} >= ${mostBytes}::bigint)`

const bytes = part`sum(octet_length(r.json)) over w`
export const upToRow = part`window w as (rows unbounded preceding)`

// A client that pages by offset counts items by the limit, so it would miss those that a page left out.
const mostBytes = ({ offset }: PageRequest): number => (offset === undefined ? PAGE_BYTES : Number.MAX_SAFE_INTEGER)

const EMPTY = Buffer.alloc(0)

function cast(value: string | number, type: SortType): Fragment {
  if (type === 'time') return part`${value as string}::text::timestamptz`
  return type === 'number' ? part`${value as number}::bigint` : part`${value as string}::text`
}

function uncast(text: string, type: SortType): string | number {
  if (type === 'time') return new Date(Number(text)).toISOString()
  return type === 'number' ? Number(text) : text
}
