// How many bytes of uploads and exports are kept for a workspace.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { prune as pruneExports } from '../../src/exports/store.ts'
import { EXPORT_DAYS } from '../../src/limits/exports.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { NDJSON } from '../imports/importing.ts'
import { type Reply, type TestApp, type TestTenant, testApp } from '../support/app.ts'
import { insertOrders } from '../support/bulk-orders.ts'
import { eventually } from '../support/eventually.ts'
import { assertProblem, ok } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const IMPORTS = '/api/v1/imports'
const EXPORTS = '/api/v1/exports'

function assertReached(reply: Reply, limit: number, instance: string): void {
  assertProblem(reply, { status: 409, slug: 'conflict', instance, code: 'quota_reached' })
  assert.equal(reply.body.limit, limit)
  assert.match(reply.body.detail, /wait until an import is over or an export expires, cancel one/)
}

/** Rows of products, of this length in all. */
function rows(bytes: number): string {
  const row = '{"name":"Cap","price_amount":900}\n'
  return row.repeat(Math.floor(bytes / row.length)).padStart(bytes, '\n')
}

suite('uploads', async () => {
  const LIMIT = 100_000
  const app = await testApp({ STORED_BYTES_PER_WORKSPACE: String(LIMIT) })
  const send = (shop: TestTenant, bytes: number) =>
    app.request('POST', `${IMPORTS}?resource=products`, { key: shop.key, raw: rows(bytes), headers: { 'Content-Type': NDJSON } })
  const traces = async (shop: TestTenant) => {
    const [row] = await app.sql`
      select (select count(*) from imports where tenant_id = ${shop.id}) as imports,
             (select count(*) from import_chunks where tenant_id = ${shop.id}) as chunks`
    return { ...row }
  }

  test('are kept to the last byte, and then nothing is begun until one is over', async () => {
    const shop = await app.tenant()
    const first = ok(await send(shop, 60_000))
    ok(await send(shop, 40_000))
    assertReached(await send(shop, 1_000), LIMIT, IMPORTS)
    assertReached(await shop.post(EXPORTS, { resource: 'orders' }), LIMIT, EXPORTS)
    ok(await send(await app.tenant(), 60_000))
    ok(await shop.post(`${IMPORTS}/${first.id}/cancel`))
    ok(await send(shop, 60_000))
  })

  test('are refused on the way where one grows past the limit, and leave nothing behind', async () => {
    const shop = await app.tenant()
    ok(await send(shop, 30_000))
    const sending = request(`${app.url}${IMPORTS}?resource=products`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.key}`, 'Content-Type': NDJSON },
    })
    sending.on('error', () => {})
    const answered = once(sending, 'response')
    sending.write(rows(50_000))
    await eventually(async () => (await app.sql`select from imports where tenant_id = ${shop.id} and bytes_received = 50000`).length > 0)
    sending.write(rows(50_000))
    const [response] = (await answered) as [IncomingMessage]
    assert.equal(response.statusCode, 409)
    assert.equal(JSON.parse(await text(response)).code, 'quota_reached')
    sending.destroy()
    assert.deepEqual(await traces(shop), { imports: 1, chunks: 1 })
    ok(await send(shop, 70_000))
  })

  test('are kept as far as they fit when many come at once, every time', async () => {
    for (let round = 0; round < 6; round++) {
      const shop = await app.tenant()
      const replies = await Promise.all(Array.from({ length: 9 }, () => send(shop, 30_000)))
      const refused = replies.filter(({ status }) => status !== 202)
      assert.equal(replies.length - refused.length, 3, `round ${round}`)
      for (const reply of refused) assertReached(reply, LIMIT, IMPORTS)
      assert.deepEqual(await traces(shop), { imports: 3, chunks: 3 })
    }
  })

  test('are refused on the command line too', async () => {
    const shop = await app.tenant()
    const folder = mkdtempSync(join(tmpdir(), 'shopdesk-test-'))
    const file = join(folder, 'products.ndjson')
    writeFileSync(file, rows(2_000))
    const settings = { ...settingsOf(app), STORED_BYTES_PER_WORKSPACE: '1000' }
    const { ended, stderr } = shopdesk(['import', 'products', file, '--tenant', shop.id, '--json'], settings)
    assert.equal(await ended, 1)
    assert.match(stderr(), /^This workspace may keep 1000 bytes of files, uploads and exports; .*\n$/)
    rmSync(folder, { recursive: true })
    assert.deepEqual(await traces(shop), { imports: 0, chunks: 0 })
  })
})

suite('exports', async () => {
  const over = async (app: TestApp, shop: TestTenant, id: string) => {
    await eventually(async () => (await app.sql`select from exports where id = ${id} and state <> 'running'`).length > 0)
    return ok(await shop.get(`${EXPORTS}/${id}`))
  }
  /** The bytes that an export of a hundred such orders takes. */
  const sample = await testApp()
  await sample.startWorker()
  const sampled = await sample.tenant()
  await insertOrders(sample.sql, sampled, 100)
  const order = async (shop: TestTenant) => (ok(await shop.post(EXPORTS, { resource: 'orders' })) as { id: string }).id
  await over(sample, sampled, await order(sampled))
  const [{ stored_bytes: ONE } = {}] = await sample.sql`select stored_bytes from exports`
  const LIMIT = Math.floor(2.5 * Number(ONE))
  const app = await testApp({ STORED_BYTES_PER_WORKSPACE: String(LIMIT) })
  await app.startWorker()

  test('fail and say why where one grows past the limit; a completed one counts until it expires or is cancelled', async () => {
    const shop = await app.tenant()
    await insertOrders(app.sql, shop, 100)
    const kept = [await order(shop), await order(shop)]
    for (const id of kept) assert.equal((await over(app, shop, id)).state, 'completed')
    const failed = await over(app, shop, await order(shop))
    assert.deepEqual([failed.state, failed.reason_code, failed.download], ['failed', 'quota_reached', null])
    assert.match(failed.reason, /may keep \d+ bytes/)

    const cancelled = ok(await shop.post(`${EXPORTS}/${kept[0]}/cancel`))
    assert.deepEqual([cancelled.state, cancelled.download], ['cancelled', null])
    assert.equal((await over(app, shop, await order(shop))).state, 'completed')
    assert.equal((await over(app, shop, await order(shop))).state, 'failed')
    await app.sql`update exports set finished_at = now() - make_interval(days => ${EXPORT_DAYS}, mins => 1) where id = ${kept[1] as string}`
    await pruneAll(app.sql, pruneExports)
    assert.equal((await over(app, shop, await order(shop))).state, 'completed')
    const left = await app.sql`select export_id from export_chunks c join exports e on e.id = c.export_id where e.state <> 'completed'`
    assert.equal(left.length, 0)
  })

  test('are not begun where nothing is left', async () => {
    const shop = await app.tenant()
    await app.sql`
      insert into exports (tenant_id, id, resource, format, bom, filters, state, stored_bytes, created_at, finished_at)
      values (${shop.id}, 'exp_full', 'orders', 'csv', false, '{}', 'completed', ${LIMIT}, now(), now())`
    assertReached(await shop.post(EXPORTS, { resource: 'orders' }), LIMIT, EXPORTS)
    assertReached(
      await app.request('POST', `${IMPORTS}?resource=products`, { key: shop.key, raw: rows(100), headers: { 'Content-Type': NDJSON } }),
      LIMIT,
      IMPORTS,
    )
  })

  // The last test, because a process writes for the worker that was started last.
  test('are completed as far as they fit when many run at once', async () => {
    const quiet = await testApp({ STORED_BYTES_PER_WORKSPACE: String(LIMIT) })
    const shop = await quiet.tenant()
    await insertOrders(quiet.sql, shop, 100)
    const ids = await Promise.all(Array.from({ length: 5 }, () => order(shop)))
    await quiet.startWorker()
    const states = (await Promise.all(ids.map(id => over(quiet, shop, id)))).map(({ state }) => state)
    assert.deepEqual(states.sort(), ['completed', 'completed', 'failed', 'failed', 'failed'])
  })
})
