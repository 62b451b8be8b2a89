// Work that may take long, in parts: other requests run in between.
import { setImmediate as immediate } from 'node:timers/promises'
import { EVENT_LOOP_SLICE_MS } from '../limits/bodies.ts'

/** To be awaited between two parts: lets other requests run once this work has used its slice. */
export type OthersFirst = () => Promise<void> | undefined

/**
 * @param sliceMs how long other requests wait at most, apart from the longest part
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
