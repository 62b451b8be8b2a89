// The time, by the database's clock: what is due, silent, paced or dropped is judged by that, and is told by it too. This process's own clock
// may be off, and then changes nothing but a line in the log (postgres/keep-time.ts).

/** How far the database's clock is ahead of this machine's. */
let aheadMs = 0

/** Milliseconds since 1970. */
export const now = (): number => Date.now() + aheadMs

/**
 * Takes note of what the database said the time was. It said so between two moments, and which is not known: what is believed stays as long as
 * it may be right, so that a slow answer moves nothing.
 * @param askedAt and `answeredAt`: of Date.now(), which knows whole milliseconds alone
 * @returns by how many milliseconds the database is ahead
 */
export function noteTime(askedAt: number, told: number, answeredAt: number): number {
  const [least, most] = [Math.floor(told) - answeredAt, Math.floor(told) - askedAt]
  if (aheadMs < least || aheadMs > most) aheadMs = Math.round((least + most) / 2)
  return aheadMs
}
