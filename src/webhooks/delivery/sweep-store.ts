// Statements of the sweep: which endpoints are stalled.
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import { dueWalk } from '../../queue/due-walk.ts'
import { FIRST_PAGE, type Stalled } from '../../queue/sweep.ts'

/** Endpoints with work due that no worker serves, though there was time to. */
export async function stalled(sql: Queryable, markedBefore: Fragment, { after, most } = FIRST_PAGE): Promise<Stalled[]> {
  return sql<Stalled[]>`
    with recursive walk as (${dueWalk(part`webhook_deliveries`, part`endpoint_id`, after, part`q.state = 'pending'`)})
    select w.tenant_id as tenant, w.id, e.queued_at is not null as queued
      from walk w
      join webhook_endpoints e on e.tenant_id = w.tenant_id and e.id = w.id
     where w.due_at <= clock_timestamp() and e.status = 'enabled'
       and (e.queued_at is null or e.queued_at < ${markedBefore})
       and (e.lease_until is null or e.lease_until < clock_timestamp())
       and (e.silent_until is null or e.silent_until <= clock_timestamp())
     order by w.tenant_id, w.id
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
