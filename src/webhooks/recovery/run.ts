// One slice of a recovery: sends its next events through a small window of its own, at its own rate, without the endpoint's lease. An ordered endpoint
// gets one request at a time from all senders together, so there the recovery takes the endpoint's lease for each request.
// Results are recorded in the order of the selection, so that the cursor says exactly what is done.
import type { Ref } from '../../ids.ts'
import { WORKER_DEATHS_MAX } from '../../limits/queue.ts'
import { RECOVERIES_AT_ONCE } from '../../limits/webhooks.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { atMost } from '../../queue/at-most.ts'
import { takeSlice } from '../../queue/slice.ts'
import type { Trial } from '../../queue/trial.ts'
import { isOrdered } from '../delivery/slice.ts'
import * as endpointLease from './endpoint-lease-store.ts'
import * as store from './run-store.ts'
import { leases } from './run-store.ts'
import { next, type Selected } from './selection-store.ts'
import { mayGo, type Sent, startNext } from './send.ts'
import { beginSending, mayStart, type RecoverContext, type RecoverySlice } from './slice.ts'

export type Recover = (recovery: Ref, trial: Trial) => Promise<void>

/** Events read at a time, with their bodies where they are small. */
const BATCH = 20

/** A recovery whose lease cannot be taken is queued again this much later. */
const AGAIN_SECONDS = 1
/** After an error of the database, whose receiver may have been sent to in vain. */
const AFTER_ERROR_SECONDS = 5

/** Builds the function that runs recoveries in one process. */
export const createRecover = (context: RecoverContext): Recover =>
  atMost(
    RECOVERIES_AT_ONCE,
    (ref, afterSeconds) => leases.enqueue(context.db.sql, ref, afterSeconds),
    (_slot, ref, trial: Trial) => recoverSlice(context, ref, trial),
  )

/** Ends a recovery that killed its workers, and names the event they died at. */
export async function giveUp(sql: Queryable, ref: Ref): Promise<void> {
  const at = await store.remaining(sql, ref)
  if (!at) return
  const [event] = await next(sql, ref.tenant, at, at.cursor, 1)
  await store.fail(sql, ref, `its worker ended ${WORKER_DEATHS_MAX} times at ${event?.event_id ?? 'its end'}`)
}

async function recoverSlice(context: RecoverContext, ref: Ref, trial: Trial): Promise<void> {
  const { sql } = context.db
  let at: RecoverySlice | undefined
  const onOver = (): void => {
    if (at) at.over = true
  }
  const taken = await takeSlice(context, { sql, leases, ref, trial, onOver }, token => store.take(sql, ref, token))
  if (!taken) return void (await leases.enqueue(sql, ref, AGAIN_SECONDS))
  try {
    at = beginSending(context, { ...taken, ref, trial })
    await recoverLeased(at)
  } finally {
    taken.slice.letGo()
  }
}

async function recoverLeased(at: RecoverySlice): Promise<void> {
  const { db, ref, token, lease, endpoint, slice } = at
  const complete = await sendAll(at)
  const [bug] = at.bugs
  if (bug !== undefined) {
    await slice.giveBackAfter(bug, async () => {
      if (isOrdered(lease)) await endpointLease.giveBack(db.sql, endpoint, token)
      await leases.release(db.sql, ref, token, AFTER_ERROR_SECONDS)
    })
    throw bug
  }
  await slice.giveBack(() =>
    complete && !at.over && !at.gap ? store.complete(db.sql, ref, token) : leases.release(db.sql, ref, token, at.restMs / 1000),
  )
}

async function sendAll(at: RecoverySlice): Promise<boolean> {
  const complete = await work(at).catch(error => {
    at.bugs.push(error)
    return false
  })
  // What is under way ends before the lease is given back, after an error too.
  await Promise.all(at.underWay)
  at.heldEndpoint?.letGo()
  return complete
}

/** @returns whether all of the selection was sent */
async function work(at: RecoverySlice): Promise<boolean> {
  const { db, ref, lease } = at
  const size = isOrdered(lease) ? 1 : BATCH
  for (let after = lease.cursor; mayStart(at); ) {
    const batch = await next(db.sql, ref.tenant, lease, after, size)
    for (const each of batch) {
      const body = await bodyOf(at, each)
      // Without a body, the event was pruned meanwhile, or the slice is over.
      if (!body && mayStart(at)) continue
      if (!body) return false
      try {
        if (!(await mayGo(at))) {
          body.leave()
          return false
        }
        after = await startNext(at, each, body, after)
      } catch (error) {
        body.leave()
        throw error
      }
    }
    if (batch.length < size) return true
  }
  return false
}

/** Loads the body before anything of a rate or an endpoint is taken: it may have to wait for room. */
async function bodyOf(at: RecoverySlice, { event_id, bytes, body }: Selected): Promise<Sent | undefined> {
  if (body !== null) return { bytes: body, leave: () => {} }
  return at.bodies.take({ tenant: at.ref.tenant, id: event_id }, bytes, () => mayStart(at))
}
