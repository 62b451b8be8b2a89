// The time, by the database's clock, for every decision that depends on time and for every time that is shown. This process's own clock may be
// off: that only causes a line in the log (postgres/keep-time.ts).

/** How far the database's clock is ahead of the time since this process began. That time is steady: a clock that is set meanwhile changes nothing. */
let aheadMs = performance.timeOrigin

/** Milliseconds since 1970. */
export const now = (): number => Math.floor(performance.now() + aheadMs)

/** Neither clock tells a part of a millisecond. */
const EXACT_MS = 1

/**
 * Notes the database's time. It was read at an unknown moment between question and answer, so the known difference stays as long as it may be
 * right, and changes by the least that makes it so: a slow answer changes nothing, or little.
 * @param askedAt and `answeredAt`: by performance.now()
 */
export function noteTime(askedAt: number, told: number, answeredAt: number): void {
  const [least, most] = [told - answeredAt - EXACT_MS, told - askedAt + EXACT_MS]
  aheadMs = Math.min(Math.max(aheadMs, least), most)
}
