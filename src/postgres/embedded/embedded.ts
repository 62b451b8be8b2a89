// The default database: an embedded PostgreSQL under DATA_DIR, shared by every process that opens it. The first one starts it and the last one
// stops it. Each process marks its use by a shared advisory lock, on a connection of its own: a killed process releases it by itself.
import { createHmac } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { OperatorError } from '../../errors.ts'
import { connectClient, DatabaseError } from '../connect-pg.ts'
import { removeHome } from './files.ts'
import { type Home, isAlive, openHome, ROLE } from './home.ts'
import { findServer, type Launch, launchServer, type Settings, stopServer } from './server.ts'

export interface Embedded {
  /** postgres://…, as the superuser: for migrations. */
  url: string
  /** The same as SERVICE_ROLE: for everything else, once `migrate` has given that role its rights. */
  serviceUrl: string
  /** Releases the database; the last process stops the server and waits for its end. @returns whether the server goes on, for other processes */
  close(): Promise<boolean>
}

interface Lease {
  client: Client
  port: number
}

/** The server accepts connections after its crash recovery, which may take this long. */
const START_LIMIT_MS = 120_000
/** Tries to start the server: another program may take the free port in between, but hardly this often. */
const LAUNCHES = 5
/** A process that lost its server, and could not start it again, tries once more after this long: what keeps the port may end. */
const REGAIN_MS = 1_000
/** The last two are what another process's server says to those who come too early, for it writes to the same log, and what a server says that is stopped. */
const PASSING_FAILURE =
  /already exists|could not create any TCP\/IP sockets|still in use|the database system is (starting up|shutting down)|administrator command/
/** For data without value, and for many test files at once, each with pools of its own. */
const TEMPORARY: Settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Autovacuum visits each of a test run's hundred databases this often.
  autovacuum_naptime: '1min',
  // It may lie in memory.
  max_wal_size: '512MB',
}
/**
 * Linux keeps this folder in memory. A database is a thousand files, and where others were deleted within the last seconds, ext4 may look for free inodes
 * for a tenth of a second and more of a core's time for each database that is made.
 */
const IN_MEMORY = '/dev/shm'
/** More than a run of all tests should need at once. Containers have 64 MB there. */
const ROOM_BYTES = 4_000_000_000
/** The role of web, worker and commands: see rights.ts. */
export const SERVICE_ROLE = 'shopdesk_service'
/** The advisory lock. Any number will do, as nothing else uses the database `postgres`. */
const IN_USE = 1

/**
 * Opens the embedded database under `dataDir`: makes it where there is none, joins the server that runs, or starts it.
 * @param settings of the server (as in postgresql.conf), if this call starts it
 * @throws {OperatorError} with the one line an operator needs: not writable, another major version, disk full
 */
export async function openEmbedded({ dataDir, settings = {} }: { dataDir: string; settings?: Settings }): Promise<Embedded> {
  const home = openHome(dataDir, settings['fsync'] !== 'off')
  let closing = false
  let lease: Promise<Lease>
  const hold = (port?: number): Promise<Lease> => {
    lease = takeLease(home, settings, port)
    lease.then(
      taken => taken.client.once('end', () => closing || void hold(taken.port)),
      // The first failure is told by this call.
      () => port !== undefined && setTimeout(() => closing || void hold(port), REGAIN_MS).unref(),
    )
    return lease
  }
  const { port } = await hold()
  return {
    url: `postgres://${ROLE}:${home.password}@127.0.0.1:${port}/${ROLE}`,
    serviceUrl: `postgres://${SERVICE_ROLE}:${servicePassword(home)}@127.0.0.1:${port}/${ROLE}`,
    async close() {
      closing = true
      // A lost lease that was not regained needs no release.
      const current = await lease.catch(() => undefined)
      return current !== undefined && leave(home, current)
    },
  }
}

/**
 * An empty database that is not flushed to disk, lies in memory where there is room, and goes with its folder when closed: for tests and checks.
 * First it deletes those of killed processes.
 * @param settings of the server, beyond TEMPORARY
 * @param dataDir a temporary folder, where a database may have been put already
 */
export async function openTemporary(settings: Settings = {}, dataDir = temporaryFolder()): Promise<Embedded> {
  await removeAbandoned()
  const embedded = await openEmbedded({ dataDir, settings: { ...TEMPORARY, ...settings } })
  return {
    ...embedded,
    async close() {
      const goesOn = await embedded.close()
      removeTemporary(dataDir)
      return goesOn
    },
  }
}

