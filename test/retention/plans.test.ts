// How PostgreSQL runs retention on a large log: the rows read grow with the old rows of one webhook, whatever the planner takes the tables for.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../../src/limits/retention.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { pruneEvents, resumingPruneEvents } from '../../src/webhooks/prune-store.ts'
import { connectedDatabase } from '../support/database.ts'
import { explained } from '../support/plans.ts'

const OLD_MS = Date.now() - (RETENTION_DAYS + 1) * 86_400_000
const YOUNG_MS = Date.now() - 86_400_000
const TABLES = ['events', 'webhook_deliveries', 'webhook_attempts'] as const

async function given() {
  const { url, sql } = await connectedDatabase()
  return {
    url,
    sql,
    async shop(webhooks: number): Promise<string> {
      const { id } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
      await sql`
        insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
        select ${id}, 'whk_' || lpad(i::text, 6, '0'), 'https://shop.example', array['order.created'], '', now(), now()
          from generate_series(1, ${webhooks}::integer) i`
      return id
    },
    /** With a line in the log for each webhook, and every tenth delivery failed. */
    async events(shop: string, count: number, fromMs: number): Promise<string[]> {
      const ids = Array.from({ length: count }, (_, i) => newId('evt', fromMs + i))
      await sql`insert into events (tenant_id, id, type, created_at, body) select ${shop}, i, 'order.created', now(), '{}' from unnest(${ids}::text[]) i`
      await sql`
        insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, final)
        select ${shop}, w.id, i, 1, now(), 1, n % 10 <> 0
          from unnest(${ids}::text[]) with ordinality as e (i, n), webhook_endpoints w where w.tenant_id = ${shop}`
      await sql`
        insert into webhook_deliveries (tenant_id, endpoint_id, event_id, state, due_at)
        select ${shop}, w.id, i, 'failed', now()
          from unnest(${ids}::text[]) with ordinality as e (i, n), webhook_endpoints w where w.tenant_id = ${shop} and n % 10 = 0`
      return ids
    },
    count: async (): Promise<number[]> =>
      Promise.all(TABLES.map(async table => Number((await sql.unsafe(`select count(*)::integer from ${table}`))[0]?.['count']))),
  }
}

const SHOPS = 20
const WEBHOOKS = 5
const OLD = 40
const YOUNG = 400

/** States in which the planner may have found the tables. */
const found = {
  'nothing yet, and never counted': { before: false, after: false },
  'nothing yet': { before: true, after: false },
  'all there is': { before: false, after: true },
}
const look = (sql: Sql) => sql`vacuum analyze events, webhook_deliveries, webhook_attempts, webhook_endpoints, tenants`

for (const [state, looked] of Object.entries(found))
  test(`a pass reads the old rows and hardly more, though the planner knew of ${state}`, async () => {
    const at = await given()
    if (looked.before) await look(at.sql)
    // A connection that has planned everything before.
    const { sql: worker, plan, close } = await explained(at.url)
    after(close)
    for (let i = 0; i < 10; i++) await pass(worker)
    for (let n = 0; n < SHOPS; n++) {
      const shop = await at.shop(WEBHOOKS)
      await at.events(shop, OLD, OLD_MS)
      await at.events(shop, YOUNG, YOUNG_MS)
    }
    if (looked.after) await look(at.sql)
    const [events, deliveries, lines] = [SHOPS * OLD, SHOPS * WEBHOOKS * (OLD / 10), SHOPS * WEBHOOKS * OLD]
    let pruned = 0
    const { rows, handled, longest, reads } = await plan(async () => {
      pruned = await pass(worker)
    })
    assert.equal(pruned, events + deliveries + lines)
    // Each event is found, locked and deleted, and each line found and deleted; beside that, a few entries for each webhook.
    const needed = 3 * events + 3 * deliveries + 2 * lines + 10 * SHOPS * WEBHOOKS
    assert.ok(
      rows <= needed && handled <= 4 * needed && longest <= PRUNE_BATCH,
      `${rows} rows, ${handled} handled, ${longest} by one scan of ${reads}`,
    )
    const idle = await plan(() => pass(worker))
    assert.ok(idle.rows <= 5 * SHOPS * WEBHOOKS, `${idle.rows} rows where nothing is old`)
    assert.deepEqual(await at.count(), [SHOPS * YOUNG, SHOPS * WEBHOOKS * (YOUNG / 10), SHOPS * WEBHOOKS * YOUNG])
  })

async function pass(worker: Sql): Promise<number> {
  let pruned = 0
  for await (const deleted of pruneEvents(worker)) pruned += deleted
  return pruned
}

test('where 1 500 webhooks had the same events, no statement deletes more than a batch, nor reads much more', async () => {
  const at = await given()
  const shop = await at.shop(1_500)
  await at.events(shop, 20, OLD_MS)
  await at.sql`update webhook_deliveries set state = 'pending' where event_id = (select max(event_id) from webhook_deliveries)`
  const { sql: worker, plan, close } = await explained(at.url)
  after(close)
  let [most, longest] = [0, 0]
  const deleting = pruneEvents(worker)[Symbol.asyncIterator]()
  for (let done = false; !done; ) {
    const { longest: scanned } = await plan(async () => {
      const next = await deleting.next()
      done = next.done === true
      most = Math.max(most, next.done ? 0 : next.value)
    })
    longest = Math.max(longest, scanned)
  }
  assert.ok(most <= PRUNE_BATCH && longest <= 4 * PRUNE_BATCH, `${most} deleted and ${longest} read`)
  // Pending deliveries are kept, and the log of their events with them.
  assert.deepEqual(await at.count(), [1, 1_500, 1_500])
})

test('a pass that failed goes on where it stopped', async () => {
  const at = await given()
  const shops = []
  for (let n = 0; n < 3; n++) shops.push(await at.shop(1))
  for (const shop of shops) await at.events(shop, 10, OLD_MS)
  const last = shops.sort().at(-1) as string
  const worker = openDatabase(`${at.url}`, { name: 'test', lanes: 0, pool: 1 })
  after(() => worker.close())
  const prune = resumingPruneEvents()
  const pruned: number[] = []
  await assert.rejects(
    at.sql.begin(async tx => {
      // The log of one shop is away for a while.
      await tx`select 1 from webhook_attempts where tenant_id = ${last} for update`
      await worker.sql`set lock_timeout = 50`
      for await (const deleted of prune(worker.sql)) pruned.push(deleted)
    }),
    { code: '55P03' },
  )
  assert.deepEqual(pruned, [10, 1, 10, 10, 1, 10, 10, 1])
  // Webhooks that the pass has left behind are not looked at again: the next pass takes their new old rows.
  await at.events(shops[0] as string, 10, OLD_MS)
  const again: number[] = []
  for await (const deleted of prune(worker.sql)) again.push(deleted)
  assert.deepEqual(again, [10])
  assert.deepEqual(await at.count(), [10, 1, 10])
  await pass(worker.sql)
  assert.deepEqual(await at.count(), [0, 0, 0])
})
