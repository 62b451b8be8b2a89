// A worker whose database goes away, comes back, or is full: it lives on, nothing is lost, and the log tells the truth.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { loadConfig } from '../../src/config.ts'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin, openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { setReactions } from '../../src/reactions.ts'
import { parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { create } from '../../src/webhooks/endpoints/endpoints.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import type { Running } from '../support/processes.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'
import { aServer } from '../support/server.ts'
import { shopdesk } from '../support/shopdesk.ts'

// This process emits too.
setReactions()

const WORKER_SESSIONS = ['shopdesk worker', 'shopdesk queue', 'shopdesk lookout', 'shopdesk schedule', 'shopdesk beat']
const event = defineEvent('order.created', '', Type.Any())

/** A tenant with one endpoint, and a worker of its own, on the database of `url`, which the worker may reach by another address. */
async function given(url: string, respond?: Respond, workerUrl = url) {
  const key = randomBytes(32).toString('hex')
  const keyring = parseKeyring(key)
  assert.ok(keyring)
  const db = openDatabase(url, { name: 'test', lanes: 1, pool: 2 })
  after(() => db.close())
  const { sql } = db
  const receiver = await startReceiver(respond)
  after(receiver.close)
  const caller = {
    tenant: (await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })).id,
    actor: { type: 'system' },
  } as const
  const outbound = { allowPrivate: true, allowOrigins: [] }
  const { quotas } = loadConfig({})
  await begin(sql, tx => create(tx, caller, { url: receiver.origin, events: ['order.created'] }, { keyring, outbound, quotas }))
  const worker = shopdesk(['worker'], { DATABASE_URL: workerUrl, SECRET_KEY: key, LOG_LEVEL: 'warn', OUTBOUND_ALLOW_PRIVATE: 'true' })
  await worker.says(/worker is running/)
  // This process loses its connections as well.
  const again = <T>(work: () => Promise<T>): Promise<T> => eventually(() => work().catch(() => undefined)) as Promise<T>
  const pending = () =>
    again(async () => Number((await sql`select count(*) as n from webhook_deliveries where state = 'pending'`)[0]?.['n']))
  // As if the time of lost leases and wake-ups had passed.
  const letTimePass = () =>
    again(
      () => sql`
        update webhook_endpoints set lease_until = now() - interval '1 second', queued_at = now() - interval '1 minute'
         where lease_until is not null`,
    )
  // Whenever nothing has arrived for two seconds, that time passes.
  const until = (done: () => Promise<boolean>) =>
    eventually(async () => {
      const before = receiver.received.length
      if (await done()) return true
      const moved = await eventually(async () => receiver.received.length > before, 2_000).catch(() => false)
      if (!moved) await letTimePass()
      return false
    }, 90_000)
  return {
    sql,
    receiver,
    worker,
    receives: (count: number) => until(async () => receiver.received.length >= count),
    delivered: () => until(async () => (await pending()) === 0),
    letTimePass,
    again,
    /** Resolves when it is accepted: asked again, as a client does, while the database is away. */
    emit: () => again(() => begin(sql, tx => emit(tx, caller, event, {}))),
    pending,
    log: () => sql<{ event_id: string; attempt: number; status: number; delivery: string }[]>`
      select event_id, attempt, status, a.endpoint_id || '.' || substring(a.event_id from 5) || ':' || a.attempt || ':' || substring(a.signature from 't=([0-9]+)') as delivery
        from webhook_attempts a
       order by id`,
  }
}
type Given = Awaited<ReturnType<typeof given>>

const eventOf = (body: Buffer): string => JSON.parse(body.toString()).id
const idsReceived = ({ receiver }: Given): string[] => receiver.received.map(({ headers }) => String(headers['x-service-delivery-id']))

/** Every event that was accepted arrived, and every line of the log is a request that the receiver got, once each. */
async function assertNothingLost(at: Given, accepted: string[]): Promise<void> {
  await at.delivered()
  const events = (await at.sql`select id from events`).map(row => String(row['id']))
  for (const id of accepted) assert.ok(events.includes(id))
  assert.deepEqual(new Set(at.receiver.received.map(({ body }) => eventOf(body))), new Set(events))
  const received = idsReceived(at)
  for (const row of await at.log()) {
    const place = received.indexOf(row.delivery)
    assert.ok(place >= 0, `the log has ${JSON.stringify(row)} more often than it arrived`)
    received.splice(place, 1)
  }
  assert.deepEqual(new Set((await at.log()).map(row => row.event_id)), new Set(events))
  const rows = await at.sql`select state, attempts from webhook_delivery_history where listed`
  assert.ok(
    rows.every(row => row['state'] === 'succeeded' && row['attempts'] === 1),
    JSON.stringify(rows.filter(row => row['attempts'] !== 1)),
  )
}

async function assertEndsWell({ child, ended, stderr }: Running): Promise<void> {
  assert.equal(child.exitCode, null, 'the worker survived')
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
  assert.doesNotMatch(stderr(), /unhandled|UnhandledPromiseRejection/i)
}

