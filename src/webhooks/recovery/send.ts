// One event of a recovery is sent: when it may go, the attempt, and its record, which waits for those of the events before it.
import { setTimeout as delay } from 'node:timers/promises'
import { RECOVERY_PARALLEL } from '../../limits/webhooks.ts'
import { holdLease } from '../../queue/held-lease.ts'
import { type Attempted, attempt, numberAfter } from '../delivery/attempt.ts'
import { renew } from '../delivery/lease-store.ts'
import { isOrdered } from '../delivery/slice.ts'
import { prove } from '../endpoints/origin-store.ts'
import * as endpointLease from './endpoint-lease-store.ts'
import * as store from './run-store.ts'
import { next, type Selected } from './selection-store.ts'
import { mayStart, type RecoverySlice } from './slice.ts'

/** How often a recovery asks whether live traffic has left a request of the endpoint's rate, or has freed an ordered endpoint. */
const PERMIT_POLL_MS = 100

export type Sent = { bytes: string | Buffer; leave(): void }

/** Waits for room in the window, for the recovery's own rate, and for what live traffic leaves of the endpoint's rate. */
export async function mayGo(at: RecoverySlice): Promise<boolean> {
  const { lease, underWay, stopping, trial } = at
  const parallel = trial.suspect ? 1 : Math.min(RECOVERY_PARALLEL, lease.max_parallel)
  while (underWay.size >= parallel) await Promise.race(underWay)
  const wait = at.nextAt - performance.now()
  if (wait > 0) await delay(wait, undefined, { signal: stopping }).catch(() => {})
  while (mayStart(at)) {
    if (await isPermitted(at)) {
      at.nextAt = Math.max(at.nextAt, performance.now()) + 1000 / lease.max_per_second
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
export async function startNext(at: RecoverySlice, event: Selected, body: Sent, after: string | null): Promise<string> {
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
