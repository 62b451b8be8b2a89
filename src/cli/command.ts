// The database and the keys of a command: found as the service finds them.
import { type Config, loadConfig } from '../config.ts'
import { OperatorError } from '../errors.ts'
import { isOfDatabase } from '../postgres/errors.ts'
import { asOperatorError, migrate, requireMigrated } from '../postgres/migrate.ts'
import { type Database, openDatabase, type Sql } from '../postgres/sql.ts'
import { ownSecretKey } from '../secret-key.ts'
import type { Keyring } from '../secrets.ts'

export interface CommandContext {
  config: Config
  databaseUrl: string
  /** As the embedded database's superuser, for migrations alone. */
  ownerUrl: string
  keyring: Keyring
}

/** Runs `work` with the database of DATABASE_URL, else with the embedded one (running, or started for this command), and its keys. */
export async function withCommandContext<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  const config = loadConfig()
  if (config.databaseUrl) {
    if (!config.keyring)
      throw new OperatorError('SECRET_KEY is not set; with DATABASE_URL it must be, as 32 bytes in 64 hex digits or base64.')
    return work({ config, databaseUrl: config.databaseUrl, ownerUrl: config.databaseUrl, keyring: config.keyring })
  }
  // Its driver is another one, of 2 MB, which web and worker need not carry.
  const { openEmbedded, SERVICE_ROLE } = await import('../postgres/embedded/embedded.ts')
  const embedded = await openEmbedded(config)
  const stay = whenLeft(() => embedded.close())
  try {
    await migrate(embedded.url, SERVICE_ROLE, config.dataDir)
    const keyring = config.keyring ?? ownSecretKey(config.dataDir).keyring
    return await work({ config, databaseUrl: embedded.serviceUrl, ownerUrl: embedded.url, keyring })
  } finally {
    stay()
    await embedded.close()
  }
}

/**
 * Ctrl-C and SIGTERM end a command that does not listen to them itself; before it goes, `tidy` stops the database that it may have started.
 * @returns the function that has them end it at once, as ever
 */
function whenLeft(tidy: () => Promise<unknown>): () => void {
  const leave = (signal: 'SIGINT' | 'SIGTERM'): void => {
    if (process.listenerCount(signal) > 1) return
    stay()
    void tidy().finally(() => process.kill(process.pid, signal))
  }
  const stay = (): void => {
    for (const signal of SIGNALS) process.off(signal, leave)
  }
  for (const signal of SIGNALS) process.on(signal, leave)
  return stay
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Opens a command's connections. */
export type Connect = (databaseUrl: string) => Pick<Database, 'sql' | 'close'>

const connected: Connect = databaseUrl => openDatabase(databaseUrl, { name: 'shopdesk cli', lanes: 1, pool: 2 })

/** As `withCommandContext`, connected. @throws OperatorError where the database is lost meanwhile, or takes no changes */
export function withDatabase<T>(work: (context: CommandContext & { sql: Sql }) => Promise<T>, connect = connected): Promise<T> {
  return withCommandContext(async context => {
    await requireMigrated(context.databaseUrl)
    const db = connect(context.databaseUrl)
    try {
      return await work({ ...context, sql: db.sql })
    } catch (error) {
      // Files that a command reads or writes fail in words like those of a socket.
      throw isOfDatabase(error) ? asOperatorError(error) : error
    } finally {
      await db.close()
    }
  })
}
