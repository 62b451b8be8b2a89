// One endpoint's turn: take its lease, send what is due through a window as wide as its health allows, record, give the lease back.
import { randomUUID } from 'node:crypto'
import { emit } from '../events/emit.ts'
import { LEASE_SECONDS, TIME_SLICE_MS } from '../limits.ts'
import type { Outcome } from '../outbound/outcome.ts'
import type { OutboundClient } from '../outbound/post.ts'
import { batched } from '../postgres/batch.ts'
import { begin, type Database } from '../postgres/sql.ts'
import type { Keyring } from '../secrets.ts'
import { attempt, type Target, targetOf } from './attempt.ts'
import * as store from './delivery-store.ts'
import { WebhookDisabled } from './events.ts'
import { afterFailure, afterSuccess, type Health, isFailing, isSilent, mustDisable, parallel, waitingUntil } from './health.ts'
import { tellDisabled, warnOfFailures } from './notify.ts'
import { afterSending, freeFrom } from './pace.ts'
import { nextAttempt } from './schedule.ts'

export interface Engine {
  db: Database
  client: OutboundClient
  keyring: Keyring
  /** Seconds after a delivery's first attempt of attempts 1 to 5. */
  scheduleSeconds: readonly number[]
  timeoutMs: number
  /** The process is stopping: what is under way is finished, and nothing is begun. */
  stopping: AbortSignal
}

export type Deliver = (endpoint: store.EndpointRef) => Promise<void>

/** Builds the engine of one process. Results of all its endpoints share statements. */
export function createDeliver(engine: Engine): Deliver {
  const recordSoon = batched<store.Result, Recorded>(results => recordTogether(engine.db, results), 200)
  const record = async (result: store.Result): Promise<boolean> => {
    const recorded = await recordSoon(result)
    if ('reason' in recorded) throw recorded.reason
    return recorded.current
  }
  return endpoint => takeTurn({ ...engine, record }, endpoint)
}

/** Resolves with whether the lease holds and the endpoint is unchanged. */
type Recorder = Engine & { record: (result: store.Result) => Promise<boolean> }
type Recorded = { current: boolean } | { reason: unknown }

// A row that cannot be stored must not take its neighbours with it.
async function recordTogether(db: Database, results: store.Result[]): Promise<Recorded[]> {
  try {
    return (await store.record(db.sql, results)).map(current => ({ current }))
  } catch (reason) {
    if (results.length === 1) return [{ reason }]
    const recorded: Recorded[] = []
    for (const result of results) recorded.push(...(await recordTogether(db, [result])))
    return recorded
  }
}

interface Turn {
  engine: Recorder
  endpoint: store.EndpointRef
  token: string
  lease: store.Lease
  target: Target
  /** The time up to which the endpoint's rate is used up; 0 where it has none. */
  usedUntil: number
  health: Health
  /** The lease lapsed, or the endpoint was changed, disabled or deleted: what this turn knows of it is no longer true. */
  over: boolean
  until: number
}

async function takeTurn(engine: Recorder, endpoint: store.EndpointRef): Promise<void> {
  const token = randomUUID()
  const lease = await store.take(engine.db.sql, endpoint, token)
  if (!lease) return
  const turn: Turn = {
    engine,
    endpoint,
    token,
    lease,
    target: targetOf(engine.keyring, endpoint, lease),
    usedUntil: lease.paced_until?.getTime() ?? 0,
    health: healthOf(lease),
    over: false,
    until: Date.now() + TIME_SLICE_MS,
  }
  const renewal = setInterval(() => void renew(turn), (LEASE_SECONDS * 1000) / 3)
  try {
    while (mayStart(turn) && (await sendDue(turn)));
  } finally {
    clearInterval(renewal)
  }
  // Here rather than where the failure is recorded, so that a process that dies in between leaves it to the next turn.
  if (mustDisable(turn.health) && !turn.over) await disable(turn)
  if (lease.max_per_minute !== null) await store.pace(engine.db.sql, endpoint, token, turn.usedUntil, freeFrom(turn.usedUntil))
  // Not after an error: until the lease lapses, whatever is wrong has time to pass, and the receiver is spared a loop.
  await store.release(engine.db.sql, endpoint, token)
}

const mayStart = ({ engine, over, until, health, usedUntil }: Turn): boolean => {
  const now = Date.now()
  return !engine.stopping.aborted && !over && now < until && freeFrom(usedUntil) <= now && !isSilent(health, now) && !mustDisable(health)
}

async function renew(turn: Turn): Promise<void> {
  const kept = await store.renew(turn.engine.db.sql, turn.endpoint, turn.token).catch(() => true)
  if (!kept) turn.over = true
}

