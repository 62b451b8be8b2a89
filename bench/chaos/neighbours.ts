// The effect of other workspaces on their neighbours: the times from their events to their arrival, in rounds without the others and with them.
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import type { Shop } from './environment.ts'
import { startOrders } from './orders.ts'
import type { Receivers } from './receivers.ts'
import { arrivals } from './shops.ts'
import { type Finding, quantile } from './verdict.ts'

export interface Load {
  /** The web process's address. */
  origin: string
  ordersPerSecond: number
  /** Seconds of each phase. */
  seconds: number
  /** The workspaces whose events are measured, and their receivers. */
  others: Shop[]
  receivers: Receivers
  /** Phases so far. */
  phase: number
}

/** How much the others may slow them down. */
export interface Limits {
  p50Growth: number
  p99Ms: number
  /** Or so many times the p99 without others, where the machine takes longer by itself, having other work. */
  p99Growth?: number
}

/** The limits beside one workspace with as many webhooks as it may have. */
export const LIMITS: Limits = { p50Growth: 2, p99Ms: 100 }

/** Longer than any event is to wait. */
const ARRIVAL_MAX_MS = 60_000

/** Milliseconds from each of the others' events to its arrival. */
export async function measure(load: Load): Promise<number[]> {
  const { ordersPerSecond, seconds, origin, others, receivers } = load
  const since = Date.now()
  const orders = startOrders(origin, others, ordersPerSecond, load.phase++ * 1_000_000)
  await delay(seconds * 1000)
  await orders.stop()
  await eventually(async () => (await arrivals(receivers, since)).length >= orders.accepted.length, ARRIVAL_MAX_MS)
  return await arrivals(receivers, since)
}

/** Does it again and again, with a pause. @returns a function that ends that */
export function repeatedly(work: () => Promise<void>, pauseMs: number): () => Promise<void> {
  const stop = new AbortController()
  const repeating = (async () => {
    while (!stop.signal.aborted) {
      await work()
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  // Its rejection is reported at the end.
  repeating.catch(() => {})
  return () => {
    stop.abort()
    return repeating
  }
}

/** @param alone of each round @param beside of each round */
export function judge(way: string, alone: number[][], beside: number[][], limits: Limits = LIMITS): Finding[] {
  const growth = median(quantiles(beside, 0.5)) / median(quantiles(alone, 0.5))
  const p99 = median(quantiles(beside, 0.99))
  const p99Max = Math.max(limits.p99Ms, median(quantiles(alone, 0.99)) * (limits.p99Growth ?? 0))
  return [
    {
      promise: `${way}: others’ p50 grows by less than ${limits.p50Growth} × (medians)`,
      figure: `${growth.toFixed(2)} ×`,
      holds: growth < limits.p50Growth,
    },
    { promise: `${way}: others’ p99 is under ${p99Max} ms (median)`, figure: `${p99} ms`, holds: p99 < p99Max },
  ]
}

const median = (values: number[]): number => quantile(values, 0.5)
/** The quantile of each round. */
export const quantiles = (phases: number[][], share: number): number[] => phases.map(each => quantile(each, share))

/** The quantiles of the phases alone and of those beside other work, in words. */
export const compared = (alone: number[][], beside: number[][], share: number): string =>
  `${quantiles(alone, share).join(', ')} ms without, ${quantiles(beside, share).join(', ')} with`
export const delays = (values: number[]): string => `p50 ${quantile(values, 0.5)} ms, p99 ${quantile(values, 0.99)} ms of ${values.length}`