const kill = (sql: Sql) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = any(${WORKER_SESSIONS})`

describe('a worker outlives', { concurrency: true }, () => {
  test('the loss of all connections while results are recorded, again and again', async () => {
    const { url } = await testDatabase()
    const at = await given(url, response => setTimeout(() => response.writeHead(204).end(), 20))
    const events: string[] = []
    for (let round = 1; round <= 3; round++) {
      const before = at.receiver.received.length
      events.push(...(await Promise.all(Array.from({ length: 20 }, at.emit))))
      await at.receives(before + 5)
      await kill(at.sql)
      await at.delivered()
    }
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })

  test('a database that is lost between answers and their record: they are recorded when it is back, and nothing is sent twice', async () => {
    const { url } = await testDatabase()
    const proxy = await flakyProxy(url)
    const held: ServerResponse[] = []
    const at = await given(url, response => void held.push(response), proxy.url)
    const events = [await at.emit(), await at.emit(), await at.emit()]
    await at.receiver.until(events.length)
    proxy.block()
    for (const response of held) response.writeHead(204).end()
    await at.worker.says(/recurring work failed/)
    assert.equal(await at.pending(), events.length)
    proxy.mend()
    await eventually(async () => (await at.pending()) === 0)
    assert.equal(at.receiver.received.length, events.length)
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })

  test('the loss of a connection whose statement goes on, holds its rows and commits: the log has the request once', async () => {
    const { url } = await testDatabase()
    const proxy = await flakyProxy(url)
    const held: ServerResponse[] = []
    const at = await given(url, response => void held.push(response), proxy.url)
    await at.sql.unsafe(`
      create sequence slow;
      create function slow_once() returns trigger language plpgsql as $$
      begin
        if nextval('slow') = 1 then perform pg_sleep(2); end if;
        return null;
      end $$;
      create trigger slow_once after insert on webhook_attempts for each statement execute function slow_once();`)
    const events = [await at.emit()]
    await at.receiver.until(events.length)
    for (const response of held) response.writeHead(204).end()
    await eventually(
      async () => (await at.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`).length > 0,
    )
    const asked = async () => Number((await at.sql`select last_value from slow`)[0]?.['last_value'])
    const before = await asked()
    proxy.cut()
    await eventually(async () => (await at.pending()) === 0)
    await eventually(async () => (await asked()) > before)
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })

  test('restarts of PostgreSQL in immediate mode', async () => {
    const server = await aServer()
    const at = await given(server.url, response => setTimeout(() => response.writeHead(204).end(), 50))
    const events: string[] = []
    for (let round = 1; round <= 3; round++) {
      const before = at.receiver.received.length
      events.push(...(await Promise.all(Array.from({ length: 20 }, at.emit))))
      await at.receives(before + 3)
      await server.restart('SIGQUIT')
      await at.delivered()
    }
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })

  test('a read-only spell with deliveries in flight: answers are recorded after it, nothing is sent twice, and new events arrive', async () => {
    const server = await aServer()
    const held: ServerResponse[] = []
    const at = await given(server.url, response => void held.push(response))
    const events = [await at.emit(), await at.emit()]
    await at.receiver.until(events.length)
    await server.readOnly(true)
    for (const response of held.splice(0)) response.writeHead(204).end()
    await at.worker.says(/cannot execute INSERT in a read-only transaction/)
    assert.equal(await at.pending(), events.length)
    await server.readOnly(false)
    await eventually(async () => (await at.pending()) === 0)
    assert.equal(at.receiver.received.length, events.length)
    events.push(await at.emit())
    await at.receiver.until(events.length)
    for (const response of held) response.writeHead(204).end()
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })

  test('a full disk: deliveries stay pending, and are made when there is space again', async () => {
    const { url } = await testDatabase()
    const at = await given(url)
    const first = await at.emit()
    await at.delivered()
    const tables = ['webhook_attempts', 'webhook_deliveries', 'webhook_endpoints', 'worker_pools', 'graphile_worker._private_jobs']
    // Only for the worker: a full disk first refuses statements that make a table or its log grow.
    await at.sql.unsafe(`
      create function disk_is_full() returns trigger language plpgsql as $$
      begin
        if current_setting('application_name') = any ('{${WORKER_SESSIONS.map(name => `"${name}"`)}}') then
          raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
        end if;
        return coalesce(new, old);
      end $$;
      ${tables.map(table => `create trigger full_disk before insert or update on ${table} for each row execute function disk_is_full();`).join('\n')}
      alter table webhook_endpoints disable trigger full_disk;
      alter table graphile_worker._private_jobs disable trigger full_disk;`)
    // At first the disk is full just when the result is to be written; then for everything.
    const events = [first, await at.emit(), await at.emit()]
    await at.receives(3)
    await at.worker.says(/No space left on device/)
    await at.sql.unsafe(
      'alter table webhook_endpoints enable trigger full_disk; alter table graphile_worker._private_jobs enable trigger full_disk;',
    )
    await at.letTimePass()
    await at.worker.says(/"work":"sweep"/)
    assert.equal(await at.pending(), 2)
    assert.equal((await at.log()).length, 1)
    for (const table of tables) await at.sql.unsafe(`drop trigger full_disk on ${table}`)
    await at.letTimePass()
    await at.delivered()
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })

  test('a full disk while results are recorded: they are kept when there is space again, and nothing is sent twice', async () => {
    const { url } = await testDatabase()
    const at = await given(url)
    await at.sql.unsafe(`
      create sequence refused;
      create function disk_is_full() returns trigger language plpgsql as $$
      begin
        perform nextval('refused');
        raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
      end $$;
      create trigger full_disk before insert on webhook_attempts for each statement execute function disk_is_full();`)
    const events = [await at.emit(), await at.emit(), await at.emit()]
    await at.receives(3)
    await eventually(async () => Number((await at.sql`select last_value from refused`)[0]?.['last_value']) > 1)
    await at.sql`drop trigger full_disk on webhook_attempts`
    await eventually(async () => (await at.pending()) === 0)
    assert.equal(at.receiver.received.length, 3)
    await assertNothingLost(at, events)
    await assertEndsWell(at.worker)
  })
})
