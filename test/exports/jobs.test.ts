// Exports written by a worker: their progress, their file, and what becomes of them when a worker is killed.
import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { exportables } from '../../src/catalog.ts'
import * as store from '../../src/exports/store.ts'
import { createWrite } from '../../src/exports/write.ts'
import { EXPORT_DAYS, EXPORTS_OF_TENANT } from '../../src/limits/exports.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { insertOrders, parseNdjson } from '../support/bulk-orders.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder, assertProblem, ok } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const { sql } = app

const order = async (shop: TestTenant, body: object = {}) => ok(await shop.post('/api/v1/exports', { resource: 'orders', ...body }))

// The database answers: over REST this would test the rate limit.
async function ended(shop: TestTenant, id: string) {
  await eventuallyHolds(async () => {
    const [row] = await sql`select state from exports where tenant_id = ${shop.id} and id = ${id}`
    assert.notEqual(row?.['state'], 'running')
  })
  return ok(await shop.get(`/api/v1/exports/${id}`))
}

suite('an export that is not yet written', () => {
  test('says so, can be cancelled, and is one of a few', async () => {
    const shop = await app.tenant()
    const made = await shop.post('/api/v1/exports', { resource: 'orders', format: 'csv', filters: { status: ['PENDING'] } })
    assert.equal(made.status, 202)
    assert.equal(made.headers.get('location'), `/api/v1/exports/${made.body.id}`)
    const { state, total, rows, filters, download } = made.body
    assert.deepEqual([state, total, rows, filters, download], ['running', null, 0, { status: ['pending'] }, null])
    const path = `/api/v1/exports/${made.body.id}`
    assertProblem(await shop.get(`${path}/download`), {
      status: 409,
      slug: 'conflict',
      instance: `${path}/download`,
      code: 'export_not_complete',
    })
    for (let i = 1; i < EXPORTS_OF_TENANT; i++) await order(shop)
    assertProblem(await shop.post('/api/v1/exports', { resource: 'orders' }), {
      status: 409,
      slug: 'conflict',
      instance: '/api/v1/exports',
      code: 'too_many_exports',
    })
    assert.equal(ok(await shop.post(`${path}/cancel`)).state, 'cancelled')
    assert.equal(ok(await shop.post(`${path}/cancel`)).state, 'cancelled', 'again changes nothing')
    await order(shop)
    assert.equal(ok(await shop.get('/api/v1/exports')).data.length, EXPORTS_OF_TENANT + 1)
    await sql`update exports set state = 'cancelled', finished_at = now() where state = 'running'`
  })

  test('is refused for what its resource has not', async () => {
    const shop = await app.tenant()
    for (const [body, field, code] of [
      [{}, 'resource', 'required'],
      [{ resource: 'webhooks' }, 'resource', 'invalid_choice'],
      [{ resource: 'orders', filters: { status: ['lost'] } }, 'filters.status[0]', 'invalid_choice'],
      [{ resource: 'orders', filters: { sku: 'A' } }, 'filters.sku', 'unknown_field'],
      [{ resource: 'orders', fields: ['nothing'] }, 'fields', 'unknown_path'],
      [{ resource: 'orders', bom: true }, 'bom', 'not_offered'],
    ] as const)
      assertProblem(await shop.post('/api/v1/exports', body), {
        status: 422,
        slug: 'validation-failed',
        instance: '/api/v1/exports',
        field,
        code,
      })
    assert.equal((await shop.post('/api/v1/exports', {})).body.errors.length, 1)
  })
})

suite('an export', () => {
  before(() => app.startWorker())

  test('is the file that a download would be, compressed for clients that accept it, and does not change', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 3_500)
    const whole = await shop.get('/api/v1/exports/orders')
    const done = await ended(shop, (await order(shop)).id)
    const { state, total, rows, bytes, seconds_left, download } = done
    assert.deepEqual([state, total, rows, bytes, seconds_left], ['completed', 3_500, 3_500, whole.text.length, null])
    const plain = await shop.get(download, { headers: { 'Accept-Encoding': 'identity' } })
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.equal(plain.headers.get('content-length'), String(bytes))
    assert.equal(plain.text, whole.text)
    const zipped = await fetch(app.url + download, { headers: { Authorization: `Bearer ${shop.key}`, 'Accept-Encoding': 'gzip' } })
    assert.equal(zipped.headers.get('content-encoding'), 'gzip')
    assert.ok(Number(zipped.headers.get('content-length')) < bytes / 2)
    assert.equal(await zipped.text(), whole.text)
    assert.notEqual(zipped.headers.get('etag'), plain.headers.get('etag'))
    const etag = plain.headers.get('etag') ?? ''
    await shop.post('/api/v1/orders', anOrder())
    assert.equal((await shop.get(download, { headers: { 'If-None-Match': etag, 'Accept-Encoding': 'identity' } })).status, 304)
    const head = await app.request('HEAD', download, { key: shop.key, headers: { 'Accept-Encoding': 'identity' } })
    assert.deepEqual([head.status, head.headers.get('etag'), head.headers.get('content-length')], [200, etag, String(bytes)])
  })

  test('of nothing is empty; as CSV it has its header', async () => {
    const shop = await app.tenant()
    for (const [format, text] of [
      ['ndjson', ''],
      ['csv', 'id,customer.email\r\n'],
    ]) {
      const { state, download } = await ended(shop, (await order(shop, { format, fields: ['id', 'customer.email'] })).id)
      assert.equal(state, 'completed')
      assert.equal((await shop.get(download)).text, text)
    }
  })

  test('cancelled leaves no file behind; a completed one goes when its time is over, and not before', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 2_500)
    const kept = await ended(shop, (await order(shop)).id)
    const old = await ended(shop, (await order(shop)).id)
    const cancelled = await ended(shop, (await order(shop)).id)
    await sql`update exports set finished_at = now() - make_interval(days => ${EXPORT_DAYS}, mins => 1) where id = ${old.id}`
    await sql`update exports set state = 'cancelled' where id = ${cancelled.id}`
    await pruneAll(sql, store.prune)
    const chunks = await sql`select distinct export_id from export_chunks where tenant_id = ${shop.id}`
    assert.deepEqual(
      chunks.map(row => row['export_id']),
      [kept.id],
    )
    assert.equal((await shop.get(`/api/v1/exports/${old.id}`)).status, 404)
    assert.equal(ok(await shop.get(`/api/v1/exports/${cancelled.id}`)).state, 'cancelled')
    assert.equal((await shop.get(kept.download)).status, 200)
  })
})

