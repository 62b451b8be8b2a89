// A log as it is after a while: events, and a line of each of their workspace's webhooks.
import { newId } from '../../src/ids.ts'
import type { Sql } from '../../src/postgres/sql.ts'

/** Events written by one statement. */
const CHUNK = 2_000

/** So many events of each tenant, and their lines in the log, one of each webhook; of one day from `atMs` on. */
export async function writeLog(sql: Sql, tenants: Iterable<string>, events: number, atMs: number): Promise<void> {
  for (const tenant of tenants)
    for (let from = 0; from < events; from += CHUNK) {
      const ids = Array.from({ length: Math.min(CHUNK, events - from) }, (_, i) => newId('evt', atMs + from + i))
      await sql`
        with happened as (
          insert into events (tenant_id, id, type, created_at, body)
          select ${tenant}, i, 'order.created', to_timestamp(${atMs / 1000}::float8), repeat('x', 300) from unnest(${ids}::text[]) i
        )
        insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, url, status, final, signature)
        select w.tenant_id, w.id, i, 1, to_timestamp(${atMs / 1000}::float8), 12, 'https://shop.example/hooks', 204, true, repeat('5e', 40)
          from unnest(${ids}::text[]) i, webhook_endpoints w
         where w.tenant_id = ${tenant}`
    }
  await sql`vacuum analyze events, webhook_attempts, webhook_deliveries`
}
