// Many orders inserted by one statement, for code that walks through them.
import type { Sql } from '../../src/postgres/sql.ts'
import type { TestTenant } from './app.ts'

/** Orders of different times, three to a second, each with a note of this length. Their ids are in another order than their times. */
export async function insertOrders(sql: Sql, shop: TestTenant, count: number, bytes = 0): Promise<void> {
  await sql`
    insert into orders (tenant_id, id, number, source, status, payment_status, fulfillment_status, currency, total_amount, created_at, updated_at, doc)
    select ${shop.id}, ids.id, n, 'api', 'pending', 'unpaid', 'unfulfilled', 'EUR', n, at, at,
           json_build_object('object', 'order', 'id', ids.id, 'number', n, 'note', repeat('x', ${bytes}),
                             'created_at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
      from generate_series(1, ${count}::int) n,
           lateral (select timestamptz '2026-01-01' + make_interval(secs => n / 3) as at) t,
           lateral (select 'ord_0' || lpad(((n * 7919) % 1000003)::text, 25, '0') as id) ids`
  await sql`insert into order_counters (tenant_id, last_number) values (${shop.id}, ${count})`
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
export const parseNdjson = (ndjson: string): any[] =>
  ndjson
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
