// How an app has been doing over a day: what came of calls of its skills and of runs of its flows, and whether it is spared.
import { statesOfRuns } from '../flows/followed.ts'
import type { Queryable } from '../postgres/sql.ts'
import { healthOfCalls } from '../skills/health.ts'
import * as store from './store.ts'

/** @param app `app_…`, or the id of the manifest @returns JSON; undefined where there is no such app */
export async function healthJson(sql: Queryable, tenant: string, app: string): Promise<string | undefined> {
  const row = await store.find(sql, tenant, app)
  if (!row) return undefined
  const [calls, runs] = await Promise.all([healthOfCalls(sql, tenant, row.id), statesOfRuns(sql, row)])
  const { since, total, succeeded, outcomes, p50, p95, last_error, spared_until, failures } = calls
  return JSON.stringify({
    object: 'app_health',
    app_id: row.id,
    full_id: row.app_id,
    status: row.state,
    hours: 24,
    since,
    calls: { total, succeeded, failed: total - succeeded, outcomes, duration_ms: { p50, p95 } },
    runs,
    breaker: { state: spared_until ? 'open' : 'closed', consecutive_failures: failures, spared_until },
    last_error,
  })
}
