// Waiting for other processes: the question is repeated, never replaced by a sleep.
import { setTimeout as pause } from 'node:timers/promises'

/** @returns the first answer that is neither undefined nor false. Fails when there is none within `withinMs`. */
export async function eventually<T>(ask: () => Promise<T | undefined | false>, withinMs = 15_000): Promise<T> {
  const until = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > until) throw new Error(`Not within ${withinMs / 1000} s: ${ask}`)
    await pause(20)
  }
}

/** The same for a check made of assertions: made again until they hold. */
export async function eventuallyHolds<T>(check: () => Promise<T>, withinMs = 15_000): Promise<T> {
  const until = Date.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > until) throw error
      await pause(20)
    }
  }
}
