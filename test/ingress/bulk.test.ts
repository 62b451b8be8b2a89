// Bulk: each item is judged by itself; 200 when all were written, 207 when some were, 422 when none was.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem, assertStandardHeaders, aWebhook, nobody } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const PRODUCTS = '/api/v1/products'
const bulkOf = (path: string) => `${path}/bulk`

// biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape
type Result = any

interface Noun {
  path: string
  prefix: string
  /** The smallest valid item. */
  item: (over?: Record<string, unknown>) => Record<string, unknown>
  /** A change that is always possible, and one that never is. */
  change: Record<string, unknown>
  badChange: [Record<string, unknown>, code: string, field: string]
  tables: string[]
}
const NOUNS: Noun[] = [
  {
    path: PRODUCTS,
    prefix: 'prod',
    item: aProduct,
    change: { price_amount: 7 },
    badChange: [{ price_amount: -7 }, 'out_of_range', 'price_amount'],
    tables: ['products', 'audit_log', 'events'],
  },
  {
    path: ORDERS,
    prefix: 'ord',
    item: anOrder,
    change: { note: 'Ring twice' },
    badChange: [{ status: 'lost' }, 'invalid_choice', 'status'],
    tables: ['orders', 'audit_log', 'events'],
  },
]

const statuses = (reply: Reply): number[] => reply.body.results.map((each: Result) => each.status)
const countsOf = (shop: TestTenant, tables: string[]) =>
  Promise.all(
    tables.map(async table => {
      const [row] = await app.sql`select count(*) from ${app.sql(table)} where tenant_id = ${shop.id}`
      return row?.['count'] as number
    }),
  )
const summary = (total: number, failed: number) => ({ total, succeeded: total - failed, failed })

/** Checks the whole answer: its counts, its results and their order. */
function assertBulk(reply: Reply, status: 200 | 207 | 422, path: string, total: number): void {
  assert.equal(reply.status, status, reply.text)
  const { body } = reply
  assert.equal(body.object, 'bulk_result')
  assert.equal(body.url, bulkOf(path))
  const failed = body.results.filter((each: Result) => 'error' in each).length
  assert.deepEqual(body.summary, summary(total, failed))
  assert.equal(status, failed === 0 ? 200 : failed === total ? 422 : 207)
  assert.deepEqual(
    body.results.map((each: Result) => each.index),
    Array.from({ length: total }, (_, index) => index),
  )
  for (const each of body.results) {
    if ('data' in each) {
      assert.deepEqual(Object.keys(each), ['index', 'status', 'data'])
      assert.ok([200, 201].includes(each.status))
      continue
    }
    assert.deepEqual(Object.keys(each), ['index', 'status', 'error'])
    assertProblem(
      { ...reply, status: each.status, body: each.error, headers: asProblem(reply.headers) },
      { status: each.status, slug: each.error.type.split('/').at(-1), instance: bulkOf(path) },
    )
  }
  if (status === 422) assertProblem(reply, { status: 422, slug: 'validation-failed', instance: bulkOf(path) })
  else {
    assert.match(reply.headers.get('content-type') ?? '', /^application\/json/)
    assert.ok(reply.headers.get('etag'))
    assertStandardHeaders(reply.headers)
  }
}
const asProblem = (headers: Headers): Headers => {
  const same = new Headers(headers)
  same.set('content-type', 'application/problem+json')
  return same
}

