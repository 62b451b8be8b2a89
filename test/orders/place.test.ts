// Placing orders: what a line sells, what it costs, which customer ordered, and what is refused.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem, nobody } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const PRODUCTS = '/api/v1/products'
const conflict = (code: string) => ({ status: 409, slug: 'conflict', instance: ORDERS, code })
const invalid = (field: string, code: string) => ({ status: 422, slug: 'validation-failed', instance: ORDERS, field, code })

async function sell(shop: TestTenant, over: Record<string, unknown> = {}): Promise<Reply['body']> {
  const reply = await shop.post(PRODUCTS, aProduct(over))
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const place = async (shop: TestTenant, over: Record<string, unknown> = {}): Promise<Reply['body']> => {
  const reply = await shop.post(ORDERS, anOrder(over))
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const stockOf = async (shop: TestTenant, id: string) => {
  const { body } = await shop.get(`${PRODUCTS}/${id}`)
  return [body.stock, body.reserved, body.stock_status]
}

test('an order has every documented field, 201, Location and ETag', async () => {
  const shop = await app.tenant()
  const product = await sell(shop, { sku: 'SHIRT', stock: 10 })
  const reply = await shop.post(ORDERS, {
    items: [
      { product_id: product.id, quantity: 2, discount_amount: 300, metadata: { engraving: 'A' } },
      { name: 'Gift wrapping', unit_amount: 250, quantity: 1 },
    ],
    customer: { name: 'Ada Lovelace', email: 'Ada@Example.com', phone: '+380441234567' },
    currency: 'EUR',
    shipping_address: { name: 'Ada', line1: 'Main street 1', city: 'Kyiv', country: 'UA' },
    shipping_amount: 500,
    discount_amount: 250,
    payment: { method: 'COD' },
    external_id: 'CRM-7',
    source: 'CRM',
    note: 'Ring twice',
    tags: ['vip', 'fair'],
    metadata: { channel: 'fair' },
  })
  assert.equal(reply.status, 201)
  const { body: order } = reply
  assert.match(order.id, /^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(reply.headers.get('location'), `${ORDERS}/${order.id}`)
  assert.match(order.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  for (const item of order.items) assert.match(item.id, /^itm_\w{26}$/)
  assert.match(order.customer.contact_id, /^con_\w{26}$/)
  assert.deepEqual(order, {
    object: 'order',
    id: order.id,
    number: 1,
    external_id: 'CRM-7',
    source: 'crm',
    status: 'pending',
    payment_status: 'unpaid',
    fulfillment_status: 'unfulfilled',
    currency: 'EUR',
    subtotal_amount: 2 * 4900 - 300 + 250,
    discount_amount: 250,
    shipping_amount: 500,
    tax_amount: 0,
    total_amount: 2 * 4900 - 300 + 250 - 250 + 500,
    paid_amount: 0,
    refunded_amount: 0,
    customer: { contact_id: order.customer.contact_id, name: 'Ada Lovelace', email: 'Ada@Example.com', phone: '+380441234567' },
    items: [
      {
        id: order.items[0].id,
        product_id: product.id,
        variant_id: null,
        sku: 'SHIRT',
        name: 'Linen shirt',
        quantity: 2,
        unit_amount: 4900,
        discount_amount: 300,
        total_amount: 9500,
        metadata: { engraving: 'A' },
      },
      {
        id: order.items[1].id,
        product_id: null,
        variant_id: null,
        sku: null,
        name: 'Gift wrapping',
        quantity: 1,
        unit_amount: 250,
        discount_amount: 0,
        total_amount: 250,
        metadata: {},
      },
    ],
    shipping_address: {
      name: 'Ada',
      phone: null,
      line1: 'Main street 1',
      line2: null,
      city: 'Kyiv',
      region: null,
      postal_code: null,
      country: 'UA',
      pickup_point: null,
    },
    payment: { method: 'cod', provider: null, reference: null, paid_at: null },
    fulfillment: null,
    conversation_id: null,
    note: 'Ring twice',
    cancel_reason: null,
    tags: ['vip', 'fair'],
    metadata: { channel: 'fair' },
    version: 1,
    created_at: order.created_at,
    updated_at: order.created_at,
    confirmed_at: null,
    paid_at: null,
    shipped_at: null,
    delivered_at: null,
    cancelled_at: null,
    refunded_at: null,
  })
  assert.deepEqual((await shop.get(`${ORDERS}/${order.id}`)).body, order)
})

test('the smallest order has null, [] and {} for what was not given, and the workspace’s currency', async () => {
  const order = await place(await app.tenant())
  assert.deepEqual(
    [order.external_id, order.shipping_address, order.payment, order.note, order.tags, order.metadata],
    [null, null, null, null, [], {}],
  )
  assert.deepEqual([order.source, order.currency, order.total_amount], ['api', 'EUR', 2500])
})

test('the largest order is added up exactly', async () => {
  const shop = await app.tenant()
  const items = Array.from({ length: 100 }, () => aLine({ unit_amount: 9_000_000_000, quantity: 9999 }))
  const order = await place(shop, { items, shipping_amount: 9_000_000_000 })
  assert.equal(order.total_amount, 100 * 9999 * 9_000_000_000 + 9_000_000_000)
  assert.equal((await shop.get(`${ORDERS}?min_total=${order.total_amount}&max_total=${order.total_amount}`)).body.data[0].id, order.id)
})

test('order numbers count up per tenant, from 1, without two alike', async () => {
  const shop = await app.tenant()
  const numbers = (await Promise.all(Array.from({ length: 20 }, () => place(shop)))).map(order => order.number)
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 20 }, (_, index) => index + 1),
  )
  assert.equal((await place(await app.tenant())).number, 1)
})

test('an order that is refused leaves no gap in the numbers, alone or beside others', async () => {
  const shop = await app.tenant()
  const refused = () => shop.post(ORDERS, anOrder({ items: [{ sku: 'NONE', quantity: 1 }] }))
  assert.equal((await refused()).status, 422)
  assert.equal((await place(shop)).number, 1)
  const beside = await Promise.all(Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? refused() : shop.post(ORDERS, anOrder()))))
  const numbers = beside.filter(each => each.status === 201).map(each => each.body.number as number)
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: 12 }, (_, index) => index + 2),
  )
  assert.equal((await place(shop)).number, 14)
})

