// A database that was dumped and restored on another cluster, where transactions have lower numbers: no event, from before or after, is passed
// over, delivered twice or out of order.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { envelope } from '../../src/events/emit.ts'
import { insertAll } from '../../src/events/store.ts'
import { newId } from '../../src/ids.ts'
import { keepEpoch } from '../../src/postgres/epoch.ts'
import { isUnavailable } from '../../src/postgres/errors.ts'
import { requireMigrated } from '../../src/postgres/migrate.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { seal } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { startWeb } from '../../src/web.ts'
import { insertMissedBatch, progress } from '../../src/webhooks/catch-up/store.ts'
import { testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anOrder, encoded, ok } from '../support/given.ts'
import { anotherCluster } from '../support/restore.ts'
import { aServer } from '../support/server.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const restore = await anotherCluster(app.superuserUrl)
const path = '/api/v1/events'

/** Web and worker on a database from before the restore, started together. */
async function served(databaseUrl: string, key: string) {
  const env = { ...settingsOf({ ...app, databaseUrl }), HOST: '127.0.0.1', PORT: '0' }
  const running = [shopdesk(['web'], env), shopdesk(['worker'], env)] as const
  const [web, worker] = running
  await Promise.all([web.says(/listening on/), worker.says(/worker is running/)])
  after(async () => {
    for (const { child } of running) child.kill('SIGTERM')
    await Promise.all(running.map(({ ended }) => ended))
  })
  const [, address] = /listening on (\S+)/.exec(web.stdout()) ?? []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answered = async (response: Response) => {
    assert.ok(response.ok, `${response.status} ${await response.clone().text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
    return (await response.json()) as any
  }
  return {
    said: () => running.map(({ stderr }) => stderr()).join(''),
    get: async (to: string) => answered(await fetch(address + to, { headers })),
    post: async (to: string, body: unknown) => answered(await fetch(address + to, { method: 'POST', headers, body: JSON.stringify(body) })),
  }
}

type Get = (
  path: string,
) => Promise<{ data: { id: string; data: { order_id: string } }[]; next_cursor: string | null; resume_cursor: string }>

/** Page by page. */
async function all(get: Get, after?: string) {
  const [events, orders]: [string[], string[]] = [[], []]
  let cursor: string | null | undefined = after
  let resume = after
  do {
    const page = await get(`${path}?limit=2${cursor ? `&after=${cursor}` : ''}`)
    events.push(...page.data.map(({ id }) => id))
    orders.push(...page.data.map(({ data }) => data.order_id))
    resume = page.resume_cursor
    cursor = page.next_cursor
  } while (cursor !== null)
  return { events, orders, resume: resume as string }
}

test('on another cluster events keep their order, cursors go on without loss, and what a webhook missed, before and after, is pending', async () => {
  const hook = await aSubscriber(app)
  const { shop, receiver } = hook
  const caughtUp = await aSubscriber(app)
  const old: Get = async to => ok(await shop.get(to))
  const placed = async (count: number): Promise<string[]> => {
    const ids: string[] = []
    for (let n = 0; n < count; n++) ids.push(ok(await shop.post('/api/v1/orders', anOrder())).id)
    return ids
  }
  const pending = await placed(3)
  await shop.post(`${hook.path}/disable`)
  const missed = await placed(3)
  // This webhook was about to catch up, and had fixed how far.
  await caughtUp.shop.post(`${caughtUp.path}/disable`)
  const missedByTheOther = await caughtUp.emit(3)
  await caughtUp.shop.post(`${caughtUp.path}/enable`, { missed: 'send' })
  await progress(app.sql, { tenant: caughtUp.shop.id, id: caughtUp.id })
  const before = await eventuallyHolds(async () => {
    const read = await all(old)
    assert.equal(read.events.length, 6)
    return read
  })
  const { next_cursor: midway } = await old(`${path}?limit=4`)
  const [first, again] = [await restore(), await restore()]
  // The old cluster goes on after the dump, and a client reads it.
  await placed(2)
  const { resume: lost } = await eventuallyHolds(async () => {
    const read = await all(old)
    assert.equal(read.events.length, 8)
    return read
  })

  const at = await served(first.serviceUrl, shop.key)
  assert.equal(at.said().match(/^The database is on another cluster/gm)?.length, 1, at.said())
  assert.deepEqual((await all(at.get)).events, before.events)
  assert.deepEqual((await all(at.get, midway as string)).events, before.events.slice(4))
  assert.deepEqual((await all(at.get, before.events[4])).events, before.events.slice(5))

  const order = async (on: typeof at) => (await on.post('/api/v1/orders', anOrder())).id as string
  const later = [await order(at), await order(at), await order(at)]
  await eventuallyHolds(async () => assert.deepEqual((await all(at.get, before.resume)).orders, later))
  for (const cursor of [lost, before.events[5]]) assert.deepEqual((await all(at.get, cursor)).orders, later)
  const everything = await all(at.get)
  assert.deepEqual(everything.events.slice(0, 6), before.events)
  assert.deepEqual(everything.orders.slice(6), later)

  await at.post(`${hook.path}/enable`, { missed: 'send' })
  const sent = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).data.order_id).sort()
  await eventuallyHolds(async () => assert.deepEqual(sent(), [...pending, ...missed, ...later].sort()))
  await eventuallyHolds(async () => {
    const { status, held_back_since } = await at.get(hook.path)
    assert.deepEqual([status, held_back_since], ['enabled', null])
  })
  const sentToTheOther = () => caughtUp.receiver.received.map(({ body }) => JSON.parse(body.toString()).id).sort()
  await eventuallyHolds(async () => assert.deepEqual(sentToTheOther(), missedByTheOther))

  // The same dump once more, and a cursor from the time in between.
  const second = await served(again.serviceUrl, shop.key)
  assert.deepEqual((await all(second.get, everything.resume)).events, [])
  const last = [await order(second), await order(second)]
  await eventuallyHolds(async () => assert.deepEqual((await all(second.get, everything.resume)).orders, last))
})

/** The database believes that it was on another cluster. */
const moved = (sql: Sql, epoch?: number) =>
  sql`update event_epoch set cluster = 'another', epoch = coalesce(${epoch ?? null}::integer, epoch)`

async function begun(sql: Sql): Promise<{ epoch: number; lines: string[] }> {
  const lines: string[] = []
  await keepEpoch(sql, line => lines.push(line))
  const [row] = await sql<{ epoch: number }[]>`select epoch from event_epoch`
  return { epoch: row?.epoch as number, lines }
}

test('an epoch is the time it began at, so no two restores of a dump have the same; it grows whatever the clock says, and once', async () => {
  await moved(app.sql, 1)
  const first = await begun(app.sql)
  const [row] = await app.sql`select extract(epoch from clock_timestamp() - timestamptz '2000-01-01 00:00Z') as seconds`
  assert.ok(Math.abs(first.epoch - row?.['seconds']) < 60, String(first.epoch))
  await moved(app.sql, 2_000_000_000)
  assert.equal((await begun(app.sql)).epoch, 2_000_000_001)
  await moved(app.sql, 1)
  const together = await Promise.all([begun(app.sql), begun(app.sql), begun(app.sql)])
  assert.equal(together.flatMap(({ lines }) => lines).length, 1)
  assert.deepEqual((await begun(app.sql)).lines, [])
})

test('a standby begins no epoch; once promoted it is on a timeline of its own, where numbers may be given again, and an epoch begins', async () => {
  const server = await aServer()
  const db = openDatabase(server.url, { name: 'test', lanes: 0, pool: 1 })
  after(() => db.close())
  const { sql } = db
  const { epoch } = await begun(sql)
  await server.restart('SIGINT')
  assert.deepEqual(await eventuallyHolds(() => begun(sql)), { epoch, lines: [] }, 'a restart begins no epoch')
  const [row] = await sql`select current_setting('data_directory') as folder`
  writeFileSync(`${row?.['folder']}/standby.signal`, '')
  await server.restart('SIGINT')
  const inRecovery = async (): Promise<boolean> => (await sql`select pg_is_in_recovery() as so`)[0]?.['so']
  assert.equal(await eventuallyHolds(inRecovery), true)
  assert.deepEqual(await begun(sql), { epoch, lines: [] })
  // Again after a second: a standby that only begins to replay may forget the call, and a promoted one refuses it. Called a hundred times a second,
  // a busy machine never gets to the promotion.
  let toldAt = 0
  await eventually(async () => {
    if (Date.now() - toldAt > 1_000) {
      await sql`select pg_promote(false)`.catch(() => {})
      toldAt = Date.now()
    }
    return !(await inRecovery())
  })
  const promoted = await begun(sql)
  assert.ok(promoted.epoch > epoch)
  assert.match(promoted.lines.join(), /^The database is on another cluster or timeline than before \((\d+)\/00000002, was \1\/00000001\)/)
})

test('a database that was not restored whole is refused', async () => {
  const { serviceUrl, url } = await testDatabase()
  const db = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
  after(() => db.close())
  await db.sql`truncate event_epoch`
  await assert.rejects(requireMigrated(serviceUrl), /^OperatorError: The table event_epoch is empty: the database was not restored/)
})

test('a start says what keeps an epoch from beginning, and waits for its end', async () => {
  await moved(app.sql)
  const vacuum = await app.sql.reserve()
  await vacuum`begin`
  await vacuum`lock table events in share update exclusive mode`
  await assert.rejects(begun(app.sql), (error: Error) => {
    assert.match(error.message, /^No epoch of events can begin .* wait for its end, or end it\.$/)
    return isUnavailable(error.cause)
  })
  await vacuum`rollback`
  vacuum.release()
  assert.equal((await begun(app.sql)).lines.length, 1)
})

test('the role of web and worker may begin an epoch', async () => {
  const service = openDatabase(app.databaseUrl, { name: 'test', lanes: 0, pool: 1 })
  after(() => service.close())
  await moved(app.sql)
  assert.equal((await begun(service.sql)).lines.length, 1)
})

test('no cursor passes over events that are being written while an epoch begins', async () => {
  const shop = await app.tenant()
  const read: Get = async to => ok(await shop.get(to))
  const event = () => {
    const [id, type, at] = [newId('evt'), 'order.created', new Date()]
    return insertAll([{ tenant: shop.id, id, type, body: envelope(id, type, at, {}), depth: 0, run_id: null }], at)
  }
  await moved(app.sql, 1)
  const [older, writing] = [await app.sql.reserve(), await app.sql.reserve()]
  await older`begin`
  await older`select pg_current_xact_id()`
  await writing`begin`
  await writing`${event()}`
  const beginning = begun(app.sql)
  const waits = (what: string) =>
    eventually(
      async () =>
        (await app.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ ${what}`)
          .length > 0,
    )
  await waits('^lock table events')
  // This transaction has the lower number, and writes in the epoch to come.
  const written = older`${event()}`.execute()
  await waits('insert into events')
  await writing`commit`
  await written
  await older`commit`
  for (const each of [older, writing]) each.release()
  await beginning
  const [row] =
    await app.sql`select array_agg(epoch = (select epoch from event_epoch) order by seq) as present from events where tenant_id = ${shop.id}`
  assert.deepEqual(row?.['present'], [false, true])
  await eventuallyHolds(async () => assert.equal((await all(read)).events.length, 2))
})

