// Statements of the sweep: which endpoints are stalled.
import type { Fragment, Queryable } from '../../postgres/sql.ts'
import { FIRST_PAGE, type Stalled } from '../../queue/sweep.ts'

/**
 * Endpoints with work due that no worker serves, though there was time to: a loose index scan, one descent for each endpoint that has pending
 * deliveries, however many.
 */
export async function stalled(sql: Queryable, markedBefore: Fragment, { after, most } = FIRST_PAGE): Promise<Stalled[]> {
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
     where w.due_at <= clock_timestamp() and e.status = 'enabled' and (w.tenant_id, w.endpoint_id) > (${after.tenant}, ${after.id})
       and (e.queued_at is null or e.queued_at < ${markedBefore})
       and (e.lease_until is null or e.lease_until < clock_timestamp())
       and (e.silent_until is null or e.silent_until <= clock_timestamp())
     order by w.tenant_id, w.endpoint_id
     limit ${most}`
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
