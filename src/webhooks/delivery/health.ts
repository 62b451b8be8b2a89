// An endpoint's health: what the outcome of an attempt does to it, and how much may be sent meanwhile. Pure: no I/O, no clock.
// The reasons why a delivery waits say these rules a second time (../log/waiting-store.ts); test/webhooks/waiting.test.ts holds the two against each other.
import { FAILURES_TO_DISABLE } from '../../limits/webhooks.ts'
import { rung } from '../../retry.ts'

/** Times are milliseconds since 1970. */
export interface Health {
  /** Consecutive failures. Requests that were under way when the first failure became known count with it, as one. */
  failures: number
  /** When the first attempt of the streak started. */
  failingSince: number | null
  /** When the last counted failure became known. */
  failureKnownAt: number | null
  /** Nothing is sent before this; then one delivery probes the receiver. */
  silentUntil: number | null
}

export const HEALTHY: Health = { failures: 0, failingSince: null, failureKnownAt: null, silentUntil: null }

/** The longest Retry-After that is obeyed. */
const RETRY_AFTER_MAX_MS = 30 * 60_000

/** A 2xx that started after the last failure was known resets everything; an earlier one was merely overtaken. */
export function afterSuccess(health: Health, startedAt: number): Health {
  return health.failureKnownAt !== null && startedAt < health.failureKnownAt ? health : HEALTHY
}

/**
 * When an attempt counts as started: after a failure that was known when it was sent, and before one that became known while it was under way. Times alone
 * do not tell, for both may be in one millisecond, an end is rounded, and another worker's clock may differ.
 * @param knownAtStart the health's `failureKnownAt` when it was sent
 */
export function countedStart({ failureKnownAt }: Health, knownAtStart: number | null, startedAt: number): number {
  if (failureKnownAt === null) return startedAt
  return failureKnownAt === knownAtStart ? Math.max(startedAt, failureKnownAt) : Math.min(startedAt, failureKnownAt - 1)
}

export interface FailedAttempt {
  startedAt: number
  endedAt: number
  /** From a 429 or 503. */
  retryAfterMs?: number | undefined
}

/** @param schedule seconds after the first attempt of attempts 1 to 5: the silences are its third and fourth */
export function afterFailure(health: Health, { startedAt, endedAt, retryAfterMs }: FailedAttempt, schedule: readonly number[]): Health {
  const partOfBurst = health.failureKnownAt !== null && startedAt < health.failureKnownAt
  const failures = partOfBurst ? health.failures : health.failures + 1
  const failingSince = health.failingSince ?? startedAt
  const ladder = failures < 3 ? null : rung(failures === 3 ? 2 : 3, failingSince, endedAt, schedule)
  const asked = retryAfterMs === undefined ? null : endedAt + Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)
  return {
    failures,
    failingSince,
    failureKnownAt: partOfBurst ? health.failureKnownAt : endedAt,
    silentUntil: latest(health.silentUntil, ladder, asked),
  }
}

/** Keeps the endpoint silent until then at least. */
export const waitingUntil = (health: Health, until: number): Health => ({ ...health, silentUntil: latest(health.silentUntil, until) })

export const mustDisable = (health: Health): boolean => health.failures >= FAILURES_TO_DISABLE

/** How many requests may be under way at once: one, from the first failure until a 2xx that started later. */
export const parallel = (health: Health, cap: number): number => (isFailing(health) ? 1 : cap)

export const isSilent = (health: Health, now: number): boolean => health.silentUntil !== null && health.silentUntil > now

/** Between a failure and the next 2xx. */
export const isFailing = (health: Health): boolean => health.failures > 0

/**
 * Which of the due deliveries, given in their order, is sent next. Between a failure and the next 2xx it is one that was never tried, if there is any:
 * one event that the receiver cannot take must not decide the health of its endpoint (docs/decisions/2026-11-20-after-a-failure-untried-deliveries-go-first.md).
 * @returns its index
 */
export function nextToSend(health: Health, due: readonly { attempts: number }[]): number {
  const untried = isFailing(health) ? due.findIndex(({ attempts }) => attempts === 0) : 0
  return Math.max(untried, 0)
}

function latest(...times: (number | null)[]): number | null {
  const known = times.filter(time => time !== null)
  return known.length > 0 ? Math.max(...known) : null
}
