// Idempotency-Key: the first request wins, a duplicate learns its answer, and a refused request leaves nothing behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, aProduct, assertProblem, aWebhook } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const WEBHOOKS = '/api/v1/webhooks'
const key = (name: string) => ({ 'Idempotency-Key': name })
const countOf = async (shop: TestTenant, table: string): Promise<number> => {
  const [row] = await app.sql`select count(*) from ${app.sql(table)} where tenant_id = ${shop.id}`
  return row?.['count']
}

test('ten parallel posts with one key make one order', async () => {
  const shop = await app.tenant()
  const replies = await Promise.all(Array.from({ length: 10 }, () => shop.post(ORDERS, anOrder(), key('K'))))
  assert.equal(replies.filter(reply => reply.status === 201).length, 1)
  for (const reply of replies.filter(each => each.status !== 201)) {
    assertProblem(reply, { status: 409, slug: 'conflict', instance: ORDERS })
    assert.ok(['request_in_progress', 'duplicate_idempotency_key'].includes(reply.body.code))
    if (reply.body.code === 'request_in_progress') assert.equal(reply.headers.get('retry-after'), '1')
  }
  assert.deepEqual(await Promise.all(['orders', 'events', 'audit_log', 'contacts'].map(table => countOf(shop, table))), [1, 1, 1, 1])
})

test('a duplicate is a conflict that holds the first answer and its Location, whatever it asks', async () => {
  const shop = await app.tenant()
  const first = await shop.post(ORDERS, anOrder(), key('K'))
  assert.equal(first.status, 201)
  for (const [path, body] of [
    [ORDERS, anOrder()],
    [ORDERS, anOrder({ note: 'another' })],
    ['/api/v1/products', aProduct()],
  ] as const) {
    const again = await shop.post(path, body, key('K'))
    assertProblem(again, { status: 409, slug: 'conflict', instance: path, code: 'duplicate_idempotency_key' })
    assert.deepEqual(again.body.original, { status: 201, body: first.body })
    assert.equal(again.headers.get('location'), first.headers.get('location'))
  }
  assert.equal(await countOf(shop, 'orders'), 1)
  assert.equal(await countOf(shop, 'products'), 0)
})

test('the first answer is kept as it was, though the order has moved on', async () => {
  const shop = await app.tenant()
  const first = await shop.post(ORDERS, anOrder(), key('K'))
  await shop.patch(String(first.headers.get('location')), { status: 'CANCELLED' })
  assert.deepEqual((await shop.post(ORDERS, anOrder(), key('K'))).body.original.body, first.body)
})

test('a key belongs to its tenant, and to all keys of it', async () => {
  const [one, two] = [await app.tenant(), await app.tenant()]
  assert.equal((await one.post(ORDERS, anOrder(), key('K'))).status, 201)
  assert.equal((await two.post(ORDERS, anOrder(), key('K'))).status, 201)
  assert.equal((await two.post(ORDERS, anOrder(), key('k'))).status, 201, 'keys differ by case')
})

test('a request that is refused does not consume its key', async () => {
  const shop = await app.tenant()
  const taken = await shop.post(ORDERS, anOrder({ external_id: 'E' }))
  assert.equal(taken.status, 201)
  const { body: product } = await shop.post('/api/v1/products', aProduct({ stock: 1 }))
  const refusals: [string, number, unknown, Record<string, string>][] = [
    ['a shape', 422, anOrder({ totl: 1 }), {}],
    ['an unknown product', 422, anOrder({ items: [{ sku: 'NONE', quantity: 1 }] }), {}],
    ['short stock', 409, anOrder({ items: [{ product_id: product.id, quantity: 2 }] }), {}],
    ['a taken external_id', 409, anOrder({ external_id: 'E' }), {}],
    ['a content type', 415, anOrder(), { 'Content-Type': 'text/plain' }],
  ]
  for (const [what, status, body, headers] of refusals)
    assert.equal((await shop.post(ORDERS, body, { ...key('K'), ...headers })).status, status, what)
  assert.equal(await countOf(shop, 'idempotency_keys'), 0)
  assert.equal((await shop.post(ORDERS, anOrder(), key('K'))).status, 201)
})

test('an answer’s secret is not kept: the original of a webhook comes without it', async () => {
  const shop = await app.tenant()
  const first = await shop.post(WEBHOOKS, aWebhook(), key('K'))
  assert.match(first.body.secret, /^whsec_[0-9a-f]{64}$/)
  const again = await shop.post(WEBHOOKS, aWebhook(), key('K'))
  const { secret, ...rest } = first.body
  assert.deepEqual(again.body.original, { status: 201, body: rest })
  assert.ok(!again.text.includes(secret))
  const kept = await app.sql`select body from idempotency_keys where tenant_id = ${shop.id}`
  assert.ok(!JSON.stringify(kept).includes(secret))
})

