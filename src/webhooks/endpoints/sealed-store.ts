// Every statement about the secrets that webhooks keep encrypted, over all tenants: for rotating SECRET_KEY.
import { columns } from '../../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../../postgres/sql.ts'

export interface Place {
  tenant: string
  id: string
}

/** A webhook with everything of it that is encrypted. */
export interface Sealed extends Place {
  secret: string
  previous_secret: string | null
  headers: string | null
}

const outdated = (key: string) => part`
  (split_part(e.secret, '.', 1) <> ${key} or split_part(e.previous_secret, '.', 1) <> ${key} or split_part(e.headers, '.', 1) <> ${key})`

/** How many webhooks have anything encrypted by another key than this. */
export async function countOutdated(sql: Queryable, key: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from webhook_endpoints e where ${outdated(key)}`
  return row?.count ?? 0
}

/** Locks the next of them, in the order in which all transactions lock these rows. */
export const lockOutdated = (tx: Tx, key: string, after: Place, count: number): Promise<Sealed[]> => tx<Sealed[]>`
  select e.tenant_id as tenant, e.id, e.secret, e.previous_secret, e.headers
    from webhook_endpoints e
   where (e.tenant_id, e.id) > (${after.tenant}, ${after.id}) and ${outdated(key)}
   order by e.tenant_id, e.id
   limit ${count}
     for no key update`

/** Leaves version and time as they are: the webhook has not changed, and requests under way go on. */
export async function save(tx: Tx, webhooks: Sealed[]): Promise<void> {
  await tx`
    update webhook_endpoints e
       set secret = r.secret, previous_secret = r.previous_secret, headers = r.headers
      from ${SEALED.of(webhooks as (Sealed & Record<string, string | null>)[])}
     where e.tenant_id = r.tenant and e.id = r.id`
}

const SEALED = columns({ tenant: 'text', id: 'text', secret: 'text', previous_secret: 'text', headers: 'text' })