/** Deleted with the database in it, and also where this process is killed: by the next one that opens a temporary database. */
export function temporaryFolder(): string {
  const dataDir = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), `shopdesk-${process.pid}-`))
  // Root's server runs under another account, which must be able to enter.
  chmodSync(dataDir, 0o711)
  return dataDir
}

function hasRoom(memory: string): boolean {
  try {
    accessSync(memory, constants.W_OK)
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory()) > ROOM_BYTES
  } catch {
    // Other systems have no such folder.
    return false
  }
}

/** Ends and deletes the temporary databases of processes that were killed. */
export async function removeAbandoned(): Promise<void> {
  for (const folder of [IN_MEMORY, tmpdir()].filter(each => existsSync(each)))
    for (const name of readdirSync(folder)) {
      const pid = /^shopdesk-(\d+)-\w{6}$/.exec(name)?.[1]
      // A folder that cannot be deleted is another user's, or another test run is deleting it.
      if (pid && !isAlive(Number(pid))) await clear(join(folder, name)).catch(() => {})
    }
}

async function clear(dataDir: string): Promise<void> {
  // A link is left alone: any user may put one here that leads to another database's folder.
  const entry = lstatSync(dataDir)
  if (!entry.isDirectory() || entry.uid !== process.getuid?.()) return
  if (existsSync(join(dataDir, 'postgres'))) await stopServer(openHome(dataDir, false))
  removeTemporary(dataDir)
}

/** Deletes a temporary folder whose database does not run. */
export function removeTemporary(dataDir: string): void {
  // The database itself may lie elsewhere, behind a link.
  const link = join(dataDir, 'postgres')
  if (existsSync(link)) removeHome(realpathSync(link))
  rmSync(dataDir, { recursive: true, force: true })
}

async function takeLease(home: Home, settings: Settings, preferredPort: number | undefined): Promise<Lease> {
  let launch: Launch | undefined
  let launches = 0
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline; await delay(20)) {
    const server = findServer(home)
    const client = server && (await joinServer(home, server.port))
    if (client) return { client, port: server.port }
    const failure = launch?.failure()
    if (failure && (launches === LAUNCHES || !PASSING_FAILURE.test(failure)))
      throw new OperatorError(`The embedded PostgreSQL did not start: ${failure}`)
    if (server || (launch && !failure)) continue
    launch = await launchServer(home, settings, preferredPort)
    launches++
  }
  throw new OperatorError(`The embedded PostgreSQL did not answer within ${START_LIMIT_MS / 1000} s; see ${join(home.folder, 'log')}.`)
}

// Undefined while the server starts or stops. The last process to leave holds the lock exclusively, so a newcomer waits for it until the server
// ends its connection.
async function joinServer(home: Home, port: number): Promise<Client | undefined> {
  const connection = { host: '127.0.0.1', port, user: ROLE, password: home.password, database: 'postgres' }
  const client = connectClient({ ...connection, application_name: 'shopdesk (in use)', connectionTimeoutMillis: 5_000 })
  // The connection's end is handled by the lease.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select pg_advisory_lock_shared($1)', [IN_USE])
    await makeServiceRole(client, servicePassword(home))
    return client
  } catch (error) {
    await client.end()
    if (error instanceof DatabaseError && error.code === '28P01')
      throw new OperatorError(`${join(home.folder, 'password')} does not open the database beside it.`)
    return undefined
  }
}

// Makes the role, without rights yet. Databases of earlier versions lack it, so each process that opens one checks.
async function makeServiceRole(client: Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
  if (rowCount) return
  await client.query(`create role ${SERVICE_ROLE} login password '${password}'`).catch((error: unknown) => {
    // Another process was faster.
    if (!(error instanceof DatabaseError) || !['42710', '23505'].includes(error.code ?? '')) throw error
  })
}

// Derived from the superuser's password, which it does not reveal, so that no second one has to be stored.
const servicePassword = ({ password }: Home): string => createHmac('sha256', password).update(SERVICE_ROLE).digest('hex')

async function leave(home: Home, { client }: Lease): Promise<boolean> {
  const last = await isLast(client)
  if (last) await stopServer(home)
  await client.end()
  return !last && findServer(home) !== undefined
}

// The process that gets the lock exclusively is the last one, and keeps newcomers waiting while the server stops.
async function isLast(client: Client): Promise<boolean> {
  try {
    await client.query('select pg_advisory_unlock_shared($1)', [IN_USE])
    const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [IN_USE])
    return rows[0]?.last === true
  } catch {
    // The server has ended already.
    return false
  }
}
