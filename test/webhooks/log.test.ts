// The delivery log tells what happened, column by column; and the health follows from the log.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { check } from '../../src/ingress/validate.ts'
import { HEALTH_SAMPLE } from '../../src/limits/outbound.ts'
import { HEALTH_SCAN } from '../../src/limits/webhooks.ts'
import { DeliveryDetail, Health } from '../../src/webhooks/log/schema.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder } from '../support/given.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'

const app = await testApp({ WEBHOOK_TIMEOUT_MS: '2000' })
await app.startWorker()

async function given(url = 'http://127.0.0.1:9/hooks') {
  const shop = await app.tenant()
  const made = await shop.post('/api/v1/webhooks', { url, events: ['order.created'] })
  assert.equal(made.status, 201, made.text)
  const id: string = made.body.id
  return { shop, id, path: `/api/v1/webhooks/${id}` }
}

const ANSWERS: [string, Respond, string, string | null][] = [
  ['whole', response => response.end('whole'), 'whole', null],
  ['longer than 16 KB', response => response.end('x'.repeat(16 * 1024 + 1)), 'x'.repeat(16 * 1024), 'size'],
  ['of 16 KB exactly', response => response.end('x'.repeat(16 * 1024)), 'x'.repeat(16 * 1024), null],
  ['broken off', response => response.write('half', () => response.destroy()), 'half', 'connection-reset'],
  ['without end', response => response.write('drip'), 'drip', 'timeout'],
]
for (const [what, respond, body, truncated] of ANSWERS)
  test(`the log says whether it has all of the answer: one ${what}`, async () => {
    const receiver = await startReceiver((response, received) => respond(response.writeHead(200), received))
    after(() => receiver.close())
    const webhook = await given(receiver.origin)
    assert.equal((await webhook.shop.post('/api/v1/orders', anOrder())).status, 201)
    await eventuallyHolds(async () => {
      const { body: deliveries } = await webhook.shop.get(`${webhook.path}/deliveries`)
      const { body: detail } = await webhook.shop.get(`${webhook.path}/deliveries/${deliveries.data[0].event_id}`)
      assert.deepEqual(check(DeliveryDetail, detail), [])
      assert.equal(detail.state, 'succeeded')
      assert.deepEqual([detail.log[0].response.body, detail.log[0].response.truncated], [body, truncated])
    })
  })

interface Line {
  secondsAgo: number
  duration: number
  failed?: boolean
  recovered?: boolean
}

/** Lines of the log, the oldest first: each of an event of its own. */
async function logged({ shop, id }: Awaited<ReturnType<typeof given>>, lines: Line[]): Promise<void> {
  const column = (of: (line: Line) => number) => lines.map(of)
  await app.sql`
    insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, error, recovery_id, final)
    select ${shop.id}, ${id}, 'evt_' || lpad(l.n::text, 26, '0'), 1, now() - make_interval(secs => l.seconds_ago), l.duration,
           case when l.failed = 1 then 500 else 204 end, case when l.failed = 1 then 'the receiver answered 500' end,
           case when l.recovered = 1 then 'rcv_1' end, l.failed = 0
      from unnest(${column(each => each.secondsAgo)}::float8[], ${column(each => each.duration)}::integer[],
                  ${column(each => Number(each.failed ?? false))}::integer[], ${column(each => Number(each.recovered ?? false))}::integer[])
           with ordinality as l (seconds_ago, duration, failed, recovered, n)`
}

const DAY_SECONDS = 24 * 60 * 60
const secondsSince = (time: string): number => (Date.now() - Date.parse(time)) / 1000
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

test('health counts the live attempts of the last 24 hours, to the minute, and knows the median and 95th percentile of their durations', async () => {
  const webhook = await given()
  await logged(webhook, [
    { secondsAgo: DAY_SECONDS + 60, duration: 70_000, failed: true },
    { secondsAgo: DAY_SECONDS - 60, duration: 1 },
    // 2 to 100 in another order than that of time; the tens failed.
    ...times(99, n => ({ secondsAgo: 1000 - n, duration: 2 + ((n * 37) % 99), failed: (2 + ((n * 37) % 99)) % 10 === 0 })),
    ...times(200, () => ({ secondsAgo: 1, duration: 80_000, failed: true, recovered: true })),
  ])
  const { body: health } = await webhook.shop.get(`${webhook.path}/health`)
  assert.deepEqual(check(Health, health), [])
  assert.deepEqual([health.attempts, health.succeeded, health.failed, health.success_rate], [100, 90, 10, 0.9])
  assert.deepEqual(health.duration_ms, { p50: 50, p95: 95 })
  assert.equal(Math.round(secondsSince(health.since) / 60), DAY_SECONDS / 60)
})

test('the latest 10 000 live attempts stand for all, however many a recovery made beside them, and since says how far they reach', async () => {
  const webhook = await given()
  await logged(webhook, [
    ...times(500, () => ({ secondsAgo: 20_000, duration: 60_000, failed: true })),
    ...times(HEALTH_SAMPLE, n => ({ secondsAgo: 10_000 + HEALTH_SAMPLE - n, duration: n % 2 ? 5 : 7 })),
    ...times(HEALTH_SAMPLE / 2, () => ({ secondsAgo: 1, duration: 80_000, failed: true, recovered: true })),
  ])
  const { body: health } = await webhook.shop.get(`${webhook.path}/health`)
  assert.deepEqual([health.attempts, health.failed, health.duration_ms], [HEALTH_SAMPLE, 0, { p50: 5, p95: 7 }])
  assert.equal(Math.round(secondsSince(health.since) / 1000), (10_000 + HEALTH_SAMPLE) / 1000)
})

test('since says how little was looked at, where a recovery fills all of it', async () => {
  const webhook = await given()
  await logged(webhook, [
    { secondsAgo: 9_000, duration: 1 },
    ...times(HEALTH_SCAN, n => ({ secondsAgo: n === 0 ? 6_000 : 1, duration: 1, recovered: true })),
  ])
  const { body: health } = await webhook.shop.get(`${webhook.path}/health`)
  assert.deepEqual([health.attempts, health.success_rate, health.duration_ms], [0, null, { p50: null, p95: null }])
  assert.equal(Math.round(secondsSince(health.since) / 1000), 6)
})
