// A row that another transaction holds for long, as a frozen process does: it keeps its own endpoint waiting, and nothing else.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { openDatabase, openWalks, type Sql } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

/** A foreign transaction, with none of our time limits, that holds the endpoint until it is released. */
async function lock(endpoint: string): Promise<() => Promise<void>> {
  const foreign = postgres(app.databaseUrl, { max: 1, onnotice: () => {} })
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

const pending = async (endpoints: string[]): Promise<number> =>
  (await sql`select 1 from webhook_deliveries where endpoint_id = any(${endpoints}) and state = 'pending'`).length

test('no connection of ours waits long for a lock, nor holds one for long when its process hangs', async () => {
  const db = openDatabase(app.databaseUrl, { name: 'limits' })
  const walks = openWalks(app.databaseUrl, { name: 'limits' })
  after(() => Promise.all([db.close(), walks.close()]))
  const limits = async (on: Sql) => {
    const rows =
      await on`select name, setting::int from pg_settings where name in ('lock_timeout', 'idle_in_transaction_session_timeout') order by name`
    return rows.map(row => row['setting'])
  }
  for (const on of [db.sql, db.pointLane, db.listLanes, walks.sql]) assert.deepEqual(await limits(on), [30_000, 5_000])
  assert.deepEqual(await limits(db.sharedPool), [30_000, 50])
  // Those that are opened elsewhere.
  for (const file of ['src/schedule.ts', 'src/queue/runner.ts', 'src/postgres/migrate.ts'])
    assert.match(await readFile(file, 'utf8'), /\.\.\.WAITS/, file)
})
