// The one place that opens connections of postgres.js. Each gets the time limits that hold for every connection of ours; those of `pg`, which the queue
// and the embedded database use, get them in connect-pg.ts.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from './driver.ts'
import { hasNoConnectionLeft } from './errors.ts'

/**
 * For every connection, in milliseconds. Rows are locked for no longer than a statement or two, so a lock that is not free in five seconds
 * belongs to a transaction that hangs: the caller is told to try again, and its connection serves others. And a transaction without a statement
 * for half a minute belongs to a process that is frozen or cut off: it ends, and its locks are free.
 */
export const WAITS = { lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 }

/**
 * PostgreSQL ends a statement at its `statement_timeout`. Where no answer has come so much later there is no server any more, or it is frozen, or the network
 * lost it without a word: then the connection ends, and the next one may find a server that took over. TCP alone would wait for a quarter of an hour.
 */
const SILENCE_EXTRA_MS = 5_000
/** Where a statement may take longer than this, another connection asks after so long whether the server is still at it. */
const ASK_AFTER_MS = 15_000

/**
 * How long a connection is idle before TCP asks whether the other side is there. After ten questions without an answer, a second apart, the connection
 * ends: one that only listens would else never notice that its server vanished, or that a firewall forgot the connection.
 */
export const KEEP_ALIVE_MS = 10_000

// biome-ignore lint/complexity/noBannedTypes: the driver's own word for a client without types of its own
type Client = postgres.Sql<{}>

export interface ConnectOptions extends Omit<postgres.Options<Record<string, postgres.PostgresType>>, 'connection'> {
  /** Named in pg_stat_activity. */
  name: string
  max: number
  /** Settings of each connection besides. */
  settings?: Record<string, string | number>
}

/** A client whose connections are opened when they are first used. Settings in the address win over those given here. */
export function connect(url: string, { name, settings, ...options }: ConnectOptions): Client {
  const statementMs = Number(settings?.['statement_timeout'] ?? 0)
  const mostMs = statementMs + SILENCE_EXTRA_MS
  const isLong = statementMs > ASK_AFTER_MS
  return postgres(url, {
    onnotice: () => {},
    connect_timeout: 10,
    keep_alive: KEEP_ALIVE_MS / 1000,
    silence_timeout: statementMs > 0 ? (isLong ? ASK_AFTER_MS : mostMs) / 1000 : null,
    at_work: isLong ? async (pid, ms) => ms < mostMs && isAtWork(url, pid) : undefined,
    ...options,
    connection: { application_name: name, ...WAITS, ...settings } as object,
  }) as unknown as Client
}

/**
 * Whether the server at an address is at work for one of its sessions. A session that has done its work, or is another server's, has no answer to give that
 * was not lost. Where this cannot be known, because no connection is left or a pooler gives sessions numbers of its own, it counts as working.
 * @param pid the session's process
 */
export async function isAtWork(url: string, pid: number, withinMs: number = SILENCE_EXTRA_MS): Promise<boolean> {
  const sql = connect(url, { name: 'shopdesk asking', max: 1, fetch_types: false, settings: { statement_timeout: withinMs } })
  const asked = sql<{ mine: number; works: boolean }[]>`
    select pg_backend_pid() as mine,
           exists (select 1 from pg_stat_activity a where a.pid = ${pid}::integer and a.usename = current_user and a.state not like 'idle%') as works`
  const late = new AbortController()
  try {
    const rows = await Promise.race([asked, delay(withinMs, undefined, { signal: late.signal, ref: false })])
    return rows !== undefined && (rows[0]?.works === true || rows.state.pid !== rows[0]?.mine)
  } catch (error) {
    return hasNoConnectionLeft(error)
  } finally {
    late.abort()
    void sql.end({ timeout: 0 }).catch(() => {})
  }
}
