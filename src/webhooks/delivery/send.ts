// One delivery of a slice: attempted, judged and recorded. A refusal is recorded, never thrown.
import { now } from '../../clock.ts'
import type { Outcome } from '../../outbound/outcome.ts'
import { retryAfterMs } from '../../outbound/retry-after.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { afterSending } from '../../rate.ts'
import { nextAttempt } from '../../retry.ts'
import { type Attempted, attempt, numberAfter } from './attempt.ts'
import type { Claimed } from './claim-store.ts'
import * as deaths from './disable-store.ts'
import { noteRecorded } from './haunted.ts'
import { afterFailure, afterSuccess, countedStart, waitingUntil } from './health.ts'
import { warnOfFailures } from './notify.ts'
import { isOrdered, mayStart, type Slice } from './slice.ts'

/**
 * @param answered called as soon as the outcome is known, before it is recorded; returns whether the slice may end with this delivery
 * @returns whether it was sent at all; a delivery that was not stays due
 */
export async function send(slice: Slice, delivery: Claimed, answered: () => boolean): Promise<boolean> {
  const { context, endpoint, lease } = slice
  const number = numberAfter(delivery.attempts)
  const posted = delivery.body === null ? await postLarge(slice, delivery) : await post(slice, delivery, delivery.body)
  if (!posted) {
    answered()
    return false
  }
  const { made, knownAtStart } = posted
  const { endedAt, outcome, succeeded } = made
  const startedAt = countedStart(slice.health, knownAtStart, made.startedAt)
  // The process is ending, or the fault is ours. That says nothing about the receiver, so the attempt is made again, as after a crash.
  if (outcome.error === 'aborted' || outcome.error === 'own-fault') {
    slice.restMs = outcome.againInMs
    answered()
    return true
  }
  slice.health = succeeded
    ? afterSuccess(slice.health, startedAt)
    : afterFailure(slice.health, { startedAt, endedAt, retryAfterMs: retryAfter(outcome, endedAt) }, context.scheduleSeconds)
  const last = answered()
  const next = succeeded
    ? undefined
    : nextAttempt(number, firstAt(delivery, made.startedAt), endedAt, context.scheduleSeconds, Math.random())
  // In order, no delivery may overtake the one that is to be tried again: that one keeps its due time, and the endpoint waits for it.
  const ordered = isOrdered(lease)
  if (ordered && next !== undefined) slice.health = waitingUntil(slice.health, next)
  slice.unrecorded++
  const { current, judged, ended } = await context.record({
    slice,
    event: delivery.event_id,
    attempt: number,
    state: succeeded ? 'succeeded' : next === undefined ? 'failed' : 'pending',
    dueAt: next === undefined || ordered ? delivery.due_at.getTime() : next,
    made,
    health: slice.health,
    waits: ordered ? next : undefined,
    mayWait: !ordered && !last && context.headroom.holdsBack(endpoint.tenant),
    ends: last,
  })
  slice.unrecorded--
  if (slice.haunted && noteRecorded(slice.haunted, delivery.event_id))
    await deaths.settle(context.db.sql, { ...endpoint, token: slice.token }, 0)
  slice.ended ||= ended
  if (!current || ended) slice.over = true
  if (judged && !succeeded) await warnOfFailures(context.db.sql, endpoint, slice.health)
  return true
}

interface Posted {
  made: Attempted
  /** `failureKnownAt` of the endpoint's health when it was sent. */
  knownAtStart: number | null
}

async function post(slice: Slice, delivery: Claimed, body: string | Buffer): Promise<Posted> {
  const { target } = slice
  if (slice.rate) slice.usedUntil = afterSending(slice.usedUntil, now(), slice.rate)
  const knownAtStart = slice.health.failureKnownAt
  const { event_id, type, attempts } = delivery
  return { made: await attempt(slice.sender, target, { event_id, type, body }, numberAfter(attempts)), knownAtStart }
}

/** @returns undefined: nothing was sent, because there was no room for the body in time, or the health has changed since the delivery was chosen */
async function postLarge(slice: Slice, delivery: Claimed): Promise<Posted | undefined> {
  const { failures } = slice.health
  const wanted = () => mayStart(slice) && slice.health.failures === failures
  const body = await slice.context.bodies
    .take({ tenant: slice.endpoint.tenant, id: delivery.event_id }, delivery.bytes, wanted)
    .catch(unlessUnavailable)
  try {
    if (body && wanted()) return await post(slice, delivery, body.bytes)
    slice.starved ||= !body && !mayStart(slice)
    return undefined
  } finally {
    body?.leave()
  }
}

function unlessUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error
}

const firstAt = ({ first_attempt_at }: Claimed, now: number): number => first_attempt_at?.getTime() ?? now

function retryAfter(outcome: Outcome, now: number): number | undefined {
  const asks = outcome.error === undefined && (outcome.status === 429 || outcome.status === 503)
  return asks ? retryAfterMs(outcome, now) : undefined
}
