// A deleted webhook is gone at once, however much it leaves behind; its rows are cleared away in batches.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { PRUNE_BATCH } from '../../src/limits/retention.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { countOverdue } from '../../src/webhooks/delivery/sweep.ts'
import * as webhooks from '../../src/webhooks/endpoints/endpoints.ts'
import { pruneDeleted } from '../../src/webhooks/prune-store.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { nobody } from '../support/given.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app
// A statement that takes longer than this fails, be it by work or by waiting for a lock.
const hasty = openDatabase(app.databaseUrl, { name: 'hasty', lanes: 1, pool: 1, statementTimeoutMs: 1_000 })
after(() => hasty.close())

const LINES = 20_000
const ROWS = 3_000
/** More than a batch, all of one event. */
const OF_ONE = PRUNE_BATCH + 500
const webhookOf = async (shop: TestTenant): Promise<string> =>
  (await shop.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hooks', events: ['order.created'] })).body.id

/** A webhook with so many lines of its log, pending deliveries and ended recoveries. */
async function given(shop: TestTenant, lines = LINES, rows = ROWS) {
  const id = await webhookOf(shop)
  const event = newId('evt')
  await sql`insert into events (tenant_id, id, type, created_at, body) values (${shop.id}, ${event}, 'order.created', now(), '{}')`
  await sql`
    insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, final)
    select ${shop.id}, ${id}, case when n <= ${OF_ONE} then ${event} else ${event} || n end, 1, now(), 1, 204, n = 1 from generate_series(1, ${lines}::integer) n`
  await sql`
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
    select ${shop.id}, ${id}, ${event} || 'd' || n, now() - interval '2 minutes' from generate_series(1, ${rows}::integer) n`
  await sql`
    insert into webhook_recoveries (tenant_id, id, endpoint_id, scope, first_id, end_id, state, max_per_second, total, created_at, finished_at)
    select ${shop.id}, 'rcv_' || ${id} || n, ${id}, 'event', 'evt_a', 'evt_b', 'completed', 10, 1, now(), now() from generate_series(1, ${rows}::integer) n`
  const [row] = await sql`select id from webhook_recoveries where endpoint_id = ${id} limit 1`
  return { id, event, recovery: row?.['id'] as string, path: `/api/v1/webhooks/${id}` }
}

const remove = (shop: TestTenant, id: string) =>
  begin(hasty.sql, tx => webhooks.remove(tx, { tenant: shop.id, actor: { type: 'system' } }, id, () => {}))

/** Lines, deliveries and recoveries of a webhook. */
async function left(id: string): Promise<number[]> {
  const [row] = await sql<{ counts: number[] }[]>`
    select array[(select count(*) from webhook_attempts where endpoint_id = ${id}), (select count(*) from webhook_deliveries where endpoint_id = ${id}),
                 (select count(*) from webhook_recoveries where endpoint_id = ${id})]::integer[] as counts`
  return row?.counts ?? []
}

const forgotten = async (id: string): Promise<boolean> => (await sql`select 1 from webhook_tombstones where id = ${id}`).length === 0

test('deleting waits for nothing a webhook has, and touches none of it; from then on it is nowhere, and its URL is free', async () => {
  const shop = await app.tenant()
  const webhook = await given(shop)
  await begin(sql, async tx => {
    for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhook_recoveries'])
      await tx`select 1 from ${tx(table)} where endpoint_id = ${webhook.id} for update`
    await remove(shop, webhook.id)
  })
  assert.deepEqual(await left(webhook.id), [LINES, ROWS, ROWS])
  assert.equal(await countOverdue(sql), 0)

  assert.deepEqual((await shop.get('/api/v1/webhooks')).body.data, [])
  for (const inner of ['', '/deliveries', `/deliveries/${webhook.event}`, '/health', '/recoveries', `/recoveries/${webhook.recovery}`])
    assert.equal((await shop.get(`${webhook.path}${inner}`)).status, 404, inner)
  assert.equal((await shop.patch(webhook.path, { description: 'x' })).status, 404)
  assert.equal((await shop.delete(webhook.path)).status, 404)
  for (const verb of ['pause', 'enable', 'test', `deliveries/${webhook.event}/redeliver`, `recoveries/${webhook.recovery}/cancel`])
    assert.equal((await shop.post(`${webhook.path}/${verb}`)).status, 404, verb)
  assert.equal((await shop.post(`${webhook.path}/recoveries`, { scope: 'failed' })).status, 404)

  const next = await webhookOf(shop)
  assert.deepEqual((await shop.get(`/api/v1/webhooks/${next}/deliveries`)).body.data, [])
})

test('the rows of a deleted webhook are cleared away in batches, also those that come late, and no row of another webhook', async () => {
  const shop = await app.tenant()
  const [gone, kept] = [await given(shop), await given(shop, 10, 10)]
  await remove(shop, gone.id)
  let most = 0
  for await (const deleted of pruneDeleted(hasty.sql)) most = Math.max(most, deleted)
  assert.equal(most, PRUNE_BATCH)
  assert.deepEqual(
    [await left(gone.id), await left(kept.id)],
    [
      [0, 0, 0],
      [10, 10, 10],
    ],
  )

  // From before: a transaction that was inserting deliveries to it, and a recovery that was sending to it.
  const late = nobody('evt')
  await sql`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${shop.id}, ${gone.id}, ${late}, now())`
  await sql`insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms) values (${shop.id}, ${gone.id}, ${late}, 1, now(), 1)`
  await pruneAll(hasty.sql, pruneDeleted)
  assert.deepEqual([await left(gone.id), await forgotten(gone.id)], [[0, 0, 0], false])

  await sql`update webhook_tombstones set deleted_at = now() - interval '61 minutes' where id = ${gone.id}`
  await pruneAll(hasty.sql, pruneDeleted)
  assert.equal(await forgotten(gone.id), true)
})

test('a recovery sends nothing more once its webhook is deleted', async () => {
  await app.startWorker()
  const { shop, receiver, path } = await aSubscriber(app)
  await sql`
    insert into events (tenant_id, id, type, created_at, body)
    select ${shop.id}, id, 'order.created', now(), '{}' from unnest(${Array.from({ length: 50 }, () => newId('evt'))}::text[]) id`
  const begun = await shop.post(`${path}/recoveries`, { scope: 'undelivered', max_per_second: 20 })
  assert.equal(begun.status, 202, begun.text)
  await receiver.until(1)
  assert.equal((await shop.delete(path)).status, 200)
  await eventuallyHolds(async () => {
    const [row] = await sql`select state, lease_token from webhook_recoveries where id = ${begun.body.id}`
    // Retention may have been there already.
    assert.ok(!row || (row['state'] === 'cancelled' && row['lease_token'] === null))
  })
  assert.ok(receiver.received.length < 50, `${receiver.received.length} were sent`)
})
