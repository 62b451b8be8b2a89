// A delivery never outlives its event: a pending delivery holds its old event against retention, and a delivery without its event is dropped.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Ref } from '../../src/ids.ts'
import { newId } from '../../src/ids.ts'
import { RETENTION_DAYS } from '../../src/limits/retention.ts'
import { LOCKED, pastLock } from '../../src/postgres/past-lock.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { insertMissedBatch, progress } from '../../src/webhooks/catch-up/store.ts'
import { claimAll, type Dropped } from '../../src/webhooks/delivery/claim-store.ts'
import { pruneEvents } from '../../src/webhooks/prune-store.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aSubscriber } from '../support/subscriber.ts'
import { takeOrUnmark } from '../support/taking.ts'

const app = await testApp()
const { sql } = app

/** Inserts pending deliveries whose events are not there: enough to fill a claim several times. Ids of today, or retention would clear them. */
const insertLost = (webhook: { shop: { id: string }; id: string }, count: number) => sql`
  insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
  select ${webhook.shop.id}, ${webhook.id}, e, now() - interval '1 hour' from unnest(${Array.from({ length: count }, () => newId('evt'))}::text[]) e`

const states = async (endpoint: string) =>
  Object.fromEntries(
    (await sql`select state, count(*)::integer as count from webhook_deliveries where endpoint_id = ${endpoint} group by state`).map(
      row => [row['state'], row['count']] as [string, number],
    ),
  )

test('a claim returns the deliveries that it dropped; one whose event is there is not among them', async () => {
  const [whole, failing] = [await aSubscriber(app), await aSubscriber(app)]
  await sql`update webhook_endpoints set status = 'paused' where id in (${whole.id}, ${failing.id})`
  const told: Dropped[] = []
  const tell = (dropped: Dropped[]) => void told.push(...dropped)
  for (const webhook of [whole, failing]) {
    await insertLost(webhook, 3)
    await webhook.emit(2)
  }
  await sql`update webhook_endpoints set status = 'enabled' where id = ${whole.id}`
  const ref = { tenant: whole.shop.id, id: whole.id }
  // A wake-up may still be running.
  const taken = await pastLock(
    async () => (await takeOrUnmark(sql, [{ ...ref, token: randomUUID(), markedBy: Number.POSITIVE_INFINITY }], tell))[0],
  )
  assert.ok(taken && taken !== LOCKED)
  assert.equal(taken.found?.length, 2)
  const [claimed] = await claimAll(sql, [{ tenant: failing.shop.id, id: failing.id, count: 10, untried: false }], tell)
  assert.equal(claimed?.length, 2)
  assert.deepEqual(
    told.map(({ endpoint, events }) => [endpoint, events.length]),
    [
      [whole.id, 3],
      [failing.id, 3],
    ],
  )
  for (const { id } of [whole, failing]) assert.deepEqual(await states(id), { dropped: 3, pending: 2 })
})

const ROUNDS = 1_000
const EVENTS = 4

test('a thousand times retention and an endpoint that catches up come to the same old events: no delivery is pending whose event is gone', async () => {
  const webhook = await aSubscriber(app)
  await sql`update webhook_endpoints set created_at = now() - interval '1 year', status = 'paused' where id = ${webhook.id}`
  const ref = { tenant: webhook.shop.id, id: webhook.id }
  const old = new Date(Date.now() - (RETENTION_DAYS + 1) * 86_400_000)
  const retention = openDatabase(app.databaseUrl, { name: 'retention', lanes: 0, pool: 1 })
  after(() => retention.close())
  let racing = true
  const pruning = prune(retention.sql, () => racing)
  const wins = { catchUp: 0, retention: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const ids = Array.from({ length: EVENTS }, () => newId('evt', old.getTime()))
    await sql`insert into events (tenant_id, id, type, created_at, body) select ${ref.tenant}, i, 'order.created', ${old}, '{}' from unnest(${ids}::text[]) i`
    await catchUp(ref)
    const [row] = await sql<{ pending: number; lost: number }[]>`
      with gone as (delete from webhook_deliveries where endpoint_id = ${webhook.id} returning event_id)
      select count(*) filter (where g.event_id = any(${ids}::text[]))::integer as pending, (count(*) - count(e.id))::integer as lost
        from gone g left join events e on e.id = g.event_id`
    assert.ok(row)
    assert.equal(row.lost, 0, `in round ${round}, of ${row.pending} that are pending`)
    if (row.pending > 0) wins.catchUp++
    if (row.pending < EVENTS) wins.retention++
  }
  racing = false
  const pruned = await pruning
  // Neither was always first, or this was no race.
  assert.ok(wins.catchUp > 0 && wins.retention > 0, JSON.stringify({ ...wins, pruned }))
})

async function catchUp(ref: Ref): Promise<void> {
  await sql`
    update webhook_endpoints set catching_up = '{"missed_from": "0", "drop_before": null, "next_status": "enabled"}' where id = ${ref.id}`
  const at = await progress(sql, ref)
  assert.ok(at)
  while ((await insertMissedBatch(sql, ref, at)) === 'more');
}

/** One pass after the other, without a pause. */
async function prune(worker: Sql, goesOn: () => boolean): Promise<number> {
  let pruned = 0
  while (goesOn()) for await (const deleted of pruneEvents(worker)) pruned += deleted
  return pruned
}

// Last, for its worker serves all due deliveries from then on.
test('deliveries without an event are dropped and reported, those behind them are delivered, and the slice ends', async () => {
  const webhook = await aSubscriber(app)
  await insertLost(webhook, 100)
  await app.startWorker()
  const events = await webhook.emit(5)
  await webhook.receiver.until(5)
  await eventually(async () => (await states(webhook.id))['pending'] === undefined)
  assert.deepEqual(await states(webhook.id), { dropped: 100 })
  assert.deepEqual(webhook.receiver.received.map(({ body }) => JSON.parse(body.toString()).id).sort(), events)
  await eventually(
    async () =>
      (await sql`select 1 from graphile_worker._private_jobs where payload ->> 'endpointId' = ${webhook.id}`).length === 0 &&
      (await sql`select 1 from webhook_endpoints where id = ${webhook.id} and lease_token is null and queued_at is null`).length === 1,
  )
})
