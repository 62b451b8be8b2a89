// The lease and the rate of an endpoint, as recoveries take and release them: statement by statement, no worker runs here.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import type { Ref } from '../../src/ids.ts'
import { releaseAll, takeAll } from '../../src/webhooks/delivery/lease-store.ts'
import { isRecovering, wake } from '../../src/webhooks/delivery/store.ts'
import { afterSending } from '../../src/webhooks/endpoints/rate.ts'
import { giveBack, takeEndpoint, takePlace } from '../../src/webhooks/recovery/endpoint-lease-store.ts'
import { leases, take } from '../../src/webhooks/recovery/run-store.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()
const { sql } = app

async function given(options: object = {}) {
  const webhook = await recoverableWebhook(app, undefined, { max_parallel: 1, ...options })
  const endpoint = { tenant: webhook.shop.id, id: webhook.id }
  const recovering = randomUUID()
  return {
    ...webhook,
    endpoint,
    takeForRecovery: () => takeEndpoint(sql, endpoint, 'rcv', recovering),
    giveBack: () => giveBack(sql, endpoint, recovering),
    wake: () => wake(sql, [endpoint]),
    takeForSlice: async (token: string) => (await takeAll(sql, [{ ...endpoint, token }]))[0],
    jobs: async () => (await sql`select 1 from graphile_worker._private_jobs where payload ->> 'endpointId' = ${webhook.id}`).length,
    set: (values: object) => sql`update webhook_endpoints set ${sql(values)} where id = ${webhook.id}`,
  }
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000)

suite('the lease of an ordered endpoint', () => {
  test('what comes while a recovery holds it is woken when it is given back', async () => {
    const at = await given()
    assert.equal(await at.takeForRecovery(), true)
    await at.emit(1)
    await at.wake()
    assert.deepEqual([await at.jobs(), await at.takeForSlice(randomUUID())], [0, undefined])
    assert.equal(await at.takeForRecovery(), false, 'nor is it another recovery’s')
    await at.giveBack()
    assert.equal(await at.jobs(), 1)
    assert.ok(await at.takeForSlice(randomUUID()))
  })

  test('where nothing came, nothing is woken', async () => {
    const at = await given()
    await at.takeForRecovery()
    await at.giveBack()
    assert.equal(await at.jobs(), 0)
    assert.equal(await at.takeForRecovery(), true)
  })

  test('live deliveries that are due go first', async () => {
    const at = await given()
    await at.emit(1)
    await at.wake()
    // The wake-up of the event itself may have come first, and may still hold the row.
    await eventually(async () => (await at.jobs()) === 1)
    assert.equal(await at.takeForRecovery(), false)
    const token = randomUUID()
    assert.ok(await at.takeForSlice(token))
    assert.equal(await at.takeForRecovery(), false, 'it is being sent to')
    await releaseAll(sql, [{ ...at.endpoint, token, job: '0', rest: true, version: null }])
    assert.equal(await at.takeForRecovery(), true, 'it gave way')
  })

  for (const [why, values] of [
    ['the endpoint is paused', { status: 'paused' }],
    ['the endpoint is disabled', { status: 'disabled' }],
    ['the endpoint is silent', { silent_until: ago(-60) }],
    ['the job has not come for long', { queued_at: ago(11) }],
  ] as const)
    test(`pending deliveries do not keep a recovery waiting while ${why}; they stay pending`, async () => {
      const at = await given()
      await at.emit(1)
      await at.wake()
      await at.set(values)
      assert.equal(await at.takeForRecovery(), true)
      await at.giveBack()
      assert.equal(await at.jobs(), 1)
    })

  test('it lapses when its holder dies', async () => {
    const at = await given()
    await at.set({ lease_token: randomUUID(), lease_until: ago(1) })
    assert.equal(await at.takeForRecovery(), true)
  })

  test('a token of before gives nothing back', async () => {
    const at = await given()
    const token = randomUUID()
    assert.ok(await at.takeForSlice(token))
    await at.giveBack()
    assert.equal(await at.takeForRecovery(), false)
  })

  test('a live slice gives way to a recovery that runs, and to no other', async () => {
    const at = await given()
    ok(await at.shop.post(`${at.path}/disable`))
    const [event] = await at.emit(1)
    const { id } = ok(await at.shop.post(`${at.path}/deliveries/${event}/redeliver`))
    const is = () => isRecovering(sql, at.endpoint)
    assert.equal(await is(), false, 'it waits in the queue')
    await sql`update webhook_recoveries set lease_until = ${ago(-20)} where id = ${id}`
    assert.equal(await is(), true)
    assert.equal(await isRecovering(sql, (await given()).endpoint), false)
    ok(await at.shop.post(`${at.path}/recoveries/${id}/cancel`))
    assert.equal(await is(), false)
  })
})

