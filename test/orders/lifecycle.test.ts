// The order lifecycle: every move from every status, what it changes, and which events it emits.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const PRODUCTS = '/api/v1/products'

// Every status and the moves from it. Only the system sets REFUNDED.
const STATUSES = ['pending', 'confirmed', 'processing', 'SHIPPED', 'DELIVERED', 'RETURNED', 'CANCELLED', 'REFUNDED']
const TARGETS: Record<string, string[]> = {
  pending: ['confirmed', 'processing', 'SHIPPED', 'CANCELLED'],
  confirmed: ['processing', 'SHIPPED', 'CANCELLED'],
  processing: ['SHIPPED', 'CANCELLED'],
  SHIPPED: ['DELIVERED', 'RETURNED'],
  DELIVERED: ['RETURNED'],
  RETURNED: [],
  CANCELLED: [],
  REFUNDED: [],
}
/** The moves that lead from pending to each status. */
const WAY: Record<string, string[]> = {
  pending: [],
  confirmed: ['confirmed'],
  processing: ['processing'],
  SHIPPED: ['SHIPPED'],
  DELIVERED: ['SHIPPED', 'DELIVERED'],
  RETURNED: ['SHIPPED', 'RETURNED'],
  CANCELLED: ['CANCELLED'],
}

interface Placed {
  shop: TestTenant
  path: string
  product: string
}

/** An order of 2 out of 10 pieces, in this status. Each has a shop of its own, because there are more moves than a plan's rate limit allows. */
async function placed(status = 'pending', over: Record<string, unknown> = {}): Promise<Placed> {
  const shop = await app.tenant()
  const product = await shop.post(PRODUCTS, aProduct({ stock: 10 }))
  const order = await shop.post(ORDERS, anOrder({ items: [aLine({ product_id: product.body.id, quantity: 2 })], ...over }))
  assert.equal(order.status, 201, order.text)
  const path = `${ORDERS}/${order.body.id}`
  if (status === 'REFUNDED') await refund(order.body.id)
  else for (const to of WAY[status] as string[]) assert.equal((await shop.patch(path, { status: to })).status, 200)
  return { shop, path, product: product.body.id }
}

// No REST request sets REFUNDED.
const refund = (id: string) =>
  app.sql`update orders set status = 'REFUNDED', doc = replace(doc, '"status":"pending"', '"status":"REFUNDED"') where id = ${id}`

const stockOf = async ({ shop, product }: Placed) => {
  const { body } = await shop.get(`${PRODUCTS}/${product}`)
  return [body.stock, body.reserved]
}
// biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
const eventsOf = async ({ shop }: Placed): Promise<any[]> =>
  (await app.sql`select body from events where tenant_id = ${shop.id} and type like 'order.%' order by seq`).map(row =>
    JSON.parse(row['body']),
  )
const move = async ({ shop, path }: Placed, body: object): Promise<Reply> => {
  const reply = await shop.patch(path, body)
  assert.equal(reply.status, 200, reply.text)
  return reply
}

for (const from of STATUSES)
  suite(`from ${from}`, () => {
    for (const to of STATUSES) {
      if (TARGETS[from]?.includes(to))
        test(`to ${to} is a move`, async () => {
          const order = await placed(from)
          const before = (await order.shop.get(order.path)).body
          const { body } = await move(order, { status: to })
          assert.equal(body.status, to)
          assert.equal(body.version, before.version + 1)
          assert.ok(body.updated_at >= before.updated_at)
          assert.deepEqual((await order.shop.get(order.path)).body, body)
        })
      else
        test(`to ${to} is refused, with the valid targets, and changes nothing`, async () => {
          const order = await placed(from)
          const [before, events] = [await order.shop.get(order.path), await eventsOf(order)]
          const reply = await order.shop.patch(order.path, { status: to })
          assertProblem(reply, { status: 409, slug: 'conflict', instance: order.path, code: 'invalid_transition' })
          assert.deepEqual(reply.body.valid_targets, TARGETS[from])
          assert.equal((await order.shop.get(order.path)).text, before.text)
          assert.deepEqual(await eventsOf(order), events)
        })
    }
  })

