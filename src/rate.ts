// A rate, as a leaky bucket of one number: the time up to which sending has used it up. Pure: no I/O, no clock.

export interface Rate {
  /** What a request uses up, in milliseconds. */
  everyMs: number
  /** How much of the rate may be saved up and used at once. */
  savedMs: number
}

/** Milliseconds since 1970 from which the next request may go. */
export const freeFrom = (usedUntil: number, { savedMs }: Rate): number => usedUntil - savedMs

/** The latest `usedUntil` with which a request may go. */
export const usableUntil = (now: number, { savedMs }: Rate): number => now + savedMs

/** @returns the new `usedUntil` */
export const afterSending = (usedUntil: number, now: number, { everyMs }: Rate): number => Math.max(usedUntil, now) + everyMs
