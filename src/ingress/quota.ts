// What a caller may still ask in its window, as the headers of every response tell it, and the refusal when nothing is left.
import { RATE_WINDOW_SECONDS } from '../limits/rate.ts'
import { Problem } from '../problems.ts'

export interface Quota {
  limit: number
  remaining: number
  resetMs: number
}

export const rateHeaders = ({ limit, remaining, resetMs }: Quota): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
})

export function tooMany({ limit, resetMs }: Quota, waitMs = resetMs): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem(
    'rate-limit-exceeded',
    `The limit of ${limit} requests in ${RATE_WINDOW_SECONDS} seconds is exhausted; try again in ${seconds} s.`,
    { retry_after_sec: seconds },
    { 'Retry-After': String(seconds) },
  )
}
