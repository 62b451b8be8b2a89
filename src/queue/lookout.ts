// The lookout: sees whose session is gone, and frees what a process held that is dead, or that has had the time to stop by itself.
import type { Logger } from 'pino'
import { GONE_MS, LEASE_SECONDS } from '../limits.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Leased } from './leased.ts'
import { fateOf } from './neighbours.ts'
import * as store from './standing-store.ts'

/** A statement of the dead that waited for a lock may take a lease after it was freed: no lock is waited for for longer. */
const AFTERWARDS_MS = 6_000
const AFTERWARDS_EVERY_MS = 1_000
/** Where the server has lost all sessions, as when it was started again, the living have so long to be back. */
const COMING_BACK_MS = 5_000

interface Gone {
  pools: string[]
  until: number
  lookAt: number
}

/** Builds what is to be called several times a second by one process of all. @param kinds of leased work, whose leases are freed */
export function createLookout(kinds: Leased[]): (sql: Sql, log: Logger) => Promise<void> {
  const gone = new Map<string, Gone>()

  return async (sql, log) => {
    const missing = await store.missing(sql)
    const now = performance.now()
    const found = missing.filter(isGone)
    const again = [...gone].filter(([, { lookAt }]) => now >= lookAt)
    if (found.length + again.length === 0) return
    const pools = again.flatMap(([, each]) => each.pools)
    const released = await store.release(sql, [...found.map(row => row.process), ...again.map(([process]) => process)], pools, kinds)
    for (const [process, each] of again) {
      each.lookAt = now + AFTERWARDS_EVERY_MS
      if (now >= each.until) gone.delete(process)
    }
    const taken = found.filter(row => released.gone.includes(row.process))
    for (const { process } of taken)
      gone.set(process, { pools: released.its_pools, until: now + AFTERWARDS_MS, lookAt: now + AFTERWARDS_EVERY_MS })
    const { leases, jobs } = released
    if (taken.length > 0)
      log.warn({ processes: taken.map(({ host, pid }) => ({ host, pid })), leases, jobs }, 'workers are gone; what they held is free again')
  }
}

function isGone(row: store.Missing): boolean {
  const fate = fateOf(row)
  if (fate === 'ended') return true
  // Nothing of it ends by itself, as nothing does of a machine that vanished.
  if (fate === 'frozen') return row.missedMs >= LEASE_SECONDS * 1000
  const wereLost = row.oldestMs < COMING_BACK_MS && process.uptime() * 1000 > row.oldestMs + COMING_BACK_MS
  return row.missedMs >= GONE_MS && !wereLost
}
