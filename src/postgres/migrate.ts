// Brings a database to this program's schema: numbered forward-only files of sql/, each in a transaction, under one lock.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { PLANS } from '../limits/rate.ts'
import { connect } from './connect.ts'
import { connectPool } from './connect-pg.ts'
import type postgres from './driver.ts'
import { keepEpoch } from './epoch.ts'
import { isLocked } from './errors.ts'
import { PROBE, refusedByPooler, refusePooler } from './pooler.ts'
import { grantService } from './rights.ts'
import type { Sql } from './sql.ts'

const FOLDER = new URL('../../sql/', import.meta.url)
const LOCK = 7_041_776

interface Named {
  number: number
  name: string
}

interface Applied extends Named {
  checksum: string
}

interface Migration extends Applied {
  text: string
}

/**
 * Applies what is missing. Safe to run from several processes at once, and free when there is nothing to do.
 * @param serviceRole the role of web and worker, if it does not own the tables: it gets the rights that it lacks
 * @param folder where the embedded database lies: an error names it to an operator who has to begin with an empty one
 * @returns the names of the migrations applied
 * @throws {OperatorError} when the database is unreachable, newer than this program, or made by other files than this program's
 */
export async function migrate(databaseUrl: string, serviceRole?: string, folder?: string): Promise<string[]> {
  const sql = connect(databaseUrl, { name: 'shopdesk migrate', max: 1, settings: PROBE })
  try {
    await refusePooler(sql, databaseUrl)
    await takeLock(sql)
    const [applied, known] = [await readApplied(sql), await readMigrations()]
    refuseOther(applied, known, folder)
    await retrying('The queue’s own tables', () => migrateQueue(databaseUrl))
    await makeTable(sql)
    const done = new Map(applied.map(row => [row.number, row.checksum]))
    const missing: Migration[] = []
    for (const migration of known) {
      const checksum = done.get(migration.number)
      if (checksum === undefined) missing.push(migration)
      else if (checksum !== migration.checksum)
        throw new OperatorError(
          `sql/${migration.name} was changed after this database applied it; add a new migration instead, or ${beginEmpty(folder)}.`,
        )
    }
    for (const migration of missing) await apply(sql, migration)
    await writePlans(sql)
    if (serviceRole) await grantService(sql, serviceRole)
    await keepEpoch(sql as unknown as Sql)
    return missing.map(migration => migration.name)
  } catch (error) {
    throw asOperatorError(error)
  } finally {
    await sql.end()
  }
}

/**
 * @throws {OperatorError} unless the database has exactly this program's schema. Its cause is the database's error, if there was one.
 */
export async function requireMigrated(databaseUrl: string, andThat: (sql: Client) => Promise<void> = async () => {}): Promise<void> {
  const sql = connect(databaseUrl, { name: 'shopdesk start', max: 1, settings: PROBE })
  try {
    await refusePooler(sql, databaseUrl)
    const [applied, known] = [await readApplied(sql), await readMigrations()]
    refuseOther(applied, known)
    if (newestOf(applied) < known.length)
      throw new OperatorError("The database lacks this program's latest schema; run: bin/shopdesk migrate")
    await andThat(sql)
    await keepEpoch(sql as unknown as Sql)
  } catch (error) {
    throw asOperatorError(error)
  } finally {
    await sql.end()
  }
}

/** The migrations in order. A gap or a double number is a bug, so it is no OperatorError. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter(name => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name, index) => {
      if (Number(name.slice(0, 4)) !== index + 1) throw new Error(`sql/${name}: numbers must run from 0001 without a gap`)
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return { number: index + 1, name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

type Client = ReturnType<typeof postgres>

const LOCK_AGAIN_MS = 200

// Another process may migrate for longer than any of ours waits for a lock, so the lock is asked for again and again.
async function takeLock(sql: Client): Promise<void> {
  for (;;) {
    const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as taken`
    if (row?.taken) return
    await delay(LOCK_AGAIN_MS)
  }
}

async function migrateQueue(connectionString: string): Promise<void> {
  // Loaded here, for it takes 20 MB, and nothing else in web needs it.
  const { Logger, runMigrations } = await import('graphile-worker')
  const pgPool = connectPool({ connectionString, application_name: 'shopdesk migrate', max: 1 })
  // A lost connection is reported by the statement that needs it; without a listener it would end the process.
  const reported = (): void => {}
  pgPool.on('error', reported)
  pgPool.on('connect', client => void client.on('error', reported))
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) })
  } finally {
    await pgPool.end()
  }
}

const apply = (sql: Client, migration: Migration): Promise<unknown> =>
  retrying(`sql/${migration.name}`, () =>
    sql.begin(async tx => {
      await tx.unsafe(migration.text)
      await tx`insert into migrations (number, name, checksum) values (${migration.number}, ${migration.name}, ${migration.checksum})`
    }),
  )

/** While a migration waits for a table's lock, all later statements queue behind it. So it waits briefly, and tries again for a minute. */
const APPLY_TRIES = 12

