// Who did what, to which thing, in the same transaction as the deed.
import { part } from './page.ts'
import type { Fragment, Queryable } from './sql.ts'

export interface Actor {
  type: 'api_key' | 'user' | 'system' | 'cli'
  id?: string
}

/** Who asks: known by the ingress, the command line or a task, and handed to every verb. */
export interface Caller {
  tenant: string
  actor: Actor
  traceId?: string
}

export async function audit(
  tx: Queryable,
  caller: Caller,
  action: string,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await tx`${auditPart(caller, action, subject, details)}`
}

export const auditPart = (caller: Caller, action: string, subject: string, details: Record<string, unknown> = {}): Fragment => part`
  insert into audit_log (tenant_id, actor_type, actor_id, action, subject_id, details, trace_id)
  values (${caller.tenant}, ${caller.actor.type}, ${caller.actor.id ?? null}, ${action}, ${subject},
          ${part.json(details as never)}, ${caller.traceId ?? null})`
