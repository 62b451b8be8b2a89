// Lists: pages that never repeat or skip a row, the cursor, `limit`, `fields`, and the deprecated `offset`.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PAGE_BYTES } from '../../src/limits/lists.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { anOrder, aProduct, assertProblem, aWebhook, decoded, encoded } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const PRODUCTS = '/api/v1/products'
const WEBHOOKS = '/api/v1/webhooks'
const ROWS = 40

// biome-ignore lint/suspicious/noExplicitAny: a test looks into items of every shape
type Item = any

/** Every page's items, from the first to the last. `between` is called before each page but the first. */
async function walk(shop: TestTenant, path: string, query: string, between = async (_page: number) => {}): Promise<Item[][]> {
  const pages: Item[][] = []
  let cursor: string | null = null
  do {
    if (cursor) await between(pages.length)
    const { status, body, text } = await shop.get(`${path}?${query}${cursor ? `&cursor=${cursor}` : ''}`)
    assert.equal(status, 200, text)
    assert.deepEqual(Object.keys(body), ['object', 'url', 'data', 'next_cursor', 'has_more'])
    assert.equal(body.object, 'list')
    assert.equal(body.url, path)
    assert.equal(body.has_more, body.next_cursor !== null)
    pages.push(body.data)
    cursor = body.next_cursor
  } while (cursor)
  return pages
}

const ids = (items: Item[]): string[] => items.map(item => item.id)

/** Rows like the tenant's only one, `values` (SQL over n) set on each. Ids follow n. */
async function copies(
  shop: TestTenant,
  table: 'orders' | 'products',
  count: number,
  values: Record<string, string>,
  from = 1,
): Promise<void> {
  const set = Object.entries(values).map(([column, value]) => `'${column}', ${value}`)
  await app.sql.unsafe(`
    insert into ${table}
    select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('id', x.id, 'doc', replace(t.doc, t.id, x.id), ${set.join(', ')}))).*
      from (select * from ${table} where tenant_id = '${shop.id}' order by id limit 1) t,
           generate_series(${from}, ${from + count - 1}) n,
           lateral (select left(t.id, -8) || lpad(n::text, 8, '0') as id) x`)
}

// Many rows of one value, so that the id has ties to break.
const time = (expression: string) =>
  `to_char(timestamptz '2026-05-25 09:30:00Z' + (${expression}) * interval '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MSOF')`
const lists = [
  {
    path: ORDERS,
    table: 'orders',
    body: anOrder(),
    sorts: ['created_at', 'updated_at', 'total_amount'],
    rows: { number: 't.number + n', created_at: time('n % 3'), updated_at: time('n * 7 % 5'), total_amount: '(n * 31 % 4) * 1000' },
  },
  {
    path: PRODUCTS,
    table: 'products',
    body: aProduct({ stock: 9 }),
    sorts: ['created_at', 'updated_at', 'name', 'price_amount', 'stock'],
    rows: {
      created_at: time('n % 3'),
      updated_at: time('n * 7 % 5'),
      name: "(array['Ärmel', 'a', 'B', 'Сорочка', '😀', 'ｆ'])[n % 6 + 1]",
      price_amount: '(n * 31 % 4) * 1000',
      stock: 'nullif(n % 5, 4)',
    },
  },
] as const

test('a page ends with the item that brings it to a megabyte; by offset, which counts items, it does not', async () => {
  const shop = await app.tenant()
  await shop.post(PRODUCTS, aProduct({ description: 'x'.repeat(20_000) }))
  await copies(shop, 'products', 99, { created_at: time('n') })
  const pages = await walk(shop, PRODUCTS, 'limit=100&sort=name&dir=asc&active=true')
  assert.deepEqual(
    pages.flat().map(({ id }) => id),
    ids((await shop.get(`${PRODUCTS}?limit=100&sort=name&dir=asc&offset=0`)).body.data),
  )
  assert.equal(pages.length, 2)
  const [first = []] = pages
  const bytes = (items: Item[]): number => items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0)
  assert.ok(bytes(first) >= PAGE_BYTES && bytes(first.slice(0, -1)) < PAGE_BYTES)
})

