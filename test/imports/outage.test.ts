// An import whose database is full or lost while the file is kept or applied says what it waits for, goes on where it was, and doubles nothing.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { applySlice } from '../../src/imports/apply.ts'
import { isUnavailable } from '../../src/postgres/errors.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { assertProblem } from '../support/given.ts'
import { sessionWaits } from '../support/locks.ts'
import { type Importer, importing, NDJSON } from './importing.ts'

// No worker runs: the test runs the import's slices.
const app = await testApp()
const { shop } = importing(app)
// A worker's connections, which can be cut.
const proxy = await flakyProxy(app.databaseUrl)
const { sql, close } = openDatabase(proxy.url, { name: 'test worker', lanes: 0, pool: 4 })
after(close)
const file = (rows: number): string =>
  Array.from({ length: rows }, (_, i) => `${JSON.stringify({ name: `P ${i}`, price_amount: i, sku: `S-${i}` })}\n`).join('')

const sent = async (at: Importer, rows: number): Promise<string> =>
  (await at.send('resource=products', file(rows), { 'Content-Type': NDJSON })).body.id

const turn = (at: Importer, id: string): Promise<boolean> =>
  applySlice({ sql, standing: UNWATCHED, stopping: new AbortController().signal }, { tenant: at.id, id }, 60_000)

/** Fills the disk for these tables, which cannot grow from now on. @param condition of the trigger, in SQL @returns makes room again */
async function fullDisk(tables: string[], condition = 'true'): Promise<() => Promise<void>> {
  await app.sql.unsafe(`
    create sequence if not exists found_full;
    create or replace function disk_is_full() returns trigger language plpgsql security definer as $$
    begin
      perform nextval('found_full');
      raise exception using errcode = '53100', message = 'could not extend file: No space left on device';
    end $$`)
  for (const table of tables)
    await app.sql.unsafe(
      `create trigger full_disk after insert or update on ${table} for each row when (${condition}) execute function disk_is_full()`,
    )
  return async () => {
    for (const table of tables) await app.sql.unsafe(`drop trigger full_disk on ${table}`)
  }
}

/** Each row once, with its event and its audit row, and counted. */
async function assertAllThereOnce(at: Importer, id: string, rows: number): Promise<void> {
  const { body } = await at.get(`/api/v1/imports/${id}`)
  assert.deepEqual([body.status, body.error], ['completed', null])
  assert.deepEqual([body.rows_read, body.created, body.failed], [rows, rows, 0])
  const [there] = await app.sql`
    select count(*) as products, count(distinct sku) as skus,
           (select count(*) from events e where e.tenant_id = ${at.id} and e.type = 'product.created') as events,
           (select count(*) from audit_log a where a.tenant_id = ${at.id} and a.action = 'product.create') as audited
      from products where tenant_id = ${at.id}`
  assert.deepEqual({ ...there }, { products: rows, skus: rows, events: rows, audited: rows })
}

suite('an import whose database is full', () => {
  test('says so while it waits, keeps what was applied, and goes on when there is room', async () => {
    const at = await shop()
    const id = await sent(at, 3_000)
    const makeRoom = await fullDisk(['products'], `new.name in ('P 1500', 'P 2500')`)
    await assert.rejects(turn(at, id), { code: '53100' })
    const waiting = (await at.get(`/api/v1/imports/${id}`)).body
    assert.deepEqual([waiting.status, waiting.error.code, waiting.created, waiting.failed], ['running', 'disk_full', 1_000, 0])
    const [job] =
      await app.sql`select run_at > now() as later from graphile_worker._private_jobs where payload ->> 'importId' = ${id} and run_at > now()`
    assert.equal(job?.['later'], true, 'a job is queued for when the wait is over')
    await makeRoom()
    assert.equal(await turn(at, id), true)
    await assertAllThereOnce(at, id, 3_000)
  })

  test('so that not even its wait can be recorded says so, and is given back, once there is room', async () => {
    const at = await shop()
    const id = await sent(at, 1_500)
    const makeRoom = await fullDisk(['products', 'imports', 'graphile_worker._private_jobs'], `to_jsonb(new) ->> 'lease_token' is null`)
    // Sequences are not rolled back.
    const found = async () => Number((await app.sql`select last_value from found_full`)[0]?.['last_value'])
    const [before, failing] = [await found(), assert.rejects(turn(at, id), { code: '53100' })]
    await eventually(async () => (await found()) >= before + 2)
    const { body } = await at.get(`/api/v1/imports/${id}`)
    assert.deepEqual([body.status, body.error, await turn(at, id)], ['running', null, false], 'the lease is held')
    await makeRoom()
    await failing
    assert.equal((await at.get(`/api/v1/imports/${id}`)).body.error.code, 'disk_full')
    assert.equal(await turn(at, id), true)
    await assertAllThereOnce(at, id, 1_500)
  })

  test('while its file is sent is refused with a 503, and its repeat is imported once', async () => {
    const at = await shop()
    const headers = { 'Content-Type': NDJSON, 'Idempotency-Key': 'catalogue' }
    const makeRoom = await fullDisk(['import_chunks'], 'new.number = 2')
    const refused = await at.send('resource=products', file(2_500), headers)
    assertProblem(refused, { status: 503, slug: 'service-unavailable', instance: '/api/v1/imports' })
    await makeRoom()
    const { body } = await at.send('resource=products', file(2_500), headers)
    assert.equal((await at.send('resource=products', file(2_500), headers)).status, 409)
    assert.equal(await turn(at, body.id), true)
    await assertAllThereOnce(at, body.id, 2_500)
  })
})

suite('an import whose database is lost', () => {
  test('in the middle of a statement says so, and goes on when it is back', async () => {
    const at = await shop()
    const id = await sent(at, 1_000)
    await app.sql.begin(async tx => {
      await tx`lock table audit_log in exclusive mode`
      const lost = assert.rejects(turn(at, id), isUnavailable)
      await sessionWaits(app.sql)
      proxy.cut('resetAndDestroy')
      await lost
    })
    const { body } = await at.get(`/api/v1/imports/${id}`)
    assert.deepEqual([body.status, body.error.code, body.created], ['running', 'database_unavailable', 0])
    assert.equal(await turn(at, id), true)
    await assertAllThereOnce(at, id, 1_000)
  })

  test('again and again, wherever it is, has each row once in the end', async () => {
    const at = await shop()
    const id = await sent(at, 8_000)
    const applied = async () => (await app.sql<{ rows_read: number }[]>`select rows_read from imports where id = ${id}`)[0]?.rows_read ?? 0
    let losses = 0
    for (let done = false; !done; ) {
      const before = await applied()
      const taking = turn(at, id).catch(() => {
        losses++
        return false
      })
      if (losses < 5) {
        await eventually(async () => (await applied()) > before)
        proxy.cut(losses % 2 ? 'destroy' : 'resetAndDestroy')
      }
      done = await taking
      // As if the time of a lease that no process could end had gone by.
      if (!done) await app.sql`update imports set lease_until = null where id = ${id}`
    }
    assert.ok(losses > 1, `it was lost ${losses} times`)
    await assertAllThereOnce(at, id, 8_000)
  })
})
