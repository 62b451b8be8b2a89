// What every command of the command line shares: finding the database as the service does, and printing for people or for programs.
import { Option } from 'commander'
import { type Config, loadConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { openEmbedded, SERVICE_ROLE } from '../postgres/embedded.ts'
import { migrate, requireMigrated } from '../postgres/migrate.ts'
import { openDatabase, type Sql } from '../postgres/sql.ts'
import { ownSecretKey } from '../secret-key.ts'
import type { Keyring } from '../secrets.ts'

export interface Opened {
  config: Config
  databaseUrl: string
  /** For migrations alone: an embedded database's superuser. */
  ownerUrl: string
  keyring: Keyring
}

/** The database of DATABASE_URL, else the embedded one (running, or started for the moment), with its keys. */
export async function withPlace<T>(work: (place: Opened) => Promise<T>): Promise<T> {
  const config = loadConfig()
  if (config.databaseUrl) {
    if (!config.keyring)
      throw new OperatorError('SECRET_KEY is not set; with DATABASE_URL it must be, as 32 bytes in 64 hex digits or base64.')
    return work({ config, databaseUrl: config.databaseUrl, ownerUrl: config.databaseUrl, keyring: config.keyring })
  }
  const embedded = await openEmbedded(config)
  try {
    await migrate(embedded.url, SERVICE_ROLE, config.dataDir)
    const keyring = config.keyring ?? ownSecretKey(config.dataDir).keyring
    return await work({ config, databaseUrl: embedded.serviceUrl, ownerUrl: embedded.url, keyring })
  } finally {
    await embedded.close()
  }
}

/** As `withPlace`, connected. */
export function withDatabase<T>(work: (place: Opened & { sql: Sql }) => Promise<T>): Promise<T> {
  return withPlace(async place => {
    await requireMigrated(place.databaseUrl)
    const db = openDatabase(place.databaseUrl, { name: 'shopdesk cli', lanes: 1, pool: 2 })
    try {
      return await work({ ...place, sql: db.sql })
    } finally {
      await db.close()
    }
  })
}

export const jsonOption = (): Option => new Option('--json', 'print the result as one line of JSON, and nothing else')

/** For people: a line each. For programs: the JSON alone. */
export function print(result: Record<string, unknown>, json: boolean | undefined): void {
  if (json) {
    console.log(JSON.stringify(result))
    return
  }
  const width = Math.max(...Object.keys(result).map(name => name.length))
  for (const [name, value] of Object.entries(result))
    console.log(`${name.padEnd(width)}  ${Array.isArray(value) ? value.join(', ') : value}`)
}

/** A table for people. */
export function printTable(columns: string[], rows: string[][]): void {
  const widths = columns.map((name, index) => Math.max(name.length, ...rows.map(row => row[index]?.length ?? 0)))
  for (const row of [columns, ...rows])
    console.log(
      row
        .map((cell, index) => cell.padEnd(widths[index] as number))
        .join('  ')
        .trimEnd(),
    )
}

/** A comma list, trimmed. */
export const commaList = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
