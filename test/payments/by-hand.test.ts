// Payments and refunds that people record: what they change of an order, its contact and stock, and which events they emit.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem, nobody, ok } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'

interface Placed {
  shop: TestTenant
  path: string
  id: string
  product: string
}

/** An order of 49.00 EUR, two of ten pieces. */
async function placed(over: Record<string, unknown> = {}): Promise<Placed> {
  const shop = await app.tenant()
  const product = ok(await shop.post('/api/v1/products', aProduct({ stock: 10, price_amount: 2450 }))).id
  const { id } = ok(await shop.post(ORDERS, anOrder({ items: [aLine({ product_id: product, quantity: 2 })], ...over })))
  return { shop, id, path: `${ORDERS}/${id}`, product }
}

const orderOf = async ({ shop, path }: Placed) => ok(await shop.get(path))
const pay = async ({ shop, path }: Placed, body: object = {}) => ok(await shop.post(`${path}/payments`, body))
const refund = async ({ shop, path }: Placed, body: object = {}) => ok(await shop.post(`${path}/refunds`, body))
const refundsOf = async ({ shop, path }: Placed) => ok(await shop.get(`${path}/refunds`)).data
const stockOf = async ({ shop, product }: Placed) => {
  const { stock, reserved } = ok(await shop.get(`/api/v1/products/${product}`))
  return [stock, reserved]
}
const spentBy = async (order: Placed) => {
  const { customer } = await orderOf(order)
  return ok(await order.shop.get(`/api/v1/contacts/${customer.contact_id}`)).total_spent_amount
}
// biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
const eventsOf = async ({ shop }: Placed, after = 0): Promise<any[]> =>
  (await app.sql`select body from events where tenant_id = ${shop.id} and type like 'order.%' order by seq`)
    .slice(1 + after)
    .map(row => JSON.parse(row['body']))
const typesOf = async (order: Placed) => (await eventsOf(order)).map(event => event.type)

