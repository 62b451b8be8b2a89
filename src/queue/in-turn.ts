// Limits how much leased work of one kind runs at once in a process, where there are many rows of short turns, as sources of callbacks are. What comes while
// all places are taken is remembered here without a job, and gets one when a place is free: so no place stands empty until the queue looks again, and no
// waiting job takes up one of the pool's concurrent jobs. Tenants take turns.
import type { Ref } from '../ids.ts'

/** Rows that wait here. The sweep gives each of them a job if this process dies. */
const REMEMBERED = 512
/** When the job of a row is due for which there is no room here. */
const POSTPONED_SECONDS = 1

export interface Places {
  /** Turns at once. */
  most: number
  /** Gives a row its job. @returns false: it has no work, or another process has it */
  queue(ref: Ref, afterSeconds: number): Promise<boolean>
  /** The process is stopping: what waits here gets its job, for other processes. */
  stopping: AbortSignal
}

/** Runs turns, as many at once as there are places. */
export function inTurn<Args extends unknown[]>(
  { most, queue, stopping }: Places,
  run: (ref: Ref, ...args: Args) => Promise<void>,
): (ref: Ref, ...args: Args) => Promise<void> {
  let running = 0
  let count = 0
  /** Rows of each tenant, in the order of the tenants' turns. */
  const waiting = new Map<string, Map<string, Ref>>()

  stopping.addEventListener('abort', () => {
    // What fails here is brought back by the sweep.
    for (let ref = next(); ref; ref = next()) queue(ref, 0).catch(() => {})
  })

  function next(): Ref | undefined {
    for (const [tenant, rows] of waiting) {
      const [ref] = rows.values()
      waiting.delete(tenant)
      rows.delete((ref as Ref).id)
      if (rows.size > 0) waiting.set(tenant, rows)
      count--
      return ref
    }
    return undefined
  }

  async function wait(ref: Ref): Promise<void> {
    const rows = waiting.get(ref.tenant) ?? new Map<string, Ref>()
    if (rows.has(ref.id)) return
    if (count >= REMEMBERED || stopping.aborted) return void (await queue(ref, POSTPONED_SECONDS))
    waiting.set(ref.tenant, rows.set(ref.id, ref))
    count++
  }

  async function callNext(): Promise<void> {
    for (let ref = next(); ref; ref = next()) if (await queue(ref, 0)) return
  }

  return async (ref, ...args) => {
    if (running >= most) return wait(ref)
    running++
    try {
      await run(ref, ...args)
    } finally {
      running--
      // What is forgotten here while the database is away is brought back by the sweep.
      await callNext().catch(() => {})
    }
  }
}
