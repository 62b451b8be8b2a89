// One delivery of a turn: attempted, judged and recorded. A refusal is recorded, never thrown.
import { now } from '../../clock.ts'
import type { Outcome } from '../../outbound/outcome.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { afterSending } from '../endpoints/rate.ts'
import { type Attempted, attempt, numberAfter } from './attempt.ts'
import type { Claimed } from './claim-store.ts'
import * as deaths from './deaths-store.ts'
import { afterFailure, afterSuccess, type Health, waitingUntil } from './health.ts'
import { warnOfFailures } from './notify.ts'
import { nextAttempt } from './retry.ts'
import { isOrdered, mayStart, type Turn } from './turn.ts'

/**
 * @param answered called as soon as the outcome is known, before it is recorded; it says whether the turn may end with that
 * @returns whether it was sent at all; if not it stays due
 */
export async function send(turn: Turn, delivery: Claimed, answered: () => boolean): Promise<boolean> {
  const { engine, endpoint, lease } = turn
  const number = numberAfter(delivery.attempts)
  const posted = delivery.body === null ? await postLarge(turn, delivery) : await post(turn, delivery, delivery.body)
  if (!posted) {
    answered()
    return false
  }
  const { made, known } = posted
  const { endedAt, outcome, succeeded } = made
  const startedAt = before(turn.health, known, made.startedAt)
  // This process's own end, or a fault of ours. It says nothing of the receiver, so the attempt is made again, as after a crash.
  if (outcome.error === 'aborted' || outcome.error === 'own-fault') {
    turn.restMs = outcome.againInMs
    answered()
    return true
  }
  turn.health = succeeded
    ? afterSuccess(turn.health, startedAt)
    : afterFailure(turn.health, { startedAt, endedAt, retryAfterMs: retryAfter(outcome, endedAt) }, engine.scheduleSeconds)
  const last = answered()
  const next = succeeded
    ? undefined
    : nextAttempt(number, firstAt(delivery, made.startedAt), endedAt, engine.scheduleSeconds, Math.random())
  // In order nothing may overtake what is to be tried again: it keeps its place, and the endpoint waits for it.
  const ordered = isOrdered(lease)
  if (ordered && next !== undefined) turn.health = waitingUntil(turn.health, next)
  const { current, judged, ended } = await engine.record({
    turn,
    event: delivery.event_id,
    attempt: number,
    state: succeeded ? 'succeeded' : next === undefined ? 'failed' : 'pending',
    dueAt: next === undefined || ordered ? delivery.due_at.getTime() : next,
    made,
    health: turn.health,
    waits: ordered ? next : undefined,
    ends: last,
  })
  if (turn.haunted) {
    turn.haunted = false
    await deaths.settle(engine.db.sql, endpoint, 0)
  }
  turn.ended ||= ended
  if (!current || ended) turn.over = true
  if (judged && !succeeded) await warnOfFailures(engine.db.sql, endpoint, turn.health)
  return true
}

interface Posted {
  made: Attempted
  /** When the endpoint's last failure had become known, as it was sent. */
  known: number | null
}

async function post(turn: Turn, delivery: Claimed, body: string | Buffer): Promise<Posted> {
  const { lease, target } = turn
  if (lease.max_per_minute !== null) turn.usedUntil = afterSending(turn.usedUntil, now(), lease.max_per_minute)
  const known = turn.health.failureKnownAt
  const { event_id, type, attempts } = delivery
  return { made: await attempt(turn.sender, target, { event_id, type, body }, numberAfter(attempts)), known }
}

/** @returns undefined: nothing was sent, for there was no room for it in time, or what was true when it was chosen no longer is */
async function postLarge(turn: Turn, delivery: Claimed): Promise<Posted | undefined> {
  const { failures } = turn.health
  const wanted = () => mayStart(turn) && turn.health.failures === failures
  const body = await turn.engine.bodies
    .take({ tenant: turn.endpoint.tenant, event: delivery.event_id }, delivery.bytes, wanted)
    .catch(unlessUnavailable)
  try {
    if (body && wanted()) return await post(turn, delivery, body.bytes)
    turn.starved ||= !body && !mayStart(turn)
    return undefined
  } finally {
    body?.leave()
  }
}

function unlessUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error
}

// A failure that became known while an attempt was under way did so after that began, though it be in the same millisecond.
const before = ({ failureKnownAt }: Health, known: number | null, startedAt: number): number =>
  failureKnownAt === known || failureKnownAt === null ? startedAt : Math.min(startedAt, failureKnownAt - 1)

const firstAt = ({ first_attempt_at }: Claimed, now: number): number => first_attempt_at?.getTime() ?? now

function retryAfter(outcome: Outcome, now: number): number | undefined {
  if (outcome.error !== undefined || (outcome.status !== 429 && outcome.status !== 503)) return undefined
  const text = [outcome.headers['retry-after']].flat()[0]
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
