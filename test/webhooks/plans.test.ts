// How PostgreSQL runs a worker's statements on a backlog, with plans that it made before there was one.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Ref } from '../../src/ids.ts'
import { CATCH_UP_BATCH } from '../../src/limits/webhooks.ts'
import { part, type Sql } from '../../src/postgres/sql.ts'
import { BEGIN, type StalledPage, stalledOf, sweeping } from '../../src/queue/sweep.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { insertMissedBatch, progress } from '../../src/webhooks/catch-up/store.ts'
import { claimAll } from '../../src/webhooks/delivery/claim-store.ts'
import { releaseAll } from '../../src/webhooks/delivery/lease-store.ts'
import { record } from '../../src/webhooks/delivery/record-store.ts'
import { SWEEP } from '../../src/webhooks/delivery/sweep.ts'
import { takeAll, unmarkAll, withdrawAll } from '../../src/webhooks/delivery/take-store.ts'
import { connectedDatabase } from '../support/database.ts'
import { explained } from '../support/plans.ts'
import { resultOf } from '../support/results.ts'

const ENDPOINTS = 4
/** The backlog of each endpoint. */
const BACKLOG = 500
/** The most rows read, all tables together, for at most two results or twenty claims: a tenth of one endpoint's backlog. */
const ROWS_MAX = 50

const { url, sql } = await connectedDatabase()
const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
const endpoints = Array.from({ length: ENDPOINTS }, (_, i): Ref => ({ tenant, id: `wh_${i}` }))
await sql`
  insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
  select ${tenant}, u.id, 'https://shop.example', array['order.created'], '', now(), now()
    from unnest(${endpoints.map(each => each.id)}::text[]) as u (id)`

// The planner knows what a test lets it know: a visit of autovacuum in between would tell it more.
for (const table of ['webhook_endpoints', 'webhook_deliveries', 'events'])
  await sql.unsafe(`alter table ${table} set (autovacuum_enabled = off)`)

const insertDeliveries = (events: number, state = 'pending') => sql`
  with made as (
    insert into events (tenant_id, id, type, created_at, body)
    select ${tenant}, 'evt_' || uuidv7(), 'order.created', now(), '{}' from generate_series(1, ${events}::integer)
    returning id
  )
  insert into webhook_deliveries (tenant_id, endpoint_id, event_id, state, due_at)
  select ${tenant}, w.id, made.id, ${state}, now() from made, webhook_endpoints w`

/** States in which the planner may have found the tables. */
const found: Record<string, () => Promise<unknown>> = {
  'nothing yet, and never counted': async () => {},
  'nothing yet': () => sql`vacuum analyze webhook_deliveries`,
  'a queue that was emptied': async () => {
    await insertDeliveries(BACKLOG)
    await sql`delete from webhook_deliveries`
    await sql`vacuum analyze webhook_deliveries`
  },
  'a few': async () => {
    await insertDeliveries(1)
    await sql`analyze webhook_deliveries`
  },
  'a few, where there were many': async () => {
    await insertDeliveries(BACKLOG)
    await sql`delete from webhook_deliveries where event_id <> (select min(id) from events)`
    await sql`vacuum analyze webhook_deliveries, events`
  },
  'only what failed': async () => {
    await insertDeliveries(BACKLOG, 'failed')
    await sql`vacuum analyze webhook_deliveries, events`
  },
}

for (const [state, prepare] of Object.entries(found))
  test(`no more of a backlog is read than is needed, though the planner knew of ${state}`, async () => {
    await sql`truncate webhook_deliveries, webhook_attempts, events cascade`
    await prepare()
    const { sql: worker, plan, close } = await explained(url)
    after(close)
    for (const work of Object.values(works)) await work(worker, 'evt_unknown')
    await insertDeliveries(BACKLOG)
    for (const [name, work] of Object.entries(works)) {
      const [due] = await sql<{ event: string }[]>`
        select event_id as event from webhook_deliveries where endpoint_id = ${slice.id} and state = 'pending' limit 1`
      const { rows, reads } = await plan(() => work(worker, due?.event as string))
      assert.ok(rows <= ROWS_MAX, `to ${name}, ${rows} rows of ${reads.join(', ')}`)
    }
    const [{ recorded } = {}] = await sql`
      select count(*) filter (where not final) || ' failed, ' || count(*) filter (where final) || ' delivered' as recorded
        from webhook_attempts where event_id <> 'evt_unknown'`
    assert.equal(recorded, '1 failed, 1 delivered')
  })

const slice = { ...(endpoints[0] as Ref), token: randomUUID(), job: '1', markedBy: Number.POSITIVE_INFINITY }
const held = { endpoint: slice, token: slice.token, job: '1', lease: { version: 1, slate: 0 } }

/** Each on its own connection, with a delivery that is pending at the slice's endpoint. */
const works: Record<string, (worker: Sql, event: string) => Promise<unknown>> = {
  'find stalled endpoints': worker => stalledOf(worker, SWEEP, part`(clock_timestamp() - interval '10 seconds')`),
  'take the lease': worker => takeAll(worker, [slice]),
  'look at what was not taken': worker => unmarkAll(worker, [slice]),
  'withdraw a taking': worker => withdrawAll(worker, [slice]),
  'claim ten deliveries': worker => claimAll(worker, [{ ...slice, count: 10, untried: false }]),
  'record a failure': (worker, event) => record(worker, [resultOf(held, event, 500)]),
  'record a success, as the last': (worker, event) => record(worker, [{ ...resultOf(held, event, 204), ends: true }]),
  'end the slice': worker => releaseAll(worker, [{ ...slice, rest: false, version: null }]),
}

