// How many statements a delivery costs: a worker's, counted on their way to the database.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { openWorkCounter } from '../support/statement-counter.ts'
import { emitted } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

// With one event each, a delivery has a slice, a job and a lease of its own.
test('well under ten statements a delivery: a fraction of one in a backlog, and few where each is a slice of its own', async t => {
  const counter = await openWorkCounter(app.databaseUrl)
  after(counter.close)
  const receiver = await startReceiver()
  after(receiver.close)
  const shop = await app.tenant()
  const endpoints = 60
  for (let i = 0; i < endpoints; i++) {
    const made = await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${i}`, events: ['order.created'] })
    assert.equal(made.status, 201, made.text)
  }
  const worker = await aWorker({ ...settingsOf(app), DATABASE_URL: counter.url })

  const spent = async (events: number): Promise<number> => {
    const [before, received] = [counter.forWork(), receiver.received.length]
    await emitted(sql, shop.id, events)
    await receiver.until(received + events * endpoints)
    await eventually(
      async () => (await sql`select 1 from webhook_endpoints where lease_token is not null or queued_at is not null`).length === 0,
    )
    return (counter.forWork() - before) / (events * endpoints)
  }
  await spent(1)
  await counter.learnIdleness()
  const [alone, together] = [await spent(1), await spent(50)]
  t.diagnostic(`${alone} statements where each is a slice of its own, ${together} of fifty each`)
  assert.ok(alone < 2, `${alone} where each is a slice of its own`)
  assert.ok(together < 0.2, `${together} of fifty each`)
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 0)
})
