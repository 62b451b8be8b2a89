// When a failed delivery is tried again: so many seconds after its first attempt (spec: roughly 2 s, 8 s, 60 s, 5 min, 30 min).
import { DELIVERY_JITTER } from '../limits.ts'

/**
 * @param attempts made so far
 * @param random in [0, 1): spreads the retries of many deliveries by ±10 %
 * @returns milliseconds since 1970, undefined when there is no further attempt
 */
export function nextAttempt(attempts: number, firstAttemptAt: number, schedule: readonly number[], random: number): number | undefined {
  const seconds = schedule[attempts]
  if (seconds === undefined) return undefined
  return firstAttemptAt + Math.round(seconds * 1000 * (1 + DELIVERY_JITTER * (2 * random - 1)))
}
