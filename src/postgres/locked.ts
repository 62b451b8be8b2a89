// A row that another transaction holds is skipped, not waited for, where a statement serves many: what was skipped is asked for again, soon.
import { setTimeout as delay } from 'node:timers/promises'

/** What a statement tells of a row that it skipped. */
export const LOCKED = 'locked'
export type Locked = typeof LOCKED

/** Most locks are held for some milliseconds. What is locked for longer than all of these belongs to a transaction that hangs. */
const PAUSES_MS = [3, 6, 12, 25, 50, 100] as const

/** Asks until the answer is not LOCKED any more, or all pauses are over. */
export async function pastLock<Answer>(ask: () => Promise<Answer | Locked>): Promise<Answer | Locked> {
  let answer = await ask()
  for (const pause of PAUSES_MS) {
    if (answer !== LOCKED) break
    await delay(pause)
    answer = await ask()
  }
  return answer
}