test('a status may be written in any case, and is answered in its canonical case', async () => {
  const order = await placed()
  for (const [sent, answered] of [
    ['CONFIRMED', 'confirmed'],
    ['Processing', 'processing'],
    ['shipped', 'SHIPPED'],
    ['dElIvErEd', 'DELIVERED'],
  ])
    assert.equal((await move(order, { status: sent })).body.status, answered)
})

test('an order and a change of it that is refused are one: the note is not kept either', async () => {
  const order = await placed('CANCELLED')
  assert.equal((await order.shop.patch(order.path, { status: 'SHIPPED', note: 'x' })).status, 409)
  assert.equal((await order.shop.get(order.path)).body.note, null)
})

suite('the changes of a move', () => {
  const times = ['confirmed_at', 'paid_at', 'shipped_at', 'delivered_at', 'cancelled_at', 'refunded_at']
  const expected: [string, string, string[], string][] = [
    ['pending', 'confirmed', ['confirmed_at'], 'unfulfilled'],
    ['pending', 'processing', [], 'unfulfilled'],
    ['pending', 'SHIPPED', ['shipped_at'], 'shipped'],
    ['SHIPPED', 'DELIVERED', ['shipped_at', 'delivered_at'], 'delivered'],
    ['SHIPPED', 'RETURNED', ['shipped_at'], 'returned'],
    ['DELIVERED', 'RETURNED', ['shipped_at', 'delivered_at'], 'returned'],
    ['confirmed', 'CANCELLED', ['confirmed_at', 'cancelled_at'], 'unfulfilled'],
  ]
  for (const [from, to, set, fulfillment] of expected)
    test(`${from} → ${to} sets ${set.join(', ') || 'no time'}`, async () => {
      const { body } = await move(await placed(from), { status: to })
      assert.deepEqual(
        times.filter(name => body[name] !== null),
        set,
      )
      assert.equal(body.fulfillment_status, fulfillment)
      assert.equal(body.payment_status, 'unpaid')
    })

  test('SHIPPED has the carrier and waybill given, and stock leaves the shop', async () => {
    const order = await placed()
    assert.deepEqual(await stockOf(order), [10, 2])
    const { body } = await move(order, {
      status: 'SHIPPED',
      carrier: 'Nova Poshta',
      waybill_number: '2045',
      tracking_url: 'https://np.example/2045',
    })
    assert.deepEqual(body.fulfillment, {
      carrier: 'Nova Poshta',
      waybill_number: '2045',
      tracking_url: 'https://np.example/2045',
      label_url: null,
      shipped_at: body.shipped_at,
      delivered_at: null,
    })
    assert.deepEqual(await stockOf(order), [8, 0])
    const delivered = await move(order, { status: 'DELIVERED' })
    assert.deepEqual(delivered.body.fulfillment, { ...body.fulfillment, delivered_at: delivered.body.delivered_at })
    assert.deepEqual(await stockOf(order), [8, 0])
  })

  test('SHIPPED without a waybill has MAN-<number>', async () => {
    const { body } = await move(await placed(), { status: 'SHIPPED' })
    assert.equal(body.fulfillment.waybill_number, `MAN-${body.number}`)
    assert.equal(body.fulfillment.carrier, null)
  })

  for (const [sent, kept] of [
    ['Fraud', 'fraud'],
    [undefined, 'other'],
  ])
    test(`CANCELLED ${sent ? `for ${sent}` : 'without a reason'} keeps ${kept}, and its pieces are free again`, async () => {
      const order = await placed('processing')
      const { body } = await move(order, { status: 'CANCELLED', cancel_reason: sent })
      assert.equal(body.cancel_reason, kept)
      assert.equal(body.fulfillment, null)
      assert.deepEqual(await stockOf(order), [10, 0])
    })

  for (const [restock, stock] of [
    [true, 10],
    [false, 8],
    [undefined, 8],
  ] as const)
    test(`RETURNED with restock ${restock} leaves ${stock} pieces`, async () => {
      const order = await placed('DELIVERED')
      await move(order, { status: 'RETURNED', restock })
      assert.deepEqual(await stockOf(order), [stock, 0])
    })

  test('variants ship, return and are released from their own stock', async () => {
    const shop = await app.tenant()
    const { body: product } = await shop.post(
      PRODUCTS,
      aProduct({
        variants: [
          { name: 'M', sku: 'M', stock: 5 },
          { name: 'L', sku: 'L', stock: 5 },
        ],
      }),
    )
    const order = async () => `${ORDERS}/${(await shop.post(ORDERS, anOrder({ items: [aLine({ sku: 'M', quantity: 2 })] }))).body.id}`
    const left = async () =>
      (
        await app.sql`select stock, reserved from product_variants where tenant_id = ${shop.id} and product_id = ${product.id} order by position`
      ).map(row => [row['stock'], row['reserved']])
    const [one, two] = [await order(), await order()]
    assert.deepEqual(await left(), [
      [5, 4],
      [5, 0],
    ])
    await shop.patch(one, { status: 'SHIPPED' })
    await shop.patch(two, { status: 'CANCELLED' })
    assert.deepEqual(await left(), [
      [3, 0],
      [5, 0],
    ])
    await shop.patch(one, { status: 'RETURNED', restock: true })
    assert.deepEqual(await left(), [
      [5, 0],
      [5, 0],
    ])
  })

  test('ten cancellations at once: one succeeds, and stock is released once', async () => {
    const order = await placed()
    const replies = await Promise.all(Array.from({ length: 10 }, () => order.shop.patch(order.path, { status: 'CANCELLED' })))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [200, ...Array(9).fill(409)])
    assert.deepEqual(await stockOf(order), [10, 0])
    assert.equal((await eventsOf(order)).filter(event => event.type === 'order.cancelled').length, 1)
  })
})

