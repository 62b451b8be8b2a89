// A walk through all rows of a selection, oldest first, in slices by keyset: no cursor, no long transaction, and nothing is held between
// two slices, so a walk may pause for as long as its reader likes.
import type { Filter, List } from './bounded.ts'
import { part } from './page.ts'
import type { Fragment, Queryable } from './sql.ts'

/** What is walked through. */
export interface Source {
  /** The table, as `orders t`. */
  from: Fragment
  /** The row's JSON text, without a line break. */
  json: Fragment
  /** Each a condition on `t`, the tenant's first. */
  where: Fragment[]
}

/** The rows of a list that its filters leave. */
export const sourceOf = ({ from, join, json, scope }: List, filters: Filter[]): Source => ({
  from: part`${from} ${join ?? part``}`,
  json,
  where: [scope, ...filters.map(({ where }) => where)],
})

/** Where a walk stands: behind the row with this time of creation and id. */
export interface Place {
  /** ISO 8601. */
  at: string
  id: string
}

export interface Slice {
  /** JSON texts, each with a line feed behind it: NDJSON as it is. */
  data: Buffer
  rows: number
  /** The last row's place. */
  last: Place
  /** Whether rows follow. */
  more: boolean
}

/** What a row has about, or less: it says how many rows are looked at for a slice. */
const ROW_BYTES = 1024

export interface Walk {
  sql: Queryable
  source: Source
  /** Rows created later than this are not of the walk, or it might never end. ISO 8601. */
  until: string
  /** Where it goes on. */
  after?: Place | undefined
  /** A slice that has as many takes no further row. */
  sliceBytes: number
}

/**
 * @returns what reads the next slice, undefined when there is none; to be called again when its last call is answered. Its signal ends the
 * statement under way.
 */
export function walk({ sql, source, until, after, sliceBytes }: Walk): (signal?: AbortSignal) => Promise<Slice | undefined> {
  let place = after
  const most = Math.ceil(sliceBytes / ROW_BYTES)
  // Where rows are so large that the bytes cut a slice short, the next does not look at a thousand of them.
  let limit = most
  let over = false
  return async signal => {
    if (over) return undefined
    const slice = await read(sql, sliceOf(source, until, place, limit, sliceBytes), limit, signal)
    over = !slice?.more
    if (!slice) return undefined
    place = slice.last
    limit = Math.min(most, slice.rows * 2)
    return slice
  }
}

export async function countRows(sql: Queryable, source: Source, until: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from ${source.from} where ${conditions(source, until)}`
  return row?.count ?? 0
}

function conditions({ where }: Source, until: string): Fragment[] {
  const all = [...where, part`t.created_at <= ${until}::text::timestamptz`]
  return all.map((condition, index) => (index === 0 ? condition : part` and ${condition}`))
}

// The window counts the bytes before each row. The columns of `order by` are qualified on purpose (see page.ts).
const sliceOf = (source: Source, until: string, after: Place | undefined, limit: number, bytes: number): Fragment => part`
  select string_agg(s.json, E'\n') filter (where s.before < ${bytes}) || E'\n',
         count(*) filter (where s.before < ${bytes}),
         count(*),
         (extract(epoch from max(s.created_at) filter (where s.before < ${bytes})) * 1000)::bigint,
         (array_agg(s.id) filter (where s.before < ${bytes}))[count(*) filter (where s.before < ${bytes})]
    from (
      select r.json, r.created_at, r.id,
             sum(octet_length(r.json)) over (rows between unbounded preceding and current row) - octet_length(r.json) as before
        from (
          select ${source.json} as json, t.created_at, t.id
            from ${source.from}
           where ${conditions(source, until)} ${after ? part`and (t.created_at, t.id) > (${after.at}::text::timestamptz, ${after.id})` : part``}
           order by t.created_at, t.id
           limit ${limit}
        ) r
    ) s`

async function read(sql: Queryable, statement: Fragment, limit: number, signal: AbortSignal | undefined): Promise<Slice | undefined> {
  const query = sql`${statement}`.raw()
  const cancel = () => void query.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const [row] = (await query) as unknown as [(Buffer | null)[]]
    const [data, rows, seen, at, id] = row
    if (!data) return undefined
    const last = { at: new Date(Number(at)).toISOString(), id: String(id) }
    return { data, rows: Number(rows), last, more: Number(seen) > Number(rows) || Number(rows) === limit }
  } catch (error) {
    // A cancellation is for a connection, not for a statement: it may meet the statement of another walk that came next.
    if (!signal?.aborted && /due to user request/.test(String(error))) return read(sql, statement, limit, signal)
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
