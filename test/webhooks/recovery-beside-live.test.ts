// Recoveries beside live deliveries: they share a lease and a rate, and neither starves the other.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TIME_SLICE_MS } from '../../src/limits/queue.ts'
import { RECOVERY_PARALLEL } from '../../src/limits/webhooks.ts'
import { afterSending, freeFrom } from '../../src/rate.ts'
import { perMinute } from '../../src/webhooks/endpoints/rate.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import type { Respond } from '../support/receiver.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()

/** A receiver's answers after `ms`, and the most requests that it had at once. */
function counting(ms: number) {
  const seen = { underWay: 0, most: 0 }
  const respond: Respond = response => {
    seen.most = Math.max(seen.most, ++seen.underWay)
    setTimeout(() => {
      seen.underWay--
      response.writeHead(204).end()
    }, ms)
  }
  return { seen, respond }
}

const idOf = ({ body }: { body: Buffer }): string => JSON.parse(body.toString()).id
const quantile = (values: number[], q: number): number => values.sort((a, b) => a - b)[Math.floor(q * (values.length - 1))] as number

describe('a recovery beside live deliveries', { concurrency: 4 }, () => {
  before(() => app.startWorker())

  test('an ordered webhook is sent one request at a time, by live deliveries and recoveries together; neither starves the other', async () => {
    const { seen, respond } = counting(40)
    const webhook = await recoverableWebhook(app, respond, { max_parallel: 1 })
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    const failed = await webhook.emit(5)
    await webhook.setDeliveries(failed, 'failed', 5)
    await webhook.emit(Math.ceil((1.4 * TIME_SLICE_MS) / 40))
    const live = await webhook.due()
    ok(await webhook.shop.post(`${webhook.path}/resume`))
    await webhook.receiver.until(1)

    const again = live.at(-1) as string
    const redelivery = ok(await webhook.shop.post(`${webhook.path}/deliveries/${again}/redeliver`))
    const test1 = ok(await webhook.shop.post(`${webhook.path}/test`))
    const { id } = await webhook.recover({ scope: 'failed', max_per_second: 100 })
    for (const each of [redelivery.id, test1.id, id]) assert.equal((await webhook.ended(each)).failed, 0)
    await eventuallyHolds(async () => assert.ok((await webhook.states()).every(state => state.startsWith('succeeded'))))

    assert.equal(seen.most, 1)
    webhook.receiver.received
    const sent = webhook.receiver.received.map(idOf)
    const isLive = new Set(live)
    const first = sent.findIndex(each => !isLive.has(each) || each === again)
    assert.ok(first > 20, `live deliveries go first, but ${first} of them only`)
    assert.ok(first < live.length - 10, 'a recovery comes between two slices of a backlog')
    assert.deepEqual(
      sent.filter(each => isLive.has(each) && each !== again),
      live.slice(0, -1),
      'each once, in order',
    )
    for (const each of failed) assert.equal(sent.filter(id => id === each).length, 1)
    const { log } = ok(await webhook.shop.get(`${webhook.path}/deliveries/${again}`))
    assert.deepEqual(
      log.map((each: { attempt: number }) => each.attempt),
      log.map((_: unknown, n: number) => log.length - n),
      'each attempt has a number of its own',
    )
  })

  test('each attempt has a delivery id of its own, also where two redeliveries are made beside a live one, and the log has it', async () => {
    const held: Parameters<Respond>[0][] = []
    const webhook = await recoverableWebhook(app, response => void held.push(response))
    const [event] = (await webhook.emit()) as [string]
    await webhook.receiver.until(1)
    await Promise.all([1, 2].map(() => webhook.shop.post(`${webhook.path}/deliveries/${event}/redeliver`)))
    await webhook.receiver.until(3)
    for (const each of held) each.writeHead(204).end()
    const sent = webhook.receiver.received.map(({ headers }) => headers['x-service-delivery-id'] as string)
    assert.equal(new Set(sent).size, 3, sent.join(' '))
    for (const each of sent) assert.match(each, new RegExp(`^${webhook.id}\\.${event.slice(4)}[^:]*:1:\\d+$`))
    await eventuallyHolds(async () => {
      const { log } = ok(await webhook.shop.get(`${webhook.path}/deliveries/${event}`))
      const logged = log.map((each: { request: { headers: Record<string, string> } }) => each.request.headers['X-Service-Delivery-Id'])
      assert.deepEqual(logged.sort(), sent.sort())
    })
  })

  for (const status of ['paused', 'disabled'])
    test(`several recoveries of an ordered webhook share it, also while it is ${status}`, async () => {
      const { seen, respond } = counting(50)
      const webhook = await recoverableWebhook(app, respond, { max_parallel: 1 })
      ok(await webhook.shop.post(`${webhook.path}/pause`))
      const events = await webhook.emit(25)
      await webhook.setDeliveries(events, 'failed', 5)
      if (status === 'disabled') ok(await webhook.shop.post(`${webhook.path}/disable`))
      const begun = [
        await webhook.recover({ scope: 'failed', max_per_second: 100 }),
        ok(await webhook.shop.post(`${webhook.path}/test`)),
        ok(await webhook.shop.post(`${webhook.path}/deliveries/${events[3]}/redeliver`)),
      ]
      for (const { id } of begun) assert.equal((await webhook.ended(id)).state, 'completed')
      assert.equal(seen.most, 1)
      assert.equal((await app.sql`select 1 from webhook_endpoints where id = ${webhook.id} and lease_token is not null`).length, 0)
    })

  test('a webhook that becomes ordered is ordered for the recovery under way too', async () => {
    const { seen, respond } = counting(60)
    const changed = Promise.withResolvers<void>()
    // The first wait for the change, however long that takes.
    const webhook = await recoverableWebhook(app, (response, received) => void changed.promise.then(() => respond(response, received)))
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    await webhook.setDeliveries(await webhook.emit(40), 'failed', 5)
    const { id } = await webhook.recover({ scope: 'failed', max_per_second: 100 })
    await webhook.receiver.until(RECOVERY_PARALLEL)
    ok(await webhook.shop.patch(webhook.path, { max_parallel: 1 }))
    changed.resolve()
    // Requests in flight, and requests already released to be sent.
    await webhook.receiver.until(webhook.receiver.received.length + 2 * RECOVERY_PARALLEL)
    seen.most = 0
    assert.equal((await webhook.ended(id)).succeeded, 40)
    assert.equal(seen.most, 1)
  })

  test('an event that a recovery delivered while the webhook was paused is not sent again when it is resumed', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    const events = await webhook.emit(3)
    await webhook.ended(ok(await webhook.shop.post(`${webhook.path}/deliveries/${events[1]}/redeliver`)).id)
    ok(await webhook.shop.post(`${webhook.path}/resume`))
    await eventuallyHolds(async () => assert.deepEqual(await webhook.states(), ['succeeded 1', 'succeeded 1', 'succeeded 1']))
    assert.deepEqual(webhook.sent(), events)
  })

  test('together they never exceed the webhook’s rate', async () => {
    const count = 1200
    const webhook = await recoverableWebhook(app, response => setTimeout(() => response.writeHead(204).end(), 100), {
      max_per_minute: count,
    })
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    await webhook.setDeliveries(await webhook.emit(40), 'failed', 5)
    await webhook.emit(100)
    const { id } = await webhook.recover({ scope: 'failed', max_per_second: 100 })
    await webhook.receiver.until(5)
    ok(await webhook.shop.post(`${webhook.path}/resume`))
    assert.equal((await webhook.ended(id)).succeeded, 40)
    await eventuallyHolds(async () => assert.ok((await webhook.states()).every(state => state.startsWith('succeeded'))))

    const rows = await app.sql<{ at: Date }[]>`
      select started_at as at from webhook_attempts where endpoint_id = ${webhook.id} order by started_at`
    const times = rows.map(row => row.at.getTime())
    assert.equal(times.length, 140)
    // How far a bucket that was empty at the first request would be overdrawn, at the worst moment after each.
    let overdrawn = 0
    const rate = perMinute(count)
    for (const from of times.keys()) {
      let usedUntil = 0
      for (const at of times.slice(from)) {
        overdrawn = Math.max(overdrawn, (freeFrom(usedUntil, rate) - at) / rate.everyMs)
        usedUntil = afterSending(usedUntil, at, rate)
      }
    }
    // A request leaves a moment after it was taken from the rate, one later than the next.
    assert.ok(overdrawn < 4, `${overdrawn.toFixed(1)} requests too many`)
  })

  test('live deliveries are not delayed by it', async () => {
    const arrived = new Map<string, () => void>()
    const webhook = await recoverableWebhook(app, (response, received) => {
      arrived.get(idOf(received))?.()
      setTimeout(() => response.writeHead(204).end(), 20)
    })
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    await webhook.setDeliveries(await webhook.emit(2000), 'failed', 5)
    ok(await webhook.shop.post(`${webhook.path}/resume`))
    const delays = async (): Promise<number[]> => {
      const all: number[] = []
      for (let n = 0; n < 20; n++) {
        const came = Promise.withResolvers<void>()
        const [event] = (await webhook.emit(1)) as [string]
        const began = performance.now()
        if (webhook.receiver.received.some(each => idOf(each) === event)) came.resolve()
        else arrived.set(event, came.resolve)
        await came.promise
        all.push(performance.now() - began)
      }
      return all
    }
    const [alone, beside]: [number[], number[]] = [[], []]
    for (let round = 0; round < 3; round++) {
      alone.push(...(await delays()))
      const { id } = await webhook.recover({ scope: 'failed', max_per_second: 100 })
      await eventuallyHolds(async () => assert.ok((await webhook.progress(id)).done > 0))
      beside.push(...(await delays()))
      assert.equal(ok(await webhook.shop.post(`${webhook.path}/recoveries/${id}/cancel`)).reason, null)
    }
    for (const [q, times] of [
      [0.5, 2],
      [0.9, 3],
    ] as const) {
      const [without, withIt] = [quantile(alone, q), quantile(beside, q)]
      // A delivery that waited for the two thousand would take seconds; a busy machine takes tenths of one now and then.
      assert.ok(
        withIt < Math.max(times * without, 1_000),
        `${100 * q} %: ${withIt.toFixed(1)} ms beside a recovery, ${without.toFixed(1)} ms alone`,
      )
    }
  })
})
