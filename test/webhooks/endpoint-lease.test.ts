// The lease and the rate of an endpoint, as recoveries take and release them: statement by statement, no worker runs here.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import type { Ref } from '../../src/ids.ts'
import { releaseAll } from '../../src/webhooks/delivery/lease-store.ts'
import { isRecovering, wake } from '../../src/webhooks/delivery/store.ts'
import { takeAll } from '../../src/webhooks/delivery/take-store.ts'
import { perMinute } from '../../src/webhooks/endpoints/rate.ts'
import { giveBack, takeEndpoint, takePermit } from '../../src/webhooks/recovery/endpoint-lease-store.ts'
import { leases, take } from '../../src/webhooks/recovery/run-store.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()
const { sql } = app

async function given(options: object = {}) {
  const webhook = await recoverableWebhook(app, undefined, { max_parallel: 1, ...options })
  const ref = { tenant: webhook.shop.id, id: webhook.id }
  const recovering = randomUUID()
  return {
    ...webhook,
    ref,
    takeForRecovery: () => takeEndpoint(sql, ref, 'rcv', recovering),
    giveBack: () => giveBack(sql, ref, recovering),
    wake: () => wake(sql, [ref]),
    takeForSlice: async (token: string) => (await takeAll(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }]))[0],
    jobs: async () => (await sql`select 1 from graphile_worker._private_jobs where payload ->> 'endpointId' = ${webhook.id}`).length,
    set: (values: object) => sql`update webhook_endpoints set ${sql(values)} where id = ${webhook.id}`,
  }
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000)

suite('the lease of an ordered endpoint', () => {
  test('deliveries that come while a recovery holds it are woken when it is released', async () => {
    const endpoint = await given()
    assert.equal(await endpoint.takeForRecovery(), true)
    await endpoint.emit(1)
    await endpoint.wake()
    assert.deepEqual([await endpoint.jobs(), await endpoint.takeForSlice(randomUUID())], [0, undefined])
    assert.equal(await endpoint.takeForRecovery(), false, 'nor is it another recovery’s')
    await endpoint.giveBack()
    // The wake-up of the event itself may come between, and then it is the one that queues the job.
    await eventually(async () => (await endpoint.jobs()) === 1)
    assert.ok(await endpoint.takeForSlice(randomUUID()))
  })

  test('without new deliveries, nothing is woken', async () => {
    const endpoint = await given()
    await endpoint.takeForRecovery()
    await endpoint.giveBack()
    assert.equal(await endpoint.jobs(), 0)
    assert.equal(await endpoint.takeForRecovery(), true)
  })

  test('live deliveries that are due go first', async () => {
    const endpoint = await given()
    await endpoint.emit(1)
    await endpoint.wake()
    // The wake-up of the event itself may have come first, and may still hold the row.
    await eventually(async () => (await endpoint.jobs()) === 1)
    assert.equal(await endpoint.takeForRecovery(), false)
    const token = randomUUID()
    assert.ok(await endpoint.takeForSlice(token))
    assert.equal(await endpoint.takeForRecovery(), false, 'it is being sent to')
    await releaseAll(sql, [{ ...endpoint.ref, token, job: '0', rest: true, version: null }])
    assert.equal(await endpoint.takeForRecovery(), true, 'it gave way')
  })

  for (const [why, values] of [
    ['the endpoint is paused', { status: 'paused' }],
    ['the endpoint is disabled', { status: 'disabled' }],
    ['the endpoint is silent', { silent_until: ago(-60) }],
    ['the job has not come for long', { queued_at: ago(11) }],
  ] as const)
    test(`pending deliveries do not keep a recovery waiting while ${why}; they stay pending`, async () => {
      const endpoint = await given()
      await endpoint.emit(1)
      await endpoint.wake()
      await endpoint.set(values)
      assert.equal(await endpoint.takeForRecovery(), true)
      await endpoint.giveBack()
      assert.equal(await endpoint.jobs(), 1)
    })

  test('it lapses when its holder dies', async () => {
    const endpoint = await given()
    await endpoint.set({ lease_token: randomUUID(), lease_until: ago(1) })
    assert.equal(await endpoint.takeForRecovery(), true)
  })

  test('an earlier token releases nothing', async () => {
    const endpoint = await given()
    const token = randomUUID()
    assert.ok(await endpoint.takeForSlice(token))
    await endpoint.giveBack()
    assert.equal(await endpoint.takeForRecovery(), false)
  })

  test('a live slice gives way to a recovery that runs, and to no other', async () => {
    const endpoint = await given()
    ok(await endpoint.shop.post(`${endpoint.path}/disable`))
    const [event] = await endpoint.emit(1)
    const { id } = ok(await endpoint.shop.post(`${endpoint.path}/deliveries/${event}/redeliver`))
    const is = () => isRecovering(sql, endpoint.ref)
    assert.equal(await is(), false, 'it waits in the queue')
    await sql`update webhook_recoveries set lease_until = ${ago(-20)} where id = ${id}`
    assert.equal(await is(), true)
    assert.equal(await isRecovering(sql, (await given()).ref), false)
    ok(await endpoint.shop.post(`${endpoint.path}/recoveries/${id}/cancel`))
    assert.equal(await is(), false)
  })
})

