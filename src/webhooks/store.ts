// Every statement of endpoints as their owner sees them. What delivering needs is in delivery-store.ts.
import { keysetPage, type Page, type PageRequest, part, type Sort, type TimeFilters, timeConditions } from '../postgres/page.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import type { WebhookChange } from './schema.ts'

const iso = (column: ReturnType<typeof part>) => part`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const json = part`
  json_build_object(
    'object', 'webhook', 'id', t.id, 'url', t.url, 'events', t.events, 'description', t.description, 'status', t.status,
    'disabled_at', ${iso(part`t.disabled_at`)}, 'disabled_reason', t.disabled_reason, 'max_parallel', t.max_parallel,
    'consecutive_failures', t.failures, 'last_success_at', ${iso(part`t.last_success_at`)}, 'last_failure_at', ${iso(part`t.last_failure_at`)},
    'version', t.version, 'created_at', ${iso(part`t.created_at`)}, 'updated_at', ${iso(part`t.updated_at`)})::text`

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

export const list = (sql: Queryable, tenant: string, filters: TimeFilters, page: PageRequest): Promise<Page> =>
  keysetPage(sql, part`webhook_endpoints t`, json, [part`t.tenant_id = ${tenant}`, ...timeConditions(filters)], sorts, page)

export async function json1(sql: Queryable, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await sql`select ${json} as json from webhook_endpoints t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row?.['json']
}

export async function lock(tx: Tx, tenant: string, id: string): Promise<{ json: string; updated_at: Date } | undefined> {
  const [row] = await tx<{ json: string; updated_at: Date }[]>`
    select ${json} as json, t.updated_at from webhook_endpoints t where t.tenant_id = ${tenant} and t.id = ${id} for no key update`
  return row
}

export interface NewEndpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  max_parallel: number
  /** Encrypted. */
  secret: string
}

export async function insert(tx: Tx, tenant: string, endpoint: NewEndpoint): Promise<void> {
  const at = new Date()
  await tx`insert into webhook_endpoints ${tx({ tenant_id: tenant, ...endpoint, created_at: at, updated_at: at })}`
}

export async function update(tx: Tx, tenant: string, id: string, change: WebhookChange): Promise<void> {
  await tx`
    update webhook_endpoints set ${tx({ ...change, updated_at: new Date() })}, version = version + 1
     where tenant_id = ${tenant} and id = ${id}`
}

export async function remove(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx`delete from webhook_endpoints where tenant_id = ${tenant} and id = ${id}`
  await tx`delete from webhook_deliveries where tenant_id = ${tenant} and endpoint_id = ${id}`
  await tx`delete from webhook_attempts where tenant_id = ${tenant} and endpoint_id = ${id}`
}

export async function enable(tx: Queryable, tenant: string, id: string): Promise<boolean> {
  const rows = await tx`
    update webhook_endpoints
       set status = 'enabled', disabled_at = null, disabled_reason = null, failures = 0, failing_since = null, failure_known_at = null,
           silent_until = null, version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}
    returning 1`
  return rows.length > 0
}

export async function disable(tx: Queryable, tenant: string, id: string, reason: string): Promise<boolean> {
  const rows = await tx`
    update webhook_endpoints
       set status = 'disabled', disabled_at = coalesce(disabled_at, now()), disabled_reason = ${reason}, owed_at = null,
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}
    returning 1`
  return rows.length > 0
}
