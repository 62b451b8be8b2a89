// An endpoint at which workers died. One of the deliveries that the last one had begun may have killed it; they are the first in the queue. Once a slice
// has got past them all, no death is held against the endpoint any more: the next one would be the first of another count.
import type { Stay } from '../../queue/company.ts'
import { type Health, isFailing } from './health.ts'
import type { Lease } from './take-store.ts'

/** How many results of an endpoint may wait to be recorded: after a crash those deliveries are sent again. */
export const UNRECORDED_MAX = 64

export interface Haunted {
  /** How many of those that are claimed next a dead worker may have begun. */
  unclaimed: number
  /** The claimed deliveries that are not recorded yet. */
  ahead: Set<string>
  past: boolean
  /** An endpoint that is past is no suspect: other work may run beside it. */
  acquit: Stay['acquit']
}

export const haunted = ({ max_parallel }: Pick<Lease, 'max_parallel'>, acquit: Stay['acquit']): Haunted => ({
  // In order, a delivery is recorded before the next one begins.
  unclaimed: max_parallel === 1 ? 1 : max_parallel + UNRECORDED_MAX,
  ahead: new Set(),
  past: false,
  acquit,
})

/**
 * Notes what was claimed. A failing endpoint is not sent to in the order of its queue, so there only the end of the slice tells.
 * @param more whether more may be due
 */
export function noteClaimed(endpoint: Haunted, found: readonly { event_id: string }[], health: Health, more: boolean): void {
  if (isFailing(health)) return
  for (const { event_id } of found.slice(0, endpoint.unclaimed)) endpoint.ahead.add(event_id)
  endpoint.unclaimed = more ? Math.max(endpoint.unclaimed - found.length, 0) : 0
}

/** @returns whether the endpoint has got past with the record of this delivery */
export function noteRecorded(endpoint: Haunted, event: string): boolean {
  const isPast = !endpoint.past && endpoint.ahead.delete(event) && endpoint.ahead.size === 0 && endpoint.unclaimed === 0
  if (isPast) {
    endpoint.past = true
    endpoint.acquit()
  }
  return isPast
}
