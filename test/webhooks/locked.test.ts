// A row that another transaction holds for long, as a frozen process does: it keeps its own endpoint waiting, and nothing else.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { listen } from '../../src/postgres/listen.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { requireSessions } from '../../src/postgres/pooler.ts'
import { openDatabase, openWalks, type Sql } from '../../src/postgres/sql.ts'
import { startWeb } from '../../src/web.ts'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { connectedDatabase } from '../support/database.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { waitingForAdvisory } from '../support/locks.ts'
import { startShopdesk } from '../support/processes.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

/** A foreign transaction, with none of our time limits, that holds the endpoint until it is released. */
async function lock(endpoint: string, { databaseUrl } = app): Promise<() => Promise<void>> {
  const foreign = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  after(() => foreign.end())
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transaction = foreign.begin(async tx => {
    await tx`select 1 from webhook_endpoints where id = ${endpoint} for update`
    locked.resolve()
    await over.promise
  })
  await locked.promise
  return async () => {
    over.resolve()
    await transaction
  }
}

test('while the row of an endpoint is locked, others are woken, served, recorded and released', async () => {
  const [held, ...others] = await Promise.all(Array.from({ length: 5 }, () => aSubscriber(app)))
  assert.ok(held)
  await app.startWorker()
  const unlock = await lock(held.id)
  // Several rounds: each is a wake-up, a slice and a record that has the locked one beside it.
  for (let round = 1; round <= 3; round++) {
    await held.emit()
    for (const each of others) await each.emit()
    for (const each of others) await each.receiver.until(round)
    await eventually(async () => (await pending(others.map(each => each.id))) === 0)
  }
  assert.equal(held.receiver.received.length, 0)
  await unlock()
  await held.receiver.until(3)
})

test('an answer that comes while the endpoint is locked is recorded when it is free, and its delivery is not sent again', async () => {
  const answering = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const held = await aSubscriber(app, response => {
    asked.resolve()
    answering.promise.then(() => response.writeHead(204).end())
  })
  await app.startWorker()
  const [event] = await held.emit()
  await asked.promise
  const unlock = await lock(held.id)
  answering.resolve()
  const other = await aSubscriber(app)
  await other.emit()
  await other.receiver.until(1)
  await eventually(async () => (await pending([other.id])) === 0)
  assert.equal(await pending([held.id]), 1)
  await unlock()
  await eventually(async () => (await pending([held.id])) === 0)
  await held.emit()
  await held.receiver.until(2)
  assert.equal(held.receiver.received.filter(({ body }) => JSON.parse(String(body)).id === event).length, 1)
})

test('of answers that come at once all are recorded while one endpoint is locked, but its own', async () => {
  // One worker, which records them together.
  const own = await testApp()
  const answers: (() => void)[] = []
  const hooks = await Promise.all(
    Array.from({ length: 12 }, () => aSubscriber(own, response => void answers.push(() => response.writeHead(204).end()))),
  )
  await own.startWorker()
  for (const hook of hooks) await hook.emit()
  await eventually(async () => answers.length === hooks.length)
  const [held, ...others] = hooks.map(({ id }) => id) as [string, ...string[]]
  const left = async (ids: string[]): Promise<number> =>
    (await own.sql`select 1 from webhook_deliveries where endpoint_id = any(${ids}) and state = 'pending'`).length
  const unlock = await lock(held, own)
  for (const answer of answers.toReversed()) answer()
  let hasWaited = false
  await eventually(async () => {
    const waiting = await own.sql`
      select from pg_stat_activity where datname = current_database() and application_name like 'shopdesk %' and wait_event_type = 'Lock'`
    hasWaited ||= waiting.length > 0
    return (await left(others)) === 0
  })
  assert.deepEqual([await left([held]), hasWaited], [1, false])
  await unlock()
  await eventually(async () => (await left([held])) === 0)
})

