// Rows that are older than the retention allows: how many there are, and the workspaces whose logs are filled with them.
import { newId } from '../../src/ids.ts'
import { RETENTION_DAYS } from '../../src/limits/retention.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'

export const DAY_MS = 86_400_000
export const LINE_MS = RETENTION_DAYS * DAY_MS
export const WEBHOOKS = 5

export async function makeTenants(sql: Sql, count: number): Promise<string[]> {
  const tenants = await Promise.all(
    Array.from({ length: count }, async () => (await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })).id),
  )
  const ids = tenants.flatMap(tenant => Array.from({ length: WEBHOOKS }, () => ({ tenant, id: newId('whk') })))
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
    select t, i, 'https://shop.example/hooks', '{order.created}', 's', now(), now()
      from unnest(${ids.map(({ tenant }) => tenant)}::text[], ${ids.map(({ id }) => id)}::text[]) as w (t, i)`
  return tenants
}

export async function oldRows(sql: Sql, at: number): Promise<Record<string, number>> {
  const before = newId('evt', at - LINE_MS)
  const [row] = await sql<Record<string, number>[]>`
    select (select count(*) from events where id < ${before})::int as events,
           (select count(*) from webhook_deliveries where event_id < ${before})::int as deliveries,
           (select count(*) from webhook_attempts where event_id < ${before})::int as lines`
  return row ?? {}
}

export const oldLines = async (sql: Sql): Promise<number> => (await oldRows(sql, Date.now()))['lines'] ?? 0
