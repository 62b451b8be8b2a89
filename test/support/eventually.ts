// Waiting for other processes: the question is repeated, never replaced by a sleep.
import { setTimeout as delay } from 'node:timers/promises'

/** What comes soon is seen soon; what takes seconds is asked for ten times a second, for each question takes the cores from what it waits for. */
const PAUSE_MS = { least: 10, most: 100 }
/** Of the time waited so far: a wait is longer than it had to be by this share at most. */
const PAUSE_SHARE = 1 / 5

/** On a slow machine other files of tests hold the horizon of events, the disk and the cores for longer than one would think. */
const WITHIN_MS = 60_000

/**
 * @param withinMs shorter only where the time itself is what is promised
 * @returns the first answer that is neither undefined nor false. Fails when there is none in that time.
 */
export async function eventually<T>(ask: () => Promise<T | undefined | false>, withinMs = WITHIN_MS): Promise<T> {
  const since = Date.now()
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() - since > withinMs) throw new Error(`Not within ${withinMs / 1000} s: ${ask}`)
    await pause(since)
  }
}

/** The same for a check made of assertions: made again until they hold. */
export async function eventuallyHolds<T>(check: () => Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const since = Date.now()
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() - since > withinMs) throw error
      await pause(since)
    }
  }
}

const pause = (since: number): Promise<void> => delay(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, (Date.now() - since) * PAUSE_SHARE)))
