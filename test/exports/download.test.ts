// Downloads: all rows of a resource, made while they are sent.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { DOWNLOADS_AT_ONCE } from '../../src/limits/exports.ts'
import { shareOf } from '../../src/places.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { insertOrders, parseNdjson } from '../support/bulk-orders.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { aLine, anOrder, aProduct, assertProblem, assertStandardHeaders } from '../support/given.ts'

const app = await testApp()
const { sql } = app

/** The answer's head, its body not yet read. */
async function begun(shop: TestTenant, path: string): Promise<IncomingMessage> {
  const request = get(app.url + path, { headers: { Authorization: `Bearer ${shop.key}` }, agent: false })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}

async function rest(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

suite('a download', () => {
  test('holds each row once, oldest first, as single reads give it', async () => {
    const shop = await app.tenant()
    const placed = [await shop.post('/api/v1/orders', anOrder()), await shop.post('/api/v1/orders', anOrder())]
    const reply = await shop.get('/api/v1/exports/orders')
    assert.equal(reply.status, 200)
    assertStandardHeaders(reply.headers)
    assert.equal(reply.headers.get('content-type'), 'application/x-ndjson')
    assert.match(reply.headers.get('content-disposition') ?? '', /^attachment; filename="orders-\d{8}T\d{6}Z\.ndjson"$/)
    assert.deepEqual(
      parseNdjson(reply.text),
      placed.map(each => each.body),
    )
  })

  test('of products and contacts has what orders move: stock, reservations, counts', async () => {
    const shop = await app.tenant()
    const variants = [{ name: 'M', sku: 'SHIRT-M', stock: 7 }]
    const shirt = await shop.post('/api/v1/products', aProduct({ sku: 'SHIRT', variants }))
    const hat = await shop.post('/api/v1/products', aProduct({ name: 'Hat', sku: 'HAT', stock: 3 }))
    const placed = await shop.post('/api/v1/orders', anOrder({ items: [aLine({ sku: 'HAT' }), aLine({ sku: 'SHIRT-M' })] }))
    assert.equal(placed.status, 201)
    const alone = async (path: string) => (await shop.get(path)).body
    assert.deepEqual(parseNdjson((await shop.get('/api/v1/exports/products')).text), [
      await alone(`/api/v1/products/${shirt.body.id}`),
      await alone(`/api/v1/products/${hat.body.id}`),
    ])
    assert.deepEqual(parseNdjson((await shop.get('/api/v1/exports/contacts')).text), [
      await alone(`/api/v1/contacts/${placed.body.customer.contact_id}`),
    ])
  })

  test('of thousands is whole, across slices and rows of one millisecond', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 5_003)
    const { status, text } = await shop.get('/api/v1/exports/orders')
    assert.equal(status, 200)
    const rows = await sql`select id from orders where tenant_id = ${shop.id} order by created_at, id`
    assert.deepEqual(
      parseNdjson(text).map(each => each.id),
      rows.map(row => row['id']),
    )
  })

  test('of large rows goes in slices of bytes, not of rows', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 40, 300_000)
    const { text } = await shop.get('/api/v1/exports/orders')
    assert.equal(parseNdjson(text).length, 40)
  })

  test('neither doubles nor skips a row while others are written and changed', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 20_000)
    const answer = await begun(shop, '/api/v1/exports/orders')
    assert.equal((await shop.post('/api/v1/orders', anOrder())).status, 201)
    await sql`update orders set updated_at = now(), status = 'confirmed' where tenant_id = ${shop.id} and number % 2 = 0`
    const ids = parseNdjson(await rest(answer)).map(each => each.id)
    assert.equal(ids.length, 20_000)
    assert.equal(new Set(ids).size, 20_000)
  })

  test('takes the filters of the list, and refuses what the list refuses', async () => {
    const shop = await app.tenant()
    await shop.post('/api/v1/orders', anOrder({ external_id: 'A' }))
    const second = await shop.post('/api/v1/orders', anOrder({ external_id: 'B' }))
    await shop.patch(`/api/v1/orders/${second.body.id}`, { status: 'confirmed' })
    const found = async (query: string) =>
      parseNdjson((await shop.get(`/api/v1/exports/orders?${query}`)).text).map(each => each.external_id)
    assert.deepEqual(await found('status=CONFIRMED'), ['B'])
    assert.deepEqual(await found('external_id=A'), ['A'])
    assert.deepEqual(await found(`created_after=${second.body.created_at}`), [])
    for (const [query, field] of [
      ['status=lost', 'status[0]'],
      ['format=xml', 'format'],
      ['fields=nothing', 'fields'],
      ['bom=true', 'bom'],
      ['created_after=yesterday', 'created_after'],
    ] as const)
      assertProblem(await shop.get(`/api/v1/exports/orders?${query}`), {
        status: 422,
        slug: 'validation-failed',
        instance: '/api/v1/exports/orders',
        field,
      })
  })

  test('shows no other tenant’s rows, and needs the scope read', async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()]
    await shop.post('/api/v1/orders', anOrder())
    await shop.post('/api/v1/products', aProduct())
    for (const resource of ['orders', 'products', 'contacts']) {
      assert.equal(parseNdjson((await shop.get(`/api/v1/exports/${resource}`)).text).length, 1)
      assert.equal((await other.get(`/api/v1/exports/${resource}`)).text, '')
      const writer = await app.tenant({ scopes: ['write'] })
      assert.equal((await writer.get(`/api/v1/exports/${resource}`)).status, 403)
    }
  })

  test('that fits into one slice has an ETag and a length; a longer one has neither', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 3)
    const small = await shop.get('/api/v1/exports/orders')
    const etag = small.headers.get('etag') ?? ''
    assert.match(etag, /^"/)
    assert.equal((await shop.get('/api/v1/exports/orders', { headers: { 'If-None-Match': etag } })).status, 304)
    const bare = await app.request('HEAD', '/api/v1/exports/orders', { key: shop.key })
    assert.equal(bare.headers.get('content-length'), String(small.text.length))
    const large = await app.tenant()
    await insertOrders(sql, large, 3_000)
    for (const method of ['GET', 'HEAD']) {
      const reply = await app.request(method, '/api/v1/exports/orders', { key: large.key })
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('etag'), null)
      assert.equal(reply.text === '', method === 'HEAD')
    }
  })
})

