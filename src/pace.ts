// The pace of a client that sends or reads. Only time spent waiting for the client counts, not that of this process and the database.
import { PACE_MS, PAUSE_MS } from './limits/connections.ts'

export interface Pace {
  /** Begins a wait for the client. */
  wait(): void
  /** Ends the wait: the client has sent, or taken, so many bytes. */
  moved(bytes: number): void
  /**
   * How long the client may still be waited for, in milliseconds, until its average falls below `rate`, in bytes a second, or it has paused for
   * PAUSE_MS. Zero or less: it is slow.
   */
  patience(rate: number): number
}

/**
 * @param overMs the time of an average, which is longer where single pieces take longer
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
      // This piece ends the average; its bytes begin the next one.
      if (waited >= overMs) [bytes, waited] = [0, 0]
      bytes += length
    },
    patience: rate => Math.min(Math.max(overMs, (bytes / rate) * 1000) - waitedNow(), PAUSE_MS - waitNow()),
  }
}
