// An enabled webhook catches up whatever becomes of its job and its worker: it never stays paused, sends every missed event and no dropped one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { CATCH_UP_BATCH } from '../../src/limits/webhooks.ts'
import * as store from '../../src/webhooks/catch-up/store.ts'
import { catchUps } from '../../src/webhooks/endpoints/store.ts'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

// A database of its own each, so that the tests can run side by side without sharing workers.
async function given() {
  const app = await testApp()
  const { sql } = app
  const { shop, receiver, id, path } = await aSubscriber(app)
  const happens = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => newId('evt'))
    await sql`
      insert into events (tenant_id, id, type, created_at, body)
      select ${shop.id}, e.id, 'order.created', now(), json_build_object('id', e.id) from unnest(${ids}::text[]) e (id)`
    return ids
  }
  return {
    app,
    sql,
    receiver,
    shop,
    id,
    path,
    ref: { tenant: shop.id, id },
    happens,
    /** Deliveries that waited when it was disabled, and events that happened then. */
    async wasDisabled(counts: { pending: number; missed: number }): Promise<{ pending: string[]; missed: string[] }> {
      const pending = await happens(counts.pending)
      await sql`
        insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) select ${shop.id}, ${id}, e.id, now() from unnest(${pending}::text[]) e (id)`
      await shop.post(`${path}/disable`)
      return { pending, missed: await happens(counts.missed) }
    },
    worker: () => aWorker(settingsOf(app)),
    /** An open transaction that inserts the delivery of `event`: another insert of the same delivery waits for its end. */
    async hold(event: string): Promise<() => Promise<void>> {
      const held = await sql.reserve()
      await held`begin`
      await held`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${shop.id}, ${id}, ${event}, now())`
      return async () => {
        await held`rollback`
        held.release()
      }
    },
    progress: async () => (await sql`select catching_up ->> 'xid' as xid from webhook_endpoints where id = ${id}`)[0]?.['xid'],
    loseJobs: () => sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${id}`,
    jobs: async () => (await sql`select 1 from graphile_worker._private_jobs where payload->>'endpointId' = ${id}`).length,
    sent: () => receiver.received.map(({ body }) => JSON.parse(body.toString()).id as string).sort(),
    isEnabled: () =>
      eventually(async () => (await sql`select 1 from webhook_endpoints where id = ${id} and status = 'enabled'`).length === 1),
  }
}

describe('catching up', { concurrency: true }, () => {
  test('kill -9 of the worker between two batches of it: another goes on, sends all that was missed once, and nothing that was dropped', async () => {
    const subscriber = await given()
    const { missed } = await subscriber.wasDisabled({ pending: 30, missed: CATCH_UP_BATCH * 2 })
    const letGo = await subscriber.hold(missed[CATCH_UP_BATCH + 1] as string)
    const victim = await subscriber.worker()
    await subscriber.shop.post(`${subscriber.path}/enable`, { pending: 'drop', missed: 'send' })
    await eventually(async () => (await subscriber.progress()) ?? undefined)
    const heir = await subscriber.worker()
    victim.child.kill('SIGKILL')
    assert.equal(await victim.ended, 'SIGKILL')
    const { status, catching_up } = (await subscriber.shop.get(subscriber.path)).body
    assert.deepEqual([status, catching_up], ['paused', true])
    assert.equal(subscriber.receiver.received.length, 0)

    await letGo()
    await subscriber.isEnabled()
    await subscriber.receiver.until(missed.length)
    await eventuallyHolds(async () => assert.equal(await subscriber.jobs(), 0))
    assert.deepEqual(subscriber.sent(), [...missed].sort())
    const dropped = await subscriber.sql`select 1 from webhook_deliveries where endpoint_id = ${subscriber.id} and state = 'dropped'`
    assert.equal(dropped.length, 30)
    heir.child.kill('SIGTERM')
    assert.equal(await heir.ended, 0)
  })

  test('a job that is lost is noticed by the sweep within seconds; one that waits or is under way is not doubled', async () => {
    const subscriber = await given()
    const { missed } = await subscriber.wasDisabled({ pending: 0, missed: 3 })
    await subscriber.shop.post(`${subscriber.path}/enable`, { missed: 'send' })
    const passTime = () =>
      subscriber.sql`update webhook_endpoints set catch_up_queued_at = now() - interval '11 seconds' where id = ${subscriber.id}`
    await passTime()
    await catchUps.rescueStalled(subscriber.sql)
    assert.equal(await subscriber.jobs(), 1)
    const ref = { tenant: subscriber.shop.id, id: subscriber.id }
    const token = randomUUID()
    assert.ok(await catchUps.take(subscriber.sql, ref, token))
    await subscriber.sql`update graphile_worker._private_jobs set locked_by = 'pool', locked_at = now(), attempts = 1 where payload->>'endpointId' = ${subscriber.id}`
    await catchUps.rescueStalled(subscriber.sql)
    assert.equal(await subscriber.jobs(), 1)
    // The state after a task has thrown and its lease has lapsed.
    await subscriber.sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null where payload->>'endpointId' = ${subscriber.id}`
    await catchUps.lapse(subscriber.sql, [token.slice(0, 18)])
    await catchUps.rescueStalled(subscriber.sql)
    assert.equal(await subscriber.jobs(), 2)

    await subscriber.loseJobs()
    await passTime()
    await subscriber.app.startWorker()
    await subscriber.isEnabled()
    await subscriber.receiver.until(3)
    assert.deepEqual(subscriber.sent(), [...missed].sort())
  })

  test('a worker that goes on after it was presumed dead drops nothing that its successor inserted, and inserts nothing of a cancelled catch-up', async () => {
    const subscriber = await given()
    await subscriber.wasDisabled({ pending: 2, missed: 3 })
    await subscriber.shop.post(`${subscriber.path}/enable`, { pending: 'drop', missed: 'send' })
    await subscriber.loseJobs()
    const [frozen, successor] = [await store.progress(subscriber.sql, subscriber.ref), await store.progress(subscriber.sql, subscriber.ref)]
    assert.ok(frozen && successor)
    while (await store.dropBatch(subscriber.sql, subscriber.ref, successor));
    await store.markDropped(subscriber.sql, subscriber.ref, successor)
    await eventually(async () => (await store.insertMissedBatch(subscriber.sql, subscriber.ref, successor)) === 'done')
    const states = async () =>
      (await subscriber.sql`select state from webhook_deliveries where endpoint_id = ${subscriber.id} order by event_id`).map(
        row => row['state'],
      )
    const expected = ['dropped', 'dropped', 'pending', 'pending', 'pending']
    assert.deepEqual(await states(), expected)
    assert.equal(await store.dropBatch(subscriber.sql, subscriber.ref, frozen), false)
    assert.deepEqual(await states(), expected)

    await subscriber.shop.post(`${subscriber.path}/disable`)
    await subscriber.happens(2)
    await subscriber.shop.post(`${subscriber.path}/enable`, { pending: 'drop', missed: 'drop' })
    await subscriber.loseJobs()
    await store.progress(subscriber.sql, subscriber.ref)
    await eventually(async () => (await store.insertMissedBatch(subscriber.sql, subscriber.ref, frozen)) === 'done')
    await store.finish(subscriber.sql, subscriber.ref, frozen)
    assert.deepEqual([await states(), await subscriber.jobs()], [expected, 0])
    assert.equal((await subscriber.shop.get(subscriber.path)).body.catching_up, true)
  })
})
