// The environment of an experiment: a PostgreSQL of its own that is flushed to disk, `bin/shopdesk web` and workers as an operator runs them, shops.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { createKey } from '../../src/access/keys.ts'
import { ENDPOINT_CAP } from '../../src/limits/webhooks.ts'
import { openEmbedded, SERVICE_ROLE } from '../../src/postgres/embedded/embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { eventually } from '../../test/support/eventually.ts'
import { putPrepared } from '../../test/support/prepared.ts'
import { type Reporting, startShopdesk, stopAll } from '../../test/support/processes.ts'
import { closeReceivers } from './receivers.ts'
import { progress } from './verdict.ts'

export interface Shop {
  tenant: string
  /** Each may write 120 times a minute. */
  keys: string[]
}

export interface Environment {
  sql: Sql
  /** As web and workers reach the database. */
  databaseUrl: string
  /** @throws when it ends before it is ready, as it does while the database is away */
  start(command: 'web' | 'worker', settings?: Record<string, string>): Promise<Reporting>
  shop(keys: number): Promise<Shop>
  /** Ends PostgreSQL as a power cut would (SIGQUIT, "immediate") or as an operator does (SIGINT, "fast"), and resolves when it serves again on the same port. */
  restartPostgres(how?: 'SIGQUIT' | 'SIGINT'): Promise<void>
  /** PostgreSQL takes no changes for so long, as while its disk is nearly full. */
  readOnlySpell(ms: number): Promise<void>
  /** PostgreSQL's log since its start. */
  serverLog(): string
  /** Aborted when processes that end are no longer replaced. */
  closing: AbortSignal
  close(): Promise<void>
}

/** Crash recovery, on a busy machine. */
const RECOVERY_LIMIT_MS = 60_000

/** @param settings PostgreSQL's, beyond those of the embedded database */
export async function openEnvironment(settings: Record<string, string> = {}): Promise<Environment> {
  // Named so that the next process that makes a temporary database clears away the folder of a killed run.
  const dataDir = mkdtempSync(join(tmpdir(), `shopdesk-${process.pid}-`))
  chmodSync(dataDir, 0o711)
  // The short forms are run by tests.
  putPrepared(dataDir)
  // Commit times tell what was recorded when a worker was killed.
  const server = await openEmbedded({ dataDir, settings: { max_connections: '300', track_commit_timestamp: 'on', ...settings } })
  await migrate(server.url, SERVICE_ROLE)
  const db = openDatabase(server.url, { name: 'chaos', lanes: 0, pool: 2 })
  const { sql } = db
  // Not subject to the spells that it brings about.
  const operator = postgres(server.url, {
    max: 1,
    onnotice: () => {},
    backoff: () => 0.1,
    connection: { default_transaction_read_only: false },
  })
  const settingsOfProcesses = {
    DATABASE_URL: server.serviceUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'warn',
    OUTBOUND_ALLOW_PRIVATE: 'true',
    WEBHOOKS_PER_WORKSPACE: '10000',
    WEBHOOKS_UNPROVEN_PER_ORIGIN: '10000',
  }
  const closing = new AbortController()
  const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
  const pidFile = join(row?.folder ?? '', 'postmaster.pid')
  return {
    sql,
    databaseUrl: server.serviceUrl,
    start: (command, own = {}) => startShopdesk(command, { ...settingsOfProcesses, ...own }, 'kept'),
    async shop(keys) {
      const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
      const made = Array.from({ length: keys }, () => createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] }))
      return { tenant, keys: (await Promise.all(made)).map(({ key }) => key) }
    },
    async restartPostgres(how = 'SIGQUIT') {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
      process.kill(pid, how)
      await eventually(async () => hasEnded(pid), RECOVERY_LIMIT_MS)
      await eventually(async () => (await sql`select 1 as up`.catch(() => [])).length === 1, RECOVERY_LIMIT_MS)
    },
    async readOnlySpell(ms) {
      await operator`alter system set default_transaction_read_only = on`
      await operator`select pg_reload_conf()`
      await delay(ms)
      await operator`alter system reset default_transaction_read_only`
      await operator`select pg_reload_conf()`
    },
    serverLog: () => readFileSync(join(dataDir, 'postgres', 'log'), 'utf8'),
    closing: closing.signal,
    async close() {
      closing.abort()
      closeReceivers()
      // What cannot be cleared away must not take the report with it.
      const cleared = new AbortController()
      const late = delay(CLEARING_MS, 'it took too long', { signal: cleared.signal })
      const why = await Promise.race([clearAway(), late]).catch(error => error)
      cleared.abort()
      if (why !== undefined) progress(`not all could be cleared away: ${why}`)
    },
  }

  async function clearAway(): Promise<void> {
    await operator.end()
    await stopAll()
    await db.close()
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** A worker ends within its grace, and PostgreSQL within seconds. */
const CLEARING_MS = 60_000

export interface Webhook {
  id: string
  secret: string
  cap: number
}

/** An endpoint for `order.created`, over REST. @param origin of the web process */
export async function createWebhook(origin: string, shop: Shop, url: string, cap: number = ENDPOINT_CAP): Promise<Webhook> {
  return { ...(await post<Omit<Webhook, 'cap'>>(origin, shop, '', { url, events: ['order.created'], max_parallel: cap })), cap }
}

/** A request of webhooks. @param path such as `/whk_…/enable` @throws where it is refused */
export async function post<Answer>(origin: string, { keys }: Shop, path: string, body: object = {}): Promise<Answer> {
  const response = await fetch(`${origin}/api/v1/webhooks${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys[0]}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path || 'the webhook'} was refused: ${await response.text()}`)
  return (await response.json()) as Answer
}

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
