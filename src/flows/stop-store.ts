// The statements that end the runs of an app, or let them go on: see stop.ts. The steps' own transactions find that their run is over.
import { lacksConfigPart } from '../apps/parts.ts'
import type { Ref } from '../ids.ts'
import { arrayText } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'

/** Why runs end, and when. */
export interface Ending {
  code: string
  reason: string
  at: Date
}

/** @param run one that is under way */
export async function cancel(tx: Tx, { tenant, id }: Ref, ending: Ending): Promise<void> {
  await tx`${cancelled(part`d.tenant_id = ${tenant} and d.id = ${id}`, ending)}`
}

export async function cancelAll(tx: Tx, { tenant, id }: Ref, flowsKept: string[], ending: Ending): Promise<void> {
  const which = part`d.tenant_id = ${tenant} and d.app_id = ${id} and d.flow_id <> all (${arrayText(flowsKept)}::text::text[])`
  await tx`${cancelled(which, ending)}`
}

// The line of a wait says from its beginning when it ends. One that is cut short has no end of its own: whether it is, is judged by the clock by which its run
// would go on.
const cancelled = (which: Fragment, { code, reason, at }: Ending): Fragment => part`
  with held as materialized (
    select d.tenant_id, d.id, d.place, d.code = 'wait' and d.due_at > clock_timestamp() as waits
      from flow_runs d
     where ${which} and d.due_at is not null
       for no key update
  ), cut_short as (
    update flow_steps s set state = 'waiting', ended_at = null
      from held h
     where h.waits and s.tenant_id = h.tenant_id and s.run_id = h.id and s.place = h.place - 1
  )
  update flow_runs d set state = 'cancelled', due_at = null, event = null, code = ${code}, reason = ${reason}, ended_at = ${at}
    from held h
   where d.tenant_id = h.tenant_id and d.id = h.id`

/** Runs of an app that lacks a setting begin their time with their next step, as after a wait. */
export async function beginAnew(tx: Tx, { tenant, id }: Ref): Promise<void> {
  await tx`
    update flow_runs d set since = null
     where d.tenant_id = ${tenant} and d.app_id = ${id} and d.due_at is not null and d.since is not null
       and ${lacksConfigPart(tenant, id)}`
}

export async function forget(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`delete from flow_queues q where q.tenant_id = ${tenant} and q.id = ${id}`
}
