// A PostgreSQL of one test, migrated, that may be ended or made read-only without harm to the others.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import postgres from 'postgres'
import { openTemporary, temporaryFolder } from '../../src/postgres/embedded/embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { eventually, eventuallyHolds } from './eventually.ts'
import { putPrepared } from './prepared.ts'

export interface TestServer {
  /** The address of its database, as the superuser. */
  url: string
  /** Every connection at once refuses changes, or takes them again: as with a nearly full disk or a demotion. */
  readOnly(is: boolean): Promise<void>
  /** SIGQUIT, "immediate", as a crash would; SIGINT, "fast". Resolves when it has ended and serves again. */
  restart(signal: 'SIGQUIT' | 'SIGINT'): Promise<void>
}

/** Of the log of a server that does not come back, in characters. */
const LOG_SHOWN = 4_000

/** Ended when the file's tests have run. Its commits outlive the end of its process, though not that of the machine. */
export async function aServer(): Promise<TestServer> {
  const server = await openTemporary({ synchronous_commit: 'on' }, putPrepared(temporaryFolder()))
  after(() => server.close())
  await migrate(server.url)
  const writing = { default_transaction_read_only: false }
  const sql = postgres(server.url, { max: 1, onnotice: () => {}, backoff: () => 0.1, connection: writing })
  after(() => sql.end())
  const [row] = await sql`select current_setting('data_directory') as folder`
  return {
    url: server.url,
    async readOnly(is) {
      await sql.unsafe(`alter system set default_transaction_read_only = ${is ? 'on' : 'off'}`)
      await sql`select pg_reload_conf()`
      await eventually(async () => (await otherSays(server.url)) === (is ? 'on' : 'off'))
    },
    async restart(signal) {
      const pid = Number(readFileSync(`${row?.['folder']}/postmaster.pid`, 'utf8').split('\n')[0])
      process.kill(pid, signal)
      await eventually(async () => !isAlive(pid))
      await eventuallyHolds(() => sql`select 1`).catch(error => {
        const log = readFileSync(join(dirname(row?.['folder']), 'log'), 'utf8').slice(-LOG_SHOWN)
        throw new Error(`The server does not answer (${error}). Its log:\n${log}`)
      })
    },
  }
}

async function otherSays(url: string): Promise<unknown> {
  const sql = postgres(url, { max: 1 })
  const [row] = await sql`select current_setting('transaction_read_only') as it`
  await sql.end()
  return row?.['it']
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
