// Which pools live. A pool without a heartbeat is taken for dead, and the jobs it held are freed.
import type { Logger } from 'pino'
import type { Queryable } from '../postgres/sql.ts'
import { listSetAside } from './begun-work-store.ts'
import * as store from './pool-store.ts'

/**
 * Frees the jobs of dead pools once. A freed job may run a second time while its first worker, cut off or frozen, still runs it: each task guards
 * against that, as deliveries do by the endpoint's lease and mails by their claim.
 */
export async function releaseDead(sql: Queryable, log: Logger): Promise<void> {
  const { pools, jobs } = await store.releaseDead(sql)
  if (pools.length > 0 || jobs > 0) log.warn({ pools, jobs }, 'workers sent no heartbeat; the jobs they held are free again')
  const spent = await store.deleteSpent(sql)
  if (spent.length > 0) log.warn({ jobs: spent }, 'jobs that can never run again were deleted')
}

export const livingPools = store.living
export const readyJobs = store.ready
export const setAsideJobs = listSetAside
