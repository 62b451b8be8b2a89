// The delivery log says what was, column by column; and the health is what the log says.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { check } from '../../src/ingress/validate.ts'
import { DeliveryDetail } from '../../src/webhooks/schema.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder } from '../support/given.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'

const app = await testApp({ WEBHOOK_TIMEOUT_MS: '300' })
await app.startWorker()

async function given(url: string) {
  const shop = await app.tenant()
  const made = await shop.post('/api/v1/webhooks', { url, events: ['order.created'] })
  assert.equal(made.status, 201, made.text)
  const id: string = made.body.id
  return { shop, id, path: `/api/v1/webhooks/${id}` }
}

const ANSWERS: [string, Respond, string, string | null][] = [
  ['whole', response => response.end('whole'), 'whole', null],
  ['longer than 16 KB', response => response.end('x'.repeat(16 * 1024 + 1)), 'x'.repeat(16 * 1024), 'size'],
  ['of 16 KB exactly', response => response.end('x'.repeat(16 * 1024)), 'x'.repeat(16 * 1024), null],
  ['broken off', response => response.write('half', () => response.destroy()), 'half', 'connection-reset'],
  ['without end', response => response.write('drip'), 'drip', 'timeout'],
]
for (const [what, respond, body, truncated] of ANSWERS)
  test(`the log says whether it has all of the answer: one ${what}`, async () => {
    const receiver = await startReceiver((response, received) => respond(response.writeHead(200), received))
    after(() => receiver.close())
    const hook = await given(receiver.origin)
    assert.equal((await hook.shop.post('/api/v1/orders', anOrder())).status, 201)
    await eventuallyHolds(async () => {
      const { body: deliveries } = await hook.shop.get(`${hook.path}/deliveries`)
      const { body: detail } = await hook.shop.get(`${hook.path}/deliveries/${deliveries.data[0].event_id}`)
      assert.deepEqual(check(DeliveryDetail, detail), [])
      assert.equal(detail.state, 'succeeded')
      assert.deepEqual([detail.log[0].response.body, detail.log[0].response.truncated], [body, truncated])
    })
  })
