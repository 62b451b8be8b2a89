// Every statement about the callbacks of all workspaces, for `shopdesk doctor`.
import type { Queryable } from '../postgres/sql.ts'

export interface Failed {
  tenant: string
  source: string
  callbacks: number
}

/** What could not be applied, by its source: the most first. */
export const failed = (sql: Queryable, most: number): Promise<Failed[]> => sql<Failed[]>`
  select c.tenant_id as tenant, c.source_id as source, count(*)::int as callbacks
    from callbacks c
   where c.status = 'failed'
   group by c.tenant_id, c.source_id
   order by callbacks desc, source
   limit ${most}`
