// From an event to the flows that begin with it: a row in the event's own transaction, if any flow of the workspace may, and a word to a worker after its
// commit. The row is the truth: a word that is lost costs a second, until the sweep.
import type { Listener } from '../../events/emit.ts'
import { wakeMatchingAfter } from '../waking/wake.ts'
import { idleAmong, meet } from './foreseen.ts'
import * as store from './listen-store.ts'

/** Costs a workspace without a flow for these events no more than the look for one in an index. */
export const flowListener: Listener = {
  inserts: events => store.insertEvents(idleAmong(events)),
  onInserted(tx, rows, events) {
    if (rows.length === 0) return
    const written = new Set((rows as { event: string }[]).map(({ event }) => event))
    for (const event of events) if (written.has(event.id)) meet(event)
    wakeMatchingAfter(tx, [...new Set((rows as { tenant: string }[]).map(({ tenant }) => tenant))])
  },
}
