// The statements that end the runs of an app, or let them go on: see stop.ts. The steps' own transactions find that their run is over.
import { lacksConfigPart } from '../apps/parts.ts'
import type { Ref } from '../ids.ts'
import { arrayText } from '../postgres/row-set.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'

export async function cancelAll(
  tx: Tx,
  { tenant, id }: Ref,
  flowsKept: string[],
  { code, reason }: { code: string; reason: string },
  at: Date,
): Promise<void> {
  await tx`
    update flow_runs d set state = 'cancelled', due_at = null, event = null, code = ${code}, reason = ${reason}, ended_at = ${at}
     where d.tenant_id = ${tenant} and d.app_id = ${id} and d.due_at is not null
       and d.flow_id <> all (${arrayText(flowsKept)}::text::text[])`
}

/** Of an app that lacks a setting: their time begins with their next step, as after a wait. */
export async function beginAnew(tx: Tx, { tenant, id }: Ref): Promise<void> {
  await tx`
    update flow_runs d set since = null
     where d.tenant_id = ${tenant} and d.app_id = ${id} and d.due_at is not null and d.since is not null
       and ${lacksConfigPart(tenant, id)}`
}

export async function forget(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`delete from flow_queues q where q.tenant_id = ${tenant} and q.id = ${id}`
}
