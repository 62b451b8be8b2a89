// Leaves a process room for the tenants that send little. A lone event crosses several turns of the event loop, and several processes, on its way to its
// receiver, and waits at each where one tenant keeps all of them busy. So while others send too, the requests of a tenant that sends a good part of all go
// out in small portions, as long as the loop is idle for half of the time (docs/decisions/2026-11-28-a-busy-tenant-leaves-the-loop-room.md).
import { performance } from 'node:perf_hooks'
import type { Signal } from './signal.ts'

export interface Headroom {
  /** Whether a request of the tenant may begin now. If not, the signal is notified when it may ask again. */
  mayBegin(tenant: string, signal: Signal): boolean
  /** Whether requests of the tenant are held back for others. */
  holdsBack(tenant: string): boolean
}

/** The share of a tenant in the requests of a look, from which on it is busy: three at most can have it. */
const BUSY_SHARE = 1 / 4
const LOOK_MS = 50
/** With fewer requests in a look nothing is busy. */
const BUSY_MIN = 16
/** One with this share does not send little: where all send alike, none is held back for another. */
const LITTLE_SHARE = 1 / 16
/** A tenant that has sent nothing for this long needs no room. */
const PRESENT_MS = 60_000

/** Requests of busy tenants that begin in one turn of the loop: a millisecond's work. */
const PORTION = 16
/** With half of the loop idle a lone event took 1.6 times as long as alone, on two cores that were shared by all; with 30 % idle, 3 times. */
const LOAD_MAX = 1 / 2
/** Whatever the load is by, busy tenants have a portion after this long. */
const WAIT_MAX_MS = 10
const AGAIN_MS = 1

/**
 * @param load the share of the latest time in which the loop was not idle
 * @param clock milliseconds of a steady clock
 */
export function createHeadroom(load: () => number = loopLoad(), clock: () => number = () => performance.now()): Headroom {
  let requests = new Map<string, number>()
  /** When each tenant was last seen to send, the longest ago first. */
  const present = new Map<string, number>()
  let busy = new Set<string>()
  let sendsLittle = false
  let looking: NodeJS.Timeout | undefined
  /** Those that are held back, with their tenants. */
  const waiting = new Map<Signal, string>()
  let left = PORTION
  let isNextDue = false
  let begunAt = clock()

  const holdsBack = (tenant: string): boolean => sendsLittle && busy.has(tenant)

  function look(): void {
    const now = clock()
    const counted = [...requests]
    requests = new Map()
    for (const [tenant] of counted) {
      present.delete(tenant)
      present.set(tenant, now)
    }
    for (const [tenant, at] of present) {
      if (now - at < PRESENT_MS) break
      present.delete(tenant)
    }
    const all = counted.reduce((sum, [, count]) => sum + count, 0)
    const from = (least: number) => counted.filter(([, count]) => count >= least).map(([tenant]) => tenant)
    busy = new Set([...waiting.values(), ...from(Math.max(BUSY_MIN, all * BUSY_SHARE))])
    sendsLittle = present.size > new Set([...busy, ...from(all * LITTLE_SHARE)]).size
    if (present.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  function beginPortion(): void {
    isNextDue = false
    const now = clock()
    const isCrowded = sendsLittle && load() > LOAD_MAX
    if (isCrowded && now - begunAt < WAIT_MAX_MS) {
      isNextDue = true
      setTimeout(beginPortion, AGAIN_MS)
      return
    }
    begunAt = now
    left = PORTION
    const signals = [...waiting.keys()]
    waiting.clear()
    for (const each of signals) each.notify()
  }

  return {
    mayBegin(tenant, signal) {
      if (holdsBack(tenant)) {
        if (left === 0) {
          waiting.set(signal, tenant)
          if (!isNextDue) setImmediate(beginPortion)
          isNextDue = true
          return false
        }
        left--
      }
      requests.set(tenant, (requests.get(tenant) ?? 0) + 1)
      looking ??= setInterval(look, LOOK_MS).unref()
      return true
    },
    holdsBack,
  }
}

/** The load of the latest twenty milliseconds or so counts: longer than a turn, and too short for many portions. */
const LATEST_MS = 20
/** Shorter spans are within a turn, which is never idle. */
const SPAN_MIN_MS = 0.5

function loopLoad(): () => number {
  let before = performance.eventLoopUtilization()
  let load = 0
  return () => {
    const { active, idle, utilization } = performance.eventLoopUtilization(before)
    const span = active + idle
    if (span < SPAN_MIN_MS) return load
    before = performance.eventLoopUtilization()
    load += (utilization - load) * Math.min(1, span / LATEST_MS)
    return load
  }
}