/** @returns whether there was anything to send */
async function sendDue(turn: Turn): Promise<boolean> {
  const due = await claim(turn)
  const waiting = [...due]
  const underWay = new Set<Promise<void>>()
  const bugs: unknown[] = []
  while (waiting.length > 0) {
    while (underWay.size > 0 && underWay.size >= parallel(turn.health, turn.lease.max_parallel)) await Promise.race(underWay)
    if (bugs.length > 0 || !mayStart(turn)) break
    const attempt = send(turn, choose(turn, waiting))
      .catch(error => bugs.push(error))
      .then(() => void underWay.delete(attempt))
    underWay.add(attempt)
  }
  await Promise.all(underWay)
  if (bugs.length > 0) throw bugs[0]
  return due.length > 0
}

// From a failure until the next 2xx what was never tried goes first, for a poisoned event must not speak for its endpoint; an ordered
// endpoint keeps its order (docs/decisions/2026-11-20-after-a-failure-untried-deliveries-go-first.md).
async function claim({ engine, endpoint, health, lease }: Turn): Promise<store.Claimed[]> {
  const { sql } = engine.db
  if (!isFailing(health)) return store.claim(sql, endpoint)
  const untried = isOrdered(lease) ? [] : await store.claimUntried(sql, endpoint)
  return untried.length > 0 ? untried : (await store.claim(sql, endpoint)).slice(0, 1)
}

function choose({ health, lease }: Turn, waiting: store.Claimed[]): store.Claimed {
  const untried = isFailing(health) && !isOrdered(lease) ? waiting.findIndex(each => each.attempts === 0) : 0
  return waiting.splice(Math.max(untried, 0), 1)[0] as store.Claimed
}

const isOrdered = ({ max_parallel }: store.Lease): boolean => max_parallel === 1

async function send(turn: Turn, delivery: store.Claimed): Promise<void> {
  const { engine, endpoint, lease } = turn
  const number = delivery.attempts + 1
  if (lease.max_per_minute !== null) turn.usedUntil = afterSending(turn.usedUntil, Date.now(), lease.max_per_minute)
  const { startedAt, endedAt, outcome, succeeded, log } = await attempt(engine.client, turn.target, delivery, number, engine.timeoutMs)
  // Only this process's own end does that. It says nothing of the receiver, so the attempt is made again, as after a crash.
  if (outcome.error === 'aborted') return
  turn.health = succeeded
    ? afterSuccess(turn.health, startedAt)
    : afterFailure(turn.health, { startedAt, endedAt, retryAfterMs: retryAfter(outcome, endedAt) }, engine.scheduleSeconds)
  const next = succeeded ? undefined : nextAttempt(number, firstAt(delivery, startedAt), engine.scheduleSeconds, Math.random())
  // In order nothing may overtake what is to be tried again: it keeps its place, and the endpoint waits for it.
  const ordered = isOrdered(lease)
  if (ordered && next !== undefined) turn.health = waitingUntil(turn.health, next)
  const current = await engine.record({
    ...endpoint,
    token: turn.token,
    version: lease.version,
    event: delivery.event_id,
    attempt: number,
    state: succeeded ? 'succeeded' : next === undefined ? 'failed' : 'pending',
    startedAt,
    endedAt,
    dueAt: next === undefined || ordered ? delivery.due_at.getTime() : next,
    ...log,
    health: turn.health,
  })
  if (!current) turn.over = true
  else if (!succeeded) await warnOfFailures(engine.db.sql, endpoint, turn.health)
}

const firstAt = ({ first_attempt_at }: store.Claimed, now: number): number => first_attempt_at?.getTime() ?? now

function retryAfter(outcome: Outcome, now: number): number | undefined {
  if (outcome.error !== undefined || (outcome.status !== 429 && outcome.status !== 503)) return undefined
  const text = [outcome.headers['retry-after']].flat()[0]
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

// The fifth failure in a row: nothing more is sent, nothing pending is lost, and whoever subscribed to the fact hears of it.
async function disable({ engine, endpoint, lease, health }: Turn): Promise<void> {
  const reason = `${health.failures} consecutive failures`
  await begin(engine.db.sql, async tx => {
    const at = await store.disableFailing(tx, endpoint, reason)
    if (!at) return
    const data = { webhook_id: endpoint.endpoint, url: lease.url, reason, disabled_at: at.toISOString() }
    await emit(tx, { tenant: endpoint.tenant, actor: { type: 'system' } }, WebhookDisabled, data)
    await tellDisabled(tx, endpoint, { url: lease.url, reason })
  })
}

function healthOf(lease: store.Lease): Health {
  return {
    failures: lease.failures,
    failingSince: lease.failing_since?.getTime() ?? null,
    failureKnownAt: lease.failure_known_at?.getTime() ?? null,
    silentUntil: lease.silent_until?.getTime() ?? null,
  }
}
