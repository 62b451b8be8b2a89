// An endpoint that was enabled again catches up: drops what it is not to send, and owes what it missed. Until then it is paused, so that
// nothing is sent that was to be dropped, and nothing overtakes what is older.
import type { Database } from '../postgres/sql.ts'
import type { EndpointRef } from './delivery-store.ts'
import * as store from './missed-store.ts'

/** Does what is left of it; from where a killed worker got to, since every batch remembers that. */
export async function catchUp(db: Database, endpoint: EndpointRef, stopping: AbortSignal): Promise<void> {
  const at = await store.progress(db.sql, endpoint)
  if (!at) return
  const drop = at.drop_before
  while (drop !== null && !stopping.aborted && (await store.dropSome(db.sql, endpoint, drop)));
  // Noted before anything is owed, or coming back to it would drop that as well.
  if (drop !== null && !stopping.aborted) await store.noteDropped(db.sql, endpoint)
  let missed = at.missed_from === null ? 'done' : 'more'
  while (missed === 'more' && !stopping.aborted) missed = await store.oweSome(db.sql, endpoint, at)
  if (missed === 'done' && !stopping.aborted) return store.finish(db.sql, endpoint)
  await store.goOnLater(db.sql, endpoint)
}