test('every POST that writes takes a key, and a POST of a 200 repeats as one', async () => {
  const shop = await app.tenant()
  const { body: webhook } = await shop.post(WEBHOOKS, aWebhook())
  const first = await shop.post(`${WEBHOOKS}/${webhook.id}/disable`, undefined, key('D'))
  assert.equal(first.status, 200)
  const again = await shop.post(`${WEBHOOKS}/${webhook.id}/disable`, undefined, key('D'))
  assertProblem(again, { status: 409, slug: 'conflict', instance: `${WEBHOOKS}/${webhook.id}/disable`, code: 'duplicate_idempotency_key' })
  assert.deepEqual(again.body.original, { status: 200, body: first.body })
  assert.equal(again.headers.get('location'), null)
})

test('a claim whose process died blocks its key until it lapses, and no longer', async () => {
  const shop = await app.tenant()
  await app.sql`
    insert into idempotency_keys (tenant_id, key, claim, claimed_until)
    values (${shop.id}, 'K', gen_random_uuid(), clock_timestamp() + interval '30 seconds')`
  const meanwhile = await shop.post(ORDERS, anOrder(), key('K'))
  assertProblem(meanwhile, { status: 409, slug: 'conflict', instance: ORDERS, code: 'request_in_progress' })
  assert.equal(meanwhile.headers.get('retry-after'), '1')
  await app.sql`update idempotency_keys set claimed_until = clock_timestamp() - interval '1 second' where tenant_id = ${shop.id}`
  assert.equal((await shop.post(ORDERS, anOrder(), key('K'))).status, 201)
})

test('a request that takes long keeps its claim', async () => {
  const shop = await app.tenant()
  const { body: product } = await shop.post('/api/v1/products', aProduct({ stock: 1 }))
  const until = async (): Promise<string | undefined> =>
    (await app.sql`select claimed_until::text as until from idempotency_keys where tenant_id = ${shop.id}`)[0]?.['until']
  let posted: Promise<{ status: number }> | undefined
  await app.sql.begin(async tx => {
    await tx`select 1 from products where tenant_id = ${shop.id} and id = ${product.id} for update`
    posted = shop.post(ORDERS, anOrder({ items: [{ product_id: product.id, quantity: 1 }] }), key('K'))
    const first = await eventually(until)
    await eventually(async () => (await until()) !== first)
  })
  assert.equal((await posted)?.status, 201)
})

test('ten requests at once find a lapsed claim, and one of them makes the order', async () => {
  const shop = await app.tenant()
  await app.sql`insert into idempotency_keys (tenant_id, key, claim, claimed_until) values (${shop.id}, 'K', gen_random_uuid(), now() - interval '1 hour')`
  const replies = await Promise.all(Array.from({ length: 10 }, () => shop.post(ORDERS, anOrder(), key('K'))))
  assert.deepEqual([...new Set(replies.map(reply => reply.status))].sort(), [201, 409])
  assert.equal(await countOf(shop, 'orders'), 1)
})

test('a key is forgotten after 24 hours', async () => {
  const shop = await app.tenant()
  await shop.post(ORDERS, anOrder(), key('K'))
  await app.sql`update idempotency_keys set created_at = now() - interval '23 hours 59 minutes' where tenant_id = ${shop.id}`
  assert.equal((await shop.post(ORDERS, anOrder(), key('K'))).status, 409)
  await app.sql`update idempotency_keys set created_at = now() - interval '24 hours 1 second' where tenant_id = ${shop.id}`
  assert.equal((await shop.post(ORDERS, anOrder(), key('K'))).status, 201)
})

test('a rolled-back request leaves no event, delivery, audit row, contact, stock or key; the rate hit stays', async () => {
  const shop = await app.tenant()
  await shop.post(WEBHOOKS, aWebhook())
  const { body: product } = await shop.post('/api/v1/products', aProduct({ stock: 5 }))
  const tables = ['orders', 'order_counters', 'events', 'webhook_deliveries', 'contacts', 'audit_log', 'idempotency_keys']
  const rows = () => Promise.all(tables.map(table => countOf(shop, table)))
  const before = await rows()
  const [hits] =
    await app.sql`select sum(r.head) as taken from rate_rings r join api_keys k on k.ring = r.ring where k.tenant_id = ${shop.id}`
  // The audit entry is refused, so the transaction fails after most of its work is done.
  await app.sql.unsafe(`alter table audit_log add constraint none_of_it check (tenant_id <> '${shop.id}') not valid`)
  const reply = await shop.post(ORDERS, anOrder({ items: [{ product_id: product.id, quantity: 5 }] }), key('K'))
  await app.sql`alter table audit_log drop constraint none_of_it`
  assertProblem(reply, { status: 500, slug: 'internal-error', instance: ORDERS })
  assert.ok(!reply.text.includes('none_of_it'), 'the text of an internal error stays in the log')
  assert.deepEqual(await rows(), before)
  assert.equal((await shop.get(`/api/v1/products/${product.id}`)).body.reserved, 0)
  const [now] =
    await app.sql`select sum(r.head) as taken from rate_rings r join api_keys k on k.ring = r.ring where k.tenant_id = ${shop.id}`
  assert.equal(Number(now?.['taken']), Number(hits?.['taken']) + 2)
  const retried = await shop.post(ORDERS, anOrder(), key('K'))
  assert.equal(retried.status, 201)
  assert.equal(retried.body.number, 1)
})
