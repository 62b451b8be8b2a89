// How many requests a caller may send in a minute.

/** Requests per minute of a key, in a sliding log of 60 seconds with two buckets. */
export const PLANS = {
  free: { read: 30, write: 5 },
  starter: { read: 60, write: 15 },
  professional: { read: 120, write: 30 },
  business: { read: 300, write: 60 },
  enterprise: { read: 600, write: 120 },
} as const
export type Plan = keyof typeof PLANS
export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

/** The limiter's window. The ring of slots in sql/ is as long as the largest plan's limit. */
export const RATE_WINDOW_SECONDS = 60
/** Callers without a valid key share a bucket per address; beyond it a 401 or 403 becomes a 429. */
export const ANONYMOUS_PER_MINUTE = 600
