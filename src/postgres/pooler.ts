// A pooler in front of PostgreSQL (PgBouncer and its like) gives a session to one connection after another, or keeps from it what a connection sets as it
// begins. Then no statement ends in its time, several processes hold the lock of which there is one, and the queue hears of nothing. So it is refused.
import { OperatorError } from '../errors.ts'
import postgres from './driver.ts'

type Client = ReturnType<typeof postgres>

/** Among the settings of a connection that is asked whether they arrive. */
export const PROBE = { 'shopdesk.settings': 'arrived' }

const refusal = (): OperatorError =>
  new OperatorError(
    'DATABASE_URL leads to a connection pooler, such as PgBouncer, which does not hand on the settings of each connection or gives its session to others; give the address of PostgreSQL itself: web and worker keep pools of their own.',
  )

/**
 * @param sql one connection, with PROBE among its settings
 * @throws {OperatorError} unless it has a session of its own, with its settings
 */
export async function refusePooler(sql: Client, databaseUrl: string): Promise<void> {
  const rows = await sql<{ arrived: boolean; pid: number }[]>`
    select current_setting('shopdesk.settings', true) is not distinct from 'arrived' as arrived, pg_backend_pid() as pid`
  if (!rows[0]?.arrived) throw refusal()
  // A pooler gives its own numbers to those that connect.
  if ((rows as unknown as { state: { pid: number } }).state.pid === rows[0].pid) return
  const other = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10 })
  try {
    if (await sharesSessions(sql, other)) throw refusal()
  } finally {
    await other.end()
  }
}

/** It shows at once where nobody else comes in between. */
const LOOKS = 5

/** Whether the session of one connection is given to the other between its transactions. */
export async function sharesSessions(one: Client, other: Client): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    const pid = await session(one)
    if (await other.begin(async tx => (await session(tx)) === pid || (await session(one)) !== pid)) return true
  }
  return false
}

async function session(sql: postgres.ISql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid as number
}

/** What a refused connection says instead, if it was a pooler that refused it. */
export const refusedByPooler = (error: unknown): OperatorError | undefined =>
  error instanceof postgres.PostgresError && error.code === '08P01' && error.message.includes('startup parameter') ? refusal() : undefined

/** The same for an address that nothing is connected to yet. @throws {OperatorError} */
export async function requireSessions(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 10, connection: PROBE as object })
  try {
    await refusePooler(sql, databaseUrl)
  } catch (error) {
    throw refusedByPooler(error) ?? error
  } finally {
    await sql.end()
  }
}
