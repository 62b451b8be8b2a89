// ETags and the conditions built on them, on every GET and HEAD, and on every PATCH and DELETE (RFC 9110 §13).
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { anInbound, anOrder, aProduct, assertProblem, assertStandardHeaders, aWebhook } from '../support/given.ts'

const app = await testApp()
const ETAG = /^"[\w-]+"$/

interface Made {
  shop: TestTenant
  order: string
  product: string
  webhook: string
  contact: string
  conversation: string
}

async function made(): Promise<Made> {
  const shop = await app.tenant()
  const [order, product, webhook, contact] = await Promise.all([
    shop.post('/api/v1/orders', anOrder()),
    shop.post('/api/v1/products', aProduct({ stock: 5 })),
    shop.post('/api/v1/webhooks', aWebhook()),
    shop.post('/api/v1/contacts', { name: 'Grace' }),
  ])
  const { conversation } = await anInbound(app, shop, { contact_id: contact.body.id })
  return {
    shop,
    order: String(order.headers.get('location')),
    product: String(product.headers.get('location')),
    webhook: String(webhook.headers.get('location')),
    contact: String(contact.headers.get('location')),
    conversation: `/api/v1/conversations/${conversation.id}`,
  }
}

const tagOf = (reply: Reply): string => {
  assert.match(reply.headers.get('etag') ?? 'no etag', ETAG)
  return String(reply.headers.get('etag'))
}

suite('every GET has an ETag', async () => {
  const { shop, order, product, webhook, contact, conversation } = await made()
  const paths = [
    '/api/v1/orders',
    '/api/v1/orders?offset=0',
    '/api/v1/orders?limit=1&fields=id',
    order,
    `${order}?fields=id,customer.email`,
    '/api/v1/products',
    product,
    '/api/v1/webhooks',
    webhook,
    '/api/v1/contacts',
    contact,
    '/api/v1/conversations',
    '/api/v1/conversations?offset=0',
    conversation,
    `${conversation}/messages`,
    '/api/v1/openapi.json',
  ]
  for (const path of paths) {
    test(`${path.replace(/_\w{26}/, '_…')}: the same twice, and If-None-Match with it is a 304 without body`, async () => {
      const first = await shop.get(path)
      assert.equal(first.status, 200)
      const etag = tagOf(first)
      assert.equal(tagOf(await shop.get(path)), etag)
      for (const sent of [etag, `W/${etag}`, '*', `"other", ${etag}`, `"other",W/${etag} , "third"`, ` ${etag} `]) {
        const reply = await shop.get(path, { headers: { 'If-None-Match': sent } })
        assert.equal(reply.status, 304, sent)
        assert.equal(reply.text, '')
        assert.equal(reply.headers.get('content-type'), null)
        assert.equal(reply.headers.get('etag'), etag)
        assertStandardHeaders(reply.headers)
        for (const name of ['deprecation', 'sunset', 'link', 'warning']) assert.equal(reply.headers.get(name), first.headers.get(name))
      }
    })

    test(`${path.replace(/_\w{26}/, '_…')}: another tag is answered in full`, async () => {
      const etag = tagOf(await shop.get(path))
      for (const sent of ['"other"', 'W/"other"', etag.slice(1, -1), `"${etag.slice(1, -2)}"`, '', '"'])
        assert.equal((await shop.get(path, { headers: { 'If-None-Match': sent } })).status, 200, sent)
    })

    test(`${path.replace(/_\w{26}/, '_…')}: HEAD has the headers of GET, and no body`, async () => {
      // A compressed answer has its compressed length.
      const headers = { 'Accept-Encoding': 'identity' }
      const get = await shop.get(path, { headers })
      const head = await app.request('HEAD', path, { key: shop.key, headers })
      assert.equal(head.status, 200)
      assert.equal(head.text, '')
      assertStandardHeaders(head.headers)
      const lasting = (reply: Reply) =>
        [...reply.headers].filter(([name]) => !/^(date|connection|keep-alive|x-trace-id|x-ratelimit-.*)$/.test(name))
      assert.deepEqual(lasting(head), lasting(get))
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)))
      const unchanged = await app.request('HEAD', path, { key: shop.key, headers: { ...headers, 'If-None-Match': tagOf(get) } })
      assert.equal(unchanged.status, 304)
    })
  }

  test('a list’s ETag changes with its rows, and with what is asked', async () => {
    const { shop } = await made()
    const before = tagOf(await shop.get('/api/v1/orders'))
    assert.notEqual(tagOf(await shop.get('/api/v1/orders?fields=id')), before)
    await shop.post('/api/v1/orders', anOrder())
    assert.notEqual(tagOf(await shop.get('/api/v1/orders')), before)
  })
})

