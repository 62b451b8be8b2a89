// A walk through all rows of a selection, oldest first, in slices by keyset: no cursor, no long transaction, and no lock between two slices, so a
// walk may pause for as long as its reader likes.
import type { Filter, List } from './list-page.ts'
import { type Fragment, part, type Queryable } from './sql.ts'

/** The rows to walk through. */
export interface Source {
  /** The table, as `orders t`. */
  from: Fragment
  /** The row's JSON text, without a line break, with its `created_at` and `id`. */
  json: Fragment
  /** Each a condition on `t`, the tenant's first. */
  where: Fragment[]
}

/** The rows of a list that pass its filters. */
export const sourceOf = ({ from, join, json, scope }: List, filters: Filter[]): Source => ({
  from: part`${from} ${join ?? part``}`,
  json,
  where: [scope, ...filters.map(({ where }) => where)],
})

/** The position of a walk: behind the row with this time of creation and id. */
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
  /** Whether rows may follow. */
  more: boolean
}

/** About the size of a row: sets how many rows a slice may read. */
const ROW_BYTES = 1024
/** Room for the row that takes a slice beyond its bytes; for a larger row the buffer grows. */
const LAST_ROW_BYTES = 16 * 1024

export interface Walk {
  /** A connection of `openWalks`. */
  sql: Queryable
  source: Source
  /** Rows created later are left out, or the walk might never end. ISO 8601. */
  until: string
  /** Where the walk goes on. */
  after?: Place | undefined
  /** A slice of this size takes no further row. */
  sliceBytes: number
}

/**
 * @returns reads the next slice, undefined when there is none; to be called again when its last call is answered. Its signal ends the statement
 * under way.
 */
export function walk({ sql, source, until, after, sliceBytes }: Walk): (signal?: AbortSignal) => Promise<Slice | undefined> {
  let place = after
  const most = Math.ceil(sliceBytes / ROW_BYTES)
  // Where large rows end a slice early, the next one reads fewer of them.
  let limit = most
  let over = false
  return async signal => {
    if (over) return undefined
    const lines = await read(sql, sliceOf(source, until, place, limit, sliceBytes), sliceBytes + LAST_ROW_BYTES, signal)
    const { data, length, rows } = lines
    if (rows === 0) return undefined
    place = placeOf(lines)
    over = rows < limit && length < sliceBytes
    limit = Math.min(most, rows * 2)
    return { data: data.subarray(0, length), rows, last: place, more: !over }
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

// The window counts the bytes before each row. Rows arrive one by one: joining two megabytes would cost the database twice as much, and nothing
// could be read before all rows were joined. The columns of `order by` are qualified on purpose (see page.ts).
const sliceOf = (source: Source, until: string, after: Place | undefined, limit: number, bytes: number): Fragment => part`
  select s.json
    from (
      select r.json, sum(octet_length(r.json)) over (rows between unbounded preceding and current row) - octet_length(r.json) as before
        from (
          select ${source.json} as json
            from ${source.from}
           where ${conditions(source, until)} ${after ? part`and (t.created_at, t.id) > (${after.at}::text::timestamptz, ${after.id})` : part``}
           order by t.created_at, t.id
           limit ${limit}
        ) r
    ) s
   where s.before < ${bytes}`

/** @param bytes the usual maximum of the rows' size */
async function read(sql: Queryable, statement: Fragment, bytes: number, signal: AbortSignal | undefined): Promise<Lines> {
  const lines: Lines = { data: Buffer.allocUnsafeSlow(bytes), length: 0, rows: 0, last: 0 }
  const query = sql`${statement}`.raw()
  const cancel = () => void query.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    // Appended as they arrive: keeping thousands of rows until the last one would be most of a slice's cost in this process.
    await query.forEach(row => {
      append(lines, (row as unknown as [Buffer])[0])
    })
    return lines
  } catch (error) {
    // A cancellation applies to a connection, not to a statement: it may hit the next statement, of another walk.
    if (!signal?.aborted && /due to user request/.test(String(error))) return read(sql, statement, bytes, signal)
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** Rows, each with a line feed behind it, in the first `length` bytes of `data`. */
interface Lines {
  data: Buffer
  length: number
  rows: number
  /** Where the last row begins. */
  last: number
}

const GROWTH = 1.5
const LINE_FEED = 0x0a

function append(lines: Lines, row: Buffer): void {
  const length = lines.length + row.length + 1
  if (length > lines.data.length) {
    const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.ceil(GROWTH * lines.data.length)))
    lines.data.copy(larger, 0, 0, lines.length)
    lines.data = larger
  }
  row.copy(lines.data, lines.length)
  lines.data[length - 1] = LINE_FEED
  lines.rows++
  lines.last = lines.length
  lines.length = length
}

function placeOf({ data, last, length }: Lines): Place {
  const { created_at: at, id } = JSON.parse(data.toString('utf8', last, length)) as { created_at: string; id: string }
  return { at, id }
}
