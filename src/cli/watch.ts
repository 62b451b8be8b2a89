// Commands that show what happens until Ctrl-C, or until the reader of their lines has left: they look again and again, and outlast a database that is away.
import { setTimeout as delay } from 'node:timers/promises'
import { isUnavailable } from '../postgres/errors.ts'
import { whenEnded } from './ending.ts'

/** How soon a database that is away is asked again. */
const AGAIN_MS = 1_000

/**
 * @param look at what is new @returns whether there is more, to be looked at at once
 * @param stopped ends it; else Ctrl-C and SIGTERM do, and the end of what reads standard output
 */
export async function watch(look: () => Promise<boolean>, ms: number, stopped: AbortSignal = whenEnded()): Promise<void> {
  let isAway = false
  while (!stopped.aborted) {
    const more = await look().catch(error => {
      if (!isUnavailable(error)) throw error
      return undefined
    })
    if (isAway !== (more === undefined))
      console.error(isAway ? 'The database answers again.' : 'The database does not answer; it is asked until it does.')
    isAway = more === undefined
    if (!more) await delay(isAway ? AGAIN_MS : ms, undefined, { signal: stopped }).catch(() => {})
  }
}