const changes: [keyof Omit<Made, 'shop' | 'conversation'>, object][] = [
  ['order', { note: 'Ring twice' }],
  ['product', { price_amount: 4500 }],
  ['webhook', { description: 'The warehouse' }],
  ['contact', { name: 'Grace Hopper' }],
]
for (const [noun, change] of changes) {
  suite(`changing ${noun === 'order' ? 'an' : 'a'} ${noun}`, () => {
    test('answers with the ETag that GET then gives, and a 201 with the one of the new resource', async () => {
      const { shop, [noun]: path } = await made()
      const before = await shop.get(path)
      const patched = await shop.patch(path, change)
      assert.equal(patched.status, 200)
      const after = await shop.get(path)
      assert.equal(tagOf(after), tagOf(patched))
      assert.notEqual(tagOf(after), tagOf(before))
      assert.equal(after.text, patched.text)
      assert.equal(patched.body.version, before.body.version + 1)
    })

    test('goes through while If-Match names the current representation', async () => {
      const { shop, [noun]: path } = await made()
      const etag = tagOf(await shop.get(path))
      assert.equal((await shop.patch(path, change, { 'If-Match': `"other", ${etag}` })).status, 200)
      assert.equal((await shop.patch(path, change, { 'If-Match': '*' })).status, 200)
    })

    test('is refused (412) when If-Match names another, is weak, or is none at all', async () => {
      const { shop, [noun]: path } = await made()
      const before = await shop.get(path)
      for (const sent of ['"other"', `W/${tagOf(before)}`, tagOf(before).slice(1, -1), '', '"'])
        assertProblem(await shop.patch(path, change, { 'If-Match': sent }), { status: 412, slug: 'precondition-failed', instance: path })
      assert.equal((await shop.get(path)).text, before.text)
    })

    test('is refused to the second of two callers that read the same version', async () => {
      const { shop, [noun]: path } = await made()
      const headers = { 'If-Match': tagOf(await shop.get(path)) }
      const statuses = (await Promise.all([shop.patch(path, change, headers), shop.patch(path, change, headers)])).map(
        reply => reply.status,
      )
      assert.deepEqual(statuses.sort(), [200, 412])
    })

    test('obeys If-Unmodified-Since, in whole seconds', async () => {
      const { shop, [noun]: path } = await made()
      const { updated_at } = (await shop.get(path)).body
      const at = (ms: number) => ({ 'If-Unmodified-Since': new Date(Date.parse(updated_at) + ms).toUTCString() })
      assertProblem(await shop.patch(path, change, at(-2_000)), { status: 412, slug: 'precondition-failed', instance: path })
      assert.equal((await shop.patch(path, change, at(0))).status, 200)
      assert.equal((await shop.patch(path, change, at(60_000))).status, 200)
    })

    test('ignores an If-Unmodified-Since that is no date, and prefers If-Match', async () => {
      const { shop, [noun]: path } = await made()
      for (const sent of [
        'yesterday',
        '2020-01-01T00:00:00Z',
        '0',
        'About 1',
        'Sat, 01 Jan 2000',
        'Sat, 01 Jan 2000 00:00:00',
        'Sat, 99 Jan 2000 00:00:00 GMT',
      ])
        assert.equal((await shop.patch(path, change, { 'If-Unmodified-Since': sent })).status, 200)
      const long = { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }
      assert.equal((await shop.patch(path, change, { ...long, 'If-Match': '*' })).status, 200)
    })
  })
}

