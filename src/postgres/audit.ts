// The audit log: which actor did what to which thing, written in the same transaction as the change itself.
import type { Caller } from '../caller.ts'
import { columns } from './row-set.ts'
import { type Fragment, part, type Queryable } from './sql.ts'

export interface AuditEntry {
  caller: Caller
  action: string
  subject: string
  details?: Record<string, unknown>
}

export async function audit(
  tx: Queryable,
  caller: Caller,
  action: string,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await tx`${auditPart([{ caller, action, subject, details }])}`
}

/** Several entries, such as one for each workspace of a person; none is written for none. */
export async function auditAll(tx: Queryable, entries: AuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx`${auditPart(entries)}`
}

/** As a part of a statement. @param only a condition, where the change may turn out not to be made */
export const auditPart = (entries: AuditEntry[], only: Fragment = part``): Fragment => part`
  insert into audit_log (${AUDIT.names})
  select ${AUDIT.names} from ${AUDIT.few(entries.map(auditRow))} ${only}`

const AUDIT = columns({
  tenant_id: 'text',
  actor_type: 'text',
  actor_id: 'text',
  action: 'text',
  subject_id: 'text',
  details: 'jsonb',
  trace_id: 'text',
})

const auditRow = ({ caller: { tenant, actor, traceId, grant }, action, subject, details }: AuditEntry) => ({
  tenant_id: tenant,
  actor_type: actor.type,
  actor_id: actor.id ?? null,
  action,
  subject_id: subject,
  details: JSON.stringify(grant === undefined ? (details ?? {}) : { ...details, grant }),
  trace_id: traceId ?? null,
})
