import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { startReceiver } from '../support/receiver.ts'

test('an order placed over REST reaches the tenant’s receiver, signed over the exact bytes', async () => {
  const app = await testApp()
  await app.startWorker()
  const receiver = await startReceiver()
  const shop = await app.tenant()
  const webhook = await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/hooks`, events: ['order.created'] })
  assert.equal(webhook.status, 201)

  const placed = await shop.post('/api/v1/orders', {
    items: [{ name: 'Gift card', unit_amount: 2500, quantity: 2 }],
    customer: { email: 'ada@example.com' },
  })
  assert.equal(placed.status, 201)
  const [delivery] = await receiver.until(1)

  assert.ok(delivery)
  const signature = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(delivery.headers['x-service-signature']))
  assert.ok(signature)
  const [, t, hex] = signature
  assert.equal(hex, createHmac('sha256', webhook.body.secret).update(`${t}.`).update(delivery.body).digest('hex'))
  const envelope = JSON.parse(delivery.body.toString())
  assert.deepEqual(Object.keys(envelope), ['id', 'type', 'created_at', 'data'])
  assert.equal(envelope.type, 'order.created')
  assert.deepEqual(envelope.data, { order_id: placed.body.id, order: placed.body })
  assert.equal(delivery.method, 'POST')
  assert.equal(delivery.headers['content-type'], 'application/json')
  assert.equal(delivery.headers['x-service-event'], 'order.created')
  assert.equal(delivery.headers['user-agent'], 'Service-Webhooks/1.0')
  assert.equal(delivery.headers['x-service-delivery-id'], `${webhook.body.id}.${envelope.id.slice(4)}:1:${t}`)
  await receiver.close()
})
