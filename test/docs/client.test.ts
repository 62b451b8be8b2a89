// The TypeScript client: its example runs against the service as its page shows it, and what the service serves is a package npm installs.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as example from '../../docs/client/example.ts'
import { everyItem, type ProblemError, shopdesk, taken } from '../../docs/client/index.js'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder, aProduct } from '../support/given.ts'

const app = await testApp()
const { key, post } = await app.tenant()
const shop = shopdesk({ baseUrl: app.url, apiKey: key })
const pages = ['docs/api/client.md', 'docs/api/events.md'].map(file => readFileSync(file, 'utf8')).join('\n')

test('the pages show the example as it is', () => {
  const source = readFileSync('docs/client/example.ts', 'utf8')
  const shown = [...pages.matchAll(/```ts\n([\s\S]*?)\n```/g)].map(([, block = '']) => block).filter(block => block.includes('export '))
  assert.equal(shown.length, 7)
  for (const block of shown) assert.ok(source.includes(block), block)
})

test('create: a request made twice under one Idempotency-Key is carried out once, and answered alike', async () => {
  const order = await example.placeOrder(shop)
  assert.equal(order.total_amount, 9800)
  const again = await taken(
    shop.POST('/api/v1/orders', { params: { header: { 'Idempotency-Key': 'checkout-10482' } }, body: anOrder() as never }),
  )
  assert.equal(again.id, order.id)
})

test('a refusal has the members of its type', async () => {
  const order = (await post('/api/v1/orders', anOrder())).body
  assert.equal(await example.deliver(shop, order.id), 'first: confirmed or processing or SHIPPED or CANCELLED')
  await assert.rejects(
    taken(shop.GET('/api/v1/orders/{id}', { params: { path: { id: 'ord_x' } } })),
    (error: ProblemError) => error.problem.status === 404 && /no such order/.test(error.message),
  )
})

test('a list is read to its end while rows are inserted, none twice and none left out', async () => {
  const before = new Set<string>()
  for (let count = 0; count < 25; count++) before.add((await post('/api/v1/orders', anOrder())).body.id)
  let busy = true
  const inserting = (async () => {
    for (let count = 0; count < 40 && busy; count++) await post('/api/v1/orders', anOrder())
  })()
  const seen = await example.openOrders(shop)
  busy = false
  await inserting
  assert.deepEqual(
    [...before].filter(id => !seen.has(id)),
    [],
  )
  const ids: string[] = []
  for await (const { id } of everyItem(shop, '/api/v1/orders', { query: { limit: 7, dir: 'asc' } })) ids.push(id)
  assert.equal(new Set(ids).size, ids.length)
})

test('a conditional read costs no body until something changes', async () => {
  const { id } = (await post('/api/v1/orders', anOrder())).body
  const first = await example.refresh(shop, id)
  assert.equal(await example.refresh(shop, id, first), first)
  await taken(shop.PATCH('/api/v1/orders/{id}', { params: { path: { id } }, body: { note: 'call before delivery' } }))
  const second = await example.refresh(shop, id, first)
  assert.equal(second.order.note, 'call before delivery')
  assert.notEqual(second.etag, first.etag)
})

test('events are followed from where the last call ended, each handed on once', async () => {
  const other = await app.tenant()
  const its = shopdesk({ baseUrl: app.url, apiKey: other.key })
  let at: string | null = null
  const place = {
    load: async () => at,
    save: async (cursor: string | null) => {
      at = cursor
    },
  }
  const seen: string[] = []
  for (const count of [0, 3, 0, 2]) {
    const placed: string[] = []
    for (let n = 0; n < count; n++) placed.push((await other.post('/api/v1/orders', anOrder())).body.id)
    const expected = [...seen, ...placed]
    // New events are held back while any older transaction is under way.
    await eventuallyHolds(async () => {
      await example.followEvents(its, place, async event => void seen.push((event.data as { order_id: string }).order_id))
      assert.deepEqual(seen, expected)
    })
  }
})

test('bulk: each item has its own result', async () => {
  const { id } = (await post('/api/v1/products', aProduct())).body
  const results = await example.reprice(shop, [
    { id, price_amount: 4500 },
    { id: 'prod_01111111111111111111111111', price_amount: 1 },
  ])
  assert.deepEqual(results, ['Linen shirt: 4500', '404: There is no such product.'])
})

test('import, and wait for its end', async () => {
  await app.startWorker()
  const done = await example.importProducts(shop, [aProduct({ sku: 'A' }), aProduct({ sku: 'B' }), { name: 'no price' }])
  assert.equal(done.status, 'completed')
  assert.deepEqual([done.created, done.failed], [2, 1])
})

test('a request above the rate limit is repeated when the service says so', async () => {
  const answers = [429, 503, 200]
  const waits: number[] = []
  const patient = shopdesk({
    baseUrl: app.url,
    apiKey: key,
    fetch: async () => {
      waits.push(performance.now())
      const status = answers.shift() as number
      return Response.json({ object: 'list', data: [], has_more: false, next_cursor: null }, { status, headers: { 'Retry-After': '0' } })
    },
  })
  assert.deepEqual(await taken(patient.GET('/api/v1/orders')), { object: 'list', data: [], has_more: false, next_cursor: null })
  assert.equal(waits.length, 3)
})

test('a call that is given up does not wait for its next try', async () => {
  const giving = new AbortController()
  const tooMany = async () => {
    setImmediate(() => giving.abort(new Error('given up')))
    return Response.json({}, { status: 429, headers: { 'Retry-After': '60' } })
  }
  const patient = shopdesk({ baseUrl: app.url, apiKey: key, fetch: tooMany })
  await assert.rejects(patient.GET('/api/v1/orders', { signal: giving.signal }), /given up/)
})

test('the service serves the client as a package that npm installs and TypeScript reads', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shopdesk-client-'))
  after(() => rmSync(folder, { recursive: true }))
  const response = await fetch(`${app.url}/docs/client.tgz`)
  assert.equal(response.headers.get('content-type'), 'application/gzip')
  writeFileSync(join(folder, 'client.tgz'), Buffer.from(await response.arrayBuffer()))
  execFileSync('tar', ['xzf', 'client.tgz'], { cwd: folder })
  assert.deepEqual(readdirSync(join(folder, 'package')).sort(), ['index.d.ts', 'index.js', 'package.json', 'schema.d.ts'])
  for (const file of ['index.js', 'schema.d.ts', 'package.json'])
    assert.equal(readFileSync(join(folder, 'package', file), 'utf8'), readFileSync(join('docs/client', file), 'utf8'))
})
