// A quarter hour: what is counted counts in one, for the midnight of every time zone begins one. And the hour that it is in, as UTC has it.
import { HOUR_MS, QUARTER_MS } from '../limits/analytics.ts'

/** The beginning of the quarter hour of a moment, and of its hour. All in milliseconds since 1970. */
export const quarterOf = (ms: number): number => Math.floor(ms / QUARTER_MS) * QUARTER_MS
export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS
