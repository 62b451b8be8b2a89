// A pooler in front of PostgreSQL (such as PgBouncer) shares a session between connections, or drops the settings of a connection. Then statements
// have no timeout, several processes hold the lock of the election, and the queue gets no notifications. So a pooler is refused.
import { OperatorError } from '../errors.ts'
import { connect } from './connect.ts'
import postgres from './driver.ts'

type Client = ReturnType<typeof postgres>

/** A setting by which a connection checks whether its settings arrive. */
export const PROBE = { 'shopdesk.settings': 'arrived' }
const PROBING = 'shopdesk probe'

const refusal = (): OperatorError =>
  new OperatorError(
    'DATABASE_URL leads to a connection pooler, such as PgBouncer, which does not hand on the settings of each connection or gives its session to others; give the address of PostgreSQL itself: web and worker keep pools of their own.',
  )

/**
 * @param sql one connection, with PROBE among its settings
 * @throws {OperatorError} unless the connection has a session of its own, with its settings
 */
export async function refusePooler(sql: Client, databaseUrl: string): Promise<void> {
  const rows = await sql<{ arrived: boolean; pid: number }[]>`
    select current_setting('shopdesk.settings', true) is not distinct from 'arrived' as arrived, pg_backend_pid() as pid`
  if (!rows[0]?.arrived) throw refusal()
  // A pooler gives its clients process ids of its own.
  if ((rows as unknown as { state: { pid: number } }).state.pid === rows[0].pid) return
  const other = connect(databaseUrl, { name: PROBING, max: 1 })
  try {
    if (await sharesSessions(sql, other)) throw refusal()
  } finally {
    await other.end()
  }
}

/** The first look shows a shared session, unless another client gets it in between. */
const LOOKS = 5

/** Whether a session passes from one connection to the other between transactions. */
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

/** The error to show in place of a pooler's refusal; undefined for any other error. */
export const refusedByPooler = (error: unknown): OperatorError | undefined =>
  error instanceof postgres.PostgresError && error.code === '08P01' && error.message.includes('startup parameter') ? refusal() : undefined

/** As `refusePooler`, on a connection of its own. @throws {OperatorError} */
export async function requireSessions(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, { name: PROBING, max: 1, settings: PROBE })
  try {
    await refusePooler(sql, databaseUrl)
  } catch (error) {
    throw refusedByPooler(error) ?? error
  } finally {
    await sql.end()
  }
}
