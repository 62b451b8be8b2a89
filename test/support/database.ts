// A database for one test file: a clone of the migrated template, in about 20 ms.
import type { IpcNetConnectOpts, TcpNetConnectOpts } from 'node:net'
import { after } from 'node:test'
import postgres from 'postgres'
import { type Database, openDatabase, type Sql } from '../../src/postgres/sql.ts'

export const TEMPLATE = 'template_shopdesk'

let made = 0

export interface TestDatabase {
  /** As the superuser, which owns all of it. */
  url: string
  /** As the role of web and worker in the embedded database, with its rights. */
  serviceUrl: string
  drop(): Promise<void>
}

/**
 * @returns the addresses of a migrated, empty database that no other file uses. It is dropped when `drop` is called, or after the file has ended.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const admin = addressOf('TEST_DATABASE_URL')
  const name = `test_${process.pid}_${++made}`
  await withServer(admin, async sql => {
    await dropThoseOfEndedFiles(sql)
    // Its files copied rather than its pages logged, which is half the work here, and leaves no pages in the cache to be looked for when it is dropped.
    await sql.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  })
  const [url, serviceUrl] = [admin, addressOf('TEST_SERVICE_URL')].map(each => new URL(name, each).href) as [string, string]
  return { url, serviceUrl, drop: () => withServer(admin, sql => drop(sql, name)) }
}

/** A test database and connections to it, as the service makes them; one, unless told otherwise. All go when the test that asked has ended, or the file. */
export async function connectedDatabase(connections = { lanes: 0, pool: 1 }): Promise<{ url: string; sql: Sql; db: Database }> {
  const { url, drop } = await testDatabase()
  const db = openDatabase(url, { name: 'test', ...connections })
  after(async () => {
    await db.close()
    await drop()
  })
  return { url, sql: db.sql, db }
}

/** Where the server of this address listens, for a proxy between it and us. */
export function serverOf(url: string): TcpNetConnectOpts | IpcNetConnectOpts {
  const { hostname, port } = new URL(url)
  const folder = decodeURIComponent(hostname)
  return folder.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port || 5432) }
}

function addressOf(name: 'TEST_DATABASE_URL' | 'TEST_SERVICE_URL'): string {
  const url = process.env[name]
  if (!url) throw new Error(`This test needs the database that npm test brings; run: npm test -- ${process.argv[1]}`)
  return url
}

async function withServer(url: string, work: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

// Not in a hook of the file that created it: its own hooks, which close its connections, may run later.
async function dropThoseOfEndedFiles(sql: postgres.Sql): Promise<void> {
  for (const { datname } of await sql<{ datname: string }[]>`select datname from pg_database where datname like 'test\_%'`)
    if (!isAlive(Number(datname.split('_')[1]))) await drop(sql, datname)
}

async function drop(sql: postgres.Sql, name: string): Promise<void> {
  // Another file may be dropping it as well.
  await sql.unsafe(`drop database if exists ${name} with (force)`).catch(() => {})
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
