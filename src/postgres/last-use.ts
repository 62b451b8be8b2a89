// When rows were last used, for tables of a workspace's credentials.
import { columns, listOf } from './row-set.ts'
import type { Queryable } from './sql.ts'

/** What was used, and how many milliseconds ago. */
export interface Use {
  tenant: string
  id: string
  ago_ms: number
}

/** The statement that records last uses. It locks the rows in one order, so that two processes cannot deadlock. @param table has tenant_id, id and last_used_at */
export function recordLastUses(table: string): (sql: Queryable, uses: Use[]) => Promise<void> {
  const rows = listOf([table])
  return async (sql, uses) => {
    await sql`
      update ${rows} t
         set last_used_at = greatest(t.last_used_at, now() - u.ago_ms * interval '1 millisecond')
        from (
          select o.tenant_id, o.id, r.ago_ms
            from ${USE.of(uses)}
            join ${rows} o on o.tenant_id = r.tenant and o.id = r.id
           order by o.tenant_id, o.id
             for no key update of o
        ) u
       where t.tenant_id = u.tenant_id and t.id = u.id`
  }
}

export const USE = columns({ tenant: 'text', id: 'text', ago_ms: 'bigint' })