async function retrying<T>(what: string, work: () => Promise<T>, tries = APPLY_TRIES): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isLocked(error)) throw error
    if (tries === 1)
      throw new OperatorError(
        `${what} cannot be applied: another session holds a lock on one of its tables; end that session, or stop what runs, and migrate again.`,
      )
    return retrying(what, work, tries - 1)
  }
}

async function hasTable(sql: Client): Promise<boolean> {
  const [table] = await sql`select to_regclass('migrations') is not null as there`
  return table?.['there'] === true
}

// Checked first: `if not exists` requires the right to make tables even where the table exists.
async function makeTable(sql: Client): Promise<void> {
  if (await hasTable(sql)) return
  await sql`create table migrations (
    number integer primary key, name text not null, checksum text not null, applied_at timestamptz(3) not null default now())`
}

async function readApplied(sql: Client): Promise<Applied[]> {
  if (!(await hasTable(sql))) return []
  return sql<Applied[]>`select number, name, checksum from migrations order by number`
}

const newestOf = (applied: Named[]): number => applied.at(-1)?.number ?? 0

function refuseOther(applied: Applied[], known: Migration[], folder?: string): void {
  const strange = madeByOthers(applied, known, folder)
  if (strange) throw new OperatorError(strange)
  const newest = newestOf(applied)
  if (newest > known.length)
    throw new OperatorError(
      `The database has schema ${newest}, newer than this program's ${known.length}; start the newer program, or restore a backup.`,
    )
}

/**
 * Compares names before numbers: a database made by other files may have more of them and yet be older.
 * @param folder where the embedded database lies
 * @returns why the files of this program cannot bring the database to their schema, and what to do; undefined where they can
 */
export function madeByOthers(applied: Named[], known: Named[], folder?: string): string | undefined {
  const strange = applied.find(({ number, name }) => (known[number - 1]?.name ?? name) !== name)
  if (!strange) return undefined
  return `The database was made with sql/${strange.name}, which is no file of this program, and cannot be updated; ${beginEmpty(folder)}.`
}

const beginEmpty = (folder: string | undefined): string =>
  folder === undefined ? 'set DATABASE_URL to an empty database' : `delete or move the folder of the database, ${folder}, and start again`

// Reads first: a role without the right to write plans can still find that there is nothing to do.
async function writePlans(sql: Client): Promise<void> {
  const kept = await sql<{ plan: string; read: number; write: number }[]>`
    select plan, read_per_minute as read, write_per_minute as write from plans`
  for (const [plan, { read, write }] of Object.entries(PLANS)) {
    if (kept.some(each => each.plan === plan && each.read === read && each.write === write)) continue
    await sql`
      insert into plans (plan, read_per_minute, write_per_minute) values (${plan}, ${read}, ${write})
      on conflict (plan) do update set read_per_minute = excluded.read_per_minute, write_per_minute = excluded.write_per_minute`
  }
}

/** An error of the database that an operator can fix, as one line, without the address, for that holds a password; any other as it is. */
export function asOperatorError(error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error
  const pooler = refusedByPooler(error)
  if (pooler) return pooler
  const code = 'code' in error ? String(error.code) : ''
  const reason = /^(E[A-Z]+|CONNECT|CONNECTION_|08|25006|28|3D|42501|53|57)/.test(code) ? error.message || code : undefined
  return reason ? new OperatorError(`DATABASE_URL cannot be used: ${reason.replace(/\s+/g, ' ')}.`, { cause: error }) : error
}
