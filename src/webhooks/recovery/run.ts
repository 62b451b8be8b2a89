// One turn of a recovery: sends what is next of it through a small window of its own, beside the endpoint's lease, at its own rate. Of an
// ordered endpoint, which is sent one request at a time whoever sends, it takes the lease itself for each request.
// Results are recorded in the order of the selection, so that the cursor says exactly what is done.

import { setTimeout as delay } from 'node:timers/promises'
import { RECOVERIES_AT_ONCE, RECOVERY_PARALLEL, TIME_SLICE_MS, WORKER_DEATHS_MAX } from '../../limits.ts'
import type { OutboundClient } from '../../outbound/post.ts'
import type { Database, Queryable } from '../../postgres/sql.ts'
import type { Standing } from '../../queue/standing.ts'
import type { Trial } from '../../queue/trial.ts'
import type { Keyring } from '../../secrets.ts'
import { type Attempted, attempt, numberAfter } from '../delivery/attempt.ts'
import type { Bodies } from '../delivery/bodies.ts'
import { type HeldLease, holdLease } from '../delivery/held-lease.ts'
import { renew } from '../delivery/store.ts'
import { type Target, targetOf } from '../delivery/target.ts'
import { isOrdered } from '../delivery/turn.ts'
import { prove } from '../endpoints/origin-store.ts'
import type { EndpointRef } from '../endpoints/wake.ts'
import * as beside from './endpoint-lease-store.ts'
import * as store from './run-store.ts'
import { next, type Selected } from './selection-store.ts'

export interface Recovering {
  db: Database
  client: OutboundClient
  keyring: Keyring
  timeoutMs: number
  /** Of large events, shared with live deliveries. */
  bodies: Bodies
  /** By whose tokens leases are held. */
  standing: Standing
  /** The process is stopping: what is under way is finished, and nothing is begun. */
  stopping: AbortSignal
}

export type Recover = (recovery: store.RecoveryRef, trial: Trial) => Promise<void>

/** Events read at a time, with their bodies where they are small. */
const BATCH = 20
/** How often it is asked whether live traffic has left a place in the endpoint's rate, or has freed an ordered endpoint. */
const PERMIT_POLL_MS = 100

/** Builds what recovers in one process. */
export function createRecover(recovering: Recovering): Recover {
  let turns = 0
  return async (ref, trial) => {
    if (turns >= RECOVERIES_AT_ONCE) return store.postpone(recovering.db.sql, ref)
    turns++
    try {
      await takeTurn(recovering, ref, trial)
    } finally {
      turns--
    }
  }
}

/** Ends a recovery of which its workers died, and names the event they died at. */
export async function giveUp(sql: Queryable, ref: store.RecoveryRef): Promise<void> {
  const at = await store.standing(sql, ref)
  if (!at) return
  const [event] = await next(sql, ref.tenant, at, at.cursor, 1)
  await store.fail(sql, ref, `its worker ended ${WORKER_DEATHS_MAX} times at ${event?.event_id ?? 'its end'}`)
}

interface Turn extends Recovering {
  trial: Trial
  ref: store.RecoveryRef
  token: string
  lease: store.Lease
  held: HeldLease
  endpoint: EndpointRef
  /** The endpoint's own, while a request is made to one that is ordered. */
  heldEndpoint: HeldLease | undefined
  target: Target
  until: number
  /** When the next may be sent, by the recovery's own rate. */
  nextAt: number
  underWay: Set<Promise<void>>
  /** Results recorded so far. */
  done: number
  /** The results so far are recorded when this resolves. */
  recorded: Promise<void>
  /** It was cancelled or has ended, or its lease lapsed: nothing more is sent. */
  over: boolean
  /** A result could not be had or kept. What comes after it must not be recorded, or the cursor would pass it. */
  gap: boolean
  /** The fault is our own: nothing is sent for so long. */
  restMs: number
  bugs: unknown[]
}

async function takeTurn(recovering: Recovering, ref: store.RecoveryRef, trial: Trial): Promise<void> {
  const { db, keyring, standing } = recovering
  const token = standing.token()
  const askedAt = performance.now()
  const lease = await store.take(db.sql, ref, token)
  if (!lease) return store.postpone(db.sql, ref)
  const endpoint = { tenant: ref.tenant, endpoint: lease.endpoint }
  const turn: Turn = {
    ...recovering,
    trial,
    ref,
    token,
    lease,
    endpoint,
    heldEndpoint: undefined,
    target: targetOf(keyring, endpoint, lease),
    until: Date.now() + TIME_SLICE_MS,
    nextAt: 0,
    underWay: new Set(),
    done: 0,
    recorded: Promise.resolve(),
    over: false,
    gap: false,
    restMs: 0,
    bugs: [],
    held: holdLease(standing, token, askedAt, async () => {
      const running = await store.renew(db.sql, ref, token)
      if (!running) turn.over = true
      return running !== undefined
    }),
  }
  const complete = await sendAll(turn)
  // The lease lapses, and the sweep brings the recovery back.
  if (turn.bugs.length > 0) throw turn.bugs[0]
  if (complete && !turn.over && !turn.gap) await store.complete(db.sql, ref, token)
  else await store.release(db.sql, ref, token, turn.restMs)
}

async function sendAll(turn: Turn): Promise<boolean> {
  try {
    const complete = await work(turn)
    await turn.recorded
    return complete
  } finally {
    turn.held.letGo()
    turn.heldEndpoint?.letGo()
  }
}