/** A shop whose events, webhooks and cursors name the oldest epoch or none, from a cluster whose transactions had far higher numbers. */
async function withoutEpochs() {
  const { url, drop } = await testDatabase()
  const db = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
  const { sql } = db
  after(async () => {
    await db.close()
    await drop()
  })
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const ids = Array.from({ length: 6 }, () => newId('evt'))
  await sql`
    insert into events (tenant_id, id, type, created_at, epoch, xid, body)
    select ${tenant}, e.id, 'order.created', now(), 0, (900000000000 + n)::text::xid8,
           json_build_object('id', e.id, 'type', 'order.created', 'created_at', '2026-05-28T20:26:40.000Z', 'data', '{}'::json)
      from unnest(${ids}::text[]) with ordinality as e (id, n)`
  const hooks = [newId('whk'), newId('whk')] as [string, string]
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, status, disabled_xid, catching_up, created_at, updated_at)
    select ${tenant}, h.id, 'https://shop.example', array['order.created'], '', case n when 1 then 'disabled' else 'paused' end,
           case n when 1 then '900000000004'::xid8 end,
           case n when 2 then '{"drop_before": null, "missed_from": "900000000003", "horizon": "900000000007", "next_status": "enabled", "xid": "900000000004", "seq": "4"}'::jsonb end,
           now() - interval '1 hour', now()
      from unnest(${hooks}::text[]) with ordinality as h (id, n)`
  return { sql, url, tenant, ids, hooks }
}

test('an event that names no epoch belongs to the oldest, and comes before all that happens, though its transactions have far higher numbers', async () => {
  const { sql, url, tenant, ids, hooks } = await withoutEpochs()
  const { key } = await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })
  const web = await startWeb({ ...app, databaseUrl: url })
  after(() => web.close())
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const get: Get = async to => {
    const response = await fetch(web.address + to, { headers })
    assert.equal(response.status, 200)
    return (await response.json()) as Awaited<ReturnType<Get>>
  }
  assert.deepEqual((await all(get)).events, ids)
  const order = await fetch(`${web.address}/api/v1/orders`, { method: 'POST', headers, body: JSON.stringify(anOrder()) })
  assert.equal(order.status, 201)
  const [created] = await sql<{ id: string }[]>`select id from events where tenant_id = ${tenant} and epoch > 0`
  const happened = [...ids, created?.id as string]
  await eventuallyHolds(async () => assert.deepEqual((await all(get)).events, happened))

  const sealed = (id: string, at: number) =>
    encoded({ v: 1, sort: 'commit', dir: 'asc', last: seal(app.keyring, `90000000000${at}.${at}`, 'events cursor', `${tenant} ${id}`), id })
  assert.deepEqual((await all(get, sealed(ids[2] as string, 3))).events, happened.slice(3))
  assert.deepEqual((await all(get, sealed(newId('evt'), 5))).events, happened.slice(5), 'its event is gone')

  const [disabled, midway] = hooks
  const enabled = await fetch(`${web.address}/api/v1/webhooks/${disabled}/enable`, { method: 'POST', headers, body: '{"missed":"send"}' })
  assert.equal(enabled.status, 200)
  const pendingOf = async (endpoint: string): Promise<unknown> => {
    const ref = { tenant, id: endpoint }
    const at = (await progress(sql, ref)) ?? assert.fail('it is not catching up')
    await eventually(async () => (await insertMissedBatch(sql, ref, at)) === 'done')
    const [row] = await sql`select array_agg(event_id order by event_id) as pending from webhook_deliveries where endpoint_id = ${endpoint}`
    return row?.['pending']
  }
  assert.deepEqual(await pendingOf(disabled), happened.slice(3))
  // It was enabled already, so a later event becomes pending when it comes; here it comes twice, and is pending once.
  assert.deepEqual(await pendingOf(midway), happened.slice(4))
})

test('a worker that outlives the move begins the epoch within seconds', async () => {
  await app.startWorker()
  await moved(app.sql)
  await eventually(async () => (await app.sql`select 1 from event_epoch where cluster = 'another'`).length === 0)
})
