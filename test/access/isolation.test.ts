// Another tenant's ids name nothing. Generated from the OpenAPI document, so a new route is tested by being there.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { anOrder, aProduct, assertProblem, aWebhook, type FullTenant, filled, fullTenant } from '../support/given.ts'

const app = await testApp()
const { body: document } = await app.request('GET', '/api/v1/openapi.json')

interface Operation {
  method: string
  path: string
  example: unknown
  list: boolean
}

// OPTIONS gives every caller the same answer.
const operations: Operation[] = Object.entries(document.paths as Record<string, Record<string, Record<string, never>>>).flatMap(
  ([path, { options: _options, ...methods }]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      example: described['requestBody']?.['content']?.['application/json']?.['example'],
      list: described['responses']?.['200']?.['content']?.['application/json']?.['schema']?.['properties']?.['has_more'] !== undefined,
    })),
)

/** Every row that belongs to the tenant, except its request counts. */
async function rowsOf(tenant: string): Promise<unknown> {
  const tables = await app.sql`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id' order by 1`
  assert.ok(tables.length > 10)
  return Promise.all(
    tables.map(({ name }) => app.sql`select to_jsonb(t)::text as row from ${app.sql(name)} t where tenant_id = ${tenant} order by 1`),
  )
}

suite('a foreign id is a 404 that changes nothing', async () => {
  const theirs = await fullTenant(app)
  const mine = await fullTenant(app)
  const withId = operations.filter(({ path }) => path.includes('{'))
  const located = (path: string, outer: FullTenant, inner = outer) =>
    filled(path, before => (before.includes('{') ? inner : outer).ids[before])

  test('there are routes with ids', () => assert.ok(withId.length >= 15))

  for (const { method, path, example } of withId)
    test(`${method} ${path}`, async () => {
      const before = await rowsOf(theirs.shop.id)
      const foreign = new Set([located(path, theirs), located(path, mine, theirs)].filter(each => each !== located(path, mine)))
      for (const instance of foreign) {
        const reply = await app.request(method, instance, { key: mine.shop.key, ...(example !== undefined && { body: example }) })
        assert.equal(reply.status, 404)
        if (method !== 'HEAD') assertProblem(reply, { status: 404, slug: 'resource-not-found', instance })
      }
      assert.deepEqual(await rowsOf(theirs.shop.id), before)
    })

  const rank = ['HEAD', 'GET', 'PATCH', 'POST', 'DELETE']
  for (const { method, path, example } of [...withId].sort((a, b) => rank.indexOf(a.method) - rank.indexOf(b.method)))
    test(`${method} ${path} does find the tenant’s own`, async () => {
      const reply = await app.request(method, located(path, mine), { key: mine.shop.key, ...(example !== undefined && { body: example }) })
      assert.ok(reply.status < 300 || reply.status === 409, reply.text)
    })
})

/** Lists that the service defines, the same for every tenant. */
const SHARED_LISTS = ['/api/v1/event-types']

