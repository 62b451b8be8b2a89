// Sending again: many events, one event, a test. Beside live traffic, never touching the endpoint's health, and surviving kill -9.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { before, suite, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { check } from '../../src/ingress/validate.ts'
import { COUNT_MAX, RECOVERIES_AT_ONCE, RECOVERY_COUNT_SLICE, RECOVERY_FAILURES_MAX, RECOVERY_PARALLEL } from '../../src/limits/webhooks.ts'
import { arrayText } from '../../src/postgres/row-set.ts'
import { Recovery, RecoveryPreview } from '../../src/webhooks/recovery/schema.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { assertProblem, nobody, ok } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { emitted } from '../support/subscriber.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()

suite('recovery', () => {
  before(() => app.startWorker())

  test('failed: exactly the failed deliveries are sent, as the dry run said; attempts count on, and success ends them', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    const [a, b, c, d] = (await webhook.emit(4)) as [string, string, string, string]
    await webhook.setDeliveries([a, c], 'failed', 5)
    await webhook.setDeliveries([b], 'dropped', 0)
    const preview = await webhook.shop.post(`${webhook.path}/recoveries`, { scope: 'failed', dry_run: true })
    assert.deepEqual([preview.status, preview.body.total, preview.body.types], [200, 2, null])
    assert.deepEqual(check(RecoveryPreview, preview.body), [])
    assert.deepEqual(ok(await webhook.shop.get(`${webhook.path}/recoveries`)).data, [], 'a dry run leaves nothing behind')

    const begun = await webhook.shop.post(`${webhook.path}/recoveries`, { scope: 'failed' })
    assert.equal(begun.status, 202)
    assert.equal(begun.headers.get('location'), `${webhook.path}/recoveries/${begun.body.id}`)
    assert.deepEqual(check(Recovery, begun.body), [])
    const { state, total, done, succeeded, failed } = await webhook.ended(begun.body.id)
    assert.deepEqual([state, total, done, succeeded, failed], ['completed', 2, 2, 2, 0])
    assert.deepEqual(webhook.sent(), [a, c])
    assert.deepEqual(await webhook.states(), ['succeeded 6', 'dropped 0', 'succeeded 6', 'pending 0'])
    const first = webhook.receiver.received.find(({ body }) => body.includes(a))
    assert.match(
      String(first?.headers['x-service-delivery-id']),
      new RegExp(`^${webhook.id}\\.${a.slice(4)}\\.${begun.body.id.slice(4)}:6:\\d+$`),
    )
    assert.equal(ok(await webhook.shop.get(`${webhook.path}/deliveries/${a}`)).log[0].recovery_id, begun.body.id)
    assert.ok(d)
  })

  test('undelivered: failed, dropped and missed events are sent, and neither delivered nor pending ones', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    const [a, b, c, waits] = (await webhook.emit(4)) as [string, string, string, string]
    await webhook.setDeliveries([a], 'failed', 5)
    await webhook.setDeliveries([b], 'dropped', 0)
    await webhook.succeed([c])
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const [missed] = (await webhook.emit(1)) as [string]
    await webhook.emit(1, 'order.paid')
    const dry = await webhook.recover({ scope: 'undelivered', dry_run: true })
    const { total, succeeded } = await webhook.ended((await webhook.recover({ scope: 'undelivered' })).id)
    assert.deepEqual([dry.total, total, succeeded], [3, 3, 3])
    assert.deepEqual(webhook.sent(), [a, b, missed])
    assert.deepEqual(await webhook.states(), ['succeeded 6', 'succeeded 1', 'succeeded 1', 'pending 0', 'succeeded 1'])
    assert.ok(waits)
    assert.equal((await webhook.recover({ scope: 'undelivered', dry_run: true })).total, 0)
  })

  test('undelivered: no event from before the webhook was created is sent; with all, these are sent too', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const [before, since] = (await webhook.emit(2)) as [string, string]
    await app.sql`
      update events set id = ${newId('evt', Date.now() - 60_000)}, created_at = now() - interval '1 minute' where id = ${before}`
    const dry = async (body: object) => (await webhook.recover({ ...body, dry_run: true })).total
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    assert.deepEqual(
      [
        await dry({ scope: 'undelivered' }),
        await dry({ scope: 'undelivered', since: hourAgo }),
        await dry({ scope: 'all', since: hourAgo }),
      ],
      [1, 1, 2],
    )
    await webhook.ended((await webhook.recover({ scope: 'undelivered' })).id)
    assert.deepEqual(webhook.sent(), [since])
  })

  test('a time in the future is refused, and its field is named', async () => {
    const webhook = await recoverableWebhook(app)
    const [soon, later] = [Date.now() + 60_000, Date.now() + 120_000].map(at => new Date(at).toISOString())
    const refused = async (body: object, field: string) =>
      assertProblem(await webhook.shop.post(`${webhook.path}/recoveries`, { scope: 'failed', ...body }), {
        status: 422,
        slug: 'validation-failed',
        instance: `${webhook.path}/recoveries`,
        code: 'out_of_range',
        field,
      })
    await refused({ since: soon }, 'since')
    await refused({ since: later, until: soon }, 'until')
  })

  test('a dry run counts on beyond a single slice, up to a bound, and says so', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const ids = Array.from({ length: 2 * RECOVERY_COUNT_SLICE + 1 }, () => newId('evt'))
    await app.sql`
      insert into events (tenant_id, id, type, created_at, body)
      select ${webhook.shop.id}, i, 'order.created', now(), '{}' from unnest(${arrayText(ids)}::text::text[]) i`
    const counted = async (over: object) => {
      const { total, total_at_least } = await webhook.recover({ scope: 'undelivered', dry_run: true, ...over })
      return [total, total_at_least]
    }
    assert.deepEqual(await counted({}), [COUNT_MAX, true])
    assert.deepEqual(await counted({ types: ['order.paid'] }), [0, false])
    await app.sql`update events set type = 'order.paid' where tenant_id = ${webhook.shop.id} and id = any(${ids.slice(-COUNT_MAX)})`
    assert.deepEqual(await counted({ types: ['order.paid'] }), [COUNT_MAX, false])
    const { id } = await webhook.recover({ scope: 'undelivered' })
    const begun = await webhook.progress(id)
    assert.deepEqual([begun.total, begun.total_at_least], [COUNT_MAX, true])
    ok(await webhook.shop.post(`${webhook.path}/recoveries/${id}/cancel`))
  })

  test('all: every event of the given time and types is sent, delivered ones too', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const before = await webhook.emit(1)
    const since = new Date(Date.now() + 5).toISOString()
    while (Date.now() <= Date.parse(since)) await app.sql`select 1`
    const events = await webhook.emit(2)
    const paid = await webhook.emit(1, 'order.paid')
    const until = new Date(Date.now() + 5).toISOString()
    while (Date.now() <= Date.parse(until)) await app.sql`select 1`
    await webhook.emit(1)
    await webhook.ended((await webhook.recover({ scope: 'all', since, until })).id)
    assert.deepEqual(webhook.sent(), events)
    await webhook.ended((await webhook.recover({ scope: 'all', since, until, types: ['order.paid', 'order.created'] })).id)
    assert.deepEqual(webhook.sent(), [...events, ...events, ...paid].sort())
    assert.ok(!webhook.sent().includes(before[0] as string))
  })

  for (const status of ['paused', 'disabled'] as const)
    test(`it works while the webhook is ${status}, and does not touch its health, whatever the receiver answers`, async () => {
      let n = 0
      const webhook = await recoverableWebhook(app, response => response.writeHead(n++ % 2 ? 204 : 500).end())
      ok(await webhook.shop.post(`${webhook.path}/pause`))
      const events = await webhook.emit(12)
      await webhook.setDeliveries(events, 'failed', 5)
      if (status === 'disabled') ok(await webhook.shop.post(`${webhook.path}/disable`))
      const health = await webhook.health()
      const { succeeded, failed } = await webhook.ended((await webhook.recover({ scope: 'failed', max_per_second: 100 })).id)
      assert.deepEqual([succeeded, failed], [6, 6])
      assert.deepEqual(await webhook.health(), health)
      assert.equal(ok(await webhook.shop.get(`${webhook.path}/health`)).attempts, 0)
    })

  test('a failure changes neither a delivery that waits for its own next attempt nor one that was delivered', async () => {
    const webhook = await recoverableWebhook(app, response => response.writeHead(500).end())
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    const [waits, delivered] = (await webhook.emit(2)) as [string, string]
    await webhook.succeed([delivered])
    for (const event of [waits, delivered])
      await webhook.ended(ok(await webhook.shop.post(`${webhook.path}/deliveries/${event}/redeliver`)).id)
    assert.deepEqual(await webhook.states(), ['pending 0', 'succeeded 2'])
    assert.equal(webhook.receiver.received.length, 2)
  })

  test('it keeps to its rate and its window, shows its progress, and ends when it is cancelled', async () => {
    let underWay = 0
    let most = 0
    const webhook = await recoverableWebhook(app, response => {
      most = Math.max(most, ++underWay)
      setTimeout(() => {
        underWay--
        response.writeHead(204).end()
      }, 150)
    })
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    const events = await webhook.emit(100)
    await webhook.setDeliveries(events, 'failed', 5)
    const { id } = await webhook.recover({ scope: 'failed', max_per_second: 20 })
    assertProblem(await webhook.shop.post(`${webhook.path}/recoveries`, { scope: 'failed' }), {
      status: 409,
      slug: 'conflict',
      instance: `${webhook.path}/recoveries`,
      code: 'recovery_running',
    })
    const progress = await eventuallyHolds(async () => {
      const progress = await webhook.progress(id)
      assert.ok(progress.done >= 10)
      return progress
    })
    assert.deepEqual([progress.state, progress.total, progress.done], ['running', 100, progress.succeeded + progress.failed])
    const cancelled = ok(await webhook.shop.post(`${webhook.path}/recoveries/${id}/cancel`))
    assert.equal(cancelled.state, 'cancelled')
    assert.ok(cancelled.finished_at)
    // A slice's end frees its lease: nothing is in flight any more.
    await eventuallyHolds(async () => assert.deepEqual(await leaseOf(id), { lease_token: null }))
    const sent = webhook.sent()
    assert.ok(sent.length < 30, `${sent.length} were sent`)
    assert.equal(most, 2)
    assert.deepEqual(sent, events.slice(0, sent.length))
    const after = await webhook.progress(id)
    assert.equal(after.done, sent.length, 'a request in flight is counted too')
    assert.deepEqual(
      await webhook.states(),
      events.map((_, n) => (n < sent.length ? 'succeeded 6' : 'failed 5')),
    )
    assert.equal(ok(await webhook.shop.post(`${webhook.path}/recoveries/${id}/cancel`)).state, 'cancelled')
    assert.equal((await webhook.recover({ scope: 'failed', dry_run: true })).total, 100 - sent.length)
  })

  const leaseOf = async (id: string) => ({ ...(await app.sql`select lease_token from webhook_recoveries where id = ${id}`)[0] })

  test(`a receiver that refuses ${RECOVERY_FAILURES_MAX} in a row is down: it ends`, async () => {
    const webhook = await recoverableWebhook(app, response => response.writeHead(503).end())
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    await webhook.emit(RECOVERY_FAILURES_MAX + 20)
    const { state, reason, done } = await webhook.ended((await webhook.recover({ scope: 'undelivered', max_per_second: 100 })).id)
    assert.deepEqual([state, reason], ['failed', `${RECOVERY_FAILURES_MAX} failures in a row`])
    assert.ok(done >= RECOVERY_FAILURES_MAX && done <= RECOVERY_FAILURES_MAX + 1)
  })

  test('the cursor never passes an event whose result is not recorded, however fast the next one was', async () => {
    const held: ServerResponse[] = []
    const answered = Promise.withResolvers<void>()
    const webhook = await recoverableWebhook(app, response => {
      if (held.length === 0) held.push(response)
      else response.on('close', answered.resolve).writeHead(204).end()
    })
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    await webhook.emit(3)
    const { id } = await webhook.recover({ scope: 'undelivered', max_per_second: 100 })
    await answered.promise
    for (let n = 0; n < 50; n++) {
      const [row] = await app.sql`select cursor, succeeded from webhook_recoveries where id = ${id}`
      assert.deepEqual({ ...row }, { cursor: null, succeeded: 0 })
    }
    held[0]?.writeHead(204).end()
    assert.equal((await webhook.ended(id)).succeeded, 3)
  })

  test('a process works on so many recoveries at once; another waits without a slot, and live deliveries do not wait', async () => {
    const held: ServerResponse[] = []
    const webhook = await recoverableWebhook(app, (response, { headers }) => {
      if (headers['x-service-test']) held.push(response)
      else response.writeHead(204).end()
    })
    const begun: string[] = []
    for (let n = 0; n < RECOVERIES_AT_ONCE; n++) begun.push(ok(await webhook.shop.post(`${webhook.path}/test`)).id)
    await webhook.receiver.until(RECOVERIES_AT_ONCE)
    const late = ok(await webhook.shop.post(`${webhook.path}/test`)).id
    await eventually(async () => {
      const jobs = await app.sql`
        select 1 from graphile_worker._private_jobs where payload ->> 'recoveryId' = ${late} and run_at > now() and attempts = 0`
      return jobs.length === 1
    })
    assert.equal(
      (await app.sql`select 1 from webhook_recoveries where id = ${late} and lease_token is null and state = 'running'`).length,
      1,
    )
    await webhook.emit(1)
    await webhook.receiver.until(RECOVERIES_AT_ONCE + 1)
    assert.equal(held.length, RECOVERIES_AT_ONCE)
    for (const each of held) each.writeHead(204).end()
    await webhook.receiver.until(RECOVERIES_AT_ONCE + 2)
    held.at(-1)?.writeHead(204).end()
    for (const id of [...begun, late]) assert.equal((await webhook.ended(id)).succeeded, 1)
  })

  test('one event is sent again, whatever state it is in, also one that was never sent', async () => {
    const webhook = await recoverableWebhook(app)
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const [event] = (await webhook.emit(1, 'order.paid')) as [string]
    const begun = await webhook.shop.post(`${webhook.path}/deliveries/${event}/redeliver`)
    assert.deepEqual([begun.status, begun.body.scope, begun.body.event_id], [202, 'event', event])
    assert.equal((await webhook.ended(begun.body.id)).succeeded, 1)
    await webhook.ended(ok(await webhook.shop.post(`${webhook.path}/deliveries/${event}/redeliver`)).id)
    assert.deepEqual(webhook.sent(), [event, event])
    assert.deepEqual(await webhook.states(), ['succeeded 2'])
    const other = await app.tenant()
    const [foreign] = await emitted(app.sql, other.id)
    for (const id of [foreign, nobody('evt')])
      assert.equal((await webhook.shop.post(`${webhook.path}/deliveries/${id}/redeliver`)).status, 404)
  })

  test('a test event goes to this endpoint alone, says that it is a test, and is not in the list of events', async () => {
    const webhook = await recoverableWebhook(app)
    const neighbour = ok(
      await webhook.shop.post('/api/v1/webhooks', { url: `${webhook.receiver.origin}/other`, events: ['order.created'] }),
    )
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const begun = await webhook.shop.post(`${webhook.path}/test`)
    assert.deepEqual([begun.status, begun.body.scope], [202, 'test'])
    await webhook.ended(begun.body.id)
    await webhook.ended(ok(await webhook.shop.post(`${webhook.path}/test`, { type: 'order.created' })).id)
    const [plain, order] = webhook.receiver.received
    assert.deepEqual(
      [plain, order].map(each => [each?.path, each?.headers['x-service-event'], each?.headers['x-service-test']]),
      [
        ['/', 'webhook.test', 'true'],
        ['/', 'order.created', 'true'],
      ],
    )
    const { id, type, data } = JSON.parse(order?.body.toString() ?? '')
    assert.equal(type, 'order.created')
    assert.equal(data.order.object, 'order')
    const detail = ok(await webhook.shop.get(`${webhook.path}/deliveries/${id}`))
    assert.deepEqual([detail.test, detail.state, detail.log.length], [true, 'succeeded', 1])
    assert.equal(webhook.receiver.received.length, 2)
    await eventuallyHolds(async () => {
      await webhook.emit()
      const { data } = ok(await webhook.shop.get('/api/v1/events'))
      assert.ok(data.length > 0)
      assert.ok(data.every((event: { id: string }) => event.id !== id))
    })
    assert.equal((await webhook.recover({ scope: 'all', since: '2026-01-01T00:00:00Z', dry_run: true })).total < 50, true)
    assert.equal((await webhook.shop.post(`/api/v1/webhooks/${neighbour.id}/deliveries/${id}/redeliver`)).status, 404)
    assertProblem(await webhook.shop.post(`${webhook.path}/test`, { type: 'order.eaten' }), {
      status: 422,
      slug: 'validation-failed',
      instance: `${webhook.path}/test`,
      code: 'invalid_choice',
    })
  })

  for (const [body, field, code] of [
    [{ scope: 'all' }, 'since', 'required'],
    [{ scope: 'some' }, 'scope', 'invalid_choice'],
    [{}, 'scope', 'required'],
    [{ scope: 'failed', since: 'yesterday' }, 'since', 'invalid_format'],
    [{ scope: 'failed', since: '2026-05-02T00:00:00Z', until: '2026-05-01T00:00:00Z' }, 'until', 'out_of_range'],
    [{ scope: 'failed', types: ['order.eaten'] }, 'types[0]', 'invalid_choice'],
    [{ scope: 'failed', max_per_second: 101 }, 'max_per_second', 'out_of_range'],
  ] as const)
    test(`refused: ${JSON.stringify(body)}`, async () => {
      const shop = await app.tenant()
      const { id } = ok(await shop.post('/api/v1/webhooks', { url: 'https://receiver.example/', events: ['order.created'] }))
      const instance = `/api/v1/webhooks/${id}/recoveries`
      assertProblem(await shop.post(instance, body), { status: 422, slug: 'validation-failed', instance, field, code })
    })

  /** A webhook of each kind whose recovery is long enough to be cut off. */
  async function beginLong(service: TestApp) {
    const begin = async (max_parallel: number) => {
      const webhook = await recoverableWebhook(service, response => setTimeout(() => response.writeHead(204).end(), 30), { max_parallel })
      ok(await webhook.shop.post(`${webhook.path}/disable`))
      const events = await webhook.emit(60)
      const { id } = await webhook.recover({ scope: 'undelivered', max_per_second: 40 })
      return { ...webhook, events, recovery: id, atOnce: Math.min(max_parallel, RECOVERY_PARALLEL) }
    }
    return [await begin(8), await begin(1)]
  }

  test('a worker told to stop finishes its requests and releases its recoveries: another goes on, and nothing is sent twice', async () => {
    const service = await testApp()
    const hooks = await beginLong(service)
    const first = shopdesk(['worker'], settingsOf(service))
    for (const { receiver } of hooks) await receiver.until(10)
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)
    for (const { progress, recovery, receiver } of hooks) {
      const { state, done } = await progress(recovery)
      assert.deepEqual([state, done], ['running', receiver.received.length])
    }
    const held = await service.sql`
      select 1 from webhook_recoveries where lease_token is not null union all select 1 from webhook_endpoints where lease_token is not null`
    assert.equal(held.length, 0)
    const second = shopdesk(['worker'], settingsOf(service))
    for (const { ended, recovery, sent, events } of hooks) {
      assert.equal((await ended(recovery)).succeeded, 60)
      assert.deepEqual(sent(), events)
    }
    second.child.kill('SIGTERM')
    await second.ended
  })

  test('after a worker is killed, only requests in flight are repeated; another goes on, and no event is left out', async () => {
    const service = await testApp()
    const hooks = await beginLong(service)
    const first = shopdesk(['worker'], settingsOf(service))
    for (const { receiver } of hooks) await receiver.until(20)
    first.child.kill('SIGKILL')
    await first.ended
    const second = shopdesk(['worker'], settingsOf(service))
    for (const webhook of hooks) {
      const { state, total, done, succeeded } = await webhook.ended(webhook.recovery)
      assert.deepEqual([state, total, done, succeeded], ['completed', 60, 60, 60])
      const sent = webhook.sent()
      assert.deepEqual([...new Set(sent)], webhook.events)
      assert.ok(sent.length <= 60 + webhook.atOnce, `${sent.length} requests for 60 events`)
    }
    second.child.kill('SIGTERM')
    await second.ended
  })
})
