// Orders that arrive together share a transaction, and no order may notice it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem, nobody } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const refused = (status: number, slug: string, code: string) => ({ status, slug, instance: ORDERS, code })
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

test('orders of several tenants are numbered without gaps, each in its own shop', async () => {
  const shops = await Promise.all(many(4, () => app.tenant()))
  const replies = await Promise.all(shops.flatMap(shop => many(20, () => shop.post(ORDERS, anOrder()))))
  assert.deepEqual([...new Set(replies.map(reply => reply.status))], [201])
  for (const shop of shops) {
    const rows = await app.sql`
      select o.number, e.id as event, a.actor_id, o.doc::json ->> 'number' as told
        from orders o
        join events e on e.tenant_id = o.tenant_id and (e.body::json -> 'data' ->> 'order_id') = o.id
        join audit_log a on a.tenant_id = o.tenant_id and a.subject_id = o.id
       where o.tenant_id = ${shop.id} order by o.number`
    assert.deepEqual(
      rows.map(row => [row['number'], Number(row['told'])]),
      many(20, n => [n + 1, n + 1]),
    )
  }
})

test('a refused order does not disturb the others', async () => {
  const shop = await app.tenant()
  const { body: product } = await shop.post('/api/v1/products', aProduct({ stock: 5 }))
  const wishes = [
    anOrder({ items: [aLine({ product_id: product.id, quantity: 3 })] }),
    anOrder({ items: [aLine({ product_id: nobody('prod') })] }),
    anOrder({ items: [aLine({ sku: 'NONE' })] }),
    anOrder({ customer: { contact_id: nobody('con') } }),
    anOrder({ items: [aLine({ product_id: product.id })], currency: 'USD' }),
    anOrder({ items: [aLine({ product_id: product.id, quantity: 4 })] }),
    anOrder({ items: [aLine({ product_id: product.id, quantity: 2 })] }),
  ]
  const replies = await Promise.all(wishes.map(wish => shop.post(ORDERS, wish)))
  const codes = replies.map(reply => reply.body.code ?? reply.status)
  const pieces = [3, 4, 2].filter((_, index) => [codes[0], codes[5], codes[6]][index] === 201).reduce((sum, each) => sum + each, 0)
  assert.deepEqual(codes.slice(1, 5), ['unknown_product', 'unknown_product', 'unknown_contact', 'currency_mismatch'])
  const [row] = await app.sql`select reserved from products where id = ${product.id}`
  assert.equal(row?.['reserved'], pieces)
  const [left] = await app.sql`
    select (select count(*) from orders where tenant_id = ${shop.id}) as orders,
           (select count(*) from events where tenant_id = ${shop.id} and type = 'order.created') as events,
           (select count(*) from contacts where tenant_id = ${shop.id}) as contacts`
  const placed = replies.filter(reply => reply.status === 201).length
  assert.deepEqual(left, { orders: placed, events: placed, contacts: 1 })
})

test('a new customer with twenty orders at once is one contact', async () => {
  const shop = await app.tenant()
  const customers = [
    { email: 'Ada@Example.com' },
    { email: 'ada@example.com', phone: '+380441234567' },
    { email: 'ADA@example.com', name: 'Ada' },
  ]
  const replies = await Promise.all(many(20, n => shop.post(ORDERS, anOrder({ customer: customers[n % 3] }))))
  assert.deepEqual([...new Set(replies.map(reply => reply.status))], [201])
  assert.equal(new Set(replies.map(reply => reply.body.customer.contact_id)).size, 1)
  const rows = await app.sql`select orders_count from contacts where tenant_id = ${shop.id}`
  assert.deepEqual([...rows], [{ orders_count: 20 }])
})

test('twenty orders of one external_id at once: one is placed and the others are told which', async () => {
  const shop = await app.tenant()
  const { body: product } = await shop.post('/api/v1/products', aProduct({ stock: 100 }))
  const replies = await Promise.all(
    many(20, () => shop.post(ORDERS, anOrder({ external_id: 'CRM-1', items: [aLine({ product_id: product.id })] }))),
  )
  const [placed, ...others] = replies.filter(reply => reply.status === 201)
  assert.ok(placed && others.length === 0)
  for (const reply of replies.filter(each => each !== placed)) {
    assertProblem(reply, refused(409, 'conflict', 'duplicate_external_id'))
    assert.equal(reply.headers.get('location'), `${ORDERS}/${placed.body.id}`)
  }
  const [row] = await app.sql`select reserved from products where id = ${product.id}`
  assert.equal(row?.['reserved'], 1)
})

test('an order that has to wait for a lock keeps no other order waiting', async () => {
  const [busy, other] = await Promise.all([app.tenant(), app.tenant()])
  const { body: product } = await busy.post('/api/v1/products', aProduct({ stock: 5 }))
  const answered: string[] = []
  await begin(app.sql, async tx => {
    await tx`select 1 from products where id = ${product.id} for update`
    const waiting = busy.post(ORDERS, anOrder({ items: [aLine({ product_id: product.id })] })).then(reply => {
      answered.push('busy')
      return reply
    })
    const others = await Promise.all(many(30, () => other.post(ORDERS, anOrder())))
    assert.deepEqual([...new Set(others.map(reply => reply.status))], [201])
    assert.deepEqual(answered, [])
    return { waiting }
  }).then(async ({ waiting }) => assert.equal((await waiting).status, 201))
})

test('each order of a shared transaction has its own idempotency record', async () => {
  const shop = await app.tenant()
  const place = (n: number) => shop.post(ORDERS, anOrder({ note: `order ${n}` }), { 'Idempotency-Key': `key-${n}` })
  const first = await Promise.all(many(20, place))
  assert.deepEqual([...new Set(first.map(reply => reply.status))], [201])
  const again = await Promise.all(many(20, place))
  for (const [n, reply] of again.entries()) {
    assertProblem(reply, refused(409, 'conflict', 'duplicate_idempotency_key'))
    assert.deepEqual(reply.body.original.body, first[n]?.body)
  }
})
