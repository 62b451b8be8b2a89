// The rate that a tenant sets for an endpoint: so many requests a minute.
import type { Rate } from '../../rate.ts'

/** The sweep that wakes a waiting endpoint comes only once a second. */
const SAVED_MS = 3_000

/** What is saved up is taken off the rate, so that no minute ever sees more than `count`. */
export const perMinute = (count: number): Rate => ({ everyMs: (60_000 + SAVED_MS) / count, savedMs: SAVED_MS })
