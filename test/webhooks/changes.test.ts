// A webhook's settings change while it is being sent to: neither its attempts nor its failures are lost or burnt by it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { recoverableWebhook } from './recovering.ts'

// The second attempt comes 1.8 to 2.2 s after the first.
const SECOND_MS = 2_000
const app = await testApp({ WEBHOOK_SCHEDULE: '0,2,4,6,8' })

type Hook = Awaited<ReturnType<typeof recoverableWebhook>>

/** A receiver that refuses, each time after `change` was made. */
async function refusing(change: (webhook: Hook) => Promise<unknown>, over: object): Promise<{ webhook: Hook; times: number[] }> {
  const times: number[] = []
  let known: Hook | undefined
  const webhook = await recoverableWebhook(
    app,
    async response => {
      times.push(performance.now())
      await change(known as Hook)
      response.writeHead(500).end()
    },
    over,
  )
  known = webhook
  return { webhook, times }
}

const changes: Record<string, (webhook: Hook) => Promise<unknown>> = {
  'its description is changed': async ({ shop, path }) => ok(await shop.patch(path, { description: `at ${performance.now()}` })),
  'its secret is rotated': async ({ shop, path }) => (await shop.post(`${path}/rotate-secret`)).status,
  'it is paused and resumed': async ({ shop, path }) => [ok(await shop.post(`${path}/pause`)), ok(await shop.post(`${path}/resume`))],
  'its rate is changed': async ({ shop, path }) => ok(await shop.patch(path, { max_per_minute: 6000 })),
}

describe('while an attempt is under way', { concurrency: true }, () => {
  before(() => app.startWorker())

  for (const [what, change] of Object.entries(changes))
    for (const max_parallel of [1, 8])
      test(`${what}: the next attempt of max_parallel ${max_parallel} comes by the schedule, and the failure counts`, async () => {
        const { webhook, times } = await refusing(change, { max_parallel })
        await webhook.emit()
        await webhook.receiver.until(1)
        await eventuallyHolds(async () => assert.equal((await webhook.health())['failures'], 1))
        await webhook.receiver.until(2)
        const [first, second] = times as [number, number]
        assert.ok(second - first >= 0.9 * SECOND_MS, `the second attempt came after ${Math.round(second - first)} ms`)
      })

  test('an ordered webhook moves to another address: its next attempt there comes by the schedule, and the old one’s answer does not count', async () => {
    const { webhook, times } = await refusing(({ shop, path, receiver }) => shop.patch(path, { url: `${receiver.origin}/moved` }), {
      max_parallel: 1,
    })
    await webhook.emit(2)
    await webhook.receiver.until(2)
    const [first, second] = times as [number, number]
    assert.ok(second - first >= 0.9 * SECOND_MS, `the second attempt came after ${Math.round(second - first)} ms`)
    assert.deepEqual(
      webhook.receiver.received.slice(0, 2).map(({ path, body }) => [path, JSON.parse(body.toString()).data.n]),
      [
        ['/', 0],
        ['/moved', 0],
      ],
    )
  })

  test('it is disabled and enabled: its slate is clean, and when ordered, a delivery that failed meanwhile waits for its time', async () => {
    const { webhook, times } = await refusing(
      async ({ shop, path }) => [ok(await shop.post(`${path}/disable`)), ok(await shop.post(`${path}/enable`))],
      { max_parallel: 1 },
    )
    await webhook.emit()
    await webhook.receiver.until(2)
    const [first, second] = times as [number, number]
    assert.ok(second - first >= 0.9 * SECOND_MS, `the second attempt came after ${Math.round(second - first)} ms`)
    assert.equal((await webhook.health())['failures'], 0)
  })
})
