// Dump and restore, by SQL: the embedded PostgreSQL brings no pg_dump. All rows of all tables and the positions of all sequences, as pg_dump takes them, on a
// server of its own, whose transactions are numbered from the beginning.
import { pipeline } from 'node:stream/promises'
import { after } from 'node:test'
import postgres from 'postgres'
import { type Embedded, openTemporary, SERVICE_ROLE } from '../../src/postgres/embedded/embedded.ts'
import { migrate } from '../../src/postgres/migrate.ts'

export interface Restored {
  /** As the superuser. */
  url: string
  /** As the role of web and worker. */
  serviceUrl: string
}

/** A server whose transactions have lower numbers than those of `url`'s. @returns a function that restores that database there, once more each time */
export async function anotherCluster(url: string): Promise<() => Promise<Restored>> {
  await useUpNumbers(url, 20_000)
  const server = await openTemporary()
  after(() => server.close())
  await migrate(server.url, SERVICE_ROLE)
  let restored = 0
  return () => restore(url, server, `restored_${++restored}`)
}

async function useUpNumbers(url: string, count: number): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`do $$ begin for i in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`)
  await sql.end()
}

async function restore(url: string, server: Embedded, name: string): Promise<Restored> {
  // From elsewhere, for a database can only be copied while no session is connected to it.
  const admin = postgres(new URL('postgres', server.url).href, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${name} template ${new URL(server.url).pathname.slice(1)}`)
  await admin.end()
  const [to, serviceUrl] = [server.url, server.serviceUrl].map(each => new URL(name, each).href) as [string, string]
  await copy(url, to)
  return { url: to, serviceUrl }
}

async function copy(fromUrl: string, toUrl: string): Promise<void> {
  // No foreign key and no trigger has a say in the order.
  const from = postgres(fromUrl, { max: 1, onnotice: () => {}, connection: { default_transaction_isolation: 'repeatable read' } })
  const to = postgres(toUrl, { max: 1, onnotice: () => {}, connection: { session_replication_role: 'replica' } })
  await from.begin(async dump => {
    const tables = await dump<{ name: string; columns: string }[]>`
      select format('%I.%I', n.nspname, c.relname) as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'graphile_worker')
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where c.relkind = 'r'
       group by 1`
    await to.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')}`)
    for (const { name, columns } of tables)
      await pipeline(
        await dump.unsafe(`copy ${name} (${columns}) to stdout`).readable(),
        await to.unsafe(`copy ${name} (${columns}) from stdin`).writable(),
      )
    const sequences = await dump<{ name: string; last: string }[]>`
      select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
        from pg_sequences where schemaname in ('public', 'graphile_worker') and last_value is not null`
    for (const { name, last } of sequences) await to`select setval(${name}::regclass, ${last}::bigint)`
  })
  await Promise.all([from.end(), to.end()])
}
