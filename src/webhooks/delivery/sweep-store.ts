// Statements of the sweep of endpoints.
import { part, type Queryable } from '../../postgres/sql.ts'

/** A condition: something is due of the endpoint, and may be sent now. */
export const isReady = part`w.due_at <= clock_timestamp() and r.status = 'enabled' and (r.silent_until is null or r.silent_until <= clock_timestamp())`

/** A condition: the delivery waits to be sent. */
export const isDue = part`q.state = 'pending'`

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
