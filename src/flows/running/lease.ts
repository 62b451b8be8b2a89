// An app's row is the mutex of its runs: the worker that holds its lease runs them, and no other. `queued_at` is cleared when a worker takes the lease, for an
// app without a job is served without one.
import { isActivePart } from '../../apps/parts.ts'
import { part } from '../../postgres/sql.ts'
import { leased } from '../../queue/leased.ts'

/** Something of it is due, and may run. */
export const hasDue = part`
  exists (select from flow_runs d where d.tenant_id = r.tenant_id and d.app_id = r.id and d.due_at <= clock_timestamp())
  and ${isActivePart(part`r.tenant_id`, part`r.id`)}`

export const leases = leased({
  table: 'flow_queues',
  task: 'flows/run',
  key: 'appId',
  open: part`(r.lease_token is not null or ${hasDue})`,
})
