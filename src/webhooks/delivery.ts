// One delivery of a turn: attempted, judged and recorded. A refusal is recorded, never thrown.
import type { Outcome } from '../outbound/outcome.ts'
import { attempt } from './attempt.ts'
import type { Claimed } from './claim-store.ts'
import { afterFailure, afterSuccess, type Health, waitingUntil } from './health.ts'
import { warnOfFailures } from './notify.ts'
import { afterSending } from './pace.ts'
import { nextAttempt } from './schedule.ts'
import { isOrdered, type Turn } from './turn.ts'

/** @param answered called as soon as the outcome is known, before it is recorded; it says whether the turn may end with that */
export async function send(turn: Turn, delivery: Claimed, answered: () => boolean): Promise<void> {
  const { engine, endpoint, lease } = turn
  const number = delivery.attempts + 1
  if (lease.max_per_minute !== null) turn.usedUntil = afterSending(turn.usedUntil, Date.now(), lease.max_per_minute)
  const known = turn.health.failureKnownAt
  const made = await attempt(engine.client, turn.target, delivery, number, engine.timeoutMs)
  const { endedAt, outcome, succeeded } = made
  const startedAt = before(turn.health, known, made.startedAt)
  // This process's own end, or a fault of ours. It says nothing of the receiver, so the attempt is made again, as after a crash.
  if (outcome.error === 'aborted' || outcome.error === 'own-fault') {
    turn.restMs = outcome.againInMs
    return void answered()
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
  const { current, ended } = await engine.record({
    turn,
    event: delivery.event_id,
    attempt: number,
    state: succeeded ? 'succeeded' : next === undefined ? 'failed' : 'pending',
    dueAt: next === undefined || ordered ? delivery.due_at.getTime() : next,
    made,
    health: turn.health,
    ends: last ? turn.job : null,
  })
  turn.ended ||= ended
  if (!current || ended) turn.over = true
  else if (!succeeded) await warnOfFailures(engine.db.sql, endpoint, turn.health)
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
