// A quarter hour: what is counted counts in one, for the midnight of every time zone begins one.
import { QUARTER_MS } from '../limits/analytics.ts'

/** The beginning of the quarter hour of a moment. Both in milliseconds since 1970. */
export const quarterOf = (ms: number): number => Math.floor(ms / QUARTER_MS) * QUARTER_MS
