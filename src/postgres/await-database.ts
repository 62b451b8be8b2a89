// A start waits for a database that is away, starting or read-only, and says so: after a reboot everything comes up at once.
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { takesChanges } from './diagnose.ts'
import { isUnavailable } from './errors.ts'
import { requireMigrated } from './migrate.ts'
import type { Queryable } from './sql.ts'

export interface Patience {
  /** How long a start waits. */
  limitMs: number
  /** How often it says what it waits for. */
  sayEveryMs: number
  say(line: string): void
}

const PATIENCE: Patience = { limitMs: 60_000, sayEveryMs: 10_000, say: line => console.error(line) }
const AGAIN_MS = 500

/** @throws {OperatorError} when the database is not ready for this program's web or worker and waiting cannot help, or did not help in time */
export const awaitDatabase = (databaseUrl: string, interrupted?: AbortSignal, patience?: Patience): Promise<void> =>
  patiently(() => requireMigrated(databaseUrl, sql => requireChanges(sql as unknown as Queryable)), interrupted, patience)

async function requireChanges(sql: Queryable): Promise<void> {
  if (await takesChanges(sql)) return
  throw new OperatorError('The database takes no changes.', { cause: Object.assign(new Error('read-only'), { code: '25006' }) })
}

/**
 * Tries until it succeeds. A wrong password or a missing database does not pass by waiting, and fails at once.
 * @param interrupted ends the wait: the last error is then thrown
 */
export async function patiently<T>(
  work: () => Promise<T>,
  interrupted: AbortSignal = new AbortController().signal,
  { limitMs, sayEveryMs, say }: Patience = PATIENCE,
): Promise<T> {
  const since = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const now = performance.now()
      if (!isMatterOfTime(error) || interrupted.aborted || now - since >= limitMs) throw error
      if (now - saidAt >= sayEveryMs) {
        say(`Waiting for the database, for up to ${Math.ceil((limitMs - (now - since)) / 1000)} s: ${(error as Error).message}`)
        saidAt = now
      }
    }
    await delay(AGAIN_MS, undefined, { signal: interrupted }).catch(() => {})
  }
}

// An OperatorError keeps the database's error as its cause.
const isMatterOfTime = (error: unknown): boolean => isUnavailable(error) || (error instanceof OperatorError && isUnavailable(error.cause))