suite('a payment', () => {
  test('without an amount is of what is owed, and makes the order paid: fields, contact, event', async () => {
    const order = await placed()
    const reply = await order.shop.post(`${order.path}/payments`, { method: 'Bank_Transfer', reference: 'slip 7' })
    assert.equal(reply.status, 201, reply.text)
    assert.equal(reply.headers.get('location'), `/api/v1/payments/${reply.body.id}`)
    assert.equal(reply.text, (await order.shop.get(`/api/v1/payments/${reply.body.id}`)).text)
    const { paid_at } = reply.body
    assert.deepEqual(reply.body, {
      object: 'payment',
      id: reply.body.id,
      order_id: order.id,
      provider: 'manual',
      provider_id: null,
      reference: 'slip 7',
      method: 'bank_transfer',
      amount: 4900,
      currency: 'EUR',
      status: 'paid',
      refunded_amount: 0,
      dispute: null,
      error: null,
      paid_at,
      created_at: paid_at,
      updated_at: paid_at,
    })
    const after = await orderOf(order)
    assert.equal(after.status, 'pending')
    assert.deepEqual([after.payment_status, after.paid_amount, after.paid_at, after.version], ['paid', 4900, paid_at, 2])
    assert.deepEqual(after.payment, { method: 'bank_transfer', provider: 'manual', reference: 'slip 7', paid_at })
    assert.equal(await spentBy(order), 4900)
    const [event, ...rest] = await eventsOf(order)
    assert.deepEqual(rest, [])
    assert.equal(event.type, 'order.paid')
    assert.deepEqual(event.data, { order_id: order.id, order: after, payment: after.payment })
    const audited =
      await app.sql`select action, subject_id from audit_log where tenant_id = ${order.shop.id} and action ~ 'pay' order by action`
    assert.deepEqual(
      audited.map(row => [row['action'], row['subject_id']]),
      [
        ['order.pay', order.id],
        ['payment.record', reply.body.id],
      ],
    )
  })

  test('pays by card unless the order was placed otherwise', async () => {
    const [card, cod] = [await placed(), await placed({ payment: { method: 'cod' } })]
    assert.deepEqual([(await pay(card)).method, (await pay(cod)).method], ['card', 'cod'])
    assert.deepEqual([(await orderOf(card)).payment.method, (await orderOf(cod)).payment.method], ['card', 'cod'])
  })

  test('of a part leaves the order unpaid until the sum is reached', async () => {
    const order = await placed()
    await pay(order, { amount: 900, paid_at: '2026-05-01T10:00:00Z' })
    assert.deepEqual([(await orderOf(order)).payment_status, (await orderOf(order)).paid_amount], ['unpaid', 900])
    assert.deepEqual(await typesOf(order), [])
    await pay(order, { paid_at: '2026-05-02T10:00:00Z' })
    const after = await orderOf(order)
    assert.deepEqual([after.payment_status, after.paid_amount, after.paid_at], ['paid', 4900, '2026-05-02T10:00:00.000Z'])
    assert.deepEqual(await typesOf(order), ['order.paid'])
    assert.equal(await spentBy(order), 4900)
  })

  test('confirms a pending order where the workspace says so, and no other', async () => {
    const [pending, processing] = [await placed(), await placed()]
    for (const { shop } of [pending, processing]) await app.sql`update tenants set confirm_paid_orders = true where id = ${shop.id}`
    ok(await processing.shop.patch(processing.path, { status: 'processing' }))
    await pay(pending)
    await pay(processing)
    const after = await orderOf(pending)
    assert.deepEqual([after.status, after.confirmed_at === null, (await orderOf(processing)).status], ['confirmed', false, 'processing'])
    const [paid, moved] = await eventsOf(pending)
    assert.deepEqual([paid.type, paid.data.order, moved.type], ['order.paid', after, 'order.status_changed'])
    assert.deepEqual([moved.data.from, moved.data.to, moved.data.order], ['pending', 'confirmed', after])
  })

  const refused: [string, object, number, string, string][] = [
    ['larger than what is owed', { amount: 4901 }, 409, 'conflict', 'payment_too_large'],
    ['of zero', { amount: 0 }, 422, 'validation-failed', 'out_of_range'],
    ['below zero', { amount: -1 }, 422, 'validation-failed', 'out_of_range'],
    ['of a fraction', { amount: 1.5 }, 422, 'validation-failed', 'invalid_type'],
    ['in another currency', { currency: 'USD' }, 422, 'validation-failed', 'unknown_field'],
    ['by an unknown method', { method: 'shells' }, 422, 'validation-failed', 'invalid_choice'],
    ['in the year 0 of UTC', { paid_at: '0001-01-01T00:00:00+00:01' }, 422, 'validation-failed', 'invalid_format'],
    ['in the year 10000 of UTC', { paid_at: '9999-12-31T23:59:59-00:01' }, 422, 'validation-failed', 'invalid_format'],
  ]
  for (const [name, body, status, slug, code] of refused)
    test(`${name} is refused and changes nothing`, async () => {
      const order = await placed()
      const before = await orderOf(order)
      const reply = await order.shop.post(`${order.path}/payments`, body)
      assertProblem(reply, { status, slug, instance: `${order.path}/payments` })
      assert.equal(reply.body.code, code)
      assert.deepEqual(await orderOf(order), before)
    })

  test('of a paid order is a conflict, and ten at once pay once', async () => {
    const order = await placed()
    const replies = await Promise.all(Array.from({ length: 10 }, () => order.shop.post(`${order.path}/payments`, {})))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [201, ...Array(9).fill(409)])
    const second = replies.find(reply => reply.status === 409)
    assert.deepEqual([second?.body.code, second?.body.owed_amount], ['already_paid', 0])
    assert.deepEqual([(await orderOf(order)).paid_amount, await spentBy(order)], [4900, 4900])
  })

  test('with the reference of another is a conflict that names it', async () => {
    const order = await placed()
    const first = await pay(order, { amount: 100, reference: 'slip 7' })
    const repeat = async (body: object, { id }: { id: string }) => {
      const reply = await order.shop.post(`${order.path}/payments`, body)
      assertProblem(reply, { status: 409, slug: 'conflict', instance: `${order.path}/payments`, code: 'duplicate_reference' })
      assert.deepEqual([reply.body.payment_id, reply.headers.get('location')], [id, `/api/v1/payments/${id}`])
    }
    await repeat({ amount: 100, reference: 'slip 7' }, first)
    await repeat({ amount: 5000, reference: 'slip 7' }, first)
    assert.equal((await orderOf(order)).paid_amount, 100)
    await repeat({ reference: 'slip 8' }, await pay(order, { reference: 'slip 8' }))
  })

  test('of a cancelled order makes it paid and opens a refund', async () => {
    const order = await placed()
    ok(await order.shop.patch(order.path, { status: 'CANCELLED', cancel_reason: 'fraud' }))
    const { id } = await pay(order)
    assert.deepEqual([(await orderOf(order)).status, (await orderOf(order)).payment_status], ['CANCELLED', 'paid'])
    const [open] = await refundsOf(order)
    assert.deepEqual([open.status, open.amount, open.payment_id, open.reason], ['pending', 4900, id, 'fraud'])
  })

  test('is listed with its order and by status, the newest first', async () => {
    const order = await placed()
    const [one, two] = [await pay(order, { amount: 1 }), await pay(order, { amount: 2 })]
    const ids = async (path: string) => ok(await order.shop.get(path)).data.map((each: { id: string }) => each.id)
    for (const path of [
      `${order.path}/payments`,
      '/api/v1/payments',
      `/api/v1/payments?order_id=${order.id}&status=PAID,failed&provider=manual`,
    ])
      assert.deepEqual(await ids(path), [two.id, one.id], path)
    assert.deepEqual(await ids('/api/v1/payments?status=mismatched,unmatched'), [])
    const page = ok(await order.shop.get(`${order.path}/payments?limit=1`))
    assert.deepEqual(await ids(`${order.path}/payments?limit=1&cursor=${page.next_cursor}`), [one.id])
    for (const path of ['payments', 'refunds']) assert.equal((await order.shop.get(`${ORDERS}/${nobody('ord')}/${path}`)).status, 404)
  })
})

