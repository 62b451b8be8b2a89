// Are the receivers down, or are we? When hardly any tenant's receivers answer any more, the fault is taken for our own and counts against no receiver
// (docs/decisions/2026-11-24-a-house-of-one-workspace-knows-its-outages.md). A tenant cannot cause this for others: one that is answered sends as ever.
import type { Outcome } from './outcome.ts'
import type { Troubles } from './troubles.ts'

/** Whether a tenant's receivers answer, by its latest requests. */
export interface Reachability {
  underWay: number
  /** The last answer and the last failure without one, by performance.now(). */
  answeredAt: number
  failedAt: number
  /** Hosts that have not answered since the tenant's last answer. */
  silent: Set<string>
}

export interface Outage {
  /** A request of the tenant is to begin. Undefined: not now, for in an outage only one request per tenant tries. */
  enter(tenant: string): Reachability | undefined
  /** The request has ended. @returns whether the fault is our own */
  leave(reachability: Reachability, hostname: string, outcome: Outcome): boolean
}

/** Tenants that had an outcome within this time are counted. */
const RECENT_MS = 60_000
/** In an outage at least this share of the tenants gets no answer … */
const SILENT_SHARE = 0.9
/** … and from so many tenants it is enough that so many hosts are silent; … */
const TENANTS_MIN = 3
const HOSTS_MIN = 3
/** … from fewer it takes more hosts, for one tenant may well have three receivers that are down. */
const HOSTS_OF_FEW_MIN = 5
/** The least time between two looks through all tenants, which would cost too much at each of a thousand failures. */
const LOOK_MS = 200
/** Silent hosts remembered of one tenant. */
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
    return hosts.size >= (silent >= TENANTS_MIN ? HOSTS_MIN : HOSTS_OF_FEW_MIN) && silent >= recent * SILENT_SHARE
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
        // A kept connection does not show whether a new one can be made.
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

/** The answer cannot be used, but the receiver was reached. What is wrong with our own certificate authorities is told apart (authorities.ts). */
const REACHED = new Set(['protocol', 'flood', 'tls'])
/** Does not show whether any receiver can be reached. */
const ELSEWHERE = new Set(['private-address', 'invalid-url', 'invalid-request', 'aborted'])
