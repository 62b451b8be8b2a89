// One endpoint's turn: take its lease, send what is due through a window as wide as its health allows, record, give the lease back.
import { randomUUID } from 'node:crypto'
import { emit } from '../events/emit.ts'
import { LEASE_SECONDS, TIME_SLICE_MS } from '../limits.ts'
import { batched } from '../postgres/batch.ts'
import { begin } from '../postgres/sql.ts'
import { createRounds } from '../rounds.ts'
import { targetOf } from './attempt.ts'
import { isRecovering } from './beside-store.ts'
import { claimAll } from './claim-store.ts'
import * as store from './delivery-store.ts'
import { WebhookDisabled } from './events.ts'
import { type Health, mustDisable } from './health.ts'
import { tellDisabled } from './notify.ts'
import { freeFrom } from './pace.ts'
import { createPlaces } from './places.ts'
import { createRecorder } from './recorder.ts'
import { maskedUrl } from './redact.ts'
import { type Engine, isOrdered, mayStart, type Shared, type Turn } from './turn.ts'
import { sendDue } from './window.ts'

/** @param job the queue's id of the job that this is */
export type Deliver = (endpoint: store.EndpointRef, job: string) => Promise<void>

/** Turns of one statement: taking, claiming and releasing wait for the slowest of them. */
const TURNS_MAX = 200
/** With two thirds of the lease left: one that could not be renewed is so once more. */
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
/** Later than that it may be by so much. */
const RENEW_LOOK_MS = 1_000

export interface Delivering {
  deliver: Deliver
  /** Resolves when what outlasted its job has ended. */
  ended(): Promise<unknown>
}

/** Builds the engine of one process. What its endpoints' turns ask of the database shares statements. */
export function createDeliver(engine: Engine): Delivering {
  const { sql } = engine.db
  const shared: Shared = {
    ...engine,
    places: createPlaces(engine.slots, engine.report),
    take: batched(turns => store.takeAll(sql, turns), TURNS_MAX),
    claim: batched(asks => claimAll(sql, asks), TURNS_MAX),
    release: batched(turns => store.releaseAll(sql, turns), TURNS_MAX),
    record: createRecorder(sql, engine.stopping),
  }
  return { deliver: (endpoint, job) => takeTurn(shared, endpoint, job), ended: () => shared.places.ended() }
}

async function takeTurn(engine: Shared, endpoint: store.EndpointRef, job: string): Promise<void> {
  const token = randomUUID()
  const taken = await engine.take({ ...endpoint, token })
  if (!taken) return
  if (!engine.places.admits(taken.lease)) return void (await engine.release({ ...endpoint, token, job, rest: true, version: null }))
  await engine.places.hold(taken.lease, watch => useTurn(engine, { endpoint, token, job, ...taken, watch }))
}

async function useTurn(engine: Shared, held: Pick<Turn, 'endpoint' | 'token' | 'job' | 'lease' | 'found' | 'watch'>): Promise<void> {
  const { endpoint, lease } = held
  const turn: Turn = {
    ...held,
    engine,
    target: targetOf(engine.keyring, endpoint, lease),
    usedUntil: lease.paced_until?.getTime() ?? 0,
    health: healthOf(lease),
    over: false,
    ended: false,
    until: Date.now() + TIME_SLICE_MS,
    renewAt: performance.now() + RENEW_MS,
  }
  leased.add(turn)
  try {
    do await sendDue(turn)
    while (await goesOn(turn))
  } finally {
    leased.delete(turn)
  }
}

// Not after an error: until the lease lapses, whatever is wrong has time to pass, and the receiver is spared a loop.
async function goesOn(turn: Turn): Promise<boolean> {
  const { engine, endpoint, token, job, lease, usedUntil } = turn
  if (turn.ended) return false
  // Here rather than where the failure is recorded, so that a process that dies in between leaves it to the next turn.
  if (mustDisable(turn.health) && !turn.over) await disable(turn)
  const rate = lease.max_per_minute
  if (rate !== null) await store.pace(engine.db.sql, endpoint, token, rate, Math.ceil(usedUntil), freeFrom(usedUntil))
  const timeLeft = mayStart(turn)
  const rest = !timeLeft && (await mustGiveWay(turn))
  return engine.release({ ...endpoint, token, job, rest, version: timeLeft ? lease.version : null })
}

// A recovery of an ordered endpoint sends between its turns alone, and wakes the endpoint when it has.
const mustGiveWay = async ({ engine, endpoint, lease }: Turn): Promise<boolean> => isOrdered(lease) && isRecovering(engine.db.sql, endpoint)

const leased = createRounds<Turn>(RENEW_LOOK_MS, (turn, now) => {
  if (now < turn.renewAt) return
  turn.renewAt = now + RENEW_MS
  void renew(turn)
})

async function renew(turn: Turn): Promise<void> {
  const kept = await store.renew(turn.engine.db.sql, turn.endpoint, turn.token).catch(() => true)
  if (!kept) turn.over = true
}

// The fifth failure in a row: nothing more is sent, nothing pending is lost, and whoever subscribed to the fact hears of it.
async function disable({ engine, endpoint, lease, health }: Turn): Promise<void> {
  const reason = `${health.failures} consecutive failures`
  await begin(engine.db.sql, async tx => {
    const at = await store.disableFailing(tx, endpoint, reason)
    if (!at) return
    const url = maskedUrl(lease.url)
    const data = { webhook_id: endpoint.endpoint, url, reason, disabled_at: at.toISOString() }
    await emit(tx, { tenant: endpoint.tenant, actor: { type: 'system' } }, WebhookDisabled, data)
    await tellDisabled(tx, endpoint, { url, reason })
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
