// Every statement of windows.
import { pruneExpired } from '../postgres/prune.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'

export interface WindowRow {
  key: string
  most: number
  seconds: number
}

const ROWS = columns({ key: 'text', most: 'integer', seconds: 'integer' })
// A row that waited for a lock was locked by a later transaction than this one's beginning: so the clock, not now().
const within = part`t > clock_timestamp() - make_interval(secs => excluded.seconds)`

/** Counts one in each window that has room. Rows are locked in the order of their keys. @returns how many each of those holds now */
export const take = (tx: Tx, rows: WindowRow[]): Promise<{ key: string; count: number }[]> => tx<{ key: string; count: number }[]>`
  insert into attempt_windows as w (key, most, seconds, times, ends_at)
  select r.key, r.most, r.seconds, array[clock_timestamp()], clock_timestamp() + make_interval(secs => r.seconds)
    from ${ROWS.of(rows)}
   order by r.key
  on conflict (key) do update
     set most = excluded.most, seconds = excluded.seconds, ends_at = excluded.ends_at,
         times = array(select t from unnest(w.times) t where ${within}) || clock_timestamp()::timestamptz(3)
   where (select count(*) from unnest(w.times) t where ${within}) < excluded.most
  returning w.key, cardinality(w.times) as count`

const wait = part`greatest(1, ceil(extract(epoch from w.times[greatest(1, cardinality(w.times) - r.most + 1)] + make_interval(secs => r.seconds) - clock_timestamp())))::integer`

/** @returns the seconds until each of these has room */
export const waits = (tx: Tx, rows: WindowRow[]): Promise<{ key: string; seconds: number }[]> => tx<{ key: string; seconds: number }[]>`
  select r.key, ${wait} as seconds
    from ${ROWS.of(rows)}
    join attempt_windows w on w.key = r.key`

/** @returns those of these that have no room now, with the seconds until they have */
export const full = (sql: Queryable, rows: WindowRow[]): Promise<{ key: string; seconds: number }[]> => sql<
  { key: string; seconds: number }[]
>`
  select r.key, ${wait} as seconds
    from ${ROWS.of(rows)}
    join attempt_windows w on w.key = r.key
   where (select count(*) from unnest(w.times) t where t > clock_timestamp() - make_interval(secs => r.seconds)) >= r.most`

/** Takes the latest one out again. */
export async function giveBack(tx: Tx, keys: string[]): Promise<void> {
  await tx`
    update attempt_windows
       set times = trim_array(times, 1)
     where key = any(${arrayText(keys)}::text::text[]) and cardinality(times) > 0`
}

export async function clear(tx: Queryable, keys: string[]): Promise<void> {
  await tx`delete from attempt_windows where key = any(${arrayText(keys)}::text::text[])`
}

export const pruneWindows = pruneExpired({
  table: 'attempt_windows',
  key: ['key'],
  by: 'ends_at',
  expired: part`o.ends_at < now()`,
})
