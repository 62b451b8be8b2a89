// A database for one test file: a clone of the migrated template, in about 20 ms.
import type { IpcNetConnectOpts, TcpNetConnectOpts } from 'node:net'
import postgres from 'postgres'

export const TEMPLATE = 'template_shopdesk'

let made = 0

/**
 * @returns the address of a migrated, empty database that nobody else uses. It goes when `drop` is called, or after the file has ended.
 */
export async function testDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const admin = adminUrl()
  const name = `test_${process.pid}_${++made}`
  await withServer(admin, async sql => {
    await dropThoseOfEndedFiles(sql)
    await sql.unsafe(`create database ${name} template ${TEMPLATE}`)
  })
  const url = new URL(admin)
  url.pathname = name
  return { url: url.href, drop: () => withServer(admin, sql => drop(sql, name)) }
}

/** Where the server of this address listens, for what stands between it and us. */
export function serverOf(url: string): TcpNetConnectOpts | IpcNetConnectOpts {
  const { hostname, port } = new URL(url)
  const folder = decodeURIComponent(hostname)
  return folder.startsWith('/') ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port || 5432) }
}

function adminUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
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

// Not in a hook of the file that made it: its own hooks, which close its connections, may run later.
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
