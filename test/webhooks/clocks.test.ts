// Processes whose clocks are off: the database's clock alone counts.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'
import { openCounter } from '../support/statement-counter.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()
const { sql } = app
const counter = await openCounter(app.databaseUrl)
after(counter.close)

const skewed = (ms: number) => ({
  SKEW_MS: String(ms),
  NODE_OPTIONS: `--import=${new URL('../support/skewed-clock.ts', import.meta.url).href}`,
})
const OFF = /clock differs from the database's/g

/** A slice that ends at once while another begins makes 1 900 a second. */
const STATEMENTS_A_SECOND = 100

describe('a worker whose clock is off', { concurrency: false }, () => {
  for (const [name, skew] of [
    ['20 s ahead', 20_000],
    ['20 s behind', -20_000],
  ] as const)
    test(`${name}: attempts come by the schedule, a silence costs no statements, and its log says so once`, async () => {
      const times = new Map<string, number[]>()
      const webhooks = await Promise.all(
        [{ max_parallel: 1 }, { max_parallel: 8 }, { max_parallel: 8, max_per_minute: 30 }].map(async over => {
          const webhook = await recoverableWebhook(
            app,
            response => {
              times.set(webhook.id, [...(times.get(webhook.id) ?? []), performance.now()])
              response.writeHead('max_per_minute' in over ? 204 : 500).end()
            },
            over,
          )
          return webhook
        }),
      )
      const [ordered, wide, paced] = webhooks as [(typeof webhooks)[0], (typeof webhooks)[0], (typeof webhooks)[0]]
      const worker = await aWorker({ ...settingsOf(app), DATABASE_URL: counter.url, WEBHOOK_SCHEDULE: '0,2,4,6,8', ...skewed(skew) })
      const [from, before] = [performance.now(), counter.statements()]
      await ordered.emit()
      await wide.emit()
      await paced.emit(4)
      await Promise.all(webhooks.map(webhook => webhook.receiver.until(3)))
      const rate = (counter.statements() - before) / ((performance.now() - from) / 1000)
      assert.ok(rate < STATEMENTS_A_SECOND, `${rate.toFixed(0)} statements a second`)
      for (const { id } of [ordered, wide]) {
        const [first, second] = times.get(id) as [number, number]
        // The sweep that wakes it adds to that, and so does a busy machine; a clock that counts would, 20 s.
        assert.ok(second - first > 1_700 && second - first < 15_000, `the second attempt came after ${Math.round(second - first)} ms`)
      }
      // Each request takes up 2.1 s of the rate, and 3 s are saved up.
      const [first, , third] = times.get(paced.id) as [number, number, number]
      assert.ok(third - first > 500 && third - first < 15_000, `the third of its rate came after ${Math.round(third - first)} ms`)
      const [{ off } = { off: 0 }] = await sql<{ off: number }[]>`
        select max(abs(extract(epoch from clock_timestamp() - a.started_at)))::float8 as off
          from webhook_attempts a where a.endpoint_id = any(${webhooks.map(({ id }) => id)})`
      assert.ok(off < 15, `an attempt was logged ${off} s off`)
      assert.equal(worker.stdout().match(OFF)?.length, 1, worker.stdout())
      worker.child.kill('SIGTERM')
      assert.equal(await worker.ended, 0)
      for (const { shop, path } of webhooks) ok(await shop.delete(path))
    })
})

test('a web process 20 s behind: pending deliveries are dropped, later events are sent, and a recovery finds the latest', async () => {
  const web = shopdesk(['web'], { ...settingsOf(app), PORT: '0', HOST: '127.0.0.1', ...skewed(-20_000) })
  await web.says(/listening on (http\S+)/)
  const url = /listening on (http\S+)/.exec(web.stdout())?.[1] as string
  const webhook = await recoverableWebhook(app)
  const post = (path: string, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${webhook.shop.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const held = await webhook.emit(2)
  ok(await webhook.shop.post(`${webhook.path}/disable`))
  const enabled = await post(`${webhook.path}/enable`, { pending: 'drop' })
  assert.equal(enabled.status, 200)
  const sent = await webhook.emit(2)
  await app.startWorker()
  await eventuallyHolds(async () => assert.deepEqual(await webhook.states(), ['dropped 0', 'dropped 0', 'succeeded 1', 'succeeded 1']))
  assert.deepEqual(webhook.sent(), sent)
  const dry = await post(`${webhook.path}/recoveries`, { scope: 'all', since: new Date(Date.now() - 60_000).toISOString(), dry_run: true })
  assert.equal(((await dry.json()) as { total: number }).total, held.length + sent.length)
  assert.equal(web.stdout().match(OFF)?.length, 1, web.stdout())
  web.child.kill('SIGTERM')
  assert.equal(await web.ended, 0)
})