for (const { path, prefix, item, change, badChange, tables } of NOUNS)
  suite(`POST ${bulkOf(path)}`, () => {
    test('creates what has no id and changes what has one: 200, each with the status and the data it would have alone', async () => {
      const shop = await app.tenant()
      const { body: before } = await shop.post(path, item())
      const reply = await shop.post(bulkOf(path), { items: [item(), { id: before.id, ...change }, item()] })
      assertBulk(reply, 200, path, 3)
      assert.deepEqual(statuses(reply), [201, 200, 201])
      for (const { data } of reply.body.results) assert.deepEqual((await shop.get(`${path}/${data.id}`)).body, data)
      assert.equal(reply.body.results[1].data.id, before.id)
      assert.deepEqual({ ...reply.body.results[1].data, ...change }, reply.body.results[1].data)
      assert.deepEqual(await countsOf(shop, tables.slice(0, 2)), [3, 4])
    })

    test('takes a bare array too', async () => {
      const shop = await app.tenant()
      assertBulk(await shop.post(bulkOf(path), [item(), item()]), 200, path, 2)
    })

    test('some refused: 207, the others are written, and each error is a whole problem of its item', async () => {
      const shop = await app.tenant()
      const { body: own } = await shop.post(path, item())
      const before = await countsOf(shop, tables)
      const [bad, code, field] = badChange
      const reply = await shop.post(bulkOf(path), {
        items: [item({ totl: 1 }), item(), { id: own.id, ...bad }, { id: nobody(prefix), ...change }, item(), 7],
      })
      assertBulk(reply, 207, path, 6)
      assert.deepEqual(statuses(reply), [422, 201, 422, 404, 201, 422])
      const errors = reply.body.results.map((each: Result) => each.error)
      assert.deepEqual([errors[0].errors[0].field, errors[0].code], ['totl', 'unknown_field'])
      assert.deepEqual([errors[2].errors[0].field, errors[2].code], [field, code])
      assert.deepEqual([errors[5].errors[0].field, errors[5].code], ['', 'invalid_type'])
      assert.ok(errors.every((each: Result) => each === undefined || each.trace_id === reply.headers.get('x-trace-id')))
      assert.deepEqual(
        await countsOf(shop, tables),
        before.map(count => count + 2),
      )
    })

    test('all refused: a 422 problem with the same members, whose errors name items and fields, and nothing is written', async () => {
      const shop = await app.tenant()
      const reply = await shop.post(bulkOf(path), { items: [item({ totl: 1 }), { id: nobody(prefix), ...change }, null] })
      assertBulk(reply, 422, path, 3)
      assert.deepEqual(statuses(reply), [422, 404, 422])
      assert.deepEqual(
        reply.body.errors.map((each: Result) => [each.field, each.code]),
        [
          ['items[0].totl', 'unknown_field'],
          ['items[1]', 'resource-not-found'],
          ['items[2]', 'invalid_type'],
        ],
      )
      assert.deepEqual(await countsOf(shop, tables), [0, 0, 0])
    })

    const wrong: [string, unknown, string, string][] = [
      ['no body at all', undefined, 'malformed_json', ''],
      ['null', null, 'invalid_type', ''],
      ['a number', 5, 'invalid_type', ''],
      ['a string', 'items', 'invalid_type', ''],
      ['an empty object', {}, 'required', 'items'],
      ['an empty list', { items: [] }, 'too_few', 'items'],
      ['an empty bare list', [], 'too_few', 'items'],
      ['null items', { items: null }, 'invalid_type', 'items'],
      ['items as an object', { items: { 0: item() } }, 'invalid_type', 'items'],
      ['items as text', { items: 'x' }, 'invalid_type', 'items'],
      ['an unknown field beside items', { items: [item()], dry_run: true }, 'unknown_field', 'dry_run'],
      ['one item without its list', item(), path === ORDERS ? 'unknown_field' : 'required', path === ORDERS ? 'customer' : 'items'],
    ]
    for (const [what, body, code, field] of wrong)
      test(`refuses as a whole: ${what}`, async () => {
        const shop = await app.tenant()
        const reply = await app.request('POST', bulkOf(path), { key: shop.key, raw: body === undefined ? '' : JSON.stringify(body) })
        assertProblem(reply, { status: 422, slug: 'validation-failed', instance: bulkOf(path), code, field })
        assert.equal('results' in reply.body, false)
      })

    const items: [string, unknown, number, string, string][] = [
      ['null', null, 422, 'invalid_type', ''],
      ['a list', [], 422, 'invalid_type', ''],
      ['a number', 1, 422, 'invalid_type', ''],
      ['text', 'x', 422, 'invalid_type', ''],
      ['true', true, 422, 'invalid_type', ''],
      ['a number for an id', { id: 7, ...change }, 422, 'invalid_type', 'id'],
      ['null for an id', { id: null, ...change }, 422, 'invalid_type', 'id'],
      ['a list for an id', { id: [], ...change }, 422, 'invalid_type', 'id'],
      ['an id alone', { id: nobody(prefix) }, 422, 'too_few', ''],
      ['an id and an unknown field', { id: nobody(prefix), totl: 1 }, 422, 'unknown_field', 'totl'],
      ['an id and a bad field: 422 comes before 404', { id: nobody(prefix), ...badChange[0] }, 422, badChange[1], badChange[2]],
      ['an empty id', { id: '', ...change }, 404, '', ''],
      ['an id that is none', { id: 'x', ...change }, 404, '', ''],
      ['an id of another noun', { id: nobody('con'), ...change }, 404, '', ''],
      ['an id in upper case', { id: nobody(prefix).toUpperCase(), ...change }, 404, '', ''],
      ['an id that names nothing', { id: nobody(prefix), ...change }, 404, '', ''],
    ]
    for (const [what, bad, status, code, field] of items)
      test(`refuses one item: ${what}`, async () => {
        const shop = await app.tenant()
        const reply = await shop.post(bulkOf(path), { items: [item(), bad] })
        assertBulk(reply, 207, path, 2)
        assert.deepEqual(statuses(reply), [201, status])
        const { error } = reply.body.results[1]
        if (code) assert.deepEqual([error.errors[0].code, error.errors[0].field], [code, field])
      })

    test('an id twice: the second is refused', async () => {
      const shop = await app.tenant()
      const { body: own } = await shop.post(path, item())
      const reply = await shop.post(bulkOf(path), [
        { id: own.id, ...change },
        { id: own.id, ...change },
      ])
      assert.deepEqual(statuses(reply), [200, 422])
      assert.deepEqual(reply.body.results[1].error.errors[0], {
        field: 'id',
        code: 'duplicate',
        message: 'is given by an item before this one.',
      })
      assert.equal((await shop.get(`${path}/${own.id}`)).body.version, 2)
    })

    test('an id of another tenant is a 404 that changes nothing', async () => {
      const [shop, other] = [await app.tenant(), await app.tenant()]
      const { body: theirs } = await other.post(path, item())
      const reply = await shop.post(bulkOf(path), { items: [item(), { id: theirs.id, ...change }] })
      assert.deepEqual(statuses(reply), [201, 404])
      assert.deepEqual((await other.get(`${path}/${theirs.id}`)).body, theirs)
    })

    test('50 items are taken; 51 are a 413 before any of them is looked at', async () => {
      const shop = await app.tenant()
      const fifty = await shop.post(
        bulkOf(path),
        Array.from({ length: 50 }, () => item()),
      )
      assertBulk(fifty, 200, path, 50)
      const before = await countsOf(shop, tables)
      for (const items of [Array.from({ length: 51 }, () => item()), Array.from({ length: 51 }, () => null)]) {
        const reply = await shop.post(bulkOf(path), { items })
        assertProblem(reply, { status: 413, slug: 'payload-too-large', instance: bulkOf(path) })
        assert.equal(reply.body.max_items, 50)
      }
      assert.deepEqual(await countsOf(shop, tables), before)
    })

    test('a body of more than 1 MB is taken, one of more than 4 MB is a 413', async () => {
      const shop = await app.tenant()
      const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'x'.repeat(490)]))
      const large = await shop.post(
        bulkOf(path),
        Array.from({ length: 50 }, () => item({ metadata })),
      )
      assertBulk(large, 200, path, 50)
      const reply = await app.request('POST', bulkOf(path), { key: shop.key, raw: `[${' '.repeat(4 * 1024 * 1024)}{}]` })
      assertProblem(reply, { status: 413, slug: 'payload-too-large', instance: bulkOf(path) })
      assert.equal(reply.body.max_bytes, 4 * 1024 * 1024)
    })

    test('counts as one write, however many items it has', async () => {
      const shop = await app.tenant({ plan: 'free' })
      const first = await shop.post(
        bulkOf(path),
        Array.from({ length: 50 }, () => item()),
      )
      assert.deepEqual([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')], ['5', '4'])
      assert.equal((await shop.post(bulkOf(path), [{}])).headers.get('x-ratelimit-remaining'), '3')
    })

    test('is checked in the order of every request: key, scope, content type, size, body', async () => {
      const reader = await app.tenant({ scopes: ['read'] })
      const shop = await app.tenant()
      const instance = bulkOf(path)
      assertProblem(await app.request('POST', instance, { raw: 'x' }), { status: 401, slug: 'authentication-required', instance })
      assertProblem(await reader.post(instance, 'x'), { status: 403, slug: 'insufficient-scope', instance })
      const huge = `[${'1,'.repeat(3 * 1024 * 1024)}1]`
      const typed = (raw: string, type: string) => app.request('POST', instance, { key: shop.key, raw, headers: { 'Content-Type': type } })
      assertProblem(await typed(huge, 'text/plain'), { status: 415, slug: 'unsupported-media-type', instance })
      assertProblem(await typed(huge, 'application/json'), { status: 413, slug: 'payload-too-large', instance })
      assertProblem(await typed('[', 'application/json'), { status: 422, slug: 'validation-failed', instance, code: 'malformed_json' })
      for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
        const other = await app.request(method, instance)
        assertProblem(other, { status: 405, slug: 'method-not-allowed', instance })
        assert.equal(other.headers.get('allow'), 'POST, OPTIONS')
      }
    })

    test('text that cannot be kept is refused with the place it has in the request', async () => {
      const shop = await app.tenant()
      const text = JSON.stringify({ items: [item(), item({ metadata: { k: 'NOTE' } })] })
      for (const by of ['a\\u0000', '\\ud800'])
        assertProblem(await app.request('POST', bulkOf(path), { key: shop.key, raw: text.replace('NOTE', by) }), {
          status: 422,
          slug: 'validation-failed',
          instance: bulkOf(path),
          code: 'invalid_characters',
          field: 'items[1].metadata.k',
        })
      assert.deepEqual(await countsOf(shop, tables), [0, 0, 0])
    })

    test('a repeat with its Idempotency-Key has the first answer, of a 207 too, and writes nothing', async () => {
      const shop = await app.tenant()
      const key = { 'Idempotency-Key': 'B' }
      const first = await shop.post(bulkOf(path), [item(), null], key)
      assert.equal(first.status, 207)
      const before = await countsOf(shop, tables)
      const again = await shop.post(bulkOf(path), [item(), item()], key)
      assertProblem(again, { status: 409, slug: 'conflict', instance: bulkOf(path), code: 'duplicate_idempotency_key' })
      assert.deepEqual(again.body.original, { status: 207, body: first.body })
      assert.deepEqual(await countsOf(shop, tables), before)
    })

    test('ten at once with one Idempotency-Key write once', async () => {
      const shop = await app.tenant()
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => shop.post(bulkOf(path), [item(), item()], { 'Idempotency-Key': 'T' })),
      )
      assert.deepEqual(replies.map(each => each.status).sort(), [200, ...Array(9).fill(409)])
      assert.deepEqual(await countsOf(shop, tables.slice(0, 1)), [2])
    })

    test('a uniform failure does not consume its Idempotency-Key', async () => {
      const shop = await app.tenant()
      const key = { 'Idempotency-Key': 'F' }
      assert.equal((await shop.post(bulkOf(path), [null], key)).status, 422)
      assert.equal((await shop.post(bulkOf(path), [item()], key)).status, 200)
    })

    test('an item that the database refuses is a 500 that does not tell why, and the others are written', async () => {
      const shop = await app.tenant()
      await shop.post('/api/v1/webhooks', aWebhook({ events: ['order.created', 'product.created'] }))
      // The second item is refused, long after the set's first rows are written.
      await app.sql.unsafe(
        `alter table events add constraint not_this_one check (tenant_id <> '${shop.id}' or position('UNKEEPABLE' in body) = 0)`,
      )
      const reply = await shop.post(bulkOf(path), [item(), item({ metadata: { k: 'UNKEEPABLE' } }), item()])
      await app.sql`alter table events drop constraint not_this_one`
      assertBulk(reply, 207, path, 3)
      assert.deepEqual(statuses(reply), [201, 500, 201])
      assert.ok(!reply.text.includes('not_this_one'))
      assert.deepEqual(await countsOf(shop, [tables[0] as string, 'events', 'webhook_deliveries']), [2, 2, 2])
    })
  })

