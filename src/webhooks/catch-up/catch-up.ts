// An endpoint that was enabled again catches up: drops what it is not to send, and owes what it missed. Until then it is paused, so that
// nothing is sent that was to be dropped, and nothing overtakes what is older.

import { WORKER_DEATHS_MAX } from '../../limits.ts'
import type { Database, Sql } from '../../postgres/sql.ts'
import type { Trial } from '../../queue/trial.ts'
import { disableFor } from '../delivery/disable.ts'
import type { EndpointRef } from '../endpoints/wake.ts'
import * as store from './store.ts'

/** Does what is left of it; from where a killed worker got to, since every batch remembers that. */
export async function catchUp(db: Database, endpoint: EndpointRef, stopping: AbortSignal, trial: Trial): Promise<void> {
  const at = await store.progress(db.sql, endpoint)
  if (!at) return
  const isOver = (): boolean => stopping.aborted || trial.mustGiveWay()
  let toDrop = at.drop_before !== null
  while (toDrop && !isOver()) {
    toDrop = await store.dropSome(db.sql, endpoint, at)
    await trial.progressed()
  }
  if (toDrop) return store.goOnLater(db.sql, endpoint, at)
  // Noted before anything is owed, or coming back to it would drop that as well.
  if (at.drop_before !== null) await store.noteDropped(db.sql, endpoint, at)
  let missed = at.missed_from === null ? 'done' : 'more'
  while (missed === 'more' && !isOver()) {
    missed = await store.oweSome(db.sql, endpoint, at)
    await trial.progressed()
  }
  return missed === 'done' ? store.finish(db.sql, endpoint, at) : store.goOnLater(db.sql, endpoint, at)
}

/** Calls it off where its workers died of it: what was missed is not forgotten, and enabling again begins anew. */
export const giveUp = (sql: Sql, endpoint: EndpointRef): Promise<void> =>
  disableFor(sql, endpoint, `${WORKER_DEATHS_MAX} workers ended while it caught up`)