suite('a list shows no other tenant’s rows', async () => {
  const theirs = await fullTenant(app)
  const lists = operations.filter(
    ({ list, method, path }) => list && method === 'GET' && !path.includes('{') && !SHARED_LISTS.includes(path),
  )
  const { order, product } = theirs
  const filters: Record<string, string[]> = {
    '/api/v1/orders': [
      `contact_id=${order.customer.contact_id}`,
      'external_id=O-1',
      'number=1',
      'q=O-1',
      'q=ada@example.com',
      'customer_email=ada@example.com',
      'status=pending',
      'offset=0',
    ],
    '/api/v1/products': [
      'sku=SHIRT',
      'sku=SHIRT-M',
      'external_id=P-1',
      'q=shirt',
      'name=shirt',
      'category=Clothes',
      'status=active',
      'offset=0',
    ],
    '/api/v1/contacts': ['external_id=C-1', 'email=ada@example.com', 'tag=vip', 'q=Ad', 'q=ada@example.com', 'blocked=false'],
    '/api/v1/channels': [],
    '/api/v1/imports': ['resource=products', 'status=cancelled'],
    '/api/v1/conversations': [
      `contact_id=${theirs.ids['/api/v1/contacts']}`,
      'platform=web',
      'status=open',
      'ai_status=on',
      'assigned_to=none',
      'unread=true',
      'q=ada@example.com',
      'offset=0',
    ],
    '/api/v1/webhooks': [],
    '/api/v1/payments': ['status=paid', 'provider=manual', `order_id=${order.id}`],
    '/api/v1/events': [],
    '/api/v1/exports': [],
    '/api/platform/apps': [],
    '/api/platform/notifications': [],
    '/api/platform/apps/{app}/runs': ['status=failed', 'flow_id=welcome'],
  }
  test('there are lists', () => assert.ok(lists.length >= 5))

  for (const { path } of lists)
    test(path, async () => {
      const other = await app.tenant()
      assert.ok(filters[path], `${path} is new: give this test its filters`)
      for (const query of ['', ...(filters[path] as string[])]) {
        assert.ok((await theirs.shop.get(`${path}?${query}`)).body.data.length > 0, `its owner finds it by ${query}`)
        assert.deepEqual((await other.get(`${path}?${query}`)).body.data, [], query)
      }
    })

  test('another tenant’s cursor shows none of its rows', async () => {
    const other = await app.tenant()
    await theirs.shop.post('/api/v1/orders', anOrder())
    const { next_cursor } = (await theirs.shop.get('/api/v1/orders?limit=1')).body
    assert.deepEqual((await other.get(`/api/v1/orders?cursor=${next_cursor}`)).body.data, [])
  })

  test('another tenant’s event is no place to read on from', async () => {
    const other = await app.tenant()
    for (const name of ['after', 'cursor'])
      assertProblem(await other.get(`/api/v1/events?${name}=${theirs.ids['/api/v1/events']}`), {
        status: 422,
        slug: 'validation-failed',
        instance: '/api/v1/events',
        field: name,
        code: 'unknown_event',
      })
  })

  test('another tenant’s things cannot be ordered, and no answer tells that they exist', async () => {
    const other = await app.tenant()
    const before = await rowsOf(theirs.shop.id)
    const [variant] = product.variants as { id: string }[]
    const refusals: [object, string, string][] = [
      [{ items: [{ product_id: product.id, quantity: 1 }] }, 'items[0].product_id', 'unknown_product'],
      [{ items: [{ product_id: product.id, variant_id: variant?.id, quantity: 1 }] }, 'items[0].product_id', 'unknown_product'],
      [{ items: [{ sku: 'SHIRT-M', quantity: 1 }] }, 'items[0].sku', 'unknown_product'],
      [{ customer: { contact_id: order.customer.contact_id } }, 'customer.contact_id', 'unknown_contact'],
    ]
    for (const [over, field, code] of refusals)
      assertProblem(await other.post('/api/v1/orders', anOrder(over as Record<string, unknown>)), {
        status: 422,
        slug: 'validation-failed',
        instance: '/api/v1/orders',
        field,
        code,
      })
    const own = await other.post('/api/v1/products', aProduct())
    const taken = await other.post(
      '/api/v1/orders',
      anOrder({ items: [{ product_id: own.body.id, variant_id: variant?.id, quantity: 1 }] }),
    )
    assertProblem(taken, {
      status: 422,
      slug: 'validation-failed',
      instance: '/api/v1/orders',
      field: 'items[0].variant_id',
      code: 'unknown_variant',
    })
    const patched = await other.patch(`/api/v1/products/${own.body.id}`, { variants: [{ id: variant?.id, name: 'M' }] })
    assertProblem(patched, { status: 422, slug: 'validation-failed', instance: `/api/v1/products/${own.body.id}`, code: 'unknown_variant' })
    assert.deepEqual(await rowsOf(theirs.shop.id), before)
  })

  test('another tenant’s messages, files and people are none in a reply, a merge or a payment, and no answer tells that they exist', async () => {
    const mine = await fullTenant(app)
    const before = await rowsOf(theirs.shop.id)
    const [conversation, att, contact] = ['conversations', 'attachments', 'contacts'].map(each => theirs.ids[`/api/v1/${each}`])
    const [message] = (await theirs.shop.get(`/api/v1/conversations/${conversation}/messages`)).body.data
    const talk = `/api/v1/conversations/${mine.ids['/api/v1/conversations']}`
    const refusals: [path: string, body: object, status: number, code: string][] = [
      [`${talk}/messages`, { text: 'x', in_reply_to: message.id }, 422, 'unknown_message'],
      [`${talk}/messages`, { text: 'x', last_seen: message.id }, 422, 'unknown_message'],
      [`${talk}/messages`, { attachments: [{ id: att }] }, 422, 'unknown_attachment'],
      [`/api/v1/contacts/${mine.ids['/api/v1/contacts']}/merge`, { contact_id: contact }, 422, 'unknown_contact'],
    ]
    for (const [path, body, status, code] of refusals) {
      const reply = await mine.shop.post(path, body)
      assert.deepEqual([reply.status, reply.body.code ?? reply.body.errors?.[0]?.code], [status, code], JSON.stringify(body))
    }
    for (const filter of [`channel_id=${message.channel_id ?? theirs.ids['/api/v1/channels']}`, `contact_id=${contact}`])
      assert.deepEqual((await mine.shop.get(`/api/v1/conversations?${filter}`)).body.data, [])
    assert.deepEqual((await mine.shop.get(`/api/v1/payments?order_id=${order.id}`)).body.data, [])
    assert.equal((await mine.shop.get(`/api/v1/conversations/live?conversation_id=${conversation}`)).status, 404)
    assert.deepEqual(await rowsOf(theirs.shop.id), before)
  })

  test('skus, external ids, order numbers, contacts and idempotency keys are each tenant’s own', async () => {
    const key = { 'Idempotency-Key': 'K' }
    await theirs.shop.post('/api/v1/orders', anOrder(), key)
    const other = await app.tenant()
    const made = await other.post('/api/v1/products', aProduct({ sku: 'SHIRT', external_id: 'P-1' }))
    assert.equal(made.status, 201)
    const placed = await other.post('/api/v1/orders', anOrder({ external_id: 'O-1' }), key)
    assert.equal(placed.status, 201)
    assert.equal(placed.body.number, 1)
    assert.notEqual(placed.body.customer.contact_id, order.customer.contact_id)
  })

  test('an order’s event is pending for its own tenant’s webhooks alone', async () => {
    const other = await app.tenant()
    await other.post('/api/v1/webhooks', aWebhook())
    await theirs.shop.post('/api/v1/orders', anOrder())
    const [row] = await app.sql`select count(*) from webhook_deliveries where tenant_id = ${other.id}`
    assert.equal(row?.['count'], 0)
  })
})