test('a web process that is frozen in a transaction delays its own endpoint alone, and that until its session is ended', async () => {
  const [frozen, other] = [await aSubscriber(app), await aSubscriber(app)]
  await app.startWorker()
  // Its transaction has changed the endpoint's row, and waits at its line of the audit log.
  await sql.unsafe(`
    create function hold_audit() returns trigger language plpgsql as $$ begin
      if new.subject_id = '${frozen.id}' then perform pg_advisory_xact_lock(6); end if;
      return new; end $$;
    create trigger hold_audit before insert on audit_log for each row execute function hold_audit()`)
  const held = await sql.reserve()
  await held`select pg_advisory_lock(6)`
  const limited = { ...settingsOf(app), DATABASE_URL: `${app.databaseUrl}?idle_in_transaction_session_timeout=3000` }
  const web = await startShopdesk('web', { ...limited, HOST: '127.0.0.1', PORT: '0' }, 'kept')
  const headers = { Authorization: `Bearer ${frozen.shop.key}`, 'Content-Type': 'application/json' }
  const request = fetch(`${web.ready}${frozen.path}`, { method: 'PATCH', headers, body: '{"description":"a change"}' }).catch(() => {})
  const [session] = await eventually(async () => {
    const pids = await waitingForAdvisory(sql, 6)
    return pids.length > 0 && pids
  })
  web.child.kill('SIGSTOP')
  await held`select pg_advisory_unlock(6)`
  held.release()
  const hanging = () => sql`select 1 from pg_stat_activity where pid = ${session as number} and state = 'idle in transaction'`
  await eventually(async () => (await hanging()).length === 1)
  await frozen.emit()
  await other.emit(3)
  await other.receiver.until(3)
  await eventually(async () => (await pending([other.id])) === 0)
  assert.deepEqual([frozen.receiver.received.length, (await hanging()).length], [0, 1])
  await frozen.receiver.until(1)
  assert.equal((await hanging()).length, 0)
  await web.stop('SIGKILL')
  await request
})

const pending = async (endpoints: string[]): Promise<number> =>
  (await sql`select 1 from webhook_deliveries where endpoint_id = any(${endpoints}) and state = 'pending'`).length

test('no connection of web, worker, migrate or a command waits long for a lock, nor holds one for long when its process hangs', async () => {
  // Notes the limits of each session as it begins, before it has sent anything.
  const { sql: at, url } = await connectedDatabase()
  await at.unsafe(`
    create table session_limits (name text, lock_ms text, idle_ms text);
    create function note_session() returns event_trigger language plpgsql security definer as $$ begin
      insert into session_limits values (current_setting('application_name'), current_setting('lock_timeout'),
                                   current_setting('idle_in_transaction_session_timeout')); end $$;
    create event trigger note_sessions on login execute function note_session()`)
  await migrate(url)
  await requireSessions(url)
  const needs = { config: app.config, databaseUrl: url, keyring: app.keyring }
  const [web, worker] = [await startWeb(needs), await startWorker(needs)]
  const db = openDatabase(url, { name: 'shopdesk command' })
  const walks = openWalks(url, { name: 'shopdesk walk' })
  const listening = listen(
    url,
    'live',
    () => {},
    () => {},
  )
  try {
    const limitsOf = async (on: Sql) => (await on`select current_setting('lock_timeout') as lock`)[0]?.['lock']
    for (const on of [db.sql, db.pointLane, db.listLanes, db.longPool, ...db.keepLanes, walks.sql]) assert.equal(await limitsOf(on), '5s')
    assert.equal(await limitsOf(db.sharedPool), '50ms')
    const seen = () =>
      at<{ name: string; lock_ms: string; idle_ms: string }[]>`select distinct name, lock_ms, idle_ms from session_limits order by name`
    await eventuallyHolds(async () => {
      const names = new Set((await seen()).map(({ name }) => name))
      assert.deepEqual(
        PROCESSES.filter(name => !names.has(`shopdesk ${name}`)),
        [],
      )
    })
    assert.deepEqual(
      (await seen()).filter(({ lock_ms, idle_ms }) => !['5s', '50ms'].includes(lock_ms) || idle_ms !== '30s'),
      [],
    )
  } finally {
    // Before their database goes.
    await Promise.all([web, worker, db, walks, listening].map(each => each.close()))
  }
})

/** Some of the sessions that are begun: all of them are judged. */
const PROCESSES = [
  'migrate',
  'probe',
  'start',
  'web',
  'worker',
  'queue',
  'beat',
  'schedule',
  'retention',
  'lookout',
  'standing',
  'listening',
]
