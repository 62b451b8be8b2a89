// A workspace with more busy webhooks than there are slots, and the share of the others.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { TIME_SLICE_MS } from '../../src/limits/queue.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts'

const SLOTS = 16
const WEBHOOKS = 24
const ANSWER_MS = 20
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS) })
const event = defineEvent('order.created', '', Type.Any())

async function subscribed(count: number, respond?: Respond): Promise<{ shop: TestTenant; receiver: Receiver; ids: string[] }> {
  const [shop, receiver] = [await app.tenant(), await startReceiver(respond)]
  after(receiver.close)
  const made = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${i}`, events: ['order.created'], max_parallel: 1 }),
    ),
  )
  return { shop, receiver, ids: made.map(reply => ok(reply).id as string) }
}

const emitTo = ({ id }: TestTenant, count: number) =>
  begin(app.sql, async tx => {
    for (let i = 0; i < count; i++) await emit(tx, { tenant: id, actor: { type: 'system' } }, event, { i })
  })

test('more busy webhooks than there are slots keep no other workspace waiting, and each of them gets slices', async () => {
  const busy = await subscribed(WEBHOOKS, response => setTimeout(() => response.writeHead(204).end(), ANSWER_MS))
  const other = await subscribed(1)
  await app.startWorker()
  await emitTo(busy.shop, (2 * TIME_SLICE_MS) / ANSWER_MS)
  const served = () => new Set(busy.receiver.received.map(({ path }) => path)).size
  await eventually(async () => served() >= SLOTS / 2)
  for (let n = 1; n <= 5; n++) {
    const before = busy.receiver.received.length
    await emitTo(other.shop, 1)
    await other.receiver.until(n)
    const meanwhile = busy.receiver.received.length - before
    // In a time slice it is 4 000: so long it would have waited, had the busy ones all slots.
    assert.ok(meanwhile < 500, `${meanwhile} requests of the busy ones were made before the other's`)
  }
  await eventually(async () => served() === WEBHOOKS)
  // What the worker holds is left to it: waiting for its rows while it waits for ours would be a deadlock.
  await app.sql`
    delete from webhook_deliveries d
     using (select tenant_id, endpoint_id, event_id from webhook_deliveries where state = 'pending' for update skip locked) p
     where d.tenant_id = p.tenant_id and d.endpoint_id = p.endpoint_id and d.event_id = p.event_id`
})
