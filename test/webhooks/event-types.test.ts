// The catalogue of event types, compared with the events that are really sent.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { Ajv } from 'ajv'
import { eventTypes, webhookEventNames } from '../../src/catalog.ts'
import { check } from '../../src/ingress/validate.ts'
import type { Order } from '../../src/orders/schema.ts'
import { lineTotal, totals } from '../../src/orders/total.ts'
import { testApp } from '../support/app.ts'
import { anInbound, anOrder, aProduct, tell } from '../support/given.ts'

const app = await testApp()

interface EventTypeEntry {
  name: string
  description: string
  schema: object
}

suite('event types', () => {
  for (const { name, data, example } of eventTypes)
    test(`${name}: its example fits its schema`, () => {
      assert.notEqual(example, undefined)
      assert.deepEqual(check(data, structuredClone(example)), [])
    })

  test('the example’s order adds up, as the service’s own sums do', () => {
    for (const { example } of eventTypes) {
      const { order } = example as { order?: Order }
      if (!order) continue
      const { subtotal_amount, total_amount } = totals(order.items, order.discount_amount, order.shipping_amount)
      assert.deepEqual([order.subtotal_amount, order.total_amount], [subtotal_amount, total_amount])
      for (const item of order.items)
        assert.equal(item.total_amount, lineTotal('item', item.quantity, item.unit_amount, item.discount_amount))
    }
  })

  test('the catalogue lists every type once, says which can be subscribed to, and is one page', async () => {
    const shop = await app.tenant()
    const { body } = await shop.get('/api/v1/event-types')
    assert.deepEqual([body.object, body.has_more, body.next_cursor], ['list', false, null])
    const names = body.data.map((each: { name: string }) => each.name)
    assert.deepEqual(
      names,
      eventTypes.map(each => each.name),
    )
    assert.deepEqual(
      body.data.filter((each: { subscribable: boolean }) => each.subscribable).map((each: { name: string }) => each.name),
      webhookEventNames,
    )
    const [first] = body.data
    assert.deepEqual(Object.keys(first), ['object', 'name', 'description', 'subscribable', 'schema', 'example'])
    assert.deepEqual(Object.keys(first.example), ['id', 'type', 'created_at', 'data'])
    const named = await shop.get('/api/v1/event-types?fields=name,schema')
    assert.deepEqual(Object.keys(named.body.data[0]), ['name', 'schema'])
  })

  test('a validator that knows the standard’s formats alone takes every schema', async () => {
    const shop = await app.tenant()
    const { body } = await shop.get('/api/v1/event-types')
    const ajv = new Ajv({ formats: { 'date-time': true, email: true, uri: true }, allowUnionTypes: true })
    for (const { schema, example } of body.data) assert.ok(ajv.compile(schema)(example.data), ajv.errorsText())
    const ofOrder = ajv.compile(body.data[0].schema)
    const { order } = body.data[0].example.data
    assert.ok(!ofOrder({ order_id: order.id, order: { ...order, currency: 'eur' } }), 'a currency is still checked')
  })

  test('each emitted event fits the schema in the catalogue: every type that a webhook can have, but those that say they are not sent yet', async () => {
    const shop = await app.tenant()
    const { body } = await shop.get('/api/v1/event-types')
    const types = new Map<string, EventTypeEntry>(body.data.map((each: EventTypeEntry) => [each.name, each]))
    const order = (await shop.post('/api/v1/orders', anOrder())).body.id
    await shop.patch(`/api/v1/orders/${order}`, { status: 'SHIPPED' })
    await shop.post(`/api/v1/orders/${order}/payments`, {})
    await shop.post(`/api/v1/orders/${order}/refunds`, {})
    const cancelled = (await shop.post('/api/v1/orders', anOrder())).body.id
    await shop.patch(`/api/v1/orders/${cancelled}`, { status: 'CANCELLED' })
    const product = (await shop.post('/api/v1/products', aProduct())).body.id
    await shop.patch(`/api/v1/products/${product}`, { name: 'Wool shirt' })
    const contact = (await shop.post('/api/v1/contacts', { email: 'bea@example.com' })).body.id
    const { conversation } = await anInbound(app, shop, { contact_id: contact })
    const answer = await shop.post(`/api/v1/conversations/${conversation.id}/messages`, { text: 'Yes.' })
    const refused = { kind: 'receipt', thread: contact, at: null, status: 'failed', our_id: answer.body.id } as const
    await tell(app, shop, conversation.channel_id, [refused])

    const rows = await app.sql<{ type: string; body: string }[]>`select type, body from events where tenant_id = ${shop.id}`
    for (const { type, body } of rows) assert.deepEqual(check(types.get(type)?.schema as never, JSON.parse(body).data), [], type)
    const notYet = [...types.values()].filter(({ description }) => /not sent yet/i.test(description)).map(({ name }) => name)
    assert.deepEqual(
      [...new Set(rows.map(row => row.type)), ...notYet].filter(type => webhookEventNames.includes(type)).sort(),
      [...webhookEventNames].sort(),
    )
  })

  test('the guide’s table has every type that a webhook can have, and marks the same as not sent yet', () => {
    const rows = readFileSync('docs/webhooks.md', 'utf8').matchAll(/^\| `([a-z]+\.[a-z_]+)` \| (.*) \|$/gm)
    const told = new Map([...rows].map(([, name, text]) => [name, /not sent yet/i.test(text ?? '')]))
    const offered = eventTypes.filter(({ webhook }) => webhook)
    assert.deepEqual(
      Object.fromEntries(told),
      Object.fromEntries(offered.map(({ name, summary }) => [name, /not sent yet/i.test(summary)])),
    )
  })
})
