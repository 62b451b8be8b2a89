// One endpoint's turn: take its lease, send what is due through a window as wide as its health allows, record, give the lease back.
import { randomUUID } from 'node:crypto'
import { emit } from '../events/emit.ts'
import { CLAIM_MAX, LEASE_SECONDS, TIME_SLICE_MS } from '../limits.ts'
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
  /** Jobs at once in this process. */
  slots: number
  /** The process is stopping: what is under way is finished, and nothing is begun. */
  stopping: AbortSignal
}

export type Deliver = (endpoint: store.EndpointRef) => Promise<void>

/** Turns of one statement: taking, claiming and releasing wait for the slowest of them. */
const TURNS_MAX = 50
const RESULTS_MAX = 200

/** Builds the engine of one process. What its endpoints' turns ask of the database shares statements. */
export function createDeliver(engine: Engine): Deliver {
  const { sql } = engine.db
  // Two statements at once, and an endpoint's results always by the same one, so that its health is written in order.
  const recorders = [0, 1].map(() => batched<store.Result, Recorded>(results => recordTogether(engine.db, results), RESULTS_MAX))
  const recordSoon = (result: store.Result): Promise<Recorded> =>
    (recorders[result.endpoint.charCodeAt(result.endpoint.length - 1) % 2] as (typeof recorders)[number])(result)
  const shared: Shared = {
    ...engine,
    suspects: { held: 0, max: Math.max(1, Math.floor(engine.slots / 4)) },
    take: batched(turns => store.takeAll(sql, turns), TURNS_MAX),
    claim: batched(asks => store.claimAll(sql, asks), TURNS_MAX),
    release: batched(async turns => {
      await store.releaseAll(sql, turns)
      return turns.map(() => undefined)
    }, TURNS_MAX),
    record: async result => {
      const recorded = await recordSoon(result)
      if ('reason' in recorded) throw recorded.reason
      return recorded.current
    },
  }
  return endpoint => takeTurn(shared, endpoint)
}

interface Shared extends Engine {
  /** Endpoints whose last word was a failure hold a quarter of the slots at most: they are the ones that keep us waiting. */
  suspects: { held: number; max: number }
  take: (turn: store.TurnRef) => Promise<store.Lease | undefined>
  claim: (ask: store.Ask) => Promise<store.Claimed[]>
  release: (turn: store.TurnRef & { rest: boolean }) => Promise<void>
  /** Resolves with whether the lease holds and the endpoint is unchanged. */
  record: (result: store.Result) => Promise<boolean>
}
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
  engine: Shared
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

async function takeTurn(engine: Shared, endpoint: store.EndpointRef): Promise<void> {
  const token = randomUUID()
  const lease = await engine.take({ ...endpoint, token })
  if (!lease) return
  const { suspects } = engine
  if (lease.failures === 0) return useTurn(engine, endpoint, token, lease)
  if (suspects.held >= suspects.max) return engine.release({ ...endpoint, token, rest: true })
  suspects.held++
  await useTurn(engine, endpoint, token, lease).finally(() => suspects.held--)
}

async function useTurn(engine: Shared, endpoint: store.EndpointRef, token: string, lease: store.Lease): Promise<void> {
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
    await sendDue(turn)
  } finally {
    clearInterval(renewal)
  }
  // Here rather than where the failure is recorded, so that a process that dies in between leaves it to the next turn.
  if (mustDisable(turn.health) && !turn.over) await disable(turn)
  if (lease.max_per_minute !== null) await store.pace(engine.db.sql, endpoint, token, turn.usedUntil, freeFrom(turn.usedUntil))
  // Not after an error: until the lease lapses, whatever is wrong has time to pass, and the receiver is spared a loop.
  await engine.release({ ...endpoint, token, rest: false })
}

const mayStart = ({ engine, over, until, health, usedUntil }: Turn): boolean => {
  const now = Date.now()
  return !engine.stopping.aborted && !over && now < until && freeFrom(usedUntil) <= now && !isSilent(health, now) && !mustDisable(health)
}

async function renew(turn: Turn): Promise<void> {
  const kept = await store.renew(turn.engine.db.sql, turn.endpoint, turn.token).catch(() => true)
  if (!kept) turn.over = true
}

/** What is between its claim and the record of its result. */
interface Window {
  waiting: store.Claimed[]
  /** Requests without an answer yet: these are what the endpoint's cap counts. */
  underWay: number
  /** Claimed and not yet recorded: the next claim reads them again, for it only reads. */
  held: Set<string>
  claiming: boolean
  /** Recorded since the claim under way began: it may have looked before. */
  recorded: string[]
  /** The last claim found less than it asked for. */
  drained: boolean
  /** How much is asked for next: a fast endpoint is given more at a time. */
  ask: number
  bugs: unknown[]
  /** Resolves when any of this changes. */
  moved: PromiseWithResolvers<void>
}

const FIRST_ASK = 16
/** While a slow answer is awaited, what is new is looked for this often. */
const LOOK_AGAIN_MS = 250
/** Results that may wait to be recorded: after a crash they are sent again. */
const UNRECORDED_MAX = 200

