// A webhook's settings change while it is being sent to: neither its attempts nor its failures are lost or burnt by it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { given } from './recovering.ts'

// The second attempt comes 1.8 to 2.2 s after the first.
const SECOND_MS = 2_000
const app = await testApp({ WEBHOOK_SCHEDULE: '0,2,4,6,8' })

type Hook = Awaited<ReturnType<typeof given>>

/** A receiver that refuses, each time after `change` was made. */
async function refusing(change: (hook: Hook) => Promise<unknown>, over: object): Promise<{ hook: Hook; times: number[] }> {
  const times: number[] = []
  let known: Hook | undefined
  const hook = await given(
    app,
    async response => {
      times.push(performance.now())
      await change(known as Hook)
      response.writeHead(500).end()
    },
    over,
  )
  known = hook
  return { hook, times }
}

const changes: Record<string, (hook: Hook) => Promise<unknown>> = {
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
        const { hook, times } = await refusing(change, { max_parallel })
        await hook.emit()
        await hook.receiver.until(1)
        await eventuallyHolds(async () => assert.equal((await hook.health())['failures'], 1))
        await hook.receiver.until(2)
        const [first, second] = times as [number, number]
        assert.ok(second - first >= 0.9 * SECOND_MS, `the second attempt came after ${Math.round(second - first)} ms`)
      })

  test('an ordered webhook moves to another address: its next attempt there comes by the schedule, and what the old one answered counts not', async () => {
    const { hook, times } = await refusing(({ shop, path, receiver }) => shop.patch(path, { url: `${receiver.origin}/moved` }), {
      max_parallel: 1,
    })
    await hook.emit(2)
    await hook.receiver.until(2)
    const [first, second] = times as [number, number]
    assert.ok(second - first >= 0.9 * SECOND_MS, `the second attempt came after ${Math.round(second - first)} ms`)
    assert.deepEqual(
      hook.receiver.received.slice(0, 2).map(({ path, body }) => [path, JSON.parse(body.toString()).data.n]),
      [
        ['/', 0],
        ['/moved', 0],
      ],
    )
  })

  test('it is disabled and enabled: its slate is clean, and in order what failed meanwhile waits for its time', async () => {
    const { hook, times } = await refusing(
      async ({ shop, path }) => [ok(await shop.post(`${path}/disable`)), ok(await shop.post(`${path}/enable`))],
      { max_parallel: 1 },
    )
    await hook.emit()
    await hook.receiver.until(2)
    const [first, second] = times as [number, number]
    assert.ok(second - first >= 0.9 * SECOND_MS, `the second attempt came after ${Math.round(second - first)} ms`)
    assert.equal((await hook.health())['failures'], 0)
  })
})
