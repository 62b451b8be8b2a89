// Every statement of an app's row: woken, leased, given back, swept.
import type { Ref } from '../../ids.ts'
import { columns } from '../../postgres/row-set.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { sweeping } from '../../queue/sweep.ts'
import { hasDue, leases } from './lease.ts'

const APP = columns({ tenant_id: 'text', id: 'text' })

/** Adds a job for each app that has neither a job nor a lease. Rows that another transaction has locked are left to the sweep. */
export async function queue(sql: Queryable, apps: Ref[]): Promise<void> {
  await sql`
    with free as materialized (
      select q.tenant_id, q.id
        from (select distinct r.tenant_id, r.id from ${APP.of(apps.map(({ tenant, id }) => ({ tenant_id: tenant, id })))}) w
        join flow_queues q on q.tenant_id = w.tenant_id and q.id = w.id
       where q.queued_at is null and (q.lease_until is null or q.lease_until < clock_timestamp())
       order by q.tenant_id, q.id
         for no key update of q skip locked
    ), r as (
      update flow_queues r set ${leases.queued} from free f where r.tenant_id = f.tenant_id and r.id = f.id
      returning r.*
    )
    select ${leases.job()} from set_config('synchronous_commit', 'off', true), r`
}

/**
 * Takes the lease, without waiting for the disk: a run's own row is what keeps a step from being done twice.
 * @returns false: another worker holds it, or nothing is due
 */
export async function take(sql: Queryable, { tenant, id }: Ref, token: string): Promise<boolean> {
  const rows = await sql`
    update flow_queues r set queued_at = null, ${leases.leaseTo(token)}
      from set_config('synchronous_commit', 'off', true)
     where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isFree}
    returning 1`
  return rows.length > 0
}

/**
 * Gives the lease back, for good: were a crash of the server to take this back, no worker would go on with the app's runs until the lease ran out, for the
 * process that held it lives and says nothing more of it.
 * @returns whether the app is to be looked at again: something is due by now, or the lease was not ours any more, as where such a crash took back its taking
 */
export async function release(sql: Queryable, { tenant, id }: Ref, token: string): Promise<boolean> {
  const [row] = await sql<{ is_due: boolean }[]>`
    with r as (
      update flow_queues r set ${leases.givenBack}
       where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isHeldBy(token)}
      returning r.*
    )
    select ${hasDue} as is_due from r`
  return row?.is_due ?? true
}

/** Runs may be late by so much before their app is woken once more. */
const LATE_SECONDS = 0.5
/** How long an app's job may wait before it is looked for: no run stands still for more than 3 s beyond its cause. */
const LOST_AFTER_SECONDS = 2

/** The sweep of apps with runs: also wakes those whose runs have waited until now. */
export const sweepRuns = sweeping({
  table: 'flow_queues',
  work: 'flow_runs',
  of: 'app_id',
  isReady: part`w.due_at < clock_timestamp() - make_interval(secs => ${LATE_SECONDS}) and ${hasDue}`,
  task: 'flows/run',
  lostAfterSeconds: LOST_AFTER_SECONDS,
  wake: queue,
})
