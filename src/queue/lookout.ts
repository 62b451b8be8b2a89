// The lookout: finds processes whose session is gone, and frees what they held once they are dead or have had the time to stop by themselves: their leases and
// the jobs that they had fetched. What waited in their memory for its turn is queued again by others (requeuing.ts).
import type { Logger } from 'pino'
import { GONE_MS, LEASE_SECONDS } from '../limits/queue.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Leased } from './leased.ts'
import { fateOf } from './neighbours.ts'
import * as store from './standing-store.ts'

/** How long a dead process's work is freed again, longer than any lock is waited for: its last statement may take a lease after the first freeing. */
const AFTERWARDS_MS = 6_000
const AFTERWARDS_EVERY_MS = 1_000
/** How long living processes have to return when the server lost all sessions, as at a restart. */
const COMING_BACK_MS = 5_000

interface Gone {
  pools: string[]
  /** When it was noticed, of performance.now(). */
  since: number
  lookAt: number
}

/**
 * Frees what those that are missing held, if they have been for long enough.
 * @returns after how many milliseconds the next of them has been; undefined: none is known
 */
export type Lookout = (sql: Sql, log: Logger, missing: store.Missing[]) => Promise<number | undefined>

/**
 * Builds the function that one elected process calls several times a second.
 * @param kinds of leased work, whose leases are freed
 * @param died gets the moment of each notice, by the database's clock
 */
export function createLookout(kinds: Pick<Leased, 'lapse'>[], died: (noticed: Date) => void = () => {}): Lookout {
  const gone = new Map<string, Gone>()
  /** Those that were being freed when the answer of the database was lost. */
  let unanswered: store.Missing[] = []

  return async (sql, log, missing) => {
    const freed = unanswered.length > 0 ? await store.unlisted(sql, unanswered) : []
    const now = performance.now()
    const found = [...freed, ...missing.filter(isGone)]
    const waits = missing.filter(row => !isGone(row) && row.missedMs < GONE_MS).map(({ missedMs }) => GONE_MS - missedMs)
    const next = waits.length > 0 ? Math.min(...waits) : undefined
    const again = [...gone].filter(([, { lookAt }]) => now >= lookAt)
    if (found.length + again.length === 0) return next
    const pools = again.flatMap(([, each]) => each.pools)
    unanswered = found
    const released = await store.release(sql, [...found.map(row => row.process), ...again.map(([process]) => process)], pools, kinds)
    unanswered = []
    for (const [process, each] of again) {
      each.lookAt = now + AFTERWARDS_EVERY_MS
      if (now >= each.since + AFTERWARDS_MS) gone.delete(process)
    }
    const taken = found.filter(row => released.gone.includes(row.process))
    for (const { process } of taken) gone.set(process, { pools: released.its_pools, since: now, lookAt: now + AFTERWARDS_EVERY_MS })
    const { leases, jobs } = released
    if (taken.length === 0) return next
    log.warn(
      { processes: taken.map(({ host, pid }) => ({ host, pid })), leases, jobs },
      'workers are gone; the leases and jobs they held are free again',
    )
    died(released.noticed)
    return next
  }
}

function isGone(row: store.Missing): boolean {
  const fate = fateOf(row)
  if (fate === 'ended') return true
  // A frozen process stops nothing by itself, like a machine that vanished: its leases must run out first.
  if (fate === 'frozen') return row.missedMs >= LEASE_SECONDS * 1000
  const wereLost = row.oldestMs < COMING_BACK_MS && process.uptime() * 1000 > row.oldestMs + COMING_BACK_MS
  return row.missedMs >= GONE_MS && !wereLost
}
