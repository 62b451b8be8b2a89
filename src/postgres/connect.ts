// The one place that opens connections of postgres.js. Each gets the time limits that hold for every connection of ours; those of `pg`, which the queue
// and the embedded database use, get them in connect-pg.ts.
import postgres from './driver.ts'

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
  return postgres(url, {
    onnotice: () => {},
    connect_timeout: 10,
    silence_timeout: statementMs > 0 ? (statementMs + SILENCE_EXTRA_MS) / 1000 : null,
    ...options,
    connection: { application_name: name, ...WAITS, ...settings } as object,
  }) as unknown as Client
}
