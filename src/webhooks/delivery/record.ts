// Recording for all slices of a process. Results share statements, and a result that cannot be stored does not take the others with it. While the
// database is away or full, results wait for it as long as a lease lasts: a delivery whose result is given up is sent again.
import { setTimeout as delay } from 'node:timers/promises'
import { LEASE_SECONDS } from '../../limits/queue.ts'
import { patient, type Spacing } from '../../postgres/batch.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { LOCKED, type Locked, pastLock } from '../../postgres/past-lock.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { Attempted } from './attempt.ts'
import type { Health } from './health.ts'
import { record, recordAgain } from './record-store.ts'
import type { Recorded, Result, ResultSlice } from './result.ts'

const RESULTS_MAX = 200
const AGAIN_MS = 500

export type Recorder = (result: Result) => Promise<Recorded>

/** The results of a tenant that is held back come one by one, and a statement of few costs several times as much for each. So those of some moments are gathered. */
const GATHERING: Spacing = { msEach: 0.5, mostMs: 30, full: RESULTS_MAX }

export function createRecorder(sql: Sql, stopping: AbortSignal): Recorder {
  // Two statements at once. An endpoint's results always use the same lane, so that its health is written in order. A result that ends its slice is the
  // slice's only one under way, so all of those share a lane, for a statement costs as much as ten results.
  const lanes = [0, 1].map(() => patient((results: Result[]) => recordTogether(sql, results, stopping), RESULTS_MAX, GATHERING))
  /** A slice's health after its last result: a result that a lock has held up must not write an older health. */
  const healths = new WeakMap<ResultSlice, Health>()
  return async result => {
    const { slice, ends, mayWait = false } = result
    const { id } = slice.endpoint
    const place = ends ? 0 : id.charCodeAt(id.length - 1) % lanes.length
    const lane = lanes[place] as (typeof lanes)[number]
    healths.set(slice, result.health)
    const recorded = await untilFree(() => lane({ ...result, health: healths.get(slice) ?? result.health }, mayWait), stopping)
    if ('reason' in recorded) throw recorded.reason
    return recorded
  }
}

type Failed = { reason: unknown }

// While the endpoint's row is locked its lease cannot be taken, so no other worker sends to it.
async function untilFree(ask: () => Promise<Recorded | Failed | Locked>, stopping: AbortSignal): Promise<Recorded | Failed> {
  const until = performance.now() + LEASE_SECONDS * 1000
  for (;;) {
    const recorded = await pastLock(ask)
    if (recorded !== LOCKED) return recorded
    if (stopping.aborted || performance.now() > until) return { reason: new Error('The endpoint is locked by another transaction.') }
    await delay(AGAIN_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

async function recordTogether(sql: Sql, results: Result[], stopping: AbortSignal): Promise<(Recorded | Failed | Locked)[]> {
  try {
    return await recordPatiently(sql, results, stopping)
  } catch (reason) {
    if (results.length === 1 || isUnavailable(reason)) return results.map(() => ({ reason }))
    const recorded: (Recorded | Failed | Locked)[] = []
    for (const result of results) recorded.push(...(await recordTogether(sql, [result], stopping)))
    return recorded
  }
}

/** Attempts that may have been recorded, because a statement that held them failed. They stay unsure when they are tried again, after a lock or one by one. */
const unsure = new WeakSet<Attempted>()

async function recordPatiently(sql: Sql, results: Result[], stopping: AbortSignal): Promise<(Recorded | Locked)[]> {
  const until = performance.now() + LEASE_SECONDS * 1000
  let reason: unknown
  for (;;) {
    try {
      return await (results.some(each => unsure.has(each.made)) ? recordAgain(sql, results) : record(sql, results))
    } catch (error) {
      reason = error
    }
    for (const { made } of results) unsure.add(made)
    if (!isUnavailable(reason) || stopping.aborted || performance.now() > until) throw reason
    await delay(AGAIN_MS, undefined, { signal: stopping }).catch(() => {})
  }
}
