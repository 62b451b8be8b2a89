// product.low_stock: once each time that what is available falls to the threshold, whatever makes it fall.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { placeAll } from '../../src/orders/place.ts'
import { beginBriefly, openDatabase } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, ok } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'

const app = await testApp()

const made = async (shop: TestTenant, over: Record<string, unknown>) => ok(await shop.post('/api/v1/products', aProduct(over)))
const buy = async (shop: TestTenant, line: Record<string, unknown>) =>
  ok(await shop.post('/api/v1/orders', anOrder({ items: [aLine(line)] })))
const told = async (shop: TestTenant) =>
  (await app.sql`select body from events where tenant_id = ${shop.id} and type = 'product.low_stock' order by seq`).map(
    row => JSON.parse(row['body']).data,
  )

test('an order that crosses the threshold tells it once, those after it tell nothing until stock has come and gone again', async () => {
  const shop = await app.tenant()
  const { id } = await made(shop, { stock: 9, sku: 'CUP' })
  await buy(shop, { product_id: id, quantity: 3 })
  assert.deepEqual(await told(shop), [], 'six are left, one more than the threshold')
  await buy(shop, { sku: 'CUP', quantity: 1 })
  const [first] = await told(shop)
  assert.deepEqual([first.product_id, first.variant_id, first.available], [id, null, 5])
  assert.deepEqual(first.product, ok(await shop.get(`/api/v1/products/${id}`)), 'the product as it is after the order')
  const last = await buy(shop, { sku: 'CUP', quantity: 1 })
  assert.equal((await told(shop)).length, 1)
  ok(await shop.patch(`/api/v1/orders/${last.id}`, { status: 'CANCELLED' }))
  ok(await shop.patch(`/api/v1/products/${id}`, { stock: 20 }))
  assert.equal((await told(shop)).length, 1, 'what rises tells nothing')
  ok(await shop.patch(`/api/v1/products/${id}`, { stock: 6 }))
  assert.deepEqual(
    (await told(shop)).map(each => each.available),
    [5, 2],
    'a person took it down: four of six are reserved',
  )
})

test('each variant has a threshold of its own; untracked stock and a new product have none to cross', async () => {
  const shop = await app.tenant()
  const variants = ['S', 'M'].map(name => ({ name, sku: `SHIRT-${name}`, stock: 8 }))
  const shirt = await made(shop, { variants })
  await made(shop, { stock: 1, sku: 'LAST' })
  const untracked = await made(shop, { sku: 'GIFT' })
  await buy(shop, { sku: 'GIFT', quantity: 100 })
  ok(await shop.patch(`/api/v1/products/${untracked.id}`, { stock: 3 }))
  await buy(shop, { sku: 'LAST', quantity: 1 })
  assert.deepEqual(await told(shop), [])
  await buy(shop, { sku: 'SHIRT-M', quantity: 4 })
  assert.deepEqual(
    (await told(shop)).map(each => [each.product_id, each.variant_id, each.available]),
    [[shirt.id, shirt.variants[1].id, 4]],
  )
})

test('of orders placed together the one that crosses tells it, with what is left after all of them', async () => {
  const shop = await app.tenant()
  const { id } = await made(shop, { stock: 12 })
  const items = [1, 2, 3].map(() => anOrder({ items: [aLine({ product_id: id, quantity: 3 })] }))
  ok(await shop.post('/api/v1/orders/bulk', { items }))
  assert.deepEqual(
    (await told(shop)).map(each => [each.available, each.product.reserved]),
    [[3, 9]],
  )
})

test('an order that crosses nothing costs no statement more than one of untracked goods', async () => {
  const shop = await app.tenant()
  const tracked = await made(shop, { stock: 1000 })
  const untracked = await made(shop, {})
  const low = await made(shop, { stock: 6 })
  const counter = await openCounter(app.databaseUrl)
  const db = openDatabase(counter.url, { name: 'counted', lanes: 0, pool: 1 })
  after(() => db.close().then(counter.close))
  const cost = async (product_id: string) => {
    const input = anOrder({ items: [aLine({ product_id })] }) as never
    const place = () => beginBriefly(db.sql, tx => placeAll(tx, [{ caller: { tenant: shop.id, actor: { type: 'cli' } }, input }]))
    const before = counter.statements()
    await place()
    return counter.statements() - before
  }
  // The first finds out types.
  await cost(untracked.id)
  const plain = await cost(untracked.id)
  assert.equal(await cost(tracked.id), plain)
  assert.ok((await cost(low.id)) > plain)
})
