// Work that may take long, done in parts between which other requests have their turn.
import { setImmediate as immediate } from 'node:timers/promises'
import { EVENT_LOOP_SLICE_MS } from '../limits.ts'

/** To be awaited between two parts: lets others go first where this work has had its slice. */
export type OthersFirst = () => Promise<void> | undefined

/**
 * @param sliceMs how long others wait for this work at most, but for its longest part
 */
export function yielding(sliceMs = EVENT_LOOP_SLICE_MS): OthersFirst {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return immediate().then(() => {
      since = performance.now()
    })
  }
}
