// The one place that opens connections of `pg`, for the queue and the embedded database. Each gets the time limits of connect.ts.
import pg from 'pg'
import { KEEP_ALIVE_MS, WAITS } from './connect.ts'

interface Named {
  /** The name in pg_stat_activity. */
  application_name: string
}

const LIMITS = { ...WAITS, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS }

export const connectClient = (config: pg.ClientConfig & Named): pg.Client => new pg.Client({ ...LIMITS, ...config })

export const connectPool = (config: pg.PoolConfig & Named): pg.Pool => new pg.Pool({ ...LIMITS, ...config })

export const { DatabaseError, types } = pg
