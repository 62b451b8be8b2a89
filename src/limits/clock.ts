// Days, and how far a clock may be off.

export const DAY_SECONDS = 86_400

/** How often web and worker ask the database for the time. */
export const CLOCK_SECONDS = 10
/** A clock that is off by more is logged. */
export const CLOCK_OFF_MS = 2_000