suite('a reader', () => {
  /** Connections of exports that run a statement or hold a transaction. */
  const busy = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'shopdesk web exports' and state <> 'idle'`
    ).length

  test('that is slow holds no connection, and one that leaves gives its place back', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 300, 200_000)
    const answers = []
    for (let i = 0; i < shareOf(DOWNLOADS_AT_ONCE); i++) answers.push(await begun(shop, '/api/v1/exports/orders'))
    await eventuallyHolds(async () => assert.equal(await busy(), 0))
    assertProblem(await shop.get('/api/v1/exports/orders'), {
      status: 409,
      slug: 'conflict',
      instance: '/api/v1/exports/orders',
      code: 'too_many_downloads',
    })
    const other = await app.tenant()
    await insertOrders(sql, other, 3_000)
    assert.equal((await other.get('/api/v1/exports/orders')).status, 200, 'other tenants still get their downloads')
    answers[0]?.destroy()
    await eventuallyHolds(async () => {
      const answer = await begun(shop, '/api/v1/exports/orders')
      answer.destroy()
      assert.equal(answer.statusCode, 200)
    })
    for (const answer of answers) answer.destroy()
  })

  test('of one tenant shares one connection with its others, and keeps no other tenant waiting', async () => {
    const [greedy, other] = [await app.tenant(), await app.tenant()]
    await other.post('/api/v1/products', aProduct())
    const asked: Promise<Reply>[] = []
    await begin(sql, async tx => {
      // With this lock no statement on orders ends.
      await tx`lock table orders in access exclusive mode`
      for (let i = 0; i <= shareOf(DOWNLOADS_AT_ONCE); i++) asked.push(greedy.get('/api/v1/exports/orders'))
      // The one beyond the share is answered at once, the others when the lock ends.
      const refused = await Promise.race(asked)
      assertProblem(refused, { status: 409, slug: 'conflict', instance: '/api/v1/exports/orders', code: 'too_many_downloads' })
      await eventuallyHolds(async () => assert.equal(await busy(), 1))
      assert.equal(parseNdjson((await other.get('/api/v1/exports/products')).text).length, 1)
      assert.equal(await busy(), 1)
    })
    const statuses = (await Promise.all(asked)).map(reply => reply.status)
    assert.deepEqual(statuses.toSorted(), [...Array(shareOf(DOWNLOADS_AT_ONCE)).fill(200), 409])
  })

  test('that asks for the head alone, or has the file already, leaves no place taken', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 3)
    const etag = (await shop.get('/api/v1/exports/orders')).headers.get('etag') ?? ''
    for (let i = 0; i <= DOWNLOADS_AT_ONCE; i++) {
      assert.equal((await app.request('HEAD', '/api/v1/exports/orders', { key: shop.key })).status, 200)
      assert.equal((await shop.get('/api/v1/exports/orders', { headers: { 'If-None-Match': etag } })).status, 304)
      assert.equal((await shop.get('/api/v1/exports/exp_01jzzzzzzzzzzzzzzzzzzzzzzz/download')).status, 404)
    }
  })

  test('that leaves ends the statement under way', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 300, 200_000)
    const answer = await begun(shop, '/api/v1/exports/orders')
    await begin(sql, async tx => {
      await tx`lock table orders in access exclusive mode`
      answer.resume()
      await eventuallyHolds(async () => assert.equal(await busy(), 1))
      answer.destroy()
      await eventuallyHolds(async () => assert.equal(await busy(), 0))
    })
  })
})
