// Statements that lock several rows of an endpoint, two at a time: they cannot deadlock.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { LOCKED, pastLock } from '../../src/postgres/past-lock.ts'
import { begin } from '../../src/postgres/sql.ts'
import { dropBatch, progress } from '../../src/webhooks/catch-up/store.ts'
import { record } from '../../src/webhooks/delivery/record-store.ts'
import { testApp } from '../support/app.ts'
import { ok } from '../support/given.ts'
import { sessionWaits } from '../support/locks.ts'
import { resultOf } from '../support/results.ts'
import { aSubscriber } from '../support/subscriber.ts'
import { takeOrUnmark } from '../support/taking.ts'

const app = await testApp()
const { sql } = app

/** An endpoint with three deliveries under way, enabled anew meanwhile: waiting deliveries are to be dropped. */
async function given() {
  const { shop, id, path, emit } = await aSubscriber(app)
  const ref = { tenant: shop.id, id }
  const events = (await emit(3)) as [string, string, string]
  const token = randomUUID()
  // The wake-up may still be running.
  const taken = await pastLock(async () => (await takeOrUnmark(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }]))[0])
  assert.ok(taken && taken !== LOCKED)
  assert.equal(taken.found?.length, 3)
  ok(await shop.post(`${path}/disable`))
  ok(await shop.post(`${path}/enable`, { pending: 'drop' }))
  const at = await progress(sql, ref)
  assert.ok(at)
  const { lease } = taken
  return {
    events,
    drop: async () => {
      while (await dropBatch(sql, ref, at));
    },
    answered: (event: string) => resultOf({ endpoint: ref, token, job: null, lease }, event, 204),
    states: async () =>
      (await sql`select event_id, state from webhook_deliveries where endpoint_id = ${id} order by event_id`).map(row => ({ ...row })),
  }
}

test('deliveries are dropped while their answers are recorded, in whatever order these came: both statements succeed', async () => {
  const { events, drop, answered, states } = await given()
  const [first, second, third] = events
  let dropping: Promise<void> | undefined
  // Two statements stand for the rows of one, which it locks one after the other.
  await begin(sql, async recording => {
    await record(recording, [answered(second)])
    dropping = drop()
    await sessionWaits(sql)
    await record(recording, [answered(first)])
  })
  await dropping
  assert.deepEqual(await states(), [
    { event_id: first, state: 'dropped' },
    { event_id: third, state: 'dropped' },
  ])
})
