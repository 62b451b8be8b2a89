// Waits for locks in the database.
import type { Queryable } from '../../src/postgres/sql.ts'
import { eventually } from './eventually.ts'

/**
 * Resolves when a session of this database waits for a lock: other tests have databases of their own on the same server.
 * @param sql not a transaction: such a one sees the sessions as they were when it looked first
 */
export const sessionWaits = (sql: Queryable): Promise<boolean> =>
  eventually(
    async () => (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).length > 0,
  )
