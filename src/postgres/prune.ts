// Deletes old rows in small batches, with a rest in between, so that no other statement waits long.
import { setTimeout as delay } from 'node:timers/promises'
import { PRUNE_BATCH, PRUNE_PAUSE_MS } from '../limits/retention.ts'
import { listOf, sameIn } from './row-set.ts'
import type { Fragment, Queryable } from './sql.ts'

/** One pass over old rows: yields the number of rows deleted by each statement. */
export type Prune = (sql: Queryable) => AsyncIterable<number>

/** Runs the pass to its end, or until `stopping`. @returns the number of rows deleted */
export async function pruneAll(sql: Queryable, prune: Prune, stopping?: AbortSignal): Promise<number> {
  let total = 0
  let began = performance.now()
  for await (const deleted of prune(sql)) {
    total += deleted
    if (stopping?.aborted) break
    await delay(Math.max(PRUNE_PAUSE_MS, performance.now() - began))
    began = performance.now()
  }
  return total
}

/** Repeats a statement that deletes the PRUNE_BATCH oldest rows, until it finds fewer. */
export async function* oldestFirst(deleteBatch: () => Promise<number>): AsyncGenerator<number> {
  for (;;) {
    const deleted = await deleteBatch()
    yield deleted
    if (deleted < PRUNE_BATCH) return
  }
}

/** Rows of a table that may go. */
export interface Expiring {
  table: string
  /** The columns of its primary key. */
  key: readonly string[]
  /** The time by which they go, the oldest first. */
  by: string
  /** Which of them may go, of a row `o`. */
  expired: Fragment
}

/** A pass that deletes what has expired, but for rows that others hold: they are left to the next pass. */
export const pruneExpired = ({ table, key, by, expired }: Expiring): Prune => {
  const [rows, keys, time, same] = [listOf([table]), listOf(key, 'o'), listOf([by], 'o'), sameIn(key, 't', 'old')]
  return sql =>
    oldestFirst(async () => {
      const { count } = await sql`
        delete from ${rows} t
         using (
           select ${keys}
             from ${rows} o
            where ${expired}
            order by ${time}
            limit ${PRUNE_BATCH}
              for update skip locked) old
         where ${same}`
      return count
    })
}