suite('a refund', () => {
  test('of a part leaves the status; the rest makes the order REFUNDED and frees its goods', async () => {
    const order = await placed()
    const payment = await pay(order)
    const part = await refund(order, { amount: 900, reason: 'scratched', reference: 'R-1' })
    const { created_at, completed_at } = part
    assert.deepEqual(part, {
      object: 'refund',
      id: part.id,
      order_id: order.id,
      payment_id: payment.id,
      reference: 'R-1',
      amount: 900,
      currency: 'EUR',
      reason: 'scratched',
      full: false,
      status: 'completed',
      completed_at,
      created_at,
    })
    const partly = await orderOf(order)
    assert.deepEqual([partly.status, partly.payment_status, partly.refunded_amount], ['pending', 'partially_refunded', 900])
    assert.deepEqual([await stockOf(order), await spentBy(order)], [[10, 2], 4000])
    const rest = await refund(order)
    assert.deepEqual([rest.amount, rest.full], [4000, true])
    const after = await orderOf(order)
    assert.deepEqual([after.status, after.payment_status, after.refunded_amount], ['REFUNDED', 'refunded', 4900])
    assert.ok(after.refunded_at)
    assert.deepEqual([await stockOf(order), await spentBy(order)], [[10, 0], 0])
    const { refunded_amount } = ok(await order.shop.get(`/api/v1/payments/${payment.id}`))
    assert.equal(refunded_amount, 4900)
    const events = (await eventsOf(order)).slice(1)
    assert.deepEqual(
      events.map(event => event.type),
      ['order.refunded', 'order.refunded', 'order.status_changed'],
    )
    assert.deepEqual(events[0].data, {
      order_id: order.id,
      order: partly,
      refund: { id: part.id, amount: 900, currency: 'EUR', reason: 'scratched', full: false, completed_at },
    })
    assert.deepEqual([events[1].data.order, events[1].data.refund.full], [after, true])
    assert.deepEqual([events[2].data.from, events[2].data.to, events[2].data.order], ['pending', 'REFUNDED', after])
  })

  test('with the reference of another of its order is that refund told again, also where there is a second payment since', async () => {
    const order = await placed()
    await pay(order, { amount: 1000 })
    await refund(order, { amount: 100, reference: 'R-1' })
    await pay(order, { amount: 2000 })
    await refund(order, { amount: 200, reference: 'R-2' })
    for (const body of [{ amount: 100, reference: 'R-1' }, { amount: 200, reference: 'R-2' }, { reference: 'R-2' }]) {
      const reply = await order.shop.post(`${order.path}/refunds`, body)
      assertProblem(reply, { status: 409, slug: 'conflict', instance: `${order.path}/refunds`, code: 'duplicate_refund' })
    }
    assert.equal((await orderOf(order)).refunded_amount, 300)
  })

  test('in full is no longer all that was paid once more is: the order is refunded in part', async () => {
    const order = await placed()
    await pay(order, { amount: 900 })
    await refund(order)
    assert.equal((await orderOf(order)).payment_status, 'refunded')
    await pay(order, { amount: 100 })
    const { payment_status, paid_amount, refunded_amount } = await orderOf(order)
    assert.deepEqual([payment_status, paid_amount, refunded_amount], ['partially_refunded', 1000, 900])
  })

  test('in full of what was shipped makes it REFUNDED, and leaves stock as it is', async () => {
    const order = await placed()
    await pay(order)
    ok(await order.shop.patch(order.path, { status: 'SHIPPED' }))
    await refund(order)
    assert.deepEqual([(await orderOf(order)).status, await stockOf(order)], ['REFUNDED', [8, 0]])
  })

  test('opens when a paid order is cancelled, in parts is completed, and the order stays CANCELLED', async () => {
    const order = await placed()
    await pay(order)
    ok(await order.shop.patch(order.path, { status: 'CANCELLED', cancel_reason: 'customer' }))
    const [open, ...none] = await refundsOf(order)
    assert.deepEqual(none, [])
    assert.deepEqual([open.status, open.amount, open.reason, open.completed_at], ['pending', 4900, 'customer', null])
    const cancelled = (await eventsOf(order)).find(event => event.type === 'order.cancelled')
    assert.equal(cancelled.data.refund_pending, true)
    await refund(order, { amount: 1000 })
    assert.deepEqual((await refundsOf(order)).map((each: Record<string, unknown>) => [each['status'], each['amount']]).sort(), [
      ['completed', 1000],
      ['pending', 3900],
    ])
    const last = await refund(order)
    assert.deepEqual([last.id, last.amount, last.reason, last.full], [open.id, 3900, 'customer', true])
    const after = await orderOf(order)
    assert.deepEqual([after.status, after.payment_status, await stockOf(order)], ['CANCELLED', 'refunded', [10, 0]])
    assert.ok(after.refunded_at)
  })

  test('larger than what was paid is a conflict that says how much there is, and changes nothing', async () => {
    const order = await placed()
    const refused = async (body: object, left: number) => {
      const before = await orderOf(order)
      const reply = await order.shop.post(`${order.path}/refunds`, body)
      assertProblem(reply, { status: 409, slug: 'conflict', instance: `${order.path}/refunds`, code: 'refund_too_large' })
      assert.equal(reply.body.refundable_amount, left)
      assert.deepEqual(await orderOf(order), before)
    }
    await refused({}, 0)
    await pay(order)
    await refused({ amount: 4901 }, 4900)
    await refund(order)
    await refused({}, 0)
  })

  test('ten at once give the money back once', async () => {
    const order = await placed()
    await pay(order)
    const replies = await Promise.all(Array.from({ length: 10 }, () => order.shop.post(`${order.path}/refunds`, {})))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [201, ...Array(9).fill(409)])
    assert.deepEqual([(await orderOf(order)).refunded_amount, await stockOf(order), await spentBy(order)], [4900, [10, 0], 0])
  })
})

test('a repeat with its Idempotency-Key records nothing more', async () => {
  const order = await placed()
  const key = { 'Idempotency-Key': 'slip-7' }
  const first = await order.shop.post(`${order.path}/payments`, { amount: 100 }, key)
  const again = await order.shop.post(`${order.path}/payments`, { amount: 100 }, key)
  assert.deepEqual([again.status, again.body.original.body], [409, first.body])
  assert.equal((await orderOf(order)).paid_amount, 100)
})
