// Every statement about the payments of all workspaces, for `shopdesk doctor`.
import type { Queryable } from '../../postgres/sql.ts'

export interface Undecided {
  tenant: string
  payments: number
}

/** Payments that pay nothing, by workspace: the most first. Only workspaces that have providers are looked at. */
export const undecided = (sql: Queryable, most: number): Promise<Undecided[]> => sql<Undecided[]>`
  select t.tenant_id as tenant, p.payments
    from (select distinct r.tenant_id from payment_providers r) t
   cross join lateral (
     select count(*)::int as payments
       from payments p
      where p.tenant_id = t.tenant_id and p.status in ('mismatched', 'unmatched')) p
   where p.payments > 0
   order by p.payments desc, tenant
   limit ${most}`