// Sends what is due until nothing is left, the time slice is over, or the endpoint's health says stop; then waits for what is under way.
async function sendDue(turn: Turn): Promise<void> {
  const window: Window = {
    waiting: [],
    underWay: 0,
    held: new Set(),
    claiming: false,
    recorded: [],
    drained: false,
    ask: FIRST_ASK,
    bugs: [],
    moved: Promise.withResolvers(),
  }
  while (mayStart(turn) && window.bugs.length === 0) {
    refill(turn, window)
    const nothing = window.waiting.length === 0 && !window.claiming
    if (nothing && window.underWay === 0) break
    if (mayBegin(turn, window)) begin1(turn, window, choose(turn, window.waiting))
    else await (nothing ? movedOrLater(window) : window.moved.promise)
  }
  while (window.underWay > 0 || window.claiming || window.held.size > window.waiting.length) await window.moved.promise
  if (window.bugs.length > 0) throw window.bugs[0]
}

function mayBegin({ health, lease }: Turn, { waiting, underWay, held }: Window): boolean {
  const unrecorded = held.size - waiting.length - underWay
  // In order, a result is recorded before the next is sent: what is sent again after a crash must not come after its successor.
  const room = isOrdered(lease) ? unrecorded === 0 : unrecorded < UNRECORDED_MAX
  return waiting.length > 0 && room && underWay < parallel(health, lease.max_parallel)
}

function begin1(turn: Turn, window: Window, delivery: store.Claimed): void {
  window.underWay++
  send(turn, delivery, () => {
    window.underWay--
    move(window)
  })
    .catch(error => window.bugs.push(error))
    .finally(() => {
      if (window.claiming) window.recorded.push(delivery.event_id)
      else window.held.delete(delivery.event_id)
      move(window)
    })
}

function move(window: Window): void {
  window.moved.resolve()
  window.moved = Promise.withResolvers()
}

async function movedOrLater(window: Window): Promise<void> {
  const timer = setTimeout(() => {
    window.drained = false
    move(window)
  }, LOOK_AGAIN_MS)
  await window.moved.promise
  clearTimeout(timer)
}

// Begins a claim while there is still something to send, so that the window never runs dry.
function refill(turn: Turn, window: Window): void {
  const { lease, health } = turn
  if (window.claiming || window.drained || window.waiting.length > lease.max_parallel) return
  // A failing endpoint is asked for one at a time, as it is sent to.
  const count = (isFailing(health) ? 1 : window.ask) + window.held.size
  window.claiming = true
  claim(turn, count)
    .then(found => {
      const fresh = found.filter(each => !window.held.has(each.event_id))
      for (const each of fresh) window.held.add(each.event_id)
      window.waiting.push(...fresh)
      window.drained = found.length < count
      window.ask = Math.min(window.ask * 2, CLAIM_MAX)
    })
    .catch(error => window.bugs.push(error))
    .finally(() => {
      for (const id of window.recorded.splice(0)) window.held.delete(id)
      window.claiming = false
      move(window)
    })
}

// From a failure until the next 2xx what was never tried goes first, for a poisoned event must not speak for its endpoint; an ordered
// endpoint keeps its order (docs/decisions/2026-11-20-after-a-failure-untried-deliveries-go-first.md).
async function claim({ engine, endpoint, health, lease }: Turn, count: number): Promise<store.Claimed[]> {
  const untried = isFailing(health) && !isOrdered(lease) ? await engine.claim({ ...endpoint, count, untried: true }) : []
  return untried.length > 0 ? untried : engine.claim({ ...endpoint, count, untried: false })
}

function choose({ health, lease }: Turn, waiting: store.Claimed[]): store.Claimed {
  const untried = isFailing(health) && !isOrdered(lease) ? waiting.findIndex(each => each.attempts === 0) : 0
  return waiting.splice(Math.max(untried, 0), 1)[0] as store.Claimed
}

const isOrdered = ({ max_parallel }: store.Lease): boolean => max_parallel === 1

/** @param answered called as soon as the outcome is known, before it is recorded */
async function send(turn: Turn, delivery: store.Claimed, answered: () => void): Promise<void> {
  const { engine, endpoint, lease } = turn
  const number = delivery.attempts + 1
  if (lease.max_per_minute !== null) turn.usedUntil = afterSending(turn.usedUntil, Date.now(), lease.max_per_minute)
  const { startedAt, endedAt, outcome, succeeded, log } = await attempt(engine.client, turn.target, delivery, number, engine.timeoutMs)
  // Only this process's own end does that. It says nothing of the receiver, so the attempt is made again, as after a crash.
  if (outcome.error === 'aborted') return answered()
  turn.health = succeeded
    ? afterSuccess(turn.health, startedAt)
    : afterFailure(turn.health, { startedAt, endedAt, retryAfterMs: retryAfter(outcome, endedAt) }, engine.scheduleSeconds)
  answered()
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
