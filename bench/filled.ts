// A database that is filled once and kept until the schema, or the code that fills it, changes.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { migrate } from '../src/postgres/migrate.ts'
import { openDatabase, type Sql } from '../src/postgres/sql.ts'

export interface Filling {
  /** Letters and underscores: the beginning of the database's name. */
  prefix: string
  /** The files that fill it. */
  source: URL[]
  fill(sql: Sql): Promise<void>
}

/** @returns the address of that database, filled now where it is not; those of other schemas are dropped */
export async function filled(serverUrl: string, { prefix, source, fill }: Filling): Promise<string> {
  const name = `${prefix}_${hashOf(source)}`
  const url = new URL(serverUrl)
  url.pathname = name
  const server = openDatabase(serverUrl, { name: 'shopdesk bench', lanes: 0, pool: 1 })
  try {
    const existing = await server.sql<{ datname: string }[]>`
      select datname from pg_database where datname ~ ${`^${prefix}_[0-9a-f]{12}(_filling)?$`}`
    if (existing.some(({ datname }) => datname === name)) return url.href
    for (const { datname } of existing) await server.sql.unsafe(`drop database ${datname} with (force)`)
    const filling = `${name}_filling`
    await server.sql.unsafe(`create database ${filling}`)
    await fillNew(new URL(filling, serverUrl).href, fill)
    await server.sql.unsafe(`alter database ${filling} rename to ${name}`)
    return url.href
  } finally {
    await server.close()
  }
}

function hashOf(source: URL[]): string {
  const folder = new URL('../sql/', import.meta.url)
  const migrations = readdirSync(folder).filter(each => each.endsWith('.sql'))
  const hash = createHash('sha256')
  for (const file of [...source, ...migrations.sort().map(each => new URL(each, folder))]) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}

async function fillNew(url: string, fill: (sql: Sql) => Promise<void>): Promise<void> {
  const began = performance.now()
  await migrate(url)
  const db = openDatabase(url, { name: 'shopdesk bench', lanes: 0, pool: 4 })
  try {
    await fill(db.sql)
    await db.sql`vacuum analyze`
  } finally {
    await db.close()
  }
  console.log(`filled in ${Math.round((performance.now() - began) / 1000)} s`)
}
