// Reads the audit log of a workspace.
import { part, type Queryable } from './sql.ts'

export interface AuditRow {
  id: string
  at: Date
  actor_type: string
  actor_id: string | null
  action: string
  subject_id: string
  details: Record<string, unknown>
  trace_id: string | null
}

export interface AuditFilters {
  subject?: string
  /** The beginning of an action, such as `user.` */
  action?: string
  since?: Date
  limit: number
}

/** The latest first. */
export const auditOf = (sql: Queryable, tenant: string, { subject, action, since, limit }: AuditFilters): Promise<AuditRow[]> => sql<
  AuditRow[]
>`
  select a.id::text as id, a.at, a.actor_type, a.actor_id, a.action, a.subject_id, a.details, a.trace_id
    from audit_log a
   where a.tenant_id = ${tenant}
     ${subject === undefined ? part`` : part`and a.subject_id = ${subject}`}
     ${action === undefined ? part`` : part`and starts_with(a.action, ${action})`}
     ${since === undefined ? part`` : part`and a.at >= ${since}`}
   order by a.id desc
   limit ${limit}`
