// The time, by the database's clock, for every decision that depends on time and for every time that is shown. This process's own clock may be
// off: that only causes a line in the log (postgres/keep-time.ts).

/** How far the database's clock is ahead of this machine's. */
let aheadMs = 0

/** Milliseconds since 1970. */
export const now = (): number => Date.now() + aheadMs

/**
 * Notes the database's time. It was read at an unknown moment between question and answer, so the known difference stays as long as it may be
 * right: a slow answer changes nothing.
 * @param askedAt and `answeredAt`: by Date.now(), in whole milliseconds
 * @returns by how many milliseconds the database is ahead
 */
export function noteTime(askedAt: number, told: number, answeredAt: number): number {
  const [least, most] = [Math.floor(told) - answeredAt, Math.floor(told) - askedAt]
  if (aheadMs < least || aheadMs > most) aheadMs = Math.round((least + most) / 2)
  return aheadMs
}
