// The catalogue: create, read, change, archive; skus, variants and stock.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem, nobody } from '../support/given.ts'

const app = await testApp()
const PRODUCTS = '/api/v1/products'
const ORDERS = '/api/v1/orders'

const create = async (shop: TestTenant, over: Record<string, unknown> = {}): Promise<Reply['body']> => {
  const reply = await shop.post(PRODUCTS, aProduct(over))
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const pathOf = ({ id }: { id: string }) => `${PRODUCTS}/${id}`
const read = async (shop: TestTenant, product: { id: string }) => (await shop.get(pathOf(product))).body
const change = async (shop: TestTenant, product: { id: string }, body: object): Promise<Reply['body']> => {
  const reply = await shop.patch(pathOf(product), body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}
const order = async (shop: TestTenant, line: Record<string, unknown>): Promise<string> => {
  const reply = await shop.post(ORDERS, anOrder({ items: [aLine(line)] }))
  assert.equal(reply.status, 201, reply.text)
  return String(reply.headers.get('location'))
}

test('a product has every documented field, 201, Location and ETag', async () => {
  const shop = await app.tenant()
  const given = {
    name: 'Linen shirt',
    price_amount: 4900,
    description: 'Light.',
    sku: 'SHIRT',
    external_id: 'P-1',
    category: 'Clothes/Shirts',
    status: 'ACTIVE',
    compare_at_amount: 5900,
    currency: 'USD',
    stock: 25,
    images: [{ url: 'https://a.example/1.jpg', alt: 'front' }, { url: 'https://a.example/2.jpg' }],
    attributes: { fabric: 'linen' },
    tags: ['summer'],
    metadata: { row: '7' },
    variants: [{ name: 'M', sku: 'SHIRT-M', options: { size: 'M' }, price_amount: 4800, stock: 3 }, { name: 'L' }],
  }
  const reply = await shop.post(PRODUCTS, given)
  assert.equal(reply.status, 201)
  const { body: product } = reply
  assert.match(product.id, /^prod_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(reply.headers.get('location'), pathOf(product))
  for (const variant of product.variants) assert.match(variant.id, /^var_\w{26}$/)
  assert.deepEqual(product, {
    object: 'product',
    id: product.id,
    ...given,
    status: 'active',
    images: [
      { url: 'https://a.example/1.jpg', alt: 'front' },
      { url: 'https://a.example/2.jpg', alt: null },
    ],
    reserved: 0,
    stock_status: 'in_stock',
    variants: [
      { id: product.variants[0].id, name: 'M', sku: 'SHIRT-M', options: { size: 'M' }, price_amount: 4800, stock: 3 },
      { id: product.variants[1].id, name: 'L', sku: null, options: {}, price_amount: null, stock: null },
    ],
    version: 1,
    created_at: product.created_at,
    updated_at: product.created_at,
  })
  assert.match(product.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(await read(shop, product), product)
})

test('the smallest product has null, [] and {} for what was not given, is active and in the workspace’s currency', async () => {
  const product = await create(await app.tenant())
  const { object, id, created_at, updated_at, ...rest } = product
  assert.deepEqual(rest, {
    name: 'Linen shirt',
    description: null,
    sku: null,
    external_id: null,
    category: null,
    status: 'active',
    price_amount: 4900,
    compare_at_amount: null,
    currency: 'EUR',
    images: [],
    attributes: {},
    tags: [],
    metadata: {},
    version: 1,
    stock: null,
    reserved: 0,
    stock_status: 'untracked',
    variants: [],
  })
})

for (const [stock, reserved, status] of [
  [null, 0, 'untracked'],
  [0, 0, 'out_of_stock'],
  [1, 0, 'low_stock'],
  [5, 0, 'low_stock'],
  [6, 0, 'in_stock'],
  [6, 1, 'low_stock'],
  [6, 6, 'out_of_stock'],
] as const)
  test(`${stock} pieces of which ${reserved} are reserved are ${status}`, async () => {
    const shop = await app.tenant()
    const product = await create(shop, { stock })
    if (reserved > 0) await order(shop, { product_id: product.id, quantity: reserved })
    const { stock_status, ...now } = await read(shop, product)
    assert.deepEqual([now.stock, now.reserved, stock_status], [stock, reserved, status])
    assert.equal((await shop.get(`${PRODUCTS}?stock_status=${status}`)).body.data.length, 1)
  })

suite('a change', () => {
  test('touches only the fields given, and counts the version', async () => {
    const shop = await app.tenant()
    const before = await create(shop, {
      sku: 'A',
      stock: 4,
      tags: ['x'],
      metadata: { a: 'b' },
      variants: [{ name: 'M', sku: 'A-M', stock: 2 }],
    })
    const after = await change(shop, before, { price_amount: 4500, metadata: { c: 'd' } })
    assert.deepEqual(after, { ...before, price_amount: 4500, metadata: { c: 'd' }, version: 2, updated_at: after.updated_at })
    assert.ok(after.updated_at >= before.updated_at)
    assert.deepEqual(await read(shop, before), after)
    const cleared = await change(shop, before, { sku: null, stock: null, images: [], tags: [] })
    assert.deepEqual(cleared, {
      ...after,
      sku: null,
      stock: null,
      stock_status: 'untracked',
      tags: [],
      version: 3,
      updated_at: cleared.updated_at,
    })
    assert.equal((await shop.get(`${PRODUCTS}?sku=A-M`)).body.data.length, 1, 'its variant keeps its sku')
    assert.equal((await shop.get(`${PRODUCTS}?sku=A`)).body.data.length, 0)
  })

  test('to another status in any case; archived is no end', async () => {
    const shop = await app.tenant()
    const product = await create(shop)
    for (const [sent, kept] of [
      ['Draft', 'draft'],
      ['ARCHIVED', 'archived'],
      ['active', 'active'],
    ])
      assert.equal((await change(shop, product, { status: sent })).status, kept)
  })

  test('by ten requests at once is made ten times, one after the other', async () => {
    const shop = await app.tenant()
    const product = await create(shop)
    await Promise.all(Array.from({ length: 10 }, (_, n) => change(shop, product, { attributes: { n: String(n) } })))
    assert.equal((await read(shop, product)).version, 11)
  })

  test('of stock neither loses a reservation nor sets it below one', async () => {
    const shop = await app.tenant()
    const product = await create(shop, { stock: 5 })
    await order(shop, { product_id: product.id, quantity: 3 })
    const reply = await shop.patch(pathOf(product), { stock: 2 })
    assertProblem(reply, { status: 409, slug: 'conflict', instance: pathOf(product), code: 'stock_reserved' })
    assert.equal(reply.body.reserved, 3)
    assert.deepEqual([(await change(shop, product, { stock: 3 })).stock_status, (await read(shop, product)).reserved], ['out_of_stock', 3])
  })

  test('that ends the tracking of stock frees what was reserved, for good', async () => {
    const shop = await app.tenant()
    const product = await create(shop, { stock: 5 })
    const placed = await order(shop, { product_id: product.id, quantity: 3 })
    assert.equal((await change(shop, product, { stock: null })).reserved, 0)
    await shop.patch(placed, { status: 'CANCELLED' })
    const tracked = await change(shop, product, { stock: 4 })
    assert.deepEqual([tracked.stock, tracked.reserved], [4, 0])
  })

  test('while orders move its stock loses neither', async () => {
    const shop = await app.tenant()
    const product = await create(shop, { stock: 100 })
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? change(shop, product, { name: `Shirt ${n}` }) : order(shop, { product_id: product.id }),
      ),
    )
    const now = await read(shop, product)
    assert.deepEqual([now.stock, now.reserved, now.version], [100, 10, 11])
  })

  test('of stock by an order leaves version and updated_at as they are', async () => {
    const shop = await app.tenant()
    const product = await create(shop, { stock: 9, variants: [{ name: 'M', sku: 'M', stock: 2 }] })
    const placed = await order(shop, { sku: 'M', quantity: 2 })
    await shop.patch(placed, { status: 'SHIPPED' })
    const now = await read(shop, product)
    assert.deepEqual(now, { ...product, variants: [{ ...product.variants[0], stock: 0 }] })
  })
})

suite('variants', () => {
  test('are the list as a change gives it: those with their id are changed, new ones made, the others gone', async () => {
    const shop = await app.tenant()
    const product = await create(shop, {
      variants: [{ name: 'S' }, { name: 'M', sku: 'M', stock: 4, price_amount: 100, options: { size: 'M' } }],
    })
    const [, m] = product.variants
    const { variants, version } = await change(shop, product, {
      variants: [
        { name: 'XL', sku: 'XL' },
        { id: m.id, name: 'Medium' },
      ],
    })
    assert.equal(version, 2)
    assert.deepEqual(variants, [
      { id: variants[0].id, name: 'XL', sku: 'XL', options: {}, price_amount: null, stock: null },
      { ...m, name: 'Medium' },
    ])
    assert.deepEqual((await change(shop, product, { variants: [] })).variants, [])
    assert.equal((await shop.get(`${PRODUCTS}?sku=XL`)).body.data.length, 0, 'the sku of a variant that is gone is free')
  })

  test('keep their reservation, and cannot go while an order holds them', async () => {
    const shop = await app.tenant()
    const product = await create(shop, {
      variants: [
        { name: 'M', sku: 'M', stock: 4 },
        { name: 'L', stock: 4 },
      ],
    })
    const [m, l] = product.variants
    const placed = await order(shop, { sku: 'M', quantity: 3 })
    const refusal = { status: 409, slug: 'conflict', instance: pathOf(product), code: 'stock_reserved' }
    assertProblem(await shop.patch(pathOf(product), { variants: [{ id: l.id, name: 'L' }] }), refusal)
    assertProblem(await shop.patch(pathOf(product), { variants: [{ id: m.id, name: 'M', stock: 2 }] }), refusal)
    assert.deepEqual((await change(shop, product, { variants: [{ id: m.id, name: 'M', stock: 3 }] })).variants[0].stock, 3)
    assert.equal(
      (await shop.post(ORDERS, anOrder({ items: [aLine({ product_id: product.id, variant_id: m.id })] }))).body.code,
      'insufficient_stock',
    )
    await shop.patch(placed, { status: 'CANCELLED' })
    await change(shop, product, { variants: [] })
  })

  test('of another product, or the same twice, are refused', async () => {
    const shop = await app.tenant()
    const [one, two] = [await create(shop, { variants: [{ name: 'M' }] }), await create(shop, { variants: [{ name: 'M' }] })]
    const [{ id }] = one.variants
    const refusal = { status: 422, slug: 'validation-failed', instance: pathOf(two) }
    assertProblem(await shop.patch(pathOf(two), { variants: [{ id, name: 'M' }] }), {
      ...refusal,
      field: 'variants[0].id',
      code: 'unknown_variant',
    })
    const own = { id: two.variants[0].id, name: 'M' }
    assertProblem(await shop.patch(pathOf(two), { variants: [own, own] }), { ...refusal, field: 'variants[1].id', code: 'duplicate' })
  })
})

suite('a sku', () => {
  const conflict = (instance: string) => ({ status: 409, slug: 'conflict', instance, code: 'duplicate_sku' })

  test('belongs to one product or variant of a tenant; a conflict names the holder in Location', async () => {
    const shop = await app.tenant()
    const first = await create(shop, { sku: 'A', variants: [{ name: 'M', sku: 'A-M' }] })
    for (const over of [
      { sku: 'A' },
      { sku: 'A-M' },
      { variants: [{ name: 'x', sku: 'A' }] },
      { sku: 'B', variants: [{ name: 'x', sku: 'A-M' }] },
    ]) {
      const reply = await shop.post(PRODUCTS, aProduct(over))
      assertProblem(reply, conflict(PRODUCTS))
      assert.equal(reply.headers.get('location'), pathOf(first))
    }
    const second = await create(shop, { sku: 'a', variants: [{ name: 'M', sku: 'B-M' }] })
    for (const body of [
      { sku: 'A-M' },
      {
        variants: [
          { id: second.variants[0].id, name: 'M', sku: 'B-M' },
          { name: 'L', sku: 'A' },
        ],
      },
    ]) {
      const reply = await shop.patch(pathOf(second), body)
      assertProblem(reply, conflict(pathOf(second)))
      assert.equal(reply.headers.get('location'), pathOf(first))
    }
    assert.deepEqual(await read(shop, second), second)
  })

  test('may be given again to its holder, and moves between a product and its variants', async () => {
    const shop = await app.tenant()
    const product = await create(shop, { sku: 'A', variants: [{ name: 'M', sku: 'A-M' }] })
    await change(shop, product, { sku: 'A' })
    await change(shop, product, { sku: 'A-M', variants: [{ id: product.variants[0].id, name: 'M', sku: 'A' }] })
    const refused = await shop.patch(pathOf(product), { sku: 'A' })
    assertProblem(refused, { status: 422, slug: 'validation-failed', instance: pathOf(product), field: 'variants', code: 'duplicate' })
  })

  test('that ten products want at once goes to one', async () => {
    const shop = await app.tenant()
    const replies = await Promise.all(Array.from({ length: 10 }, () => shop.post(PRODUCTS, aProduct({ sku: 'A' }))))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [201, ...Array(9).fill(409)])
    assert.equal((await shop.get(PRODUCTS)).body.data.length, 1)
  })

  test('of an archived product stays its own', async () => {
    const shop = await app.tenant()
    const product = await create(shop, { sku: 'A' })
    await shop.delete(pathOf(product))
    assert.equal((await shop.post(PRODUCTS, aProduct({ sku: 'A' }))).status, 409)
  })
})

test('an external_id belongs to one product; a conflict names the holder in Location', async () => {
  const shop = await app.tenant()
  const first = await create(shop, { external_id: 'P-1' })
  const second = await create(shop, { external_id: 'P-2' })
  const created = await shop.post(PRODUCTS, aProduct({ external_id: 'P-1' }))
  assertProblem(created, { status: 409, slug: 'conflict', instance: PRODUCTS, code: 'duplicate_external_id' })
  const changed = await shop.patch(pathOf(second), { external_id: 'P-1' })
  assertProblem(changed, { status: 409, slug: 'conflict', instance: pathOf(second), code: 'duplicate_external_id' })
  for (const reply of [created, changed]) assert.equal(reply.headers.get('location'), pathOf(first))
  await change(shop, first, { external_id: null })
  await change(shop, second, { external_id: 'P-1' })
})

test('archiving keeps the product, takes it off sale, and may be repeated', async () => {
  const shop = await app.tenant()
  const product = await create(shop, { stock: 3 })
  const placed = await order(shop, { product_id: product.id })
  const reply = await shop.delete(pathOf(product))
  assert.equal(reply.status, 200)
  assert.equal(reply.body.status, 'archived')
  assert.deepEqual((await shop.get(`${PRODUCTS}?status=archived`)).body.data, [reply.body])
  assert.equal((await shop.post(ORDERS, anOrder({ items: [aLine({ product_id: product.id })] }))).status, 422)
  assert.equal((await shop.patch(placed, { status: 'SHIPPED' })).status, 200, 'an ordered product can still be shipped')
  assert.deepEqual((({ stock, reserved }) => [stock, reserved])(await read(shop, product)), [2, 0])
  assert.equal((await shop.delete(pathOf(product))).status, 200)
})

test('every change leaves an audit row', async () => {
  const shop = await app.tenant()
  const product = await create(shop)
  await change(shop, product, { name: 'New', price_amount: 1 })
  await shop.delete(pathOf(product))
  const rows = await app.sql`select action, subject_id, details from audit_log where tenant_id = ${shop.id} order by id`
  const subject_id = product.id
  assert.deepEqual(
    [...rows],
    [
      { action: 'product.create', subject_id, details: {} },
      { action: 'product.update', subject_id, details: { fields: ['name', 'price_amount'] } },
      { action: 'product.update', subject_id, details: { fields: ['status'] } },
    ],
  )
})

suite('filters', async () => {
  const shop = await app.tenant()
  const catalogue: Record<string, Record<string, unknown>> = {
    shirt: { name: 'Linen shirt', sku: 'SHIRT', category: 'Clothes/Shirts', price_amount: 4900, stock: 25, external_id: 'P-1' },
    sock: { name: 'Sock 100%_wool', category: 'Clothes', price_amount: 900, stock: 3, variants: [{ name: 'M', sku: 'SOCK-M' }] },
    mug: { name: 'Кухоль', category: 'Kitchen', price_amount: 1500, stock: 0, status: 'draft' },
    card: { name: 'Gift card', price_amount: 0, status: 'archived' },
  }
  const names = new Map<string, string>()
  for (const [name, over] of Object.entries(catalogue)) names.set((await create(shop, over)).id, name)
  const late = '2999-01-01T00:00:00Z'
  const found: [string, string[]][] = [
    ['', ['shirt', 'sock', 'mug', 'card']],
    ['q=SHIRT', ['shirt']],
    ['q=clothes', ['shirt', 'sock']],
    ['q=КУХ', ['mug']],
    ['q=%25_', ['sock']],
    ['q=_', ['sock']],
    ['name=shir', ['shirt']],
    ['name=shirts', []],
    ['category=Clothes', ['shirt', 'sock']],
    ['category=Clothes/', ['shirt']],
    ['category=clothes', []],
    ['status=active', ['shirt', 'sock']],
    ['status=draft,ARCHIVED', ['mug', 'card']],
    ['sku=SHIRT', ['shirt']],
    ['sku=SOCK-M', ['sock']],
    ['sku=shirt', []],
    ['external_id=P-1', ['shirt']],
    ['stock_status=out_of_stock,untracked', ['mug', 'card']],
    ['stock_below=3', ['mug']],
    ['stock_below=4', ['sock', 'mug']],
    ['min_price=900', ['shirt', 'sock', 'mug']],
    ['max_price=900', ['sock', 'card']],
    ['min_price=900&max_price=1500', ['sock', 'mug']],
    [`created_before=${late}`, ['shirt', 'sock', 'mug', 'card']],
    [`created_after=${late}`, []],
    [`updated_before=${late}&status=draft`, ['mug']],
    [`updated_after=${late}`, []],
    ["q=' or 1=1 --", []],
  ]
  for (const [query, expected] of found)
    test(`?${query} finds ${expected.join(', ') || 'nothing'}`, async () => {
      const { body } = await shop.get(`${PRODUCTS}?${query}`)
      assert.deepEqual(body.data.map((each: { id: string }) => names.get(each.id)).sort(), [...expected].sort())
    })
})

test('an id that names nothing is a 404 to read, to change and to archive', async () => {
  const shop = await app.tenant()
  const path = pathOf({ id: nobody('prod') })
  for (const reply of [await shop.get(path), await shop.patch(path, { name: 'x' }), await shop.delete(path)])
    assertProblem(reply, { status: 404, slug: 'resource-not-found', instance: path })
})
