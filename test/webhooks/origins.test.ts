// Webhooks of several tenants at one origin: the slots that one tenant's slow receivers hold keep no other waiting, and requests that wait there when the
// worker is told to stop never begin.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { startWorker } from '../../src/worker.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { emitted } from '../support/subscriber.ts'

// Longer than the test: a receiver that hangs does so to its end.
const app = await testApp({ WEBHOOK_TIMEOUT_MS: '60000' })
const { sql } = app

async function webhook(shop: TestTenant, url: string, options: object = {}): Promise<void> {
  const made = await shop.post('/api/v1/webhooks', { url, events: ['order.created'], ...options })
  assert.equal(made.status, 201, made.text)
}

test('ten webhooks that are slow to answer keep no other tenant from their origin, and a worker told to stop begins no waiting request', async () => {
  const held: ServerResponse[] = []
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/fast') response.writeHead(204).end()
    else held.push(response)
  })
  after(receiver.close)
  const slowOnes = () => receiver.received.filter(({ path }) => path.startsWith('/slow'))
  const [slow, fast] = [await app.tenant(), await app.tenant()]
  for (let n = 0; n < 10; n++) await webhook(slow, `${receiver.origin}/slow/${n}`, { max_parallel: 64 })
  await webhook(fast, `${receiver.origin}/fast`)
  const worker = await startWorker(app)
  try {
    await emitted(sql, slow.id, 100)
    await eventually(async () => held.length >= 45)
    await emitted(sql, fast.id, 20)
    await receiver.until(held.length + 20)
    assert.ok(held.length < 64, `${held.length} of 64 slots are held by one tenant`)
  } finally {
    const stopped = worker.close()
    for (const each of held) each.writeHead(204).end()
    await stopped
  }
  assert.equal(held.length, 45, 'a waiting request began after the worker was told to stop')
  const [log] = await sql<{ failed: number }[]>`select count(*)::int as failed from webhook_attempts where error is not null`
  const [left] = await sql<
    { pending: number }[]
  >`select count(*)::int as pending from webhook_deliveries where state = 'pending' and attempts = 0`
  assert.deepEqual([slowOnes().length, log?.failed, left?.pending], [45, 0, 1000 - 45])
})
