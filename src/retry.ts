// When what failed is tried again: a schedule in seconds after the first attempt (WEBHOOK_SCHEDULE, MESSAGE_SCHEDULE), spread by a jitter.
import { RETRY_JITTER } from './limits/outbound.ts'

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
  return rung(attempts, firstAttemptAt, endedAt, schedule, 1 + RETRY_JITTER * (2 * random - 1))
}

/**
 * The time of step `n` of the schedule, counted from `since`, but no sooner after `endedAt` than half the distance to the step before. After a long time
 * in which nothing could be sent all steps are past, and the attempts would follow each other at once.
 */
export function rung(n: number, since: number, endedAt: number, schedule: readonly number[], stretch = 1): number {
  const [before, seconds] = [schedule[n - 1] ?? 0, schedule[n] as number]
  return Math.round(Math.max(since + seconds * 1000 * stretch, endedAt + ((seconds - before) * 1000) / 2))
}
