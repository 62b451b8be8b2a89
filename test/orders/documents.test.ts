// One representation, rendered once: the stored text and the columns beside it never drift apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct } from '../support/given.ts'

const app = await testApp()

// biome-ignore lint/suspicious/noExplicitAny: rows and documents of every shape
type Any = any

/** A shop where everything that writes an order or a product was done at least once. */
async function history() {
  const shop = await app.tenant()
  const done = async (reply: Promise<{ status: number; text: string; body: Any }>) => {
    const { status, text, body } = await reply
    assert.ok(status < 300, text)
    return body
  }
  const product = await done(
    shop.post(
      '/api/v1/products',
      aProduct({ sku: 'A', stock: 20, external_id: 'P', category: 'C', variants: [{ name: 'M', sku: 'A-M', stock: 9 }] }),
    ),
  )
  const plain = await done(shop.post('/api/v1/products', aProduct({ stock: 20, name: 'Ünï "😀" \\ \u2028' })))
  await done(
    shop.patch(`/api/v1/products/${product.id}`, {
      name: 'New',
      price_amount: 5,
      sku: 'B',
      category: null,
      status: 'draft',
      currency: 'USD',
    }),
  )
  await done(
    shop.patch(`/api/v1/products/${product.id}`, {
      status: 'active',
      currency: 'EUR',
      variants: [{ id: product.variants[0].id, name: 'Medium', price_amount: 7 }, { name: 'L' }],
    }),
  )
  await done(shop.delete(`/api/v1/products/${(await done(shop.post('/api/v1/products', aProduct()))).id}`))
  const orders = []
  for (const status of ['pending', 'confirmed', 'processing', 'SHIPPED', 'CANCELLED', 'SHIPPED'])
    orders.push([
      (
        await done(
          shop.post(
            '/api/v1/orders',
            anOrder({
              items: [aLine({ product_id: plain.id, quantity: 2 }), aLine({ sku: 'A-M' })],
              external_id: `E${orders.length}`,
              source: 'crm',
              customer: { email: `Ö${orders.length}@Example.com` },
            }),
          ),
        )
      ).id,
      status,
    ])
  for (const [id, status] of orders) {
    await done(shop.patch(`/api/v1/orders/${id}`, { note: 'x "y" \\', tags: ['t'], shipping_address: { city: 'Kyiv' } }))
    if (status !== 'pending') await done(shop.patch(`/api/v1/orders/${id}`, { status }))
  }
  await done(shop.patch(`/api/v1/orders/${orders[5]?.[0]}`, { status: 'DELIVERED' }))
  await done(shop.patch(`/api/v1/orders/${orders[5]?.[0]}`, { status: 'RETURNED', restock: true }))
  return shop
}

const columnsOf = (row: Any, names: string[]) =>
  Object.fromEntries(names.map(name => [name, row[name] instanceof Date ? row[name].toISOString() : row[name]]))

test('every order’s columns are what its document says, and the document is rendered as we would again', async () => {
  const shop = await history()
  const rows: Any[] = await app.sql`select * from orders where tenant_id = ${shop.id} order by number`
  assert.equal(rows.length, 6)
  for (const row of rows) {
    const doc = JSON.parse(row.doc)
    assert.equal(JSON.stringify(doc), row.doc)
    const same = [
      'id',
      'number',
      'external_id',
      'source',
      'status',
      'payment_status',
      'fulfillment_status',
      'currency',
      'total_amount',
      'version',
      'created_at',
      'updated_at',
    ]
    assert.deepEqual(columnsOf(row, same), columnsOf(doc, same))
    assert.equal(row.contact_id, doc.customer.contact_id)
    assert.equal(row.customer_email, doc.customer.email.toLowerCase())
    assert.equal(doc.total_amount, doc.subtotal_amount - doc.discount_amount + doc.shipping_amount + doc.tax_amount)
    assert.equal((await shop.get(`/api/v1/orders/${row.id}`)).text, row.doc, 'and handed on as it is stored')
  }
})

test('every product’s columns are what its document says; stock is not in it', async () => {
  const shop = await history()
  const rows: Any[] = await app.sql`select * from products where tenant_id = ${shop.id}`
  const open = await app.sql`
    select item ->> 'product_id' as product_id, item ->> 'variant_id' as variant_id, sum((item ->> 'quantity')::int) as reserved
      from orders, json_array_elements(doc::json -> 'items') item
     where tenant_id = ${shop.id} and status in ('pending', 'confirmed', 'processing')
     group by 1, 2`
  assert.equal(rows.length, 3)
  for (const row of rows) {
    const doc = JSON.parse(row.doc)
    assert.equal(JSON.stringify(doc), row.doc)
    const same = [
      'id',
      'name',
      'sku',
      'external_id',
      'category',
      'status',
      'price_amount',
      'currency',
      'version',
      'created_at',
      'updated_at',
    ]
    assert.deepEqual(columnsOf(row, same), columnsOf(doc, same))
    for (const name of ['stock', 'reserved', 'stock_status', 'variants']) assert.ok(!(name in doc))
    const { body } = await shop.get(`/api/v1/products/${row.id}`)
    const { stock, reserved, stock_status, variants, ...rest } = body
    assert.deepEqual(rest, doc)
    assert.deepEqual([stock, reserved], [row.stock, row.reserved])
    assert.equal(row.has_variants, variants.length > 0)
    assert.equal(
      row.reserved,
      Number(open.find(each => each['product_id'] === row.id && each['variant_id'] === null)?.['reserved'] ?? 0),
      'open orders, added up, hold what is reserved',
    )
    const kept: Any[] = await app.sql`select * from product_variants where product_id = ${row.id} order by position`
    assert.deepEqual(
      kept.map(each => ({ ...JSON.parse(each.doc), stock: each.stock })),
      variants,
    )
    for (const each of kept) {
      assert.deepEqual(
        columnsOf(each, ['id', 'sku', 'name', 'price_amount']),
        columnsOf(JSON.parse(each.doc), ['id', 'sku', 'name', 'price_amount']),
      )
      if (each.stock !== null) assert.equal(each.reserved, Number(open.find(held => held['variant_id'] === each.id)?.['reserved'] ?? 0))
    }
    const skus = (await app.sql`select sku, variant_id from product_skus where product_id = ${row.id}`).map(
      each => `${each['variant_id']} ${each['sku']}`,
    )
    assert.deepEqual(
      skus.sort(),
      [[null, row.sku], ...kept.map(each => [each.id, each.sku])]
        .filter(([, sku]) => sku !== null)
        .map(([id, sku]) => `${id} ${sku}`)
        .sort(),
    )
  }
})
