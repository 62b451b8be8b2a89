// An endpoint that was enabled again catches up: drops what it is not to send, and inserts deliveries of what it missed. Until then it is paused, so
// that nothing is sent that was to be dropped, and nothing overtakes what is older.

import type { Ref } from '../../ids.ts'
import { CATCH_UPS_AT_ONCE, WORKER_DEATHS_MAX } from '../../limits.ts'
import type { Database, Queryable, Sql } from '../../postgres/sql.ts'
import { atMost } from '../../queue/at-most.ts'
import { beginSlice, type Slice, type SliceContext } from '../../queue/slice.ts'
import type { Trial } from '../../queue/trial.ts'
import { disableFor } from '../delivery/disable.ts'
import { catchUps } from '../endpoints/store.ts'
import * as store from './store.ts'

/** What catching up needs of the process. */
export interface CatchUpContext extends SliceContext {
  db: Database
}

/** A transaction that is under way elsewhere may hold back what was missed: it is asked for again so much later. */
const HELD_BACK_SECONDS = 1

/** Builds what catches up in one process. */
export const createCatchUp = (context: CatchUpContext): ((endpoint: Ref, trial: Trial) => Promise<void>) =>
  atMost(
    CATCH_UPS_AT_ONCE,
    (ref, afterSeconds) => catchUps.enqueue(context.db.sql, ref, afterSeconds),
    (_slot, ref, trial: Trial) => catchUpSlice(context, ref, trial),
  )

/** Goes on from where a killed worker got to, since every batch remembers that. */
async function catchUpSlice(context: CatchUpContext, ref: Ref, trial: Trial): Promise<void> {
  const { sql } = context.db
  const [token, askedAt] = [context.standing.token(), performance.now()]
  if (!(await catchUps.take(sql, ref, token))) return
  const slice = beginSlice(context, trial, token, askedAt, async () => (await catchUps.renew(sql, ref, token)) !== undefined)
  try {
    const end = await batches(sql, ref, slice, trial)
    await catchUps.release(sql, ref, token, end === 'wait' ? HELD_BACK_SECONDS : 0)
  } finally {
    slice.letGo()
  }
}

/** @returns `wait`: a transaction under way may still commit an event that was missed */
async function batches(sql: Queryable, endpoint: Ref, slice: Slice, trial: Trial): Promise<'done' | 'more' | 'wait'> {
  const at = await store.progress(sql, endpoint)
  if (!at) return 'done'
  if (at.drop_before !== null) {
    while (await store.dropBatch(sql, endpoint, at)) {
      await trial.progressed()
      if (!slice.goesOn()) return 'more'
    }
    // Noted before any delivery is inserted: a slice that came back to dropping would drop that as well.
    await store.markDropped(sql, endpoint, at)
  }
  if (at.missed_from !== null) {
    for (;;) {
      const missed = await store.insertMissedBatch(sql, endpoint, at)
      await trial.progressed()
      if (missed === 'wait') return 'wait'
      if (missed === 'done') break
      if (!slice.goesOn()) return 'more'
    }
  }
  await store.finish(sql, endpoint, at)
  return 'done'
}

/** Calls it off where its workers died of it: what was missed is not forgotten, and enabling again begins anew. */
export const giveUp = (sql: Sql, endpoint: Ref): Promise<void> =>
  disableFor(sql, endpoint, `${WORKER_DEATHS_MAX} workers ended while it caught up`)
