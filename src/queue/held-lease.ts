// A lease as its holder sees it: it is renewed while it is held, and once half of it has passed no request may begin under it.
import { LEASE_SECONDS } from '../limits/queue.ts'
import { createTicker } from '../ticker.ts'
import type { Standing } from './standing.ts'

export interface HeldLease {
  /**
   * Whether a request may begin: the process's standing session lives, and at least half of the lease is left, which is longer than a request may take.
   * So no request outlives its lease.
   */
  lasts(): boolean
  /** Stops the renewals. */
  letGo(): void
}

const LEASE_MS = LEASE_SECONDS * 1000
/** A lease is renewed with two thirds of it left. A renewal that fails is tried again at each tick. */
const RENEW_MS = LEASE_MS / 3
/** The ticker's period: how late a renewal may be. */
const RENEW_TICK_MS = 1_000

/**
 * @param token of the lease
 * @param askedAt when the lease was requested, by performance.now(): it began no earlier
 * @param renew resolves with whether the lease is still ours
 */
export function holdLease(standing: Standing, token: string, askedAt: number, renew: () => Promise<boolean>): HeldLease {
  // A lease that another process has taken over must not be renewed.
  const unlessLost = async (): Promise<boolean> => !standing.isLost(token) && renew()
  const lease: Lease = { until: askedAt + LEASE_MS, renewAt: askedAt + RENEW_MS, renew: unlessLost }
  held.add(lease)
  return {
    lasts: () => standing.holds(token) && performance.now() < lease.until - LEASE_MS / 2,
    letGo: () => held.delete(lease),
  }
}

/** Times by performance.now(). */
interface Lease {
  until: number
  renewAt: number
  renew: () => Promise<boolean>
}

const held = createTicker<Lease>(RENEW_TICK_MS, (lease, now) => {
  if (now >= lease.renewAt) void renewed(lease, now)
})

async function renewed(lease: Lease, askedAt: number): Promise<void> {
  // One renewal at a time, for it may wait for the row or for the database.
  lease.renewAt = Number.POSITIVE_INFINITY
  try {
    lease.until = (await lease.renew()) ? askedAt + LEASE_MS : 0
    lease.renewAt = askedAt + RENEW_MS
  } catch {
    lease.renewAt = askedAt
  }
}
