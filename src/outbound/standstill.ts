// The time in which this process stood still: it was stopped, its machine was paused, or work of its own kept it from all else. What comes in meanwhile goes
// unheard, and what waits runs out of time, through no fault of a receiver.

export interface Standstill {
  /** To be called every TICK_MS. */
  tick(): void
  /** For how long the process stood still since then, in milliseconds, moments aside. @param from by the same clock */
  since(from: number): number
}

export const TICK_MS = 500
/** A busy process is as late as this now and then. */
const MOMENT_MS = 1_000
/** Standstills that are remembered. */
const REMEMBERED = 16

/** @param now milliseconds by a clock that goes on meanwhile */
export function createStandstill(now: () => number = () => performance.now()): Standstill {
  const past: Pause[] = []
  let tickedAt = now()
  const present = (): Pause => ({ from: tickedAt + TICK_MS, until: now() })
  return {
    tick() {
      const pause = present()
      tickedAt = pause.until
      if (!isMoment(pause)) past.push(pause)
      if (past.length > REMEMBERED) past.shift()
    },
    since(from) {
      // What came in is read before timers are looked at, so the last standstill may not have been noted.
      const overlaps = [...past, present()].filter(pause => !isMoment(pause)).map(pause => pause.until - Math.max(pause.from, from))
      return overlaps.reduce((sum, ms) => sum + Math.max(0, ms), 0)
    },
  }
}

interface Pause {
  from: number
  until: number
}

const isMoment = ({ from, until }: Pause): boolean => until - from < MOMENT_MS
