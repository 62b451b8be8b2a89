// Statements of the sweep: which endpoints are stalled, and which jobs were lost.

import type { Ref } from '../../ids.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { idsServed } from '../../queue/jobs.ts'

export interface Stalled extends Ref {
  /** A job has been queued for so long that it may be lost. */
  queued: boolean
}

/**
 * Endpoints with work due that no worker serves, though there was time to: a loose index scan, one descent for each endpoint that has pending
 * deliveries, however many.
 */
export async function stalled(sql: Queryable): Promise<Stalled[]> {
  return sql<Stalled[]>`
    with recursive walk as (
      (select d.tenant_id, d.endpoint_id, d.due_at from webhook_deliveries d where d.state = 'pending'
        order by d.tenant_id, d.endpoint_id, d.due_at limit 1)
      union all
      select n.* from walk w, lateral (
        select d.tenant_id, d.endpoint_id, d.due_at from webhook_deliveries d
         where d.state = 'pending' and (d.tenant_id, d.endpoint_id) > (w.tenant_id, w.endpoint_id)
         order by d.tenant_id, d.endpoint_id, d.due_at limit 1) n
    )
    select w.tenant_id as tenant, w.endpoint_id as id, e.queued_at is not null as queued
      from walk w
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
     where w.due_at <= clock_timestamp() and e.status = 'enabled'
       and (e.queued_at is null or e.queued_at < clock_timestamp() - interval '10 seconds')
       and (e.lease_until is null or e.lease_until < clock_timestamp())
       and (e.silent_until is null or e.silent_until <= clock_timestamp())
     limit 10000`
}

/**
 * Marks endpoints as not queued whose jobs the queue does not have, or only locked by a worker that stopped beating. Whether such a job was lost,
 * or came while its endpoint was paused or silent, is not known.
 * @returns the endpoints that are not queued any more
 */
export async function clearLostJobs(sql: Queryable, endpoints: Ref[]): Promise<Ref[]> {
  return sql<Ref[]>`
    with lost as materialized (
      select e.tenant_id, e.id
        from unnest(${endpoints.map(each => each.tenant)}::text[], ${endpoints.map(each => each.id)}::text[]) as s (tenant_id, id)
        join webhook_endpoints e on e.tenant_id = s.tenant_id and e.id = s.id
       where e.queued_at < clock_timestamp() - interval '10 seconds'
         and s.id not in (${idsServed('webhooks/deliver', 'endpointId')})
       order by e.tenant_id, e.id
         for no key update of e skip locked
    )
    update webhook_endpoints e set queued_at = null from lost l where e.tenant_id = l.tenant_id and e.id = l.id
    returning e.tenant_id as tenant, e.id`
}

/** Deliveries overdue for more than a minute, counted to 10 000. */
export async function countOverdue(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)
      from (
        select 1
          from webhook_deliveries d
         where d.state = 'pending' and d.due_at < now() - interval '1 minute'
           -- of a deleted one they only wait to be cleared away
           and exists (select from webhook_endpoints e where e.tenant_id = d.tenant_id and e.id = d.endpoint_id)
         limit 10000) d`
  return row?.count ?? 0
}