suite('products in bulk', () => {
  test('a sku or external_id of another product, or of an item before, is a conflict of its item that names the holder', async () => {
    const shop = await app.tenant()
    const { body: first } = await shop.post(PRODUCTS, aProduct({ sku: 'A', external_id: 'X' }))
    const reply = await shop.post(bulkOf(PRODUCTS), [
      aProduct({ sku: 'A' }),
      aProduct({ sku: 'B' }),
      aProduct({ external_id: 'X' }),
      aProduct({ variants: [{ name: 'M', sku: 'B' }] }),
    ])
    assertBulk(reply, 207, PRODUCTS, 4)
    assert.deepEqual(statuses(reply), [409, 201, 409, 409])
    const made = reply.body.results[1].data.id
    assert.deepEqual(
      reply.body.results.map((each: Result) => each.error?.product_id),
      [first.id, undefined, first.id, made],
    )
  })

  test('each emits its event, which is pending for the webhooks that want it', async () => {
    const shop = await app.tenant()
    await shop.post('/api/v1/webhooks', aWebhook({ events: ['product.created', 'product.updated'] }))
    const { body: own } = await shop.post(PRODUCTS, aProduct())
    const reply = await shop.post(bulkOf(PRODUCTS), [aProduct(), { id: own.id, stock: 3 }, null])
    const rows = await app.sql`
      select e.type, e.body, d.state from events e join webhook_deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
       where e.tenant_id = ${shop.id} order by e.seq offset 1`
    assert.deepEqual(
      rows.map(row => [row['type'], JSON.parse(row['body']).data.product, row['state']]),
      [
        ['product.created', reply.body.results[0].data, 'pending'],
        ['product.updated', reply.body.results[1].data, 'pending'],
      ],
    )
  })

  test('thirty at once, of the same products in every order, all succeed', async () => {
    const shop = await app.tenant()
    const { body } = await shop.post(
      bulkOf(PRODUCTS),
      Array.from({ length: 20 }, () => aProduct()),
    )
    const ids: string[] = body.results.map((each: Result) => each.data.id)
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        shop.post(
          bulkOf(PRODUCTS),
          [...ids.slice(n % 20), ...ids.slice(0, n % 20)].map(id => ({ id, attributes: { n: String(n) } })),
        ),
      ),
    )
    assert.deepEqual(new Set(replies.map(reply => reply.status)), new Set([200]))
    for (const id of ids) assert.equal((await shop.get(`${PRODUCTS}/${id}`)).body.version, 31)
  })
})

