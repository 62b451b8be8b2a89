// An endpoint's rate, as a leaky bucket of one number: the time up to which sending has used it up. Pure: no I/O, no clock.

/** How much of the rate may be saved up and used at once: the sweep that wakes a waiting endpoint comes only once a second. */
const BURST_MS = 3_000

/** Milliseconds since 1970 from which the next request may go. */
export const freeFrom = (usedUntil: number): number => usedUntil - BURST_MS

/** The latest `usedUntil` of an endpoint that may be sent to. */
export const usableUntil = (now: number): number => now + BURST_MS

/** @returns the new `usedUntil`. The burst is taken off the rate, so that no minute ever sees more than `perMinute`. */
export const afterSending = (usedUntil: number, now: number, perMinute: number): number =>
  Math.max(usedUntil, now) + (60_000 + BURST_MS) / perMinute
