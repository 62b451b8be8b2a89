// One slice of a recovery: sends its next events through a small window of its own, at its own rate, without the endpoint's lease. An ordered endpoint
// gets one request at a time from all senders together, so there the recovery takes the endpoint's lease for each request.
// Results are recorded in the order of the selection, so that the cursor says exactly what is done.
import { setTimeout as delay } from 'node:timers/promises'
import type { Ref } from '../../ids.ts'
import { WORKER_DEATHS_MAX } from '../../limits/queue.ts'
import { RECOVERIES_AT_ONCE, RECOVERY_PARALLEL } from '../../limits/webhooks.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Database, Queryable } from '../../postgres/sql.ts'
import { atMost } from '../../queue/at-most.ts'
import { giveBackAfter, giveBackSurely } from '../../queue/give-back.ts'
import { type HeldLease, holdLease } from '../../queue/held-lease.ts'
import { type Slice, type SliceContext, takeSlice } from '../../queue/slice.ts'
import type { Trial } from '../../queue/trial.ts'
import type { Keyring } from '../../secrets.ts'
import { type Attempted, attempt, numberAfter } from '../delivery/attempt.ts'
import type { Bodies } from '../delivery/bodies.ts'
import { renew } from '../delivery/lease-store.ts'
import { isOrdered } from '../delivery/slice.ts'
import { type Target, targetOf } from '../delivery/target.ts'
import { prove } from '../endpoints/origin-store.ts'
import * as endpointLease from './endpoint-lease-store.ts'
import * as store from './run-store.ts'
import { leases } from './run-store.ts'
import { next, type Selected } from './selection-store.ts'

/** What recovering needs of the process. */
export interface RecoverContext extends SliceContext {
  db: Database
  client: OutboundClient
  keyring: Keyring
  timeoutMs: number
  /** The bodies of large events, shared with live deliveries. */
  bodies: Bodies
}

export type Recover = (recovery: Ref, trial: Trial) => Promise<void>

/** Events read at a time, with their bodies where they are small. */
const BATCH = 20
/** How often a recovery asks whether live traffic has left a request of the endpoint's rate, or has freed an ordered endpoint. */
const PERMIT_POLL_MS = 100

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

