// A database as an older program left it.
import { readFileSync } from 'node:fs'
import { after } from 'node:test'
import postgres from 'postgres'
import { readMigrations } from '../../src/postgres/migrate.ts'
import { testDatabase } from './database.ts'

/** A database with the migrations before the one of this name, as the superuser. */
export async function databaseBefore(name: string) {
  const all = await readMigrations()
  const before = all.slice(
    0,
    all.findIndex(each => each.name === name),
  )
  const { url } = await testDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  after(() => sql.end())
  await sql.unsafe('drop schema public cascade; create schema public')
  await sql.unsafe(
    'create table migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const { number, name, checksum } of before) {
    await sql.unsafe(readFileSync(`sql/${name}`, 'utf8'))
    await sql`insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`
  }
  await sql`insert into plans (plan, read_per_minute, write_per_minute) values ('enterprise', 600, 120)`
  return { url, sql }
}