suite('a line', async () => {
  const shop = await app.tenant()
  const plain = await sell(shop, { sku: 'PLAIN', stock: 50 })
  const cut = await sell(shop, {
    sku: 'CUT',
    name: 'Cut',
    price_amount: 1000,
    variants: [
      { name: 'M', sku: 'CUT-M', stock: 3 },
      { name: 'L', sku: 'CUT-L', price_amount: 1200 },
    ],
  })
  const [m, l] = cut.variants
  const sold: [string, object, object][] = [
    [
      'by product_id',
      { product_id: plain.id },
      { product_id: plain.id, variant_id: null, sku: 'PLAIN', name: 'Linen shirt', unit_amount: 4900 },
    ],
    ['by sku', { sku: 'PLAIN' }, { product_id: plain.id, variant_id: null, sku: 'PLAIN', name: 'Linen shirt', unit_amount: 4900 }],
    ['by a variant’s sku', { sku: 'CUT-M' }, { product_id: cut.id, variant_id: m.id, sku: 'CUT-M', name: 'Cut – M', unit_amount: 1000 }],
    [
      'by product_id and variant_id',
      { product_id: cut.id, variant_id: l.id },
      { product_id: cut.id, variant_id: l.id, sku: 'CUT-L', name: 'Cut – L', unit_amount: 1200 },
    ],
    [
      'by sku and variant_id',
      { sku: 'CUT', variant_id: m.id },
      { product_id: cut.id, variant_id: m.id, sku: 'CUT-M', name: 'Cut – M', unit_amount: 1000 },
    ],
  ]
  for (const [how, line, expected] of sold)
    test(`sells ${how}, at the catalogue’s price`, async () => {
      const order = await place(shop, { items: [aLine(line as Record<string, unknown>)] })
      const { product_id, variant_id, sku, name, unit_amount } = order.items[0]
      assert.deepEqual({ product_id, variant_id, sku, name, unit_amount }, expected)
    })

  const refusals: [string, object, string, string][] = [
    ['a product that is sold in variants, without one', { product_id: cut.id }, 'variant_id', 'required'],
    ['its sku, without a variant', { sku: 'CUT' }, 'variant_id', 'required'],
    ['a variant of another product', { product_id: plain.id, variant_id: m.id }, 'variant_id', 'unknown_variant'],
    ['a variant that does not exist', { product_id: cut.id, variant_id: nobody('var') }, 'variant_id', 'unknown_variant'],
    ['a variant’s sku with another variant_id', { sku: 'CUT-M', variant_id: l.id }, 'variant_id', 'not_combinable'],
    ['a product that does not exist', { product_id: nobody('prod') }, 'product_id', 'unknown_product'],
    ['a sku of no product', { sku: 'plain' }, 'sku', 'unknown_product'],
  ]
  for (const [what, line, field, code] of refusals)
    test(`refuses ${what}`, async () => {
      assertProblem(
        await shop.post(ORDERS, anOrder({ items: [aLine(), aLine(line as Record<string, unknown>)] })),
        invalid(`items[1].${field}`, code),
      )
    })

  for (const status of ['archived', 'draft'])
    test(`refuses a product that is ${status}`, async () => {
      const product = await sell(shop, { status })
      assertProblem(
        await shop.post(ORDERS, anOrder({ items: [aLine({ product_id: product.id })] })),
        invalid('items[0].product_id', 'product_unavailable'),
      )
    })

  test('refuses a product of another currency, unless the order is in that', async () => {
    const product = await sell(shop, { currency: 'USD', sku: 'USD-1' })
    assertProblem(
      await shop.post(ORDERS, anOrder({ items: [aLine({ product_id: product.id })] })),
      invalid('items[0].product_id', 'currency_mismatch'),
    )
    assertProblem(await shop.post(ORDERS, anOrder({ items: [aLine({ sku: 'USD-1' })] })), invalid('items[0].sku', 'currency_mismatch'))
    assert.equal((await place(shop, { items: [aLine({ product_id: product.id })], currency: 'USD' })).currency, 'USD')
  })

  test('keeps its name and price when the catalogue changes', async () => {
    const product = await sell(shop, { name: 'Old', price_amount: 100 })
    const order = await place(shop, { items: [aLine({ product_id: product.id })] })
    await shop.patch(`${PRODUCTS}/${product.id}`, { name: 'New', price_amount: 900 })
    assert.deepEqual((await shop.get(`${ORDERS}/${order.id}`)).body.items, order.items)
  })
})