suite('the events of a move', () => {
  const actorOf = async ({ shop }: Placed) => {
    const [row] = await app.sql`select id from api_keys where tenant_id = ${shop.id}`
    return { type: 'api_key', id: row?.['id'] }
  }

  test('an order placed emits order.created', async () => {
    const order = await placed()
    const snapshot = (await order.shop.get(order.path)).body
    const [created, ...rest] = await eventsOf(order)
    assert.deepEqual(rest, [])
    assert.deepEqual(Object.keys(created), ['id', 'type', 'created_at', 'data'])
    assert.match(created.id, /^evt_\w{26}$/)
    assert.match(created.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(created.type, 'order.created')
    assert.deepEqual(created.data, { order_id: snapshot.id, order: snapshot })
  })

  test('→ SHIPPED emits order.shipped and order.status_changed', async () => {
    const order = await placed('confirmed')
    const { body } = await move(order, { status: 'SHIPPED', carrier: 'Post' })
    const [shipped, changed] = (await eventsOf(order)).slice(-2)
    assert.equal(shipped.type, 'order.shipped')
    assert.deepEqual(shipped.data, { order_id: body.id, order: body, fulfillment: body.fulfillment, previous_status: 'confirmed' })
    assert.equal(changed.type, 'order.status_changed')
    assert.deepEqual(changed.data, {
      order_id: body.id,
      order: body,
      from: 'confirmed',
      to: 'SHIPPED',
      actor: await actorOf(order),
      reason: null,
    })
  })

  test('→ CANCELLED emits order.cancelled and order.status_changed', async () => {
    const order = await placed()
    const { body } = await move(order, { status: 'CANCELLED', cancel_reason: 'out_of_stock' })
    const [cancelled, changed] = (await eventsOf(order)).slice(-2)
    assert.equal(cancelled.type, 'order.cancelled')
    assert.deepEqual(cancelled.data, {
      order_id: body.id,
      order: body,
      reason: 'out_of_stock',
      previous_status: 'pending',
      refund_pending: false,
    })
    assert.equal(changed.type, 'order.status_changed')
    assert.deepEqual(changed.data, {
      order_id: body.id,
      order: body,
      from: 'pending',
      to: 'CANCELLED',
      actor: await actorOf(order),
      reason: 'out_of_stock',
    })
  })

  test('any other move emits order.status_changed alone', async () => {
    const order = await placed()
    for (const to of ['confirmed', 'processing']) await move(order, { status: to })
    const shipped = (await move(order, { status: 'SHIPPED' })).body
    const { body } = await move(order, { status: 'DELIVERED' })
    const { body: returned } = await move(order, { status: 'RETURNED' })
    const events = await eventsOf(order)
    assert.deepEqual(
      events.map(event => [event.type, event.data.from, event.data.to]),
      [
        ['order.created', undefined, undefined],
        ['order.status_changed', 'pending', 'confirmed'],
        ['order.status_changed', 'confirmed', 'processing'],
        ['order.shipped', undefined, undefined],
        ['order.status_changed', 'processing', 'SHIPPED'],
        ['order.status_changed', 'SHIPPED', 'DELIVERED'],
        ['order.status_changed', 'DELIVERED', 'RETURNED'],
      ],
    )
    assert.deepEqual(
      events.slice(-3).map(event => event.data.order),
      [shipped, body, returned],
      'a snapshot stays as it was',
    )
    assert.deepEqual(
      events.map(event => event.data.order.version),
      [1, 2, 3, 4, 4, 5, 6],
    )
  })

  test('a note, tags, metadata or an address emit nothing', async () => {
    const order = await placed()
    await move(order, { note: 'x', tags: ['a'], metadata: { b: 'c' }, shipping_address: { city: 'Kyiv' } })
    assert.equal((await eventsOf(order)).length, 1)
  })

  test('every change leaves an audit row that names the actor, the action and the order', async () => {
    const order = await placed()
    await move(order, { status: 'CANCELLED' })
    await move(order, { note: 'x', tags: [] })
    const { id } = await actorOf(order)
    const rows =
      await app.sql`select actor_type, actor_id, action, subject_id, details from audit_log where tenant_id = ${order.shop.id} and action like 'order.%' order by id`
    const subject_id = order.path.split('/').at(-1)
    const by = { actor_type: 'api_key', actor_id: id }
    assert.deepEqual(
      [...rows],
      [
        { ...by, action: 'order.place', subject_id, details: {} },
        { ...by, action: 'order.update', subject_id, details: { from: 'pending', to: 'CANCELLED' } },
        { ...by, action: 'order.update', subject_id, details: { fields: ['note', 'tags'] } },
      ],
    )
  })
})

suite('annotating', () => {
  test('changes what is given alone; metadata and tags are replaced whole; null clears', async () => {
    const order = await placed('pending', {
      note: 'a',
      tags: ['x', 'y'],
      metadata: { k: 'v', l: 'w' },
      shipping_address: { city: 'Lviv', line1: 'A 1' },
    })
    const before = (await order.shop.get(order.path)).body
    const { body } = await move(order, { metadata: { m: 'n' }, tags: ['z'] })
    assert.deepEqual(body, { ...before, metadata: { m: 'n' }, tags: ['z'], version: 2, updated_at: body.updated_at })
    const cleared = await move(order, { note: null, shipping_address: null })
    assert.deepEqual(cleared.body, { ...body, note: null, shipping_address: null, version: 3, updated_at: cleared.body.updated_at })
  })

  test('an address replaces the address whole', async () => {
    const order = await placed('pending', { shipping_address: { city: 'Lviv', line1: 'A 1' } })
    const { shipping_address } = (await move(order, { shipping_address: { city: 'Kyiv' } })).body
    assert.deepEqual([shipping_address.city, shipping_address.line1], ['Kyiv', null])
  })

  for (const status of Object.keys(WAY))
    test(`${status === status.toLowerCase() ? 'the address of an order that is' : 'no address, but a note, of one that is'} ${status} can be changed`, async () => {
      const order = await placed(status)
      const reply = await order.shop.patch(order.path, { shipping_address: { city: 'Kyiv' } })
      if (status === status.toLowerCase()) assert.equal(reply.body.shipping_address.city, 'Kyiv')
      else assertProblem(reply, { status: 409, slug: 'conflict', instance: order.path, code: 'order_closed' })
      assert.equal((await move(order, { note: 'still' })).body.note, 'still')
    })

  test('the address may change in the same request that ships', async () => {
    const order = await placed()
    const { body } = await move(order, { status: 'SHIPPED', shipping_address: { city: 'Kyiv' }, note: 'x' })
    assert.deepEqual([body.status, body.shipping_address.city, body.note], ['SHIPPED', 'Kyiv', 'x'])
  })
})
