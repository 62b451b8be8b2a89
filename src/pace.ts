// How fast a client sends or reads, by the time that it is waited for: what this process and the database take is not its fault.
import { PACE_MS, PAUSE_MS } from './limits.ts'

export interface Pace {
  /** The client is waited for. */
  wait(): void
  /** It is no longer: it has sent, or taken, so many bytes. */
  moved(bytes: number): void
  /**
   * How long it may yet be waited for, in milliseconds, until its average is below this rate, in bytes a second, or it has paused for PAUSE_MS.
   * Zero or less: it is slow.
   */
  patience(rate: number): number
}

/**
 * @param overMs an average is that of this time, or longer where single pieces take longer
 * @param now a clock, in milliseconds
 */
export function createPace(overMs = PACE_MS, now = () => performance.now()): Pace {
  let [bytes, waited] = [0, 0]
  let since: number | undefined
  const waitNow = (): number => (since === undefined ? 0 : now() - since)
  const waitedNow = (): number => waited + waitNow()
  return {
    wait() {
      since = now()
    },
    moved(length) {
      waited = waitedNow()
      since = undefined
      // The piece that took so long is the first of the next average: how long it takes is told by the one after it.
      if (waited >= overMs) [bytes, waited] = [0, 0]
      bytes += length
    },
    patience: rate => Math.min(Math.max(overMs, (bytes / rate) * 1000) - waitedNow(), PAUSE_MS - waitNow()),
  }
}