suite('a worker', () => {
  /** Connections that break at the nth statement that writes a chunk. */
  function dying(real: Sql, chunks: number): Sql {
    let left = chunks
    const tag = (...args: Parameters<Sql>) => {
      const text = (args[0] as unknown as string[]).join('')
      if (text.includes('insert into export_chunks') && left-- === 0) throw new Error('killed')
      return real(...args)
    }
    return Object.assign(tag, { json: real.json, begin: real.begin }) as unknown as Sql
  }

  test('that fails between two chunks leaves a place where the next goes on; the file has no gap and no row twice', async () => {
    const quiet = await testApp()
    const shop = await quiet.tenant()
    await insertOrders(quiet.sql, shop, 1_000)
    // Decoded: slices of 256 rows.
    const { id } = ok(await shop.post('/api/v1/exports', { resource: 'orders', fields: ['id'] }))
    const ref = { tenant: shop.id, id }
    const writing = { nouns: exportables, storedBytes: app.config.quotas.storedBytes, stopping: new AbortController().signal }
    await assert.rejects(createWrite({ ...writing, sql: dying(quiet.sql, 2) })(ref), /killed/)
    const [half] = await quiet.sql`select chunks, rows from exports where id = ${id}`
    assert.deepEqual({ ...half }, { chunks: 2, rows: 512 })
    // Two jobs at once: each chunk is written by one of them.
    const write = createWrite({ ...writing, sql: quiet.sql })
    await Promise.all([write(ref), write(ref)])
    const [done] = await quiet.sql`select state, rows, chunks from exports where id = ${id}`
    assert.deepEqual({ ...done }, { state: 'completed', rows: 1_000, chunks: 4 })
    const chunks = await quiet.sql<{ body: Buffer }[]>`select body from export_chunks where export_id = ${id} order by number`
    const text = gunzipSync(Buffer.concat(chunks.map(each => each.body))).toString()
    const all = await quiet.sql`select id from orders where tenant_id = ${shop.id} order by created_at, id`
    assert.deepEqual(
      parseNdjson(text).map(each => each.id),
      all.map(row => row['id']),
    )
  })

  test('that is killed is followed by another, and the file is whole', async () => {
    const quiet = await testApp()
    const shop = await quiet.tenant()
    await insertOrders(quiet.sql, shop, 200, 300_000)
    const { id } = ok(await shop.post('/api/v1/exports', { resource: 'orders' }))
    const chunks = async () => Number((await quiet.sql`select chunks from exports where id = ${id}`)[0]?.['chunks'])
    const killed = shopdesk(['worker'], settingsOf(quiet))
    await eventuallyHolds(async () => assert.ok((await chunks()) >= 2))
    killed.child.kill('SIGKILL')
    await killed.ended
    const before = await chunks()
    // Liveness does this when the pool has been silent for long enough.
    await quiet.sql`select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null))`
    await quiet.startWorker()
    await eventuallyHolds(async () => assert.equal(ok(await shop.get(`/api/v1/exports/${id}`)).state, 'completed'))
    const { text } = await shop.get(`/api/v1/exports/${id}/download`)
    assert.equal(new Set(parseNdjson(text).map(each => each.id)).size, 200)
    assert.equal(parseNdjson(text).length, 200)
    assert.ok(before < (await chunks()), 'it was killed on the way')
  })

  test('whose job has failed for good ends its export as failed', async () => {
    const quiet = await testApp()
    const shop = await quiet.tenant()
    const { id } = ok(await shop.post('/api/v1/exports', { resource: 'orders' }))
    await store.endAbandoned(quiet.sql)
    assert.equal(ok(await shop.get(`/api/v1/exports/${id}`)).state, 'running', 'its job is there')
    await quiet.sql`delete from graphile_worker._private_jobs`
    await store.endAbandoned(quiet.sql)
    const { state, reason } = ok(await shop.get(`/api/v1/exports/${id}`))
    assert.equal(state, 'failed')
    assert.ok(reason)
  })
})
