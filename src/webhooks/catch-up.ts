// An endpoint that was enabled again catches up: drops what it is not to send, and owes what it missed. Until then it is paused, so that
// nothing is sent that was to be dropped, and nothing overtakes what is older.
import type { Database } from '../postgres/sql.ts'
import type { EndpointRef } from './delivery-store.ts'
import * as store from './missed-store.ts'

/** Does what is left of it; from where a killed worker got to, since every batch remembers that. */
export async function catchUp(db: Database, endpoint: EndpointRef, stopping: AbortSignal): Promise<void> {
  const at = await store.progress(db.sql, endpoint)
  if (!at) return
  if (at.drop_before !== null) {
    while (!stopping.aborted && (await store.dropSome(db.sql, endpoint, at)));
    // Noted before anything is owed, or coming back to it would drop that as well.
    if (!stopping.aborted) await store.noteDropped(db.sql, endpoint, at)
  }
  let missed = at.missed_from === null ? 'done' : 'more'
  while (missed === 'more' && !stopping.aborted) missed = await store.oweSome(db.sql, endpoint, at)
  if (missed === 'done' && !stopping.aborted) return store.finish(db.sql, endpoint, at)
  await store.goOnLater(db.sql, endpoint, at)
}