suite('recoveries of an ordered endpoint', () => {
  const begun = async (at: { shop: TestTenant; path: string }): Promise<Ref> => ({
    tenant: at.shop.id,
    id: ok(await at.shop.post(`${at.path}/test`)).id,
  })

  test('one recovery of one event runs at a time; the next asks again in a second', async () => {
    const at = await given()
    const [first, second] = [await begun(at), await begun(at)]
    const token = randomUUID()
    assert.ok(await take(sql, first, token))
    assert.equal(await take(sql, second, randomUUID()), undefined)
    const jobs = async ({ id }: Ref) =>
      (
        await sql`select 1 from graphile_worker._private_jobs where payload ->> 'recoveryId' = ${id} and run_at > created_at + interval '0.9 seconds'`
      ).length
    await leases.enqueue(sql, second, 1)
    await leases.enqueue(sql, first, 1)
    assert.deepEqual([await jobs(second), await jobs(first)], [1, 0], 'the one whose turn it is needs no other job')
    await leases.release(sql, first, token)
    assert.ok(await take(sql, second, randomUUID()))
  })

  test('elsewhere they go at once', async () => {
    const at = await given({ max_parallel: 2 })
    for (const each of [await begun(at), await begun(at)]) assert.ok(await take(sql, each, randomUUID()))
  })

  test('a large one gives way to one of one event', async () => {
    const at = await given()
    ok(await at.shop.post(`${at.path}/disable`))
    await at.emit(2)
    const large: Ref = { tenant: at.shop.id, id: (await at.recover({ scope: 'undelivered' })).id }
    const one = await begun(at)
    const tokens = [randomUUID(), randomUUID()] as const
    const takeFor = (each: Ref, token: string) => takeEndpoint(sql, at.endpoint, each.id, token)
    assert.ok(await take(sql, large, tokens[0]))
    assert.equal(await takeFor(large, tokens[0]), true)
    await giveBack(sql, at.endpoint, tokens[0])
    assert.ok(await take(sql, one, tokens[1]))
    assert.equal(await takeFor(large, tokens[0]), false)
    assert.equal(await takeFor(one, tokens[1]), true)
    await giveBack(sql, at.endpoint, tokens[1])
    await leases.release(sql, one, tokens[1])
    assert.equal(await takeFor(large, tokens[0]), true)
  })
})

suite('the rate of an endpoint', () => {
  // One request a minute: longer than this machine may stand still.
  const perMinute = 1
  const usedFor = async (id: string): Promise<number> => {
    const [row] =
      await sql`select extract(epoch from paced_until - clock_timestamp())::float8 * 1000 as ms from webhook_endpoints where id = ${id}`
    return row?.['ms']
  }

  test('a recovery takes one place, and the next when that is used', async () => {
    const at = await given({ max_parallel: 8, max_per_minute: perMinute })
    assert.equal(await takePlace(sql, at.endpoint), true)
    const used = await usedFor(at.id)
    assert.ok(used > 0 && used <= afterSending(0, 0, perMinute) + 2, `${used} ms`)
    assert.equal(await takePlace(sql, at.endpoint), false)
    await at.set({ paced_until: ago(0) })
    assert.equal(await takePlace(sql, at.endpoint), true)
  })

  test('none is taken beside a live slice, which alone knows what it has used', async () => {
    const at = await given({ max_parallel: 8, max_per_minute: perMinute })
    const token = randomUUID()
    assert.ok(await at.takeForSlice(token))
    assert.equal(await takePlace(sql, at.endpoint), false)
    await releaseAll(sql, [{ ...at.endpoint, token, job: '0', rest: false, version: null }])
    assert.equal(await takePlace(sql, at.endpoint), true)
  })

  test('in order the endpoint is taken together with a place', async () => {
    const at = await given({ max_per_minute: perMinute })
    assert.equal(await at.takeForRecovery(), true)
    assert.ok((await usedFor(at.id)) > 0)
    await at.giveBack()
    assert.equal(await at.takeForRecovery(), false, 'its place is used')
  })
})
