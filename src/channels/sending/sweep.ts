// The sweep of channels: wakes those that have something to send, a probe to make or something to give up, and that no worker serves. What comes due
// later relies on it, and so does what a crash, a lost wake-up or a lapsed lease leaves behind.
import { MESSAGE_EXPIRES_HOURS } from '../../limits.ts'
import type { Queryable } from '../../postgres/sql.ts'
import * as store from './wake-store.ts'

/** Channels woken by one statement: their rows stay locked until it ends. */
const WAKES_MAX = 1_000

export async function sweepChannels(sql: Queryable): Promise<void> {
  const stalled = await store.stalled(sql, MESSAGE_EXPIRES_HOURS)
  const queued = stalled.filter(each => each.queued)
  // Usually there are none, and the queue need not be read.
  const lost = queued.length > 0 ? await store.clearLostJobs(sql, queued) : []
  const channels = [...stalled.filter(each => !each.queued), ...lost]
  for (let from = 0; from < channels.length; from += WAKES_MAX) await store.wake(sql, channels.slice(from, from + WAKES_MAX))
}