for (const zone of ['UTC', 'Pacific/Kiritimati'])
  test(`If-Unmodified-Since has three forms, which all are in UTC, also where the service is in ${zone}`, async () => {
    const { shop, order } = await made()
    const { updated_at } = (await shop.get(order)).body
    const before = process.env['TZ']
    process.env['TZ'] = zone
    try {
      for (const [ms, status] of [
        [3_600_000, 200],
        [-3_600_000, 412],
      ] as const) {
        const text = new Date(Date.parse(updated_at) + ms).toUTCString()
        const [, day, date, month, year, time] = /^(\w+), (\d\d) (\w+) (\d+) (\S+) GMT$/.exec(text) as string[]
        const forms = [
          text,
          `${day}day, ${date}-${month}-${year?.slice(2)} ${time} GMT`,
          `${day} ${month} ${date?.replace(/^0/, ' ')} ${time} ${year}`,
        ]
        for (const form of forms)
          assert.equal((await shop.patch(order, { note: form }, { 'If-Unmodified-Since': form })).status, status, form)
      }
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })

for (const noun of ['product', 'webhook'] as const)
  test(`deleting a ${noun} obeys If-Match and If-Unmodified-Since`, async () => {
    const { shop, [noun]: path } = await made()
    const refusal = { status: 412, slug: 'precondition-failed', instance: path }
    assertProblem(await shop.delete(path, { 'If-Match': '"other"' }), refusal)
    assertProblem(await shop.delete(path, { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }), refusal)
    assert.equal((await shop.delete(path, { 'If-Match': tagOf(await shop.get(path)) })).status, 200)
  })

test('a 201 has the ETag that GET then gives', async () => {
  const shop = await app.tenant()
  for (const [path, body] of [
    ['/api/v1/orders', anOrder()],
    ['/api/v1/products', aProduct({ stock: 3, variants: [{ name: 'M', stock: 1 }] })],
  ] as const) {
    const created = await shop.post(path, body)
    const read = await shop.get(String(created.headers.get('location')))
    assert.equal(tagOf(created), tagOf(read))
    assert.equal(created.text, read.text)
  }
})

test('an answer that shows a secret has the ETag of what GET then gives, so a change can build on it', async () => {
  const shop = await app.tenant()
  const created = await shop.post('/api/v1/webhooks', aWebhook())
  const path = String(created.headers.get('location'))
  assert.equal(tagOf(created), tagOf(await shop.get(path)))
  const rotated = await shop.post(`${path}/rotate-secret`)
  assert.equal(tagOf(rotated), tagOf(await shop.get(path)))
  for (const { body } of [created, rotated]) assert.match(body.secret, /^whsec_/)
  assert.equal((await shop.patch(path, { description: 'ERP' }, { 'If-Match': tagOf(rotated) })).status, 200)
})

test('a product’s ETag changes when stock moves, its version does not', async () => {
  const { shop, product } = await made()
  const before = await shop.get(product)
  await shop.post('/api/v1/orders', anOrder({ items: [{ product_id: before.body.id, quantity: 2 }] }))
  const after = await shop.get(product)
  assert.notEqual(tagOf(after), tagOf(before))
  assert.deepEqual(after.body, { ...before.body, reserved: 2, stock_status: 'low_stock' })
  assertProblem(await shop.patch(product, { name: 'Shirt' }, { 'If-Match': tagOf(before) }), {
    status: 412,
    slug: 'precondition-failed',
    instance: product,
  })
})
