// Recording for all turns of a process. Results share statements, and one that cannot be stored does not take its neighbours with it. While the
// database is away or full they wait for it as long as a lease lasts: what is given up is sent again.
import { setTimeout as delay } from 'node:timers/promises'
import { LEASE_SECONDS } from '../limits.ts'
import { batched } from '../postgres/batch.ts'
import { isUnavailable, type Sql } from '../postgres/sql.ts'
import { type Recorded, type Result, record, recordAgain } from './record-store.ts'

const RESULTS_MAX = 200
const AGAIN_MS = 500

export type Recorder = (result: Result) => Promise<Recorded>

export function createRecorder(sql: Sql, stopping: AbortSignal): Recorder {
  // Two statements at once, and an endpoint's results always by the same one, so that its health is written in order. But a result that ends its
  // turn has no other beside it: all of these go together, for a statement costs as much as ten results.
  const lanes = [0, 1].map(() => batched<Result, Recorded | Failed>(results => recordTogether(sql, results, stopping), RESULTS_MAX))
  return async result => {
    const { endpoint } = result.turn.endpoint
    const place = result.ends === null ? endpoint.charCodeAt(endpoint.length - 1) % lanes.length : 0
    const lane = lanes[place] as (typeof lanes)[number]
    const recorded = await lane(result)
    if ('reason' in recorded) throw recorded.reason
    return recorded
  }
}

type Failed = { reason: unknown }

async function recordTogether(sql: Sql, results: Result[], stopping: AbortSignal): Promise<(Recorded | Failed)[]> {
  try {
    return await recordPatiently(sql, results, stopping)
  } catch (reason) {
    if (results.length === 1 || isUnavailable(reason)) return results.map(() => ({ reason }))
    const recorded: (Recorded | Failed)[] = []
    for (const result of results) recorded.push(...(await recordTogether(sql, [result], stopping)))
    return recorded
  }
}

async function recordPatiently(sql: Sql, results: Result[], stopping: AbortSignal): Promise<Recorded[]> {
  const until = Date.now() + LEASE_SECONDS * 1000
  let reason: unknown
  for (let again = false; ; again = true) {
    try {
      return await (again ? recordAgain(sql, results) : record(sql, results))
    } catch (error) {
      reason = error
    }
    if (!isUnavailable(reason) || stopping.aborted || Date.now() > until) throw reason
    await delay(AGAIN_MS, undefined, { signal: stopping }).catch(() => {})
  }
}