for (const { path, table, body, sorts, rows } of lists) {
  suite(`${path}`, async () => {
    const shop = await app.tenant()
    await shop.post(path, body)
    await copies(shop, table, ROWS - 1, rows)
    const kept = await app.sql.unsafe(`select id, ${sorts.join(', ')} from ${table} where tenant_id = '${shop.id}'`)

    for (const sort of sorts)
      for (const dir of ['asc', 'desc'] as const)
        test(`by ${sort}, ${dir}: every row once, in order, the id breaking ties`, async () => {
          const value = (row: Item) => (sort === 'stock' ? (row.stock ?? -1) : row[sort])
          const compare = (a: Item, b: Item) =>
            (typeof value(a) === 'string' ? Buffer.compare(Buffer.from(value(a)), Buffer.from(value(b))) : value(a) - value(b)) ||
            (a.id < b.id ? -1 : 1)
          const expected = ids([...kept].sort(compare))
          const pages = await walk(shop, path, `sort=${sort}&dir=${dir}&limit=7`)
          assert.deepEqual(ids(pages.flat()), dir === 'asc' ? expected : expected.reverse())
          assert.deepEqual(
            pages.map(page => page.length),
            [7, 7, 7, 7, 7, 5],
          )
        })

    test('by created_at, descending, and 50 to the page unless told otherwise', async () => {
      const shop = await app.tenant()
      await shop.post(path, body)
      await copies(shop, table, 50, rows)
      const plain = await shop.get(path)
      assert.equal(plain.body.data.length, 50)
      assert.equal(plain.text, (await shop.get(`${path}?sort=created_at&dir=desc&limit=50`)).text)
    })

    test('has_more is false exactly when nothing follows', async () => {
      const total = (await shop.get(`${path}?limit=100`)).body.data.length
      for (const [limit, more] of [
        [total - 1, true],
        [total, false],
        [total + 1, false],
      ] as const) {
        const { body } = await shop.get(`${path}?limit=${limit}`)
        assert.equal(body.data.length, Math.min(limit, total))
        assert.equal(body.has_more, more)
        assert.equal(body.next_cursor === null, !more)
      }
      assert.deepEqual(
        (await walk(shop, path, `limit=${total / 2}`)).map(page => page.length),
        [total / 2, total / 2],
      )
      assert.equal((await walk(shop, path, 'limit=1')).length, total)
    })
  })
}

test('the list of a tenant without rows is one empty page', async () => {
  const shop = await app.tenant()
  for (const path of [ORDERS, PRODUCTS, WEBHOOKS])
    assert.deepEqual((await shop.get(path)).body, { object: 'list', url: path, data: [], next_cursor: null, has_more: false })
})

test('pages skip and repeat nothing while rows come in before, behind and among them', async () => {
  const shop = await app.tenant()
  await shop.post(ORDERS, anOrder())
  const rows = { number: 't.number + n', created_at: time('n % 3') }
  await copies(shop, 'orders', ROWS - 1, rows)
  const before = new Set(ids((await shop.get(`${ORDERS}?limit=100`)).body.data))
  for (const dir of ['asc', 'desc']) {
    const seen = ids(
      (
        await walk(shop, ORDERS, `limit=6&dir=${dir}`, async page => {
          await shop.post(ORDERS, anOrder())
          await copies(shop, 'orders', 3, rows, (dir === 'asc' ? 1000 : 2000) + page * 10)
        })
      ).flat(),
    )
    assert.equal(new Set(seen).size, seen.length, 'no row twice')
    assert.deepEqual(
      [...before].filter(id => !seen.includes(id)),
      [],
      'no row left out',
    )
  }
})

test('a page’s cursor says where it ended, and goes on after its row is gone', async () => {
  const shop = await app.tenant()
  await shop.post(ORDERS, anOrder())
  await copies(shop, 'orders', 9, { number: 't.number + n', created_at: time('1'), total_amount: '700' })
  const all = ids((await shop.get(`${ORDERS}?sort=total_amount&dir=asc`)).body.data)
  const { body } = await shop.get(`${ORDERS}?sort=total_amount&dir=asc&limit=4`)
  assert.match(body.next_cursor, /^[A-Za-z0-9_-]+$/)
  assert.deepEqual(decoded(body.next_cursor), { v: 1, sort: 'total_amount', dir: 'asc', last: 700, id: all[3] })
  await app.sql`delete from orders where tenant_id = ${shop.id} and id = ${String(all[3])}`
  assert.deepEqual(ids((await shop.get(`${ORDERS}?limit=4&cursor=${body.next_cursor}`)).body.data), all.slice(4, 8))
})

test('a cursor brings its sort and dir along, takes another limit, and may repeat them', async () => {
  const shop = await app.tenant()
  await shop.post(PRODUCTS, aProduct())
  await copies(shop, 'products', 9, { name: "'n' || n" })
  const { body } = await shop.get(`${PRODUCTS}?sort=name&dir=asc&limit=3`)
  assert.deepEqual(decoded(body.next_cursor), { v: 1, sort: 'name', dir: 'asc', last: 'n2', id: body.data[2].id })
  const plain = await shop.get(`${PRODUCTS}?cursor=${body.next_cursor}&limit=5`)
  assert.equal(plain.body.data.length, 5)
  assert.equal((await shop.get(`${PRODUCTS}?sort=name&dir=asc&limit=5&cursor=${body.next_cursor}`)).text, plain.text)
})

test('a filter holds on every page', async () => {
  const shop = await app.tenant()
  await shop.post(ORDERS, anOrder())
  await copies(shop, 'orders', 19, { number: 't.number + n', status: "case when n % 2 = 0 then 'CANCELLED' else 'pending' end" })
  const found = await walk(shop, ORDERS, 'status=cancelled&limit=2')
  assert.deepEqual(
    found.map(page => page.length),
    [2, 2, 2, 2, 1],
  )
})

