// When a slice looks for new deliveries while it awaits answers or their record: soon after it found several, for more of them may follow, and
// half as often after each look that finds nothing.

/** Times of performance.now(). */
export interface Poll {
  /** From the end of a claim to the next look. */
  intervalMs: number
  nextAt: number
}

const FIRST_MS = 30
const SLOWEST_MS = 250
/** How late a look may be. */
export const POLL_TICK_MS = 10

export const createPoll = (): Poll => ({ intervalMs: SLOWEST_MS, nextAt: 0 })

/** A claim has ended. @param found how many deliveries it found that were not held yet */
export const scheduleAfter = (poll: Poll, found: number, now: number): void =>
  schedule(poll, found > 1 ? FIRST_MS : Math.min(poll.intervalMs * 2, SLOWEST_MS), now)

export const scheduleSlowest = (poll: Poll, now: number): void => schedule(poll, SLOWEST_MS, now)

function schedule(poll: Poll, intervalMs: number, now: number): void {
  poll.intervalMs = intervalMs
  poll.nextAt = now + intervalMs
}

export const isDue = ({ nextAt }: Poll, now: number): boolean => now >= nextAt

/** Several looks in a row found nothing, or nothing was ever found but one delivery at a time. */
export const isSlowest = ({ intervalMs }: Poll): boolean => intervalMs === SLOWEST_MS
