// From an event to the flows that begin with it: a row in the event's own transaction, if any flow of the workspace may, and a word to a worker after its
// commit. The row is the truth: a word that is lost costs a second, until the sweep.
import type { Listener } from '../../events/emit.ts'
import * as store from './listen-store.ts'
import { wakeMatchingAfter } from './wake.ts'

/** Costs a workspace without a flow for these events no more than the look for one in an index. */
export const flowListener: Listener = {
  inserts: store.insertEvents,
  onInserted(tx, rows) {
    const tenants = new Set((rows as { tenant: string }[]).map(({ tenant }) => tenant))
    if (tenants.size > 0) wakeMatchingAfter(tx, [...tenants])
  },
}