/** @returns whether all of the selection was sent */
async function work(turn: Turn): Promise<boolean> {
  const { db, ref, lease } = turn
  const size = isOrdered(lease) ? 1 : BATCH
  for (let after = lease.cursor; mayStart(turn); ) {
    const batch = await next(db.sql, ref.tenant, lease, after, size)
    for (const each of batch) {
      const body = await bodyOf(turn, each)
      // It was pruned meanwhile, or the turn is over.
      if (!body && mayStart(turn)) continue
      if (!body || !(await mayGo(turn))) {
        body?.leave()
        return false
      }
      after = await begin1(turn, each, body, after)
    }
    if (batch.length < size) return true
  }
  return false
}

const mayStart = ({ over, gap, held, stopping, trial, until }: Turn): boolean =>
  !over && !gap && held.lasts() && !stopping.aborted && !trial.mustGiveWay() && Date.now() < until

type Sent = { bytes: string | Buffer; leave(): void }

/** Before its place in any rate or row: it may be waited for for long. */
async function bodyOf(turn: Turn, { event_id, bytes, body }: Selected): Promise<Sent | undefined> {
  if (body !== null) return { bytes: body, leave: () => {} }
  return turn.bodies.take({ tenant: turn.ref.tenant, event: event_id }, bytes, () => mayStart(turn))
}

/** Waits for room in the window, for the recovery's own rate, and for what live traffic leaves of the endpoint's. */
async function mayGo(turn: Turn): Promise<boolean> {
  const { lease, underWay, stopping, trial } = turn
  const parallel = trial.suspect ? 1 : Math.min(RECOVERY_PARALLEL, lease.max_parallel)
  while (underWay.size >= parallel) await Promise.race(underWay)
  const wait = turn.nextAt - Date.now()
  if (wait > 0) await delay(wait, undefined, { signal: stopping }).catch(() => {})
  while (mayStart(turn)) {
    if (await isPermitted(turn)) {
      turn.nextAt = Math.max(turn.nextAt, Date.now()) + 1000 / lease.max_per_second
      return true
    }
    await delay(PERMIT_POLL_MS)
  }
  return false
}

function isPermitted(turn: Turn): boolean | Promise<boolean> {
  const { db, lease, endpoint } = turn
  if (isOrdered(lease)) return takeEndpoint(turn)
  return lease.max_per_minute === null || beside.takePlace(db.sql, endpoint)
}

async function takeEndpoint(turn: Turn): Promise<boolean> {
  const { db, ref, endpoint, token, standing } = turn
  const askedAt = performance.now()
  if (!(await beside.takeEndpoint(db.sql, endpoint, ref.recovery, token))) return false
  turn.heldEndpoint = holdLease(standing, token, askedAt, async () => (await renew(db.sql, endpoint, token)) !== undefined)
  return true
}

/** @returns the event that the recovery has come to */
async function begin1(turn: Turn, event: Selected, body: Sent, after: string | null): Promise<string> {
  const { db, ref, lease } = turn
  // While it waited for the endpoint, a live turn may have sent it.
  const now = isOrdered(lease) ? (await next(db.sql, ref.tenant, lease, after, 1))[0] : event
  if (now?.event_id === event.event_id) send(turn, now, body)
  else {
    body.leave()
    await giveBack(turn)
  }
  return event.event_id
}

function send(turn: Turn, event: Selected, body: Sent): void {
  const { client, target, timeoutMs, ref, lease, held, heldEndpoint, standing, recorded: before } = turn
  const number = numberAfter(event.attempts)
  const { event_id, type, test } = event
  const mayBegin = (): boolean => !turn.over && held.lasts() && (heldEndpoint?.lasts() ?? true)
  const sender = { client, timeoutMs, recovery: ref.recovery, mayBegin, ...(isOrdered(lease) && { lost: () => standing.lost() }) }
  const made = attempt(sender, target, { event_id, type, test, body: body.bytes }, number).finally(body.leave)
  const recorded = Promise.all([made, before])
    .then(([attempted]) => record(turn, event, number, attempted))
    .then(() => giveBack(turn))
    .catch(error => {
      turn.gap = true
      turn.bugs.push(error)
    })
    .then(() => void turn.underWay.delete(recorded))
  turn.recorded = recorded
  turn.underWay.add(recorded)
}

async function record(turn: Turn, event: Selected, number: number, made: Attempted): Promise<void> {
  const { db, ref, token, lease } = turn
  const { outcome, succeeded, startedAt, endedAt, log } = made
  // This process's own end, or a fault of ours: the next turn makes the attempt again.
  if (outcome.error === 'aborted' || outcome.error === 'own-fault') turn.gap = true
  if (outcome.error !== undefined) turn.restMs = outcome.againInMs ?? turn.restMs
  if (turn.gap) return
  const { endpoint, version } = lease
  const result = { endpoint, version, event: event.event_id, attempt: number, succeeded, startedAt, endedAt, ...log }
  if (!(await store.record(db.sql, ref, token, result))) turn.over = true
  // The worker that died may have been at any of those that were under way.
  if (++turn.done === RECOVERY_PARALLEL) await turn.trial.progressed()
  if (!succeeded || lease.proven) return
  await prove(db.sql, ref.tenant, endpoint, version)
  lease.proven = true
}

// Not after an error: until the lease lapses, whatever is wrong has time to pass.
async function giveBack(turn: Turn): Promise<void> {
  const { db, lease, endpoint, token } = turn
  turn.heldEndpoint?.letGo()
  if (isOrdered(lease)) await beside.giveBack(db.sql, endpoint, token)
}
