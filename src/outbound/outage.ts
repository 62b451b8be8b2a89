// Are they down, or are we? Where hardly any tenant's receivers answer any more, the fault is taken for our own: it counts for no receiver
// (docs/decisions/2026-11-22-our-own-outages-are-not-counted-against-receivers.md). Nobody can bring that about who is not most of the tenants that send.
import type { Outcome } from './outcome.ts'
import type { Troubles } from './troubles.ts'

/** What is known of a tenant's requests. */
export interface Reachability {
  underWay: number
  /** Of the last answer, and the last failure without one; of performance.now(). */
  answeredAt: number
  failedAt: number
  /** Hosts that did not answer since the last answer of any. */
  silent: Set<string>
}

export interface Outage {
  /** A request of the tenant is to begin. Undefined: not now, for in an outage one alone tries. */
  enter(tenant: string): Reachability | undefined
  /** It ended like this. @returns whether that is our own fault */
  leave(reachability: Reachability, hostname: string, outcome: Outcome): boolean
}

/** Tenants that have sent something for so long are looked at. */
const RECENT_MS = 60_000
/** So many tenants, and hosts, must not be answered … */
const SILENT_MIN = 3
/** … and this share of the tenants. */
const SILENT_SHARE = 0.9
/** Looking through all tenants is not for each of a thousand failures. */
const LOOK_MS = 200
/** Of one tenant. */
const HOSTS_MAX = 8

const TEXT = 'hardly any receiver of any tenant can be reached'

export function createOutage(troubles: Troubles): Outage {
  const tenants = new Map<string, Reachability>()
  let lookedAt = 0
  let outage = false

  function isOutage(): boolean {
    const now = performance.now()
    if (now - lookedAt < LOOK_MS) return outage
    lookedAt = now
    outage = look(now)
    if (outage) troubles.seen('network', TEXT)
    else troubles.ended('network')
    return outage
  }

  function look(now: number): boolean {
    let recent = 0
    const hosts = new Set<string>()
    let silent = 0
    for (const [tenant, { underWay, answeredAt, failedAt, silent: mine }] of tenants) {
      if (Math.max(answeredAt, failedAt) < now - RECENT_MS) {
        if (underWay === 0) tenants.delete(tenant)
        continue
      }
      recent++
      if (mine.size === 0) continue
      silent++
      for (const host of mine) hosts.add(host)
    }
    return Math.min(silent, hosts.size) >= SILENT_MIN && silent >= recent * SILENT_SHARE
  }

  return {
    enter(tenant) {
      const reachability = tenants.get(tenant) ?? { underWay: 0, answeredAt: 0, failedAt: 0, silent: new Set() }
      if (reachability.silent.size > 0 && reachability.underWay > 0 && isOutage()) return undefined
      tenants.set(tenant, reachability)
      reachability.underWay++
      return reachability
    },
    leave(reachability, hostname, { error, timings }) {
      reachability.underWay--
      if (error === 'own-fault') return true
      if (error !== undefined && ELSEWHERE.has(error)) return false
      const now = performance.now()
      if (error === undefined || REACHED.has(error)) {
        reachability.answeredAt = now
        if (reachability.silent.size > 0) reachability.silent.clear()
        // A connection that was kept says nothing of whether one can be made.
        if (timings.connectMs !== undefined) troubles.ended('machine')
        if (outage) isOutage()
        return false
      }
      reachability.failedAt = now
      if (reachability.silent.size < HOSTS_MAX) reachability.silent.add(hostname)
      return isOutage()
    },
  }
}

/** What came back cannot be used, but something came. */
const REACHED = new Set(['protocol', 'flood'])
/** Says nothing of whether anybody can be reached. */
const ELSEWHERE = new Set(['private-address', 'invalid-url', 'invalid-request', 'aborted'])
