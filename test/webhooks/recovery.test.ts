// Sending again: many events, one event, a test. Beside live traffic, never touching the endpoint's health, and surviving kill -9.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { before, suite, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { check } from '../../src/ingress/validate.ts'
import { COUNT_MAX, RECOVERIES_AT_ONCE, RECOVERY_COUNT_SLICE, RECOVERY_FAILURES_MAX, RECOVERY_PARALLEL } from '../../src/limits.ts'
import { arrayText } from '../../src/postgres/row-set.ts'
import { Recovery, RecoveryPreview } from '../../src/webhooks/recovery/schema.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { assertProblem, nobody, ok } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { emitted } from '../support/subscriber.ts'
import { given } from './recovering.ts'

const app = await testApp()

suite('recovery', () => {
  before(() => app.startWorker())

  test('failed: those and no others, as the dry run said; attempts count on, and success ends them', async () => {
    const hook = await given(app)
    ok(await hook.shop.post(`${hook.path}/pause`))
    const [a, b, c, d] = (await hook.emit(4)) as [string, string, string, string]
    await hook.set([a, c], 'failed', 5)
    await hook.set([b], 'dropped', 0)
    const preview = await hook.shop.post(`${hook.path}/recoveries`, { scope: 'failed', dry_run: true })
    assert.deepEqual([preview.status, preview.body.total, preview.body.types], [200, 2, null])
    assert.deepEqual(check(RecoveryPreview, preview.body), [])
    assert.deepEqual(ok(await hook.shop.get(`${hook.path}/recoveries`)).data, [], 'a dry run leaves nothing behind')

    const begun = await hook.shop.post(`${hook.path}/recoveries`, { scope: 'failed' })
    assert.equal(begun.status, 202)
    assert.equal(begun.headers.get('location'), `${hook.path}/recoveries/${begun.body.id}`)
    assert.deepEqual(check(Recovery, begun.body), [])
    const { state, total, done, succeeded, failed } = await hook.ended(begun.body.id)
    assert.deepEqual([state, total, done, succeeded, failed], ['completed', 2, 2, 2, 0])
    assert.deepEqual(hook.sent(), [a, c])
    assert.deepEqual(await hook.states(), ['succeeded 6', 'dropped 0', 'succeeded 6', 'pending 0'])
    const first = hook.receiver.received.find(({ body }) => body.includes(a))
    assert.match(
      String(first?.headers['x-service-delivery-id']),
      new RegExp(`^${hook.id}\\.${a.slice(4)}\\.${begun.body.id.slice(4)}:6:\\d+$`),
    )
    assert.equal(ok(await hook.shop.get(`${hook.path}/deliveries/${a}`)).log[0].recovery_id, begun.body.id)
    assert.ok(d)
  })

  test('undelivered: failed, dropped, and what happened while disabled; not what was delivered nor what still waits', async () => {
    const hook = await given(app)
    ok(await hook.shop.post(`${hook.path}/pause`))
    const [a, b, c, waits] = (await hook.emit(4)) as [string, string, string, string]
    await hook.set([a], 'failed', 5)
    await hook.set([b], 'dropped', 0)
    await hook.succeed([c])
    ok(await hook.shop.post(`${hook.path}/disable`))
    const [missed] = (await hook.emit(1)) as [string]
    await hook.emit(1, 'order.paid')
    const dry = await hook.recover({ scope: 'undelivered', dry_run: true })
    const { total, succeeded } = await hook.ended((await hook.recover({ scope: 'undelivered' })).id)
    assert.deepEqual([dry.total, total, succeeded], [3, 3, 3])
    assert.deepEqual(hook.sent(), [a, b, missed])
    assert.deepEqual(await hook.states(), ['succeeded 6', 'succeeded 1', 'succeeded 1', 'pending 0', 'succeeded 1'])
    assert.ok(waits)
    assert.equal((await hook.recover({ scope: 'undelivered', dry_run: true })).total, 0)
  })

  test('undelivered: nothing from before the webhook was made; all has that too', async () => {
    const hook = await given(app)
    ok(await hook.shop.post(`${hook.path}/disable`))
    const [before, since] = (await hook.emit(2)) as [string, string]
    await app.sql`
      update events set id = ${newId('evt', Date.now() - 60_000)}, created_at = now() - interval '1 minute' where id = ${before}`
    const dry = async (body: object) => (await hook.recover({ ...body, dry_run: true })).total
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    assert.deepEqual(
      [
        await dry({ scope: 'undelivered' }),
        await dry({ scope: 'undelivered', since: hourAgo }),
        await dry({ scope: 'all', since: hourAgo }),
      ],
      [1, 1, 2],
    )
    await hook.ended((await hook.recover({ scope: 'undelivered' })).id)
    assert.deepEqual(hook.sent(), [since])
  })

  test('what begins in the future is refused, and the field that says so is named', async () => {
    const hook = await given(app)
    const [soon, later] = [Date.now() + 60_000, Date.now() + 120_000].map(at => new Date(at).toISOString())
    const refused = async (body: object, field: string) =>
      assertProblem(await hook.shop.post(`${hook.path}/recoveries`, { scope: 'failed', ...body }), {
        status: 422,
        slug: 'validation-failed',
        instance: `${hook.path}/recoveries`,
        code: 'out_of_range',
        field,
      })
    await refused({ since: soon }, 'since')
    await refused({ since: later, until: soon }, 'until')
  })

  test('a dry run counts on beyond what it looks at at a time, up to a bound, and says so', async () => {
    const hook = await given(app)
    ok(await hook.shop.post(`${hook.path}/disable`))
    const ids = Array.from({ length: 2 * RECOVERY_COUNT_SLICE + 1 }, () => newId('evt'))
    await app.sql`
      insert into events (tenant_id, id, type, created_at, body)
      select ${hook.shop.id}, i, 'order.created', now(), '{}' from unnest(${arrayText(ids)}::text::text[]) i`
    const counted = async (over: object) => {
      const { total, total_at_least } = await hook.recover({ scope: 'undelivered', dry_run: true, ...over })
      return [total, total_at_least]
    }
    assert.deepEqual(await counted({}), [COUNT_MAX, true])
    assert.deepEqual(await counted({ types: ['order.paid'] }), [0, false])
    await app.sql`update events set type = 'order.paid' where tenant_id = ${hook.shop.id} and id = any(${ids.slice(-COUNT_MAX)})`
    assert.deepEqual(await counted({ types: ['order.paid'] }), [COUNT_MAX, false])
    const { id } = await hook.recover({ scope: 'undelivered' })
    const begun = await hook.progress(id)
    assert.deepEqual([begun.total, begun.total_at_least], [COUNT_MAX, true])
    ok(await hook.shop.post(`${hook.path}/recoveries/${id}/cancel`))
  })

  test('all: everything of the time and the types asked for, also what was delivered', async () => {
    const hook = await given(app)
    ok(await hook.shop.post(`${hook.path}/disable`))
    const before = await hook.emit(1)
    const since = new Date(Date.now() + 5).toISOString()
    while (Date.now() <= Date.parse(since)) await app.sql`select 1`
    const events = await hook.emit(2)
    const paid = await hook.emit(1, 'order.paid')
    const until = new Date(Date.now() + 5).toISOString()
    while (Date.now() <= Date.parse(until)) await app.sql`select 1`
    await hook.emit(1)
    await hook.ended((await hook.recover({ scope: 'all', since, until })).id)
    assert.deepEqual(hook.sent(), events)
    await hook.ended((await hook.recover({ scope: 'all', since, until, types: ['order.paid', 'order.created'] })).id)
    assert.deepEqual(hook.sent(), [...events, ...events, ...paid].sort())
    assert.ok(!hook.sent().includes(before[0] as string))
  })

  for (const status of ['paused', 'disabled'] as const)
    test(`it works while the webhook is ${status}, and does not touch its health, whatever the receiver answers`, async () => {
      let n = 0
      const hook = await given(app, response => response.writeHead(n++ % 2 ? 204 : 500).end())
      ok(await hook.shop.post(`${hook.path}/pause`))
      const events = await hook.emit(12)
      await hook.set(events, 'failed', 5)
      if (status === 'disabled') ok(await hook.shop.post(`${hook.path}/disable`))
      const health = await hook.health()
      const { succeeded, failed } = await hook.ended((await hook.recover({ scope: 'failed', max_per_second: 100 })).id)
      assert.deepEqual([succeeded, failed], [6, 6])
      assert.deepEqual(await hook.health(), health)
      assert.equal(ok(await hook.shop.get(`${hook.path}/health`)).attempts, 0)
    })

  test('a failure leaves alone what still waits for its own next attempt, and what was delivered', async () => {
    const hook = await given(app, response => response.writeHead(500).end())
    ok(await hook.shop.post(`${hook.path}/pause`))
    const [waits, delivered] = (await hook.emit(2)) as [string, string]
    await hook.succeed([delivered])
    for (const event of [waits, delivered]) await hook.ended(ok(await hook.shop.post(`${hook.path}/deliveries/${event}/redeliver`)).id)
    assert.deepEqual(await hook.states(), ['pending 0', 'succeeded 2'])
    assert.equal(hook.receiver.received.length, 2)
  })

  test('it keeps to its rate and its window, shows its progress, and ends when it is cancelled', async () => {
    let underWay = 0
    let most = 0
    const hook = await given(app, response => {
      most = Math.max(most, ++underWay)
      setTimeout(() => {
        underWay--
        response.writeHead(204).end()
      }, 150)
    })
    ok(await hook.shop.post(`${hook.path}/pause`))
    const events = await hook.emit(100)
    await hook.set(events, 'failed', 5)
    const { id } = await hook.recover({ scope: 'failed', max_per_second: 20 })
    assertProblem(await hook.shop.post(`${hook.path}/recoveries`, { scope: 'failed' }), {
      status: 409,
      slug: 'conflict',
      instance: `${hook.path}/recoveries`,
      code: 'recovery_running',
    })
    const progress = await eventuallyHolds(async () => {
      const progress = await hook.progress(id)
      assert.ok(progress.done >= 10)
      return progress
    })
    assert.deepEqual([progress.state, progress.total, progress.done], ['running', 100, progress.succeeded + progress.failed])
    const cancelled = ok(await hook.shop.post(`${hook.path}/recoveries/${id}/cancel`))
    assert.equal(cancelled.state, 'cancelled')
    assert.ok(cancelled.finished_at)
    // A slice's end frees its lease: nothing is in flight any more.
    await eventuallyHolds(async () => assert.deepEqual(await leaseOf(id), { lease_token: null }))
    const sent = hook.sent()
    assert.ok(sent.length < 30, `${sent.length} were sent`)
    assert.equal(most, 2)
    assert.deepEqual(sent, events.slice(0, sent.length))
    const after = await hook.progress(id)
    assert.equal(after.done, sent.length, 'what was in flight is counted too')
    assert.deepEqual(
      await hook.states(),
      events.map((_, n) => (n < sent.length ? 'succeeded 6' : 'failed 5')),
    )
    assert.equal(ok(await hook.shop.post(`${hook.path}/recoveries/${id}/cancel`)).state, 'cancelled')
    assert.equal((await hook.recover({ scope: 'failed', dry_run: true })).total, 100 - sent.length)
  })

  const leaseOf = async (id: string) => ({ ...(await app.sql`select lease_token from webhook_recoveries where id = ${id}`)[0] })

  test(`a receiver that refuses ${RECOVERY_FAILURES_MAX} in a row is down: it ends`, async () => {
    const hook = await given(app, response => response.writeHead(503).end())
    ok(await hook.shop.post(`${hook.path}/disable`))
    await hook.emit(RECOVERY_FAILURES_MAX + 20)
    const { state, reason, done } = await hook.ended((await hook.recover({ scope: 'undelivered', max_per_second: 100 })).id)
    assert.deepEqual([state, reason], ['failed', `${RECOVERY_FAILURES_MAX} failures in a row`])
    assert.ok(done >= RECOVERY_FAILURES_MAX && done <= RECOVERY_FAILURES_MAX + 1)
  })

  test('the cursor never passes an event whose result is not recorded, however fast the next one was', async () => {
    const held: ServerResponse[] = []
    const answered = Promise.withResolvers<void>()
    const hook = await given(app, response => {
      if (held.length === 0) held.push(response)
      else response.on('close', answered.resolve).writeHead(204).end()
    })
    ok(await hook.shop.post(`${hook.path}/disable`))
    await hook.emit(3)
    const { id } = await hook.recover({ scope: 'undelivered', max_per_second: 100 })
    await answered.promise
    for (let n = 0; n < 50; n++) {
      const [row] = await app.sql`select cursor, succeeded from webhook_recoveries where id = ${id}`
      assert.deepEqual({ ...row }, { cursor: null, succeeded: 0 })
    }
    held[0]?.writeHead(204).end()
    assert.equal((await hook.ended(id)).succeeded, 3)
  })

  test('a process works on so many recoveries at once; another waits without a place, and live deliveries do not', async () => {
    const held: ServerResponse[] = []
    const hook = await given(app, (response, { headers }) => {
      if (headers['x-service-test']) held.push(response)
      else response.writeHead(204).end()
    })
    const begun: string[] = []
    for (let n = 0; n < RECOVERIES_AT_ONCE; n++) begun.push(ok(await hook.shop.post(`${hook.path}/test`)).id)
    await hook.receiver.until(RECOVERIES_AT_ONCE)
    const late = ok(await hook.shop.post(`${hook.path}/test`)).id
    await eventually(async () => {
      const jobs = await app.sql`
        select 1 from graphile_worker._private_jobs where payload ->> 'recoveryId' = ${late} and run_at > now() and attempts = 0`
      return jobs.length === 1
    })
    assert.equal(
      (await app.sql`select 1 from webhook_recoveries where id = ${late} and lease_token is null and state = 'running'`).length,
      1,
    )
    await hook.emit(1)
    await hook.receiver.until(RECOVERIES_AT_ONCE + 1)
    assert.equal(held.length, RECOVERIES_AT_ONCE)
    for (const each of held) each.writeHead(204).end()
    await hook.receiver.until(RECOVERIES_AT_ONCE + 2)
    held.at(-1)?.writeHead(204).end()
    for (const id of [...begun, late]) assert.equal((await hook.ended(id)).succeeded, 1)
  })

  test('one event is sent again, whatever became of it, also one that was never sent', async () => {
    const hook = await given(app)
    ok(await hook.shop.post(`${hook.path}/disable`))
    const [event] = (await hook.emit(1, 'order.paid')) as [string]
    const begun = await hook.shop.post(`${hook.path}/deliveries/${event}/redeliver`)
    assert.deepEqual([begun.status, begun.body.scope, begun.body.event_id], [202, 'event', event])
    assert.equal((await hook.ended(begun.body.id)).succeeded, 1)
    await hook.ended(ok(await hook.shop.post(`${hook.path}/deliveries/${event}/redeliver`)).id)
    assert.deepEqual(hook.sent(), [event, event])
    assert.deepEqual(await hook.states(), ['succeeded 2'])
    const other = await app.tenant()
    const [foreign] = await emitted(app.sql, other.id)
    for (const id of [foreign, nobody('evt')]) assert.equal((await hook.shop.post(`${hook.path}/deliveries/${id}/redeliver`)).status, 404)
  })

  test('a test event goes to this endpoint alone, says that it is one, and is no part of what happened', async () => {
    const hook = await given(app)
    const neighbour = ok(await hook.shop.post('/api/v1/webhooks', { url: `${hook.receiver.origin}/other`, events: ['order.created'] }))
    ok(await hook.shop.post(`${hook.path}/disable`))
    const begun = await hook.shop.post(`${hook.path}/test`)
    assert.deepEqual([begun.status, begun.body.scope], [202, 'test'])
    await hook.ended(begun.body.id)
    await hook.ended(ok(await hook.shop.post(`${hook.path}/test`, { type: 'order.created' })).id)
    const [plain, order] = hook.receiver.received
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
    const detail = ok(await hook.shop.get(`${hook.path}/deliveries/${id}`))
    assert.deepEqual([detail.test, detail.state, detail.log.length], [true, 'succeeded', 1])
    assert.equal(hook.receiver.received.length, 2)
    await eventuallyHolds(async () => {
      await hook.emit()
      const { data } = ok(await hook.shop.get('/api/v1/events'))
      assert.ok(data.length > 0)
      assert.ok(data.every((event: { id: string }) => event.id !== id))
    })
    assert.equal((await hook.recover({ scope: 'all', since: '2026-01-01T00:00:00Z', dry_run: true })).total < 50, true)
    assert.equal((await hook.shop.post(`/api/v1/webhooks/${neighbour.id}/deliveries/${id}/redeliver`)).status, 404)
    assertProblem(await hook.shop.post(`${hook.path}/test`, { type: 'order.eaten' }), {
      status: 422,
      slug: 'validation-failed',
      instance: `${hook.path}/test`,
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
      const hook = await given(service, response => setTimeout(() => response.writeHead(204).end(), 30), { max_parallel })
      ok(await hook.shop.post(`${hook.path}/disable`))
      const events = await hook.emit(60)
      const { id } = await hook.recover({ scope: 'undelivered', max_per_second: 40 })
      return { ...hook, events, recovery: id, atOnce: Math.min(max_parallel, RECOVERY_PARALLEL) }
    }
    return [await begin(8), await begin(1)]
  }

  test('a worker that is told to stop finishes what it sends and gives its recoveries back: another goes on, and nothing is sent twice', async () => {
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

  test('a killed worker repeats only what was in flight; another goes on, and nothing is left out', async () => {
    const service = await testApp()
    const hooks = await beginLong(service)
    const first = shopdesk(['worker'], settingsOf(service))
    for (const { receiver } of hooks) await receiver.until(20)
    first.child.kill('SIGKILL')
    await first.ended
    const second = shopdesk(['worker'], settingsOf(service))
    for (const hook of hooks) {
      const { state, total, done, succeeded } = await hook.ended(hook.recovery)
      assert.deepEqual([state, total, done, succeeded], ['completed', 60, 60, 60])
      const sent = hook.sent()
      assert.deepEqual([...new Set(sent)], hook.events)
      assert.ok(sent.length <= 60 + hook.atOnce, `${sent.length} requests for 60 events`)
    }
    second.child.kill('SIGTERM')
    await second.ended
  })
})
