// One process of many, elected: an advisory lock that goes with its session, so it passes on the moment the holder's connection dies.
import type { Queryable } from './sql.ts'

/**
 * Whether the session of `sql`, which must be one connection, is the elected one. Asked again every time, because a connection that was lost
 * and made anew has another session; held already, the lock is not taken once more, for each taking is counted.
 */
export async function elect(sql: Queryable, lock: number): Promise<boolean> {
  const [row] = await sql<{ elected: boolean }[]>`
    select case
             when exists (
               select 1 from pg_locks l
                where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid = 0 and l.objid = ${lock}::bigint::oid and l.objsubid = 1)
             then true
             else pg_try_advisory_lock(${lock}::bigint)
           end as elected`
  return row?.elected === true
}
