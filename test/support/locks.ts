// Waits for locks in the database: other tests have databases of their own on the same server, whose sessions and locks PostgreSQL shows as well.
import type { Queryable } from '../../src/postgres/sql.ts'
import { eventually } from './eventually.ts'

/**
 * Resolves when a session of this database waits for a lock.
 * @param sql not a transaction: such a one sees the sessions as they were when it looked first
 */
export const sessionWaits = (sql: Queryable): Promise<boolean> =>
  eventually(
    async () => (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length > 0,
  )

/** @returns the process ids of the sessions of this database that wait for this advisory lock, or for any */
export async function waitingForAdvisory(sql: Queryable, lock?: number): Promise<number[]> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_locks
     where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()) and not granted
       and objid = coalesce(${lock ?? null}::bigint::oid, objid)`
  return rows.map(({ pid }) => pid)
}
