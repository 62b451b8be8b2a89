// Whether a process could serve now: the database answers, is writable and has this program's schema. Several load balancers may ask, and often.
import { setTimeout as delay } from 'node:timers/promises'
import { READY_LIMIT_MS } from '../limits/requests.ts'
import { newestMigration, takesChanges } from './diagnose.ts'
import postgres from './driver.ts'
import { readMigrations } from './migrate.ts'
import type { Queryable } from './sql.ts'

/** @returns tells within `limitMs` milliseconds what is missing; undefined when nothing is. Probes at the same time share an answer. */
export function readiness(sql: Queryable, limitMs = READY_LIMIT_MS): () => Promise<string | undefined> {
  const known = readMigrations().then(all => all.length)
  let statement: Promise<string | undefined> | undefined
  let answer: Promise<string | undefined> | undefined

  return () => {
    answer ??= inTime().finally(() => {
      answer = undefined
    })
    return answer
  }

  async function inTime(): Promise<string | undefined> {
    const late = new AbortController()
    // While a statement hangs, no further one is sent.
    statement ??= missing().finally(() => {
      statement = undefined
    })
    try {
      return await Promise.race([statement, delay(limitMs, AWAY, { signal: late.signal })])
    } finally {
      late.abort()
    }
  }

  async function missing(): Promise<string | undefined> {
    try {
      const [newest, wanted] = [await newestMigration(sql), await known]
      if (newest < wanted) return `The database has schema ${newest}, and this program needs ${wanted}; run: bin/shopdesk migrate`
      if (newest > wanted) return `The database has schema ${newest}, newer than this program's ${wanted}; start the newer program.`
      // Reads are counted against the rate limit, so they need it too.
      return (await takesChanges(sql)) ? undefined : 'The database takes no changes.'
    } catch (error) {
      return error instanceof postgres.PostgresError && error.code === NO_TABLE
        ? 'The database has no schema; run: bin/shopdesk migrate'
        : AWAY
    }
  }
}

const NO_TABLE = '42P01'
const AWAY = 'The database does not answer.'
