// One endpoint's life on a movable clock: events arrive, the receiver fails as told, and the rules of health.ts and retry.ts decide.
// A discrete-event simulation of what a slice does; seeded, so that each run is the same.
import { DELIVERY_SCHEDULE_SECONDS, DELIVERY_TIMEOUT_MS, ENDPOINT_CAP } from '../../src/limits/webhooks.ts'
import { nextAttempt } from '../../src/retry.ts'
import {
  afterFailure,
  afterSuccess,
  HEALTHY,
  type Health,
  isFailing,
  isSilent,
  mustDisable,
  nextToSend,
  parallel,
} from '../../src/webhooks/delivery/health.ts'

export interface Scenario {
  name: string
  /** Events a second, evenly spread with jitter. */
  rate: number
  seconds: number
  /** The chance that a request fails, whatever it carries. */
  failureRate?: number
  /** The share of events that the receiver refuses every time. */
  poisoned?: number
  /** The receiver is away from `from` for `seconds`: it refuses connections, or takes them and hangs. */
  down?: { from: number; seconds: number; hangs?: boolean }
}

export interface Report {
  events: number
  delivered: number
  /** From an event to its 2xx, in seconds. */
  p50: number
  p99: number
  requests: number
  failed: number
  /** Events that wait, or are under way, at the end. Events that are neither here nor delivered have used up their five attempts. */
  kept: number
  /** Seconds after the start; undefined when it was not. */
  disabledAt: number | undefined
}

const RESPONSE_MS = 50
/** A receiver that is away is noticed at once: the connection is refused. */
const REFUSED_MS = 5
/** A receiver that hangs is awaited for as long as a request may take. */
const HANGING_MS = DELIVERY_TIMEOUT_MS
/** A delivery that comes due while no slice holds the lease waits for the sweep. */
const SWEEP_MS = 1000

interface Delivery {
  createdAt: number
  dueAt: number
  attempts: number
  firstAttemptAt: number | undefined
  poisoned: boolean
}

interface Flight {
  delivery: Delivery
  startedAt: number
  endsAt: number
  ok: boolean
}

export function simulate(scenario: Scenario, seed: number): Report {
  const random = generator(seed)
  const arrivals = arrivalsOf(scenario, random)
  const endOfTime = (scenario.seconds + 4000) * 1000
  let health: Health = HEALTHY
  let now = 0
  let next = 0
  let requests = 0
  let disabledAt: number | undefined
  const pending: Delivery[] = []
  const flights: Flight[] = []
  const delays: number[] = []

  const isAway = (at: number): boolean => {
    const { down } = scenario
    return down !== undefined && at >= down.from * 1000 && at < (down.from + down.seconds) * 1000
  }
  const start = (delivery: Delivery): void => {
    requests++
    const away = isAway(now)
    const ok = !away && !delivery.poisoned && random() >= (scenario.failureRate ?? 0)
    const takes = away ? (scenario.down?.hangs ? HANGING_MS : REFUSED_MS) : RESPONSE_MS
    flights.push({ delivery, startedAt: now, endsAt: now + takes, ok })
  }
  const finish = (flight: Flight): void => {
    const { delivery, startedAt, ok } = flight
    flights.splice(flights.indexOf(flight), 1)
    delivery.attempts++
    delivery.firstAttemptAt ??= startedAt
    if (ok) {
      health = afterSuccess(health, startedAt)
      delays.push((now - delivery.createdAt) / 1000)
      return
    }
    health = afterFailure(health, { startedAt, endedAt: now }, DELIVERY_SCHEDULE_SECONDS)
    const again = nextAttempt(delivery.attempts, delivery.firstAttemptAt, now, DELIVERY_SCHEDULE_SECONDS, random())
    if (again !== undefined) insert(pending, { ...delivery, dueAt: Math.max(again, now) })
    if (mustDisable(health)) disabledAt = now / 1000
  }

  while (now < endOfTime && disabledAt === undefined) {
    while (next < arrivals.length && (arrivals[next] as Delivery).createdAt <= now) insert(pending, arrivals[next++] as Delivery)
    while (flights.length < parallel(health, ENDPOINT_CAP) && !isSilent(health, now)) {
      const due = placeAfter(pending, now)
      if (due === 0) break
      start(pending.splice(nextToSend(health, isFailing(health) ? pending.slice(0, due) : pending), 1)[0] as Delivery)
    }
    const soonest = Math.min(
      ...flights.map(flight => flight.endsAt),
      next < arrivals.length ? (arrivals[next] as Delivery).createdAt : Number.POSITIVE_INFINITY,
      flights.length === 0 && pending.length > 0
        ? tick(Math.max((pending[0] as Delivery).dueAt, health.silentUntil ?? 0, now + 1))
        : Number.POSITIVE_INFINITY,
    )
    if (soonest === Number.POSITIVE_INFINITY) break
    now = Math.max(now, soonest)
    for (const flight of flights.filter(each => each.endsAt <= now)) finish(flight)
  }
  delays.sort((a, b) => a - b)
  return {
    events: next,
    delivered: delays.length,
    p50: percentile(delays, 0.5),
    p99: percentile(delays, 0.99),
    requests,
    failed: requests - delays.length,
    kept: pending.length + flights.length,
    disabledAt,
  }
}

const tick = (at: number): number => Math.ceil(at / SWEEP_MS) * SWEEP_MS

/** How many are due at `at`, of pending ones in their order. */
function placeAfter(pending: Delivery[], at: number): number {
  let [from, to] = [0, pending.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((pending[middle] as Delivery).dueAt <= at) from = middle + 1
    else to = middle
  }
  return from
}

const insert = (pending: Delivery[], delivery: Delivery): void => void pending.splice(placeAfter(pending, delivery.dueAt), 0, delivery)

function arrivalsOf({ rate, seconds, poisoned = 0 }: Scenario, random: () => number): Delivery[] {
  return Array.from({ length: Math.floor(rate * seconds) }, (_, index) => {
    const createdAt = Math.floor(((index + random()) / rate) * 1000)
    return { createdAt, dueAt: createdAt, attempts: 0, firstAttemptAt: undefined, poisoned: random() < poisoned }
  })
}

const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** mulberry32: small, seeded, even enough. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
