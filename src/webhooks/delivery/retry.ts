// When a failed delivery is tried again: so many seconds after its first attempt (spec: roughly 2 s, 8 s, 60 s, 5 min, 30 min).
import { DELIVERY_JITTER } from '../../limits.ts'

/**
 * @param attempts made so far
 * @param endedAt when the last of them had ended
 * @param random in [0, 1): spreads the retries of many deliveries by ±10 %
 * @returns milliseconds since 1970, undefined when there is no further attempt
 */
export function nextAttempt(
  attempts: number,
  firstAttemptAt: number,
  endedAt: number,
  schedule: readonly number[],
  random: number,
): number | undefined {
  if (attempts >= schedule.length) return undefined
  return rung(attempts, firstAttemptAt, endedAt, schedule, 1 + DELIVERY_JITTER * (2 * random - 1))
}

/**
 * The time of the schedule's place `n`, counted from `since`; not sooner after `endedAt` than half of what lies between it and the place before.
 * When nothing could be sent for long, all places are past, and would else follow each other at once.
 */
export function rung(n: number, since: number, endedAt: number, schedule: readonly number[], stretch = 1): number {
  const [before, seconds] = [schedule[n - 1] ?? 0, schedule[n] as number]
  return Math.round(Math.max(since + seconds * 1000 * stretch, endedAt + ((seconds - before) * 1000) / 2))
}