suite('recoveries of an ordered endpoint', () => {
  const begun = async (endpoint: { shop: TestTenant; path: string }): Promise<Ref> => ({
    tenant: endpoint.shop.id,
    id: ok(await endpoint.shop.post(`${endpoint.path}/test`)).id,
  })

  test('one recovery of one event runs at a time; the next asks again in a second', async () => {
    const endpoint = await given()
    const [first, second] = [await begun(endpoint), await begun(endpoint)]
    const token = randomUUID()
    assert.ok(await take(sql, first, token))
    assert.equal(await take(sql, second, randomUUID()), undefined)
    const jobs = async ({ id }: Ref) =>
      (
        await sql`select 1 from graphile_worker._private_jobs where payload ->> 'recoveryId' = ${id} and run_at > created_at + interval '0.9 seconds'`
      ).length
    await leases.enqueue(sql, second, 1)
    await leases.enqueue(sql, first, 1)
    assert.deepEqual([await jobs(second), await jobs(first)], [1, 0], 'the recovery that may run next needs no other job')
    await leases.release(sql, first, token)
    assert.ok(await take(sql, second, randomUUID()))
  })

  test('recoveries of an endpoint that is not ordered run at once', async () => {
    const endpoint = await given({ max_parallel: 2 })
    for (const each of [await begun(endpoint), await begun(endpoint)]) assert.ok(await take(sql, each, randomUUID()))
  })

  test('a large one gives way to one of one event', async () => {
    const endpoint = await given()
    ok(await endpoint.shop.post(`${endpoint.path}/disable`))
    await endpoint.emit(2)
    const large: Ref = { tenant: endpoint.shop.id, id: (await endpoint.recover({ scope: 'undelivered' })).id }
    const one = await begun(endpoint)
    const tokens = [randomUUID(), randomUUID()] as const
    const takeFor = (each: Ref, token: string) => takeEndpoint(sql, endpoint.ref, each.id, token)
    assert.ok(await take(sql, large, tokens[0]))
    assert.equal(await takeFor(large, tokens[0]), true)
    await giveBack(sql, endpoint.ref, tokens[0])
    assert.ok(await take(sql, one, tokens[1]))
    assert.equal(await takeFor(large, tokens[0]), false)
    assert.equal(await takeFor(one, tokens[1]), true)
    await giveBack(sql, endpoint.ref, tokens[1])
    await leases.release(sql, one, tokens[1])
    assert.equal(await takeFor(large, tokens[0]), true)
  })
})

suite('the rate of an endpoint', () => {
  // One request a minute: this machine never stands still for that long.
  const max_per_minute = 1
  const usedFor = async (id: string): Promise<number> => {
    const [row] =
      await sql`select extract(epoch from paced_until - clock_timestamp())::float8 * 1000 as ms from webhook_endpoints where id = ${id}`
    return row?.['ms']
  }

  test('a recovery takes one request of the rate, and the next when that is used up', async () => {
    const endpoint = await given({ max_parallel: 8, max_per_minute })
    assert.equal(await takePermit(sql, endpoint.ref), true)
    const used = await usedFor(endpoint.id)
    assert.ok(used > 0 && used <= perMinute(max_per_minute).everyMs + 2, `${used} ms`)
    assert.equal(await takePermit(sql, endpoint.ref), false)
    await endpoint.set({ paced_until: ago(0) })
    assert.equal(await takePermit(sql, endpoint.ref), true)
  })

  test('no request is taken beside a live slice, which alone knows how many it has used', async () => {
    const endpoint = await given({ max_parallel: 8, max_per_minute })
    const token = randomUUID()
    assert.ok(await endpoint.takeForSlice(token))
    assert.equal(await takePermit(sql, endpoint.ref), false)
    await releaseAll(sql, [{ ...endpoint.ref, token, job: '0', rest: false, version: null }])
    assert.equal(await takePermit(sql, endpoint.ref), true)
  })

  test('an ordered endpoint is taken together with a request of its rate', async () => {
    const endpoint = await given({ max_per_minute })
    assert.equal(await endpoint.takeForRecovery(), true)
    assert.ok((await usedFor(endpoint.id)) > 0)
    await endpoint.giveBack()
    assert.equal(await endpoint.takeForRecovery(), false, 'the request of its rate is used')
  })
})