suite('the customer', () => {
  test('is found by address in any case, then by number, else made; each order is counted', async () => {
    const shop = await app.tenant()
    const first = (await place(shop, { customer: { email: 'Ada@Example.com', phone: '+380441234567', name: 'Ada' } })).customer
    const again = [
      { email: 'ada@example.COM' },
      { phone: '+380441234567' },
      { email: 'new@example.com', phone: '+380441234567' },
      { contact_id: first.contact_id },
      { email: 'ADA@EXAMPLE.COM', phone: '+15550001111' },
    ]
    for (const customer of again) assert.equal((await place(shop, { customer })).customer.contact_id, first.contact_id)
    assert.notEqual((await place(shop, { customer: { email: 'bob@example.com' } })).customer.contact_id, first.contact_id)
    const rows = await app.sql`select email, phone, orders_count from contacts where tenant_id = ${shop.id} order by email`
    assert.deepEqual(
      [...rows],
      [
        { email: 'Ada@Example.com', phone: '+380441234567', orders_count: 6 },
        { email: 'bob@example.com', phone: null, orders_count: 1 },
      ],
    )
  })

  test('is a snapshot: what the order gives, and for the rest what is known of the contact', async () => {
    const shop = await app.tenant()
    const { customer } = await place(shop, { customer: { email: 'ada@example.com', phone: '+380441234567', name: 'Ada' } })
    const { contact_id } = customer
    assert.deepEqual((await place(shop, { customer: { contact_id } })).customer, customer)
    assert.deepEqual((await place(shop, { customer: { phone: '+380441234567', name: 'A. Lovelace' } })).customer, {
      ...customer,
      name: 'A. Lovelace',
    })
    const found = await shop.get(`${ORDERS}?customer_email=ADA@example.com`)
    assert.equal(found.body.data.length, 3)
  })

  test('that is new and orders many times at once becomes one contact, and every order is placed', async () => {
    const shop = await app.tenant()
    const customers = [{ email: 'eve@example.com' }, { email: 'EVE@example.com', phone: '+15550002222' }, { phone: '+15550002222' }]
    const orders = await Promise.all(Array.from({ length: 30 }, (_, index) => place(shop, { customer: customers[index % 2] })))
    assert.equal(new Set(orders.map(order => order.customer.contact_id)).size, 1)
    const [row] = await app.sql`select orders_count from contacts where tenant_id = ${shop.id}`
    assert.equal(row?.['orders_count'], 30)
  })
})