test('webhooks page by the same rules', async () => {
  const shop = await app.tenant()
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push((await shop.post(WEBHOOKS, aWebhook())).body.id)
  assert.deepEqual(ids((await walk(shop, WEBHOOKS, 'limit=2')).flat()).sort(), made.sort())
  assert.deepEqual((await walk(shop, WEBHOOKS, 'limit=2&dir=asc&fields=id,events')).flat()[0], {
    id: (await shop.get(`${WEBHOOKS}?dir=asc`)).body.data[0].id,
    events: ['order.created'],
  })
})

suite('fields', async () => {
  const shop = await app.tenant()
  const created = await shop.post(
    ORDERS,
    anOrder({
      items: [
        { name: 'Gift card', unit_amount: 100, quantity: 1, metadata: { color: 'red' } },
        { name: 'Wrapping', unit_amount: 50, quantity: 2 },
      ],
      metadata: { channel: 'fair', 'a.b': 'dotted' },
    }),
  )
  const { id } = created.body
  const sparse: [string, object][] = [
    ['id', { id }],
    ['id,number', { id, number: 1 }],
    ['number,id,id', { number: 1, id }],
    ['id,customer.email', { id, customer: { email: 'ada@example.com' } }],
    ['customer.email,customer', { customer: created.body.customer }],
    ['customer,customer.email', { customer: created.body.customer }],
    ['items.name', { items: [{ name: 'Gift card' }, { name: 'Wrapping' }] }],
    [
      'items.name,items.quantity',
      {
        items: [
          { name: 'Gift card', quantity: 1 },
          { name: 'Wrapping', quantity: 2 },
        ],
      },
    ],
    ['items.metadata.color', { items: [{ metadata: { color: 'red' } }, { metadata: {} }] }],
    ['items', { items: created.body.items }],
    ['metadata.channel', { metadata: { channel: 'fair' } }],
    ['metadata.none', { metadata: {} }],
    ['shipping_address.city,fulfillment.carrier', { shipping_address: null, fulfillment: null }],
    ['note', { note: null }],
  ]
  for (const [fields, expected] of sparse)
    test(`${fields} returns these and no others`, async () => {
      assert.deepEqual((await shop.get(`${ORDERS}/${id}?fields=${fields}`)).body, expected)
      const list = await shop.get(`${ORDERS}?fields=${fields}`)
      assert.deepEqual(list.body, { object: 'list', url: ORDERS, data: [expected], next_cursor: null, has_more: false })
    })

  test('the cursor does not need the fields it is made of', async () => {
    await shop.post(ORDERS, anOrder())
    const pages = await walk(shop, ORDERS, 'fields=number&limit=1&dir=asc')
    assert.deepEqual(pages, [[{ number: 1 }], [{ number: 2 }]])
  })
})

const SUNSET = {
  deprecation: 'true',
  sunset: 'Sat, 31 Jul 2026 23:59:59 GMT',
  link: '<https://shop.example/docs/api/pagination#cursor>; rel="successor-version"',
  warning: '299 - "Offset pagination is deprecated; migrate to cursor pagination before the Sunset date."',
}

suite('offset, deprecated', async () => {
  const shop = await app.tenant()
  for (const [path, body] of [
    [ORDERS, anOrder()],
    [PRODUCTS, aProduct()],
  ] as const) {
    for (let n = 0; n < 3; n++) await shop.post(path, body)

    test(`${path}: the same envelope without next_cursor, and the four headers byte for byte`, async () => {
      const all = ids((await shop.get(path)).body.data)
      for (const [offset, limit, more] of [
        [0, 2, true],
        [1, 2, false],
        [2, 2, false],
        [3, 2, false],
        [500, 2, false],
      ] as const) {
        const reply = await shop.get(`${path}?offset=${offset}&limit=${limit}`)
        assert.equal(reply.status, 200)
        assert.deepEqual(Object.keys(reply.body), ['object', 'url', 'data', 'has_more'])
        assert.deepEqual(ids(reply.body.data), all.slice(offset, offset + limit))
        assert.equal(reply.body.has_more, more)
        for (const [name, value] of Object.entries(SUNSET)) assert.equal(reply.headers.get(name), value)
      }
    })

    test(`${path}: none of the four without offset`, async () => {
      const reply = await shop.get(path)
      for (const name of Object.keys(SUNSET)) assert.equal(reply.headers.get(name), null)
    })
  }

  test('OFFSET_SUNSET_ENFORCED refuses it with the same Link', async () => {
    const enforcing = await testApp({ OFFSET_SUNSET_ENFORCED: 'true' })
    const shop = await enforcing.tenant()
    for (const path of [ORDERS, PRODUCTS]) {
      const reply = await shop.get(`${path}?offset=0`)
      assertProblem(reply, { status: 422, slug: 'validation-failed', instance: path, code: 'parameter_sunset', field: 'offset' })
      assert.equal(reply.headers.get('link'), SUNSET.link)
      assert.equal((await shop.get(path)).status, 200)
      const cursor = encoded({
        v: 1,
        sort: 'created_at',
        dir: 'desc',
        last: '2026-05-25T09:30:00.000Z',
        id: `${path === ORDERS ? 'ord' : 'prod'}_${'0'.repeat(26)}`,
      })
      assert.equal((await shop.get(`${path}?cursor=${cursor}`)).status, 200)
    }
  })
})
