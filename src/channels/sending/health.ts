// The health of a channel: when it counts as failing, and when it is probed. Pure: no I/O, no clock. Times are milliseconds since 1970.

export type FailingReason = 'credentials' | 'platform'

export interface Health {
  /** In a row, and the channel's rather than a message's. */
  failures: number
  /** The conversation of all of them; null where there are several, or none. */
  failures_of: string | null
  failing_since: Date | null
  failing_reason: FailingReason | null
  /** How often it was probed since. */
  probes: number
  /** The conversation that was probed last. */
  probed: string | null
}

export const HEALTHY: Health = { failures: 0, failures_of: null, failing_since: null, failing_reason: null, probes: 0, probed: null }

/** Failures in a row after which a channel is failing. */
const FAILURES_MAX = 3

/** After a failure that is the channel's, of a message of this conversation. */
export function afterFailure(health: Health, conversation: string): Health {
  const alone = health.failures === 0 || health.failures_of === conversation
  return { ...health, failures: health.failures + 1, failures_of: alone ? conversation : null }
}

/** @param others another conversation has something to send: then one alone does not show that it is the channel */
export const mustStop = ({ failures, failures_of, failing_since }: Health, others: boolean): boolean =>
  failing_since === null && failures >= FAILURES_MAX && (failures_of === null || !others)

/** When a failing channel is probed: seconds after it stopped, and after that every so many seconds. */
const PROBES: Record<FailingReason, { first: readonly number[]; every: number }> = {
  platform: { first: [5, 15, 60], every: 60 },
  // A token is not refused today and taken tomorrow: what is waited for is a person.
  credentials: { first: [], every: 600 },
}

export const stopped = (health: Health, reason: FailingReason, now: number): Health => ({
  ...health,
  failing_since: new Date(now),
  failing_reason: reason,
  probes: 0,
  probed: null,
})

/** @returns when the next probe is due, after so many */
export function nextProbe({ failing_since, failing_reason, probes }: Health, now: number): number {
  const { first, every } = PROBES[failing_reason ?? 'platform']
  const seconds = first[probes]
  if (seconds === undefined) return now + every * 1000
  // A probe that took long is not followed by the next at once.
  const gap = (seconds - (first[probes - 1] ?? 0)) * 1000
  return Math.max((failing_since?.getTime() ?? now) + seconds * 1000, now + gap / 2)
}
