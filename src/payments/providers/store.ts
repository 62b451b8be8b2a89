// Every statement of payment providers.
import { now } from '../../clock.ts'
import { type List, listPage, timeFilters } from '../../postgres/list-page.ts'
import { iso, type Page, type PageRequest, type TimeFilters } from '../../postgres/page.ts'
import { arrayText } from '../../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../../postgres/sql.ts'
import type { ProviderKind } from './schema.ts'

export type Status = 'enabled' | 'disabled' | 'deleted'

const json = (baseUrl: string) => part`
  json_build_object(
    'object', 'payment_provider', 'id', t.id, 'provider', t.provider, 'name', t.name, 'status', t.status,
    'callback_url', ${baseUrl}::text || '/api/payments/' || t.id || '/callback', 'version', t.version,
    'created_at', ${iso(part`t.created_at`)}, 'updated_at', ${iso(part`t.updated_at`)})::text`

const listed = (tenant: string, baseUrl: string): List => ({
  from: part`payment_providers t`,
  json: json(baseUrl),
  scope: part`t.tenant_id = ${tenant} and t.status <> 'deleted'`,
  sorts: { created_at: { by: part`t.created_at`, type: 'time' } },
})

/** @param baseUrl where callbacks are sent to */
export const list = (sql: Queryable, tenant: string, baseUrl: string, filters: TimeFilters, page: PageRequest): Promise<Page> =>
  listPage(sql, listed(tenant, baseUrl), timeFilters(filters), page)

export async function findJson(sql: Queryable, tenant: string, baseUrl: string, id: string): Promise<string | undefined> {
  const [row] = await sql`
    select ${json(baseUrl)} as json from payment_providers t where t.tenant_id = ${tenant} and t.id = ${id} and t.status <> 'deleted'`
  return row?.['json']
}

export async function lock(tx: Tx, tenant: string, id: string): Promise<{ provider: ProviderKind; status: Status } | undefined> {
  const [row] = await tx<{ provider: ProviderKind; status: Status }[]>`
    select provider, status
      from payment_providers
     where tenant_id = ${tenant} and id = ${id} and status <> 'deleted'
       for no key update`
  return row
}

export interface NewRow {
  id: string
  provider: ProviderKind
  name: string
  /** Encrypted. */
  secrets: string
}

export async function insert(tx: Tx, tenant: string, row: NewRow): Promise<void> {
  const at = new Date(now())
  await tx`insert into payment_providers ${tx({ tenant_id: tenant, ...row, created_at: at, updated_at: at })}`
}

export interface Change {
  name?: string
  status?: Status
  /** Encrypted. */
  secrets?: string | null
}

export async function update(tx: Tx, tenant: string, id: string, change: Change): Promise<void> {
  await tx`
    update payment_providers set ${tx({ ...change, updated_at: new Date(now()) })}, version = version + 1
     where tenant_id = ${tenant} and id = ${id}`
}

export interface Verifying {
  tenant: string
  id: string
  provider: ProviderKind
  /** Encrypted. */
  secrets: string
}

/** Those of these ids that take callbacks, whatever workspace they belong to: a callback names its provider alone. */
export const ofIds = (sql: Queryable, ids: string[]): Promise<Verifying[]> => sql<Verifying[]>`
  select tenant_id as tenant, id, provider, secrets
    from payment_providers
   where id = any(${arrayText(ids)}::text::text[]) and status <> 'deleted'`

export async function count(sql: Queryable, tenant: string): Promise<number> {
  const [row] = await sql`
    select count(*)::integer as count from payment_providers where tenant_id = ${tenant} and status <> 'deleted'`
  return row?.['count'] ?? 0
}

export async function lockKind(tx: Tx, tenant: string, id: string): Promise<ProviderKind> {
  const [row] = await tx`select provider from payment_providers where tenant_id = ${tenant} and id = ${id} for no key update`
  if (!row) throw new Error(`${id} is no payment provider`)
  return row['provider']
}
