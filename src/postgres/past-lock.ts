// A statement that serves many requests skips a row that another transaction has locked, instead of waiting. The request for that row is
// repeated soon.
import { setTimeout as delay } from 'node:timers/promises'

/** A statement's answer for a row that it skipped. */
export const LOCKED = 'locked'
export type Locked = typeof LOCKED

/** Most locks are held for some milliseconds. A lock that outlasts all of these belongs to a transaction that hangs. */
const PAUSES_MS = [3, 6, 12, 25, 50, 100] as const

/** Repeats `ask` until its answer is not LOCKED, or all pauses are over. */
export async function pastLock<Answer>(ask: () => Promise<Answer | Locked>): Promise<Answer | Locked> {
  let answer = await ask()
  for (const pause of PAUSES_MS) {
    if (answer !== LOCKED) break
    await delay(pause)
    answer = await ask()
  }
  return answer
}