suite('an external_id', () => {
  test('that is taken is a conflict with the Location of the order that has it', async () => {
    const shop = await app.tenant()
    const first = await place(shop, { external_id: 'CRM-1' })
    const reply = await shop.post(ORDERS, anOrder({ external_id: 'CRM-1' }))
    assertProblem(reply, conflict('duplicate_external_id'))
    assert.equal(reply.headers.get('location'), `${ORDERS}/${first.id}`)
    assert.equal((await place(shop, { external_id: 'crm-1' })).number, 2)
  })

  test('that ten orders want at once goes to one; the others learn which order has it', async () => {
    const shop = await app.tenant()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => shop.post(ORDERS, anOrder({ external_id: 'CRM-2', customer: { email: `c${n}@example.com` } }))),
    )
    const made = replies.filter(reply => reply.status === 201)
    assert.equal(made.length, 1)
    for (const reply of replies.filter(each => each.status !== 201)) {
      assertProblem(reply, conflict('duplicate_external_id'))
      assert.equal(reply.headers.get('location'), made[0]?.headers.get('location'))
    }
    assert.equal((await shop.get(ORDERS)).body.data.length, 1)
  })
})

suite('stock', () => {
  test('is reserved by an order, and the product says so', async () => {
    const shop = await app.tenant()
    const product = await sell(shop, { stock: 7 })
    await place(shop, { items: [aLine({ product_id: product.id, quantity: 2 })] })
    assert.deepEqual(await stockOf(shop, product.id), [7, 2, 'low_stock'])
    await place(shop, { items: [aLine({ product_id: product.id, quantity: 2 }), aLine({ product_id: product.id, quantity: 3 })] })
    assert.deepEqual(await stockOf(shop, product.id), [7, 7, 'out_of_stock'])
  })

  test('that is short is a 409 that says what is available, and reserves nothing of any line', async () => {
    const shop = await app.tenant()
    const [plenty, few] = [await sell(shop, { stock: 9 }), await sell(shop, { stock: 2 })]
    const items = [aLine({ product_id: plenty.id }), aLine({ product_id: few.id, quantity: 3 })]
    const reply = await shop.post(ORDERS, anOrder({ items }))
    assertProblem(reply, conflict('insufficient_stock'))
    assert.deepEqual([reply.body.field, reply.body.product_id, reply.body.available], ['items[1]', few.id, 2])
    const twice = await shop.post(
      ORDERS,
      anOrder({ items: [aLine({ product_id: few.id, quantity: 2 }), aLine({ product_id: few.id, quantity: 1 })] }),
    )
    assertProblem(twice, conflict('insufficient_stock'))
    assert.deepEqual(await stockOf(shop, plenty.id), [9, 0, 'in_stock'])
    assert.deepEqual(await stockOf(shop, few.id), [2, 0, 'low_stock'])
  })

  test('that is untracked never runs short', async () => {
    const shop = await app.tenant()
    const product = await sell(shop)
    await place(shop, { items: [aLine({ product_id: product.id, quantity: 9999 })] })
    assert.deepEqual(await stockOf(shop, product.id), [null, 0, 'untracked'])
  })

  test('of a variant is its own', async () => {
    const shop = await app.tenant()
    const product = await sell(shop, {
      variants: [
        { name: 'M', sku: 'M', stock: 1 },
        { name: 'L', sku: 'L', stock: 5 },
      ],
    })
    await place(shop, { items: [aLine({ sku: 'M' })] })
    const reply = await shop.post(ORDERS, anOrder({ items: [aLine({ sku: 'M' })] }))
    assertProblem(reply, conflict('insufficient_stock'))
    assert.equal(reply.body.variant_id, product.variants[0].id)
    await place(shop, { items: [aLine({ sku: 'L', quantity: 5 })] })
  })

  for (const what of ['product', 'variant'])
    test(`50 parallel orders for the last 3 pieces of a ${what} sell exactly 3`, async () => {
      const shop = await app.tenant()
      const product = await sell(
        shop,
        what === 'product' ? { sku: 'LAST', stock: 3 } : { variants: [{ name: 'M', sku: 'LAST', stock: 3 }] },
      )
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          shop.post(ORDERS, anOrder({ items: [aLine({ sku: 'LAST' })], customer: { email: `c${n}@example.com` } })),
        ),
      )
      assert.equal(replies.filter(reply => reply.status === 201).length, 3)
      for (const reply of replies.filter(each => each.status !== 201)) assertProblem(reply, conflict('insufficient_stock'))
      const [row] =
        what === 'product'
          ? await app.sql`select stock, reserved from products where id = ${product.id}`
          : await app.sql`select stock, reserved from product_variants where product_id = ${product.id}`
      assert.deepEqual(row, { stock: 3, reserved: 3 })
      const [left] =
        await app.sql`select (select count(*) from orders where tenant_id = ${shop.id}) as orders, (select count(*) from events where tenant_id = ${shop.id} and type = 'order.created') as events, (select count(*) from contacts where tenant_id = ${shop.id}) as contacts`
      assert.deepEqual(left, { orders: 3, events: 3, contacts: 3 })
    })

  test('parallel orders of the same products in opposite orders do not deadlock', async () => {
    const shop = await app.tenant()
    const products = [
      await sell(shop, { stock: 1000 }),
      await sell(shop, { stock: 1000 }),
      await sell(shop, { variants: [{ name: 'M', sku: 'V-M', stock: 1000 }] }),
    ]
    const lines = [aLine({ product_id: products[0].id }), aLine({ product_id: products[1].id }), aLine({ sku: 'V-M' })]
    const placed = await Promise.all(
      Array.from({ length: 30 }, (_, n) => shop.post(ORDERS, anOrder({ items: n % 2 ? lines : [...lines].reverse() }))),
    )
    assert.deepEqual([...new Set(placed.map(reply => reply.status))], [201])
    const moved = await Promise.all(
      placed.map((reply, n) => shop.patch(`${ORDERS}/${reply.body.id}`, { status: n % 3 ? 'SHIPPED' : 'CANCELLED' })),
    )
    assert.deepEqual([...new Set(moved.map(reply => reply.status))], [200])
    for (const product of products.slice(0, 2)) assert.deepEqual(await stockOf(shop, product.id), [980, 0, 'in_stock'])
  })
})
