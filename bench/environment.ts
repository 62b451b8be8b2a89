// The environment of a benchmark: a migrated database of its own, on a server that is made for it unless DATABASE_URL names one.
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import { openEmbedded } from '../src/postgres/embedded/embedded.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { type Database, openDatabase } from '../src/postgres/sql.ts'
import { familyMs } from '../test/support/process-usage.ts'
import { asService } from './as-service.ts'

/** As on a machine that is the database's own, yet with every promise of durability kept. */
export const SETTINGS = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
  autovacuum_naptime: '10s',
}

export interface Environment {
  /** As web and worker connect. */
  databaseUrl: string
  /** As the owner. */
  db: Database
  close(): Promise<void>
}

/**
 * Makes the database anew, on DATABASE_URL's server, else on an embedded one of its own, which can go down without loss.
 * @param settings of the embedded server, beside the usual ones
 */
export async function openEnvironment(
  of:
    | 'deliver'
    | 'files'
    | 'import'
    | 'bulk'
    | 'hostile'
    | 'lone'
    | 'retention'
    | 'sending'
    | 'inbound'
    | 'live'
    | 'page'
    | 'analytics'
    | 'flows'
    | 'skills' = 'deliver',
  settings: Record<string, string> = {},
): Promise<Environment> {
  // Not of the kind that the other benchmarks keep and clear away.
  const name = `shopdesk_${of}_bench`
  const { databaseUrl, dataDir } = loadConfig()
  const embedded =
    databaseUrl === undefined
      ? await openEmbedded({ dataDir: join(dataDir, `bench-${of}`), settings: { ...SETTINGS, ...settings } })
      : undefined
  const serverUrl = databaseUrl ?? (embedded?.url as string)
  const server = openDatabase(serverUrl, { name: 'shopdesk bench', lanes: 0, pool: 1 })
  await server.sql.unsafe(`drop database if exists ${name} with (force)`)
  await server.sql.unsafe(`create database ${name}`)
  await server.close()
  const url = new URL(name, serverUrl).href
  await migrate(url)
  const db = openDatabase(url, { name: 'shopdesk bench', lanes: 0, pool: 4 })
  return { databaseUrl: await asService(url, embedded), db, close: () => db.close().then(async () => void (await embedded?.close())) }
}

/** Milliseconds of processor time of the whole server so far, which is on this machine. */
export async function serverMs({ db: { sql } }: Pick<Environment, 'db'>): Promise<number> {
  const [row] = await sql<[{ pid: number }]>`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::integer as pid`
  return familyMs(row.pid)
}

export async function walPosition({ db: { sql } }: Environment): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`
  return row.bytes
}