suite('orders in bulk', () => {
  test('changes are made first: what one releases another can sell', async () => {
    const shop = await app.tenant()
    const { body: product } = await shop.post(PRODUCTS, aProduct({ stock: 1 }))
    const line = aLine({ product_id: product.id })
    const { body: first } = await shop.post(ORDERS, anOrder({ items: [line] }))
    const reply = await shop.post(bulkOf(ORDERS), [anOrder({ items: [line] }), { id: first.id, status: 'CANCELLED' }])
    assertBulk(reply, 200, ORDERS, 2)
    assert.deepEqual(statuses(reply), [201, 200])
    assert.equal((await shop.get(`${PRODUCTS}/${product.id}`)).body.reserved, 1)
  })

  test('a refused item keeps no stock, number, contact or event', async () => {
    const shop = await app.tenant()
    const { body: product } = await shop.post(PRODUCTS, aProduct({ stock: 2 }))
    const { body: shipped } = await shop.post(ORDERS, anOrder())
    await shop.patch(`${ORDERS}/${shipped.id}`, { status: 'SHIPPED' })
    const before = await countsOf(shop, ['orders', 'events', 'contacts', 'audit_log'])
    const buy = (quantity: number, over = {}) => anOrder({ items: [aLine({ product_id: product.id, quantity })], ...over })
    const reply = await shop.post(bulkOf(ORDERS), [
      buy(3, { customer: { email: 'refused@example.com' } }),
      buy(1),
      buy(2),
      { id: shipped.id, status: 'pending' },
      buy(1),
      buy(1, { external_id: 'E' }),
    ])
    assert.deepEqual(statuses(reply), [409, 201, 409, 409, 201, 409])
    const codes = reply.body.results.map((each: Result) => each.error?.code)
    assert.deepEqual(codes, ['insufficient_stock', undefined, 'insufficient_stock', 'invalid_transition', undefined, 'insufficient_stock'])
    assert.deepEqual(reply.body.results[3].error.valid_targets, ['DELIVERED', 'RETURNED'])
    assert.deepEqual(
      await countsOf(shop, ['orders', 'events', 'contacts', 'audit_log']),
      before.map((count, index) => (index === 2 ? count : count + 2)),
    )
    assert.equal((await shop.get(`${PRODUCTS}/${product.id}`)).body.reserved, 2)
    assert.deepEqual(
      reply.body.results.flatMap((each: Result) => each.data?.number ?? []),
      [2, 3],
    )
  })

  test('an external_id twice: the second is refused and names the first', async () => {
    const shop = await app.tenant()
    const reply = await shop.post(bulkOf(ORDERS), [anOrder({ external_id: 'E' }), anOrder({ external_id: 'E' })])
    assert.deepEqual(statuses(reply), [201, 409])
    assert.equal(reply.body.results[1].error.order_id, reply.body.results[0].data.id)
  })

  test('fifty at once never sell a piece twice, and what was sold is what was answered', async () => {
    const shop = await app.tenant()
    const keys = await Promise.all(
      Array.from({ length: 5 }, async () => (await createKey(app.sql, { tenant: shop.id, kind: 'rest', scopes: ['read', 'write'] })).key),
    )
    const products = await Promise.all(
      Array.from({ length: 4 }, async () => (await shop.post(PRODUCTS, aProduct({ stock: 30 }))).body.id as string),
    )
    const itemsOf = (n: number) =>
      Array.from({ length: 4 }, (_, i) => {
        const lines = [products[(n + i) % 4], products[(n + 2 * i + 1) % 4]] as string[]
        return anOrder({ items: lines.map(product_id => aLine({ product_id })), customer: { email: `c${(n + i) % 7}@example.com` } })
      })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        app.request('POST', bulkOf(ORDERS), { key: keys[n % 5] as string, body: { items: itemsOf(n) } }),
      ),
    )
    const results = replies.flatMap(reply => reply.body.results ?? assert.fail(reply.text))
    const sold = new Map<string, number>()
    for (const { data } of results)
      for (const { product_id, quantity } of data?.items ?? []) sold.set(product_id, (sold.get(product_id) ?? 0) + quantity)
    for (const id of products) {
      const { body } = await shop.get(`${PRODUCTS}/${id}`)
      assert.equal(body.reserved, sold.get(id))
      assert.ok(body.reserved <= 30)
    }
    assert.deepEqual(new Set(results.map((each: Result) => each.status)), new Set([201, 409]))
    assert.deepEqual(await countsOf(shop, ['orders']), [results.filter((each: Result) => each.status === 201).length])
  })

  test('twenty at once, cancelling the same orders in every order, cancel each once', async () => {
    const shop = await app.tenant()
    const products = await Promise.all(
      Array.from({ length: 3 }, async () => (await shop.post(PRODUCTS, aProduct({ stock: 100 }))).body.id as string),
    )
    const placed = await shop.post(
      bulkOf(ORDERS),
      Array.from({ length: 12 }, (_, n) =>
        anOrder({ items: [aLine({ product_id: products[n % 3] }), aLine({ product_id: products[(n + 1) % 3] })] }),
      ),
    )
    const ids: string[] = placed.body.results.map((each: Result) => each.data.id)
    const cancel = async (some: string[]): Promise<Reply> => {
      const reply = await shop.post(
        bulkOf(ORDERS),
        some.map(id => ({ id, status: 'CANCELLED' })),
      )
      // A busy machine lets some wait for the orders until they are told to come again.
      return reply.status === 503 ? cancel(some) : reply
    }
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => cancel(n % 2 ? ids : ids.toReversed())))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, ...Array(19).fill(422)])
    for (const id of products) assert.equal((await shop.get(`${PRODUCTS}/${id}`)).body.reserved, 0)
  })
})

test('BULK_MAX_ITEMS sets the ceiling, and the document tells it', async () => {
  const small = await testApp({ BULK_MAX_ITEMS: '2' })
  const shop = await small.tenant()
  assert.equal((await shop.post(bulkOf(PRODUCTS), [aProduct(), aProduct()])).status, 200)
  assert.equal((await shop.post(bulkOf(PRODUCTS), [aProduct(), aProduct(), aProduct()])).body.max_items, 2)
  const { body } = await small.request('GET', '/api/v1/openapi.json')
  const [list] = body.paths[bulkOf(PRODUCTS)].post.requestBody.content['application/json'].schema.anyOf
  assert.equal(list.properties.items.maxItems, 2)
})
