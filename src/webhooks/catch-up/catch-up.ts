// An endpoint that was enabled again catches up: it drops the deliveries that are not to be sent, and gets deliveries of the events it missed. Until
// then it is paused, so that nothing is sent that was to be dropped, and no event overtakes an older one.

import type { Ref } from '../../ids.ts'
import { WORKER_DEATHS_MAX } from '../../limits/queue.ts'
import { CATCH_UPS_AT_ONCE } from '../../limits/webhooks.ts'
import type { Database, Queryable, Sql } from '../../postgres/sql.ts'
import { atMost } from '../../queue/at-most.ts'
import { orGiveBack } from '../../queue/give-back.ts'
import { type Slice, type SliceContext, takeSlice } from '../../queue/slice.ts'
import type { Trial } from '../../queue/trial.ts'
import { disableFor } from '../delivery/disable.ts'
import { catchUps } from '../endpoints/store.ts'
import * as store from './store.ts'

/** What catching up needs of the process. */
export interface CatchUpContext extends SliceContext {
  db: Database
}

/** An open transaction may still commit an event that was missed: the catch-up is queued again this much later. */
const HELD_BACK_SECONDS = 1
/** After an error, which may be that of a database that is away for a moment. */
const AGAIN_SECONDS = 5

/** Builds the function that runs catch-ups in one process. */
export const createCatchUp = (context: CatchUpContext): ((endpoint: Ref, trial: Trial) => Promise<void>) =>
  atMost(
    CATCH_UPS_AT_ONCE,
    (ref, afterSeconds) => catchUps.enqueue(context.db.sql, ref, afterSeconds),
    (_slot, ref, trial: Trial) => catchUpSlice(context, ref, trial),
  )

/** Resumes where a killed worker stopped, since every batch records that. */
async function catchUpSlice(context: CatchUpContext, ref: Ref, trial: Trial): Promise<void> {
  const { sql } = context.db
  const taken = await takeSlice(context, { sql, leases: catchUps, ref, trial }, token => catchUps.take(sql, ref, token))
  if (!taken) return
  const { token, slice } = taken
  const giveBack = (againIn: number) => slice.giveBack(() => catchUps.release(sql, ref, token, againIn))
  const end = await orGiveBack(
    () => batches(sql, ref, slice, trial),
    () => giveBack(AGAIN_SECONDS),
  )
  await giveBack(end === 'wait' ? HELD_BACK_SECONDS : 0)
}

/** @returns `wait`: an open transaction may still commit an event that was missed */
async function batches(sql: Queryable, endpoint: Ref, slice: Slice, trial: Trial): Promise<'done' | 'more' | 'wait'> {
  const at = await store.progress(sql, endpoint)
  if (!at) return 'done'
  if (at.drop_before !== null) {
    while (await store.dropBatch(sql, endpoint, at)) {
      await trial.progressed()
      if (!slice.goesOn()) return 'more'
    }
    // Marked before any delivery is inserted: a slice that dropped again would drop the inserted ones as well.
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

/** Ends a catch-up that killed its workers, by disabling the endpoint: no event is lost, and enabling it again starts a new catch-up. */
export const giveUp = (sql: Sql, endpoint: Ref): Promise<void> =>
  disableFor(sql, endpoint, `${WORKER_DEATHS_MAX} workers ended while it caught up`)
