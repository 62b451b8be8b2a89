// Deletes old rows in small batches, with a rest in between, so that no other statement waits long.
import { setTimeout as delay } from 'node:timers/promises'
import { PRUNE_BATCH, PRUNE_PAUSE_MS } from '../limits.ts'
import type { Queryable } from './sql.ts'

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