test('missed events are found among those of two epochs, and each batch reads its own rows and no more', async () => {
  const EACH = 6_000
  const [older, newer] = [1, 2]
  await sql`truncate webhook_deliveries, webhook_attempts, events cascade`
  // On the previous cluster the numbers were higher: a hundred events of one transaction.
  await sql`
    insert into events (tenant_id, id, type, created_at, body, epoch, xid)
    select ${tenant}, 'evt_' || uuidv7(), 'order.created', now(), '{}', e, ((2 - e) * 1000000000 + n / 100)::text::xid8
      from generate_series(${older}::integer, ${newer}) e, generate_series(1, ${EACH}::integer) n order by e, n`
  await sql`update event_epoch set epoch = ${newer}`
  const [ref] = endpoints as [Ref]
  const half = EACH / 200
  await sql`
    update webhook_endpoints
       set status = 'paused',
           catching_up = ${sql.json({ drop_before: null, missed_from: String(1_000_000_000 + half), missed_epoch: older, horizon: String(half), horizon_epoch: newer, next_status: 'enabled' })}
     where tenant_id = ${tenant} and id = ${ref.id}`
  const { sql: worker, plan, close } = await explained(url)
  after(close)
  const at = (await progress(worker, ref)) ?? assert.fail('it is not catching up')
  for (let more = true, batch = 1; more; batch++) {
    const { longest, reads } = await plan(async () => {
      more = (await insertMissedBatch(worker, ref, at)) === 'more'
    })
    assert.ok(longest <= CATCH_UP_BATCH + 1, `batch ${batch} looks at ${longest} rows in one scan of ${reads}`)
  }
  const [row] = await sql`
    select count(*) as pending, count(*) filter (where e.epoch = ${older}) as older
      from webhook_deliveries d join events e using (tenant_id) where e.id = d.event_id and d.endpoint_id = ${ref.id}`
  assert.deepEqual({ ...row }, { pending: EACH, older: EACH / 2 + 1 })
})

test('a page of the sweep reads its own rows and none behind them, and pages follow each other to the end', async () => {
  const [MANY, PAGE] = [300, 20]
  await sql`truncate webhook_deliveries, webhook_attempts, events cascade`
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at, queued_at)
    select ${tenant}, 'wh_many_' || n, 'https://shop.example', array['order.created'], '', now(), now(), case n % 2 when 0 then now() - interval '1 minute' end
      from generate_series(1, ${MANY}::integer) n`
  await insertDeliveries(1)
  await sql`vacuum analyze webhook_deliveries, webhook_endpoints`
  // One whose webhook is gone, at the end of a page.
  await sql`delete from webhook_endpoints where id = (select id from webhook_endpoints order by tenant_id, id offset ${PAGE - 1} limit 1)`
  const { sql: worker, plan, close } = await explained(url)
  after(close)
  const found: StalledPage[] = []
  for (let from: Ref | undefined = BEGIN; from; from = found.at(-1)?.last) {
    const { rows, reads } = await plan(async () =>
      found.push(await stalledOf(worker, SWEEP, part`(clock_timestamp() - interval '10 seconds')`, from, PAGE)),
    )
    assert.ok(rows <= 4 * PAGE, `${rows} rows of ${reads.join(', ')}`)
  }
  const count = (of: 'queued' | 'unqueued') => new Set(found.flatMap(page => page[of].map(each => each.id))).size
  const [{ queued = 0, unqueued = 0 } = {}] = await sql<{ queued: number; unqueued: number }[]>`
    select count(queued_at)::integer as queued, (count(*) - count(queued_at))::integer as unqueued from webhook_endpoints where status = 'enabled'`
  assert.deepEqual([count('queued'), count('unqueued')], [queued, unqueued])
})

test('the jobs of webhooks that wait for long are found without reading the queue for each page of them', async () => {
  const [MANY, PAGE] = [300, 20]
  await sql`truncate webhook_deliveries, webhook_attempts, events, webhook_endpoints cascade`
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
    select ${tenant}, 'wh_waiting_' || n, 'https://shop.example', array['order.created'], '', now(), now() from generate_series(1, ${MANY}::integer) n`
  await insertDeliveries(1)
  await sweeping(SWEEP)(sql)
  await sql`update webhook_endpoints set queued_at = now() - interval '1 minute'`
  const [{ id: lost } = {}] = await sql<{ id: string }[]>`
    delete from graphile_worker._private_jobs j where j.id = (select max(o.id) from graphile_worker._private_jobs o) returning j.payload ->> 'endpointId' as id`
  await sql`vacuum analyze webhook_deliveries, webhook_endpoints, graphile_worker._private_jobs`
  const { sql: worker, plan, close } = await explained(url)
  after(close)
  const { rows, reads } = await plan(() => sweeping(SWEEP, PAGE)(worker))
  assert.ok(rows <= 8 * MANY, `${rows} rows of ${reads.join(', ')}`)
  const found = await sql`select id from webhook_endpoints where queued_at > now() - interval '30 seconds'`
  assert.deepEqual(
    found.map(row => row['id']),
    [lost],
  )
})