interface RecoverySlice extends RecoverContext {
  slice: Slice
  trial: Trial
  ref: Ref
  token: string
  lease: store.Lease
  endpoint: Ref
  /** The lease of an ordered endpoint, while a request is made to it. */
  heldEndpoint: HeldLease | undefined
  target: Target
  /** When the next event may be sent, by the recovery's own rate. */
  nextAt: number
  underWay: Set<Promise<void>>
  /** Results recorded so far. */
  done: number
  /** Resolves when the results so far are recorded. */
  recorded: Promise<void>
  /** The recovery was cancelled or has ended, or its lease has lapsed: nothing more is sent. */
  over: boolean
  /** A result could not be had or kept. Later results must not be recorded, or the cursor would pass this one. */
  gap: boolean
  /** How long nothing is sent, where the fault is our own. */
  restMs: number
  bugs: unknown[]
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

function beginSending(context: RecoverContext, taken: Pick<RecoverySlice, 'lease' | 'token' | 'slice' | 'ref' | 'trial'>): RecoverySlice {
  const { ref, lease } = taken
  const endpoint = { tenant: ref.tenant, id: lease.endpoint }
  return {
    ...context,
    ...taken,
    endpoint,
    heldEndpoint: undefined,
    target: targetOf(context.keyring, endpoint, lease),
    nextAt: 0,
    underWay: new Set(),
    done: 0,
    recorded: Promise.resolve(),
    over: false,
    gap: false,
    restMs: 0,
    bugs: [],
  }
}

async function recoverLeased(at: RecoverySlice): Promise<void> {
  const { db, ref, token, lease, endpoint, stopping } = at
  const complete = await sendAll(at)
  const [bug] = at.bugs
  if (bug !== undefined) {
    await giveBackAfter(bug, stopping, async () => {
      if (isOrdered(lease)) await endpointLease.giveBack(db.sql, endpoint, token)
      await leases.release(db.sql, ref, token, AFTER_ERROR_SECONDS)
    })
    throw bug
  }
  const end = (): Promise<void> =>
    complete && !at.over && !at.gap ? store.complete(db.sql, ref, token) : leases.release(db.sql, ref, token, at.restMs / 1000)
  await giveBackSurely(stopping, end)
}

async function sendAll(at: RecoverySlice): Promise<boolean> {
  const complete = await work(at).catch(error => {
    at.bugs.push(error)
    return false
  })
  // What is under way ends before the lease is given back, after an error too.
  await at.recorded
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

const mayStart = ({ over, gap, slice }: RecoverySlice): boolean => !over && !gap && slice.goesOn()

type Sent = { bytes: string | Buffer; leave(): void }

/** Loads the body before anything of a rate or an endpoint is taken: it may have to wait for room. */
async function bodyOf(at: RecoverySlice, { event_id, bytes, body }: Selected): Promise<Sent | undefined> {
  if (body !== null) return { bytes: body, leave: () => {} }
  return at.bodies.take({ tenant: at.ref.tenant, id: event_id }, bytes, () => mayStart(at))
}

/** Waits for room in the window, for the recovery's own rate, and for what live traffic leaves of the endpoint's rate. */
async function mayGo(at: RecoverySlice): Promise<boolean> {
  const { lease, underWay, stopping, trial } = at
  const parallel = trial.suspect ? 1 : Math.min(RECOVERY_PARALLEL, lease.max_parallel)
  while (underWay.size >= parallel) await Promise.race(underWay)
  const wait = at.nextAt - Date.now()
  if (wait > 0) await delay(wait, undefined, { signal: stopping }).catch(() => {})
  while (mayStart(at)) {
    if (await isPermitted(at)) {
      at.nextAt = Math.max(at.nextAt, Date.now()) + 1000 / lease.max_per_second
      return true
    }
    await delay(PERMIT_POLL_MS)
  }
  return false
}

function isPermitted(at: RecoverySlice): boolean | Promise<boolean> {
  const { db, lease, endpoint } = at
  if (isOrdered(lease)) return takeEndpoint(at)
  return lease.max_per_minute === null || endpointLease.takePermit(db.sql, endpoint)
}

async function takeEndpoint(at: RecoverySlice): Promise<boolean> {
  const { db, ref, endpoint, token, standing } = at
  const askedAt = performance.now()
  if (!(await endpointLease.takeEndpoint(db.sql, endpoint, ref.id, token))) return false
  at.heldEndpoint = holdLease(standing, token, askedAt, async () => (await renew(db.sql, endpoint, token)) !== undefined)
  return true
}

/** @returns the event that the recovery has come to */
async function startNext(at: RecoverySlice, event: Selected, body: Sent, after: string | null): Promise<string> {
  const { db, ref, lease } = at
  // While this waited for the endpoint, a live slice may have sent the event.
  const now = isOrdered(lease) ? (await next(db.sql, ref.tenant, lease, after, 1))[0] : event
  if (now?.event_id === event.event_id) send(at, now, body)
  else {
    body.leave()
    await giveBack(at)
  }
  return event.event_id
}

function send(at: RecoverySlice, event: Selected, body: Sent): void {
  const { client, target, timeoutMs, ref, lease, slice, heldEndpoint, standing, recorded: before } = at
  const number = numberAfter(event.attempts)
  const { event_id, type, test } = event
  const mayBegin = (): boolean => !at.over && slice.lasts() && (heldEndpoint?.lasts() ?? true)
  const sender = { client, timeoutMs, recovery: ref.id, mayBegin, ...(isOrdered(lease) && { lost: () => standing.lost() }) }
  const made = attempt(sender, target, { event_id, type, test, body: body.bytes }, number).finally(body.leave)
  const recorded = Promise.all([made, before])
    .then(([attempted]) => record(at, event, number, attempted))
    .then(() => giveBack(at))
    .catch(error => {
      at.gap = true
      at.bugs.push(error)
    })
    .then(() => void at.underWay.delete(recorded))
  at.recorded = recorded
  at.underWay.add(recorded)
}

async function record(at: RecoverySlice, event: Selected, number: number, made: Attempted): Promise<void> {
  const { db, ref, token, lease } = at
  const { outcome, succeeded, startedAt, endedAt, log } = made
  // This process stops, or the fault is our own: the next slice makes the attempt again.
  if (outcome.error === 'aborted' || outcome.error === 'own-fault') at.gap = true
  if (outcome.error !== undefined) at.restMs = outcome.againInMs ?? at.restMs
  if (at.gap) return
  const { endpoint, version } = lease
  const result = { endpoint, version, event: event.event_id, attempt: number, succeeded, startedAt, endedAt, ...log }
  if (!(await store.record(db.sql, ref, token, result))) at.over = true
  // A worker that died may have been sending any of the events that were under way.
  if (++at.done === RECOVERY_PARALLEL) await at.trial.progressed()
  if (!succeeded || lease.proven) return
  await prove(db.sql, ref.tenant, endpoint, version)
  lease.proven = true
}

// After an error this is left to the end of the slice.
async function giveBack(at: RecoverySlice): Promise<void> {
  const { db, lease, endpoint, token } = at
  at.heldEndpoint?.letGo()
  if (isOrdered(lease)) await endpointLease.giveBack(db.sql, endpoint, token)
}
