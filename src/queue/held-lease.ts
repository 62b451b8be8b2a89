// A lease as its holder knows it: renewed as long as it is held, and worth nothing for a new request when little of it is left.
import { LEASE_SECONDS } from '../limits.ts'
import { createTicker } from '../ticker.ts'
import type { Standing } from './standing.ts'

export interface HeldLease {
  /**
   * Whether a request may begin: the process stands, and half of the lease is left, which is longer than a request may take. So none outlives the lease
   * it was begun under.
   */
  lasts(): boolean
  /** Renews it no more. */
  letGo(): void
}

const LEASE_MS = LEASE_SECONDS * 1000
/** With two thirds of the lease left: where it could not be renewed, that is tried again at each look. */
const RENEW_MS = LEASE_MS / 3
/** Later than that it may be by so much. */
const RENEW_LOOK_MS = 1_000

/**
 * @param token by which it is held
 * @param askedAt before the lease was asked for, of performance.now(): it began later
 * @param renew resolves with whether the lease is still ours
 */
export function holdLease(standing: Standing, token: string, askedAt: number, renew: () => Promise<boolean>): HeldLease {
  // What others have taken for theirs is not to be taken back.
  const unlessLost = async (): Promise<boolean> => !standing.isLost(token) && renew()
  const lease: Lease = { until: askedAt + LEASE_MS, renewAt: askedAt + RENEW_MS, renew: unlessLost }
  held.add(lease)
  return {
    lasts: () => standing.holds(token) && performance.now() < lease.until - LEASE_MS / 2,
    letGo: () => held.delete(lease),
  }
}

/** Times of performance.now(). */
interface Lease {
  until: number
  renewAt: number
  renew: () => Promise<boolean>
}

const held = createTicker<Lease>(RENEW_LOOK_MS, (lease, now) => {
  if (now >= lease.renewAt) void renewed(lease, now)
})

async function renewed(lease: Lease, askedAt: number): Promise<void> {
  // One at a time: it may wait for the row, or for the database.
  lease.renewAt = Number.POSITIVE_INFINITY
  try {
    lease.until = (await lease.renew()) ? askedAt + LEASE_MS : 0
    lease.renewAt = askedAt + RENEW_MS
  } catch {
    lease.renewAt = askedAt
  }
}
