// The sweep: wakes endpoints whose work is due and that no worker serves. A retry that comes due relies on it, and so does what a crash, a lost
// wake-up or a lapsed lease leaves behind.
import type { Queryable } from '../../postgres/sql.ts'
import { wake } from './store.ts'
import * as store from './sweep-store.ts'

/** Endpoints woken by one statement: their rows stay locked until it ends. */
const WAKES_MAX = 1_000

export async function sweep(sql: Queryable): Promise<void> {
  const stalled = await store.stalled(sql)
  const queued = stalled.filter(each => each.queued)
  // Usually there are none, and the queue need not be read.
  const lost = queued.length > 0 ? await store.clearLostJobs(sql, queued) : []
  const endpoints = [...stalled.filter(each => !each.queued), ...lost]
  for (let from = 0; from < endpoints.length; from += WAKES_MAX) await wake(sql, endpoints.slice(from, from + WAKES_MAX))
}

export const countOverdue = store.countOverdue
