// A tenant's tools for a webhook beside creating it: change, pause, disable and enable it, and read its log and its health.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { check } from '../../src/ingress/validate.ts'
import { webhookShapes } from '../../src/webhooks/endpoints/schema.ts'
import { Delivery, DeliveryDetail, Health } from '../../src/webhooks/log/schema.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anOrder, assertProblem, aWebhook, nobody, ok } from '../support/given.ts'
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts'

const app = await testApp({ WEBHOOK_SCHEDULE: '0,0.2,0.4,0.8,1.6' })
const { Webhook } = webhookShapes(['order.created'])

interface Given {
  shop: TestTenant
  receiver: Receiver
  path: string
  id: string
  secret: string
}

async function given(over: object = {}, respond?: Respond): Promise<Given> {
  const shop = await app.tenant()
  const receiver = await startReceiver(respond)
  receivers.push(receiver)
  const made = await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/hooks`, events: ['order.created'], ...over })
  assert.equal(made.status, 201, made.text)
  return { shop, receiver, id: made.body.id, secret: made.body.secret, path: `/api/v1/webhooks/${made.body.id}` }
}
const receivers: Receiver[] = []

const place = async (shop: TestTenant, count = 1): Promise<void> => {
  for (let n = 0; n < count; n++) assert.equal((await shop.post('/api/v1/orders', anOrder())).status, 201)
}
/** Deliveries by the state they are in. */
const states = async ({ shop, path }: Given): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(
      Object.groupBy(ok(await shop.get(`${path}/deliveries?limit=100`)).data as { state: string }[], delivery => delivery.state),
    ).map(([state, all]) => [state, all?.length ?? 0]),
  )
const soon = (webhook: Given, expected: Record<string, number>) =>
  eventuallyHolds(async () => assert.deepEqual(await states(webhook), expected))
const waiting = async ({ shop, path }: Given) =>
  ok(await shop.get(`${path}/deliveries`)).data.map((each: { waiting: unknown }) => each.waiting)

/** The reason why each delivery waits, once this many have been tried. */
async function eventuallyTried({ shop, path }: Given, count: number): Promise<{ id: string; reason: string | undefined }[]> {
  return eventually(async () => {
    const { data } = ok(await shop.get(`${path}/deliveries`))
    const tried = data.filter((each: { attempts: number }) => each.attempts > 0)
    return (
      tried.length === count &&
      data.map((each: { event_id: string; waiting: { reason: string } | null }) => ({ id: each.event_id, reason: each.waiting?.reason }))
    )
  })
}

const RESERVED = [
  'X-Service-Signature',
  'x-service-anything',
  'User-Agent',
  'Content-Type',
  'content-length',
  'Content-Encoding',
  'Host',
  'Date',
  'Accept-Encoding',
  'Connection',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Expect',
  'HTTP2-Settings',
  'Proxy-Authorization',
  'proxy-connection',
]

suite('the tenant’s tools', () => {
  before(() => app.startWorker())
  after(() => Promise.all(receivers.map(each => each.close())))

  test('custom headers are sent with every delivery, and never shown again', async () => {
    const webhook = await given({ headers: { 'X-Api-Key': 's3cret', Authorization: 'Bearer abc' } })
    assert.deepEqual(check(Webhook, ok(await webhook.shop.get(webhook.path))), [])
    await place(webhook.shop)
    const [sent] = await webhook.receiver.until(1)
    assert.equal(sent?.headers['x-api-key'], 's3cret')
    assert.equal(sent?.headers.authorization, 'Bearer abc')
    await soon(webhook, { succeeded: 1 })
    const [{ event_id }] = ok(await webhook.shop.get(`${webhook.path}/deliveries`)).data
    for (const path of [webhook.path, `${webhook.path}/deliveries/${event_id}`, '/api/v1/webhooks']) {
      const { text } = await webhook.shop.get(path)
      assert.ok(!text.includes('s3cret') && !text.includes('Bearer abc'), path)
    }
    const [row] =
      await app.sql`select e.headers, to_json(a) as attempt from webhook_endpoints e join webhook_attempts a on a.endpoint_id = e.id where e.id = ${webhook.id}`
    assert.ok(!JSON.stringify(row).includes('s3cret'))
    assert.deepEqual(ok(await webhook.shop.get(webhook.path)).headers, { Authorization: '••••', 'X-Api-Key': '••••' })
    const [{ request }] = ok(await webhook.shop.get(`${webhook.path}/deliveries/${event_id}`)).log
    assert.deepEqual([request.headers.Authorization, request.headers['X-Api-Key']], ['••••', '••••'])
  })

  test('a PATCH adds, replaces and removes headers by name, in any case', async () => {
    const webhook = await given({ headers: { 'X-A': '1', 'X-B': '2' } })
    ok(await webhook.shop.patch(webhook.path, { headers: { 'x-a': '3', 'X-B': null, 'X-C': '4' } }))
    await place(webhook.shop)
    const [sent] = await webhook.receiver.until(1)
    assert.deepEqual([sent?.headers['x-a'], sent?.headers['x-b'], sent?.headers['x-c']], ['3', undefined, '4'])
  })

  test('a header’s faulty name, or value, is reported once, with the allowed form', async () => {
    const webhook = await given()
    for (const [headers, field, message] of [
      [{ 'X A': '1' }, 'headers.X A', 'is not a name allowed here: letters, digits and hyphens, at most 100.'],
      [{ 'X-A': '' }, 'headers.X-A', 'must not be empty.'],
      [{ 'X-A': 'é' }, 'headers.X-A', 'does not have the right form: visible ASCII, with spaces only inside it.'],
    ] as const) {
      const { body } = await webhook.shop.patch(webhook.path, { headers })
      assert.deepEqual(
        body.errors.map((error: { field: string; message: string }) => [error.field, error.message]),
        [[field, message]],
      )
    }
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`X-${i}`, '1']))
    const { body } = await webhook.shop.post('/api/v1/webhooks', aWebhook({ headers: many }))
    assert.equal(body.errors[0].message, 'must have at most 20.')
  })

  test('an empty change is refused with the least number of fields', async () => {
    const webhook = await given()
    const { body } = await webhook.shop.patch(webhook.path, {})
    assert.deepEqual(body.errors, [{ field: '', code: 'too_few', message: 'must name at least 1 of its fields.' }])
  })

  test('a filter for an event says what an id looks like', async () => {
    const webhook = await given()
    const { body } = await webhook.shop.get(`${webhook.path}/deliveries?event_id=order-7`)
    assert.deepEqual(body.errors, [{ field: 'event_id', code: 'invalid_format', message: 'must be an id: evt_ and 26 characters.' }])
  })

  for (const [name, headers, code] of [
    ['no token', { 'X A': '1' }, 'invalid_name'],
    ['with a line break', { 'X-A': 'a\r\nX-B: c' }, 'invalid_format'],
    ['not ASCII', { 'X-A': '••••' }, 'invalid_format'],
    ['twice', { 'X-A': '1', 'x-a': '2' }, 'duplicate'],
    ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'v'])), 'too_many'],
    ['too long', { 'X-A': 'v'.repeat(1001) }, 'too_long'],
  ] as const)
    test(`a header is refused: ${name}`, async () => {
      const shop = await app.tenant()
      const body = { url: 'https://receiver.example/hooks', events: ['order.created'], headers }
      const refused = await shop.post('/api/v1/webhooks', body)
      assertProblem(refused, { status: 422, slug: 'validation-failed', instance: '/api/v1/webhooks', code })
    })

  test('header names of the service or the connection are refused in any case, when a webhook is created and when it is changed', async () => {
    const webhook = await given()
    for (const name of RESERVED) {
      const asked = { headers: { [name]: 'x' } }
      const body = { url: 'https://receiver.example/hooks', events: ['order.created'], ...asked }
      for (const refused of [await webhook.shop.post('/api/v1/webhooks', body), await webhook.shop.patch(webhook.path, asked)]) {
        assert.equal(refused.status, 422, name)
        const [{ field, code }] = refused.body.errors
        assert.deepEqual([field, code], [`headers.${name}`, 'reserved_header'])
      }
    }
    assert.deepEqual(ok(await webhook.shop.get(webhook.path)).headers, {})
  })

  test('while paused, deliveries are inserted and wait; once resumed, they are sent in order', async () => {
    const webhook = await given({ max_parallel: 1 })
    assert.equal(ok(await webhook.shop.post(`${webhook.path}/pause`)).status, 'paused')
    assert.equal(ok(await webhook.shop.post(`${webhook.path}/pause`)).status, 'paused')
    await place(webhook.shop, 3)
    assert.deepEqual(await states(webhook), { pending: 3 })
    assert.deepEqual(await waiting(webhook), Array(3).fill({ reason: 'paused', until: null }))
    assert.equal(webhook.receiver.received.length, 0)
    assert.equal(ok(await webhook.shop.post(`${webhook.path}/resume`)).status, 'enabled')
    await soon(webhook, { succeeded: 3 })
    const ids = webhook.receiver.received.map(each => JSON.parse(each.body.toString()).id)
    assert.deepEqual(ids, [...ids].sort())
  })

  test('while disabled, no deliveries are inserted, and the webhook can be neither paused nor resumed', async () => {
    const webhook = await given()
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    await place(webhook.shop)
    const disabled = ok(await webhook.shop.post(`${webhook.path}/disable`))
    assert.deepEqual([disabled.status, disabled.disabled_reason], ['disabled', 'disabled by hand'])
    await place(webhook.shop)
    assert.deepEqual(await states(webhook), { pending: 1 })
    assert.deepEqual(await waiting(webhook), [{ reason: 'disabled', until: null }])
    for (const verb of ['pause', 'resume'])
      assertProblem(await webhook.shop.post(`${webhook.path}/${verb}`), {
        status: 409,
        slug: 'conflict',
        instance: `${webhook.path}/${verb}`,
        code: 'webhook_disabled',
      })
  })

  for (const [pending, missed, sent, states] of [
    ['send', 'drop', 2, { succeeded: 2 }],
    ['send', 'send', 5, { succeeded: 5 }],
    ['drop', 'send', 3, { dropped: 2, succeeded: 3 }],
    ['drop', 'drop', 0, { dropped: 2 }],
  ] as const)
    test(`enabled with pending: ${pending} and missed: ${missed}, exactly those are sent, the oldest first`, async () => {
      const webhook = await given({ max_parallel: 1 })
      ok(await webhook.shop.post(`${webhook.path}/pause`))
      await place(webhook.shop, 2)
      ok(await webhook.shop.post(`${webhook.path}/disable`))
      await place(webhook.shop, 3)
      ok(await webhook.shop.post(`${webhook.path}/enable`, { pending, missed }))
      await eventuallyHolds(async () => assert.equal(ok(await webhook.shop.get(webhook.path)).status, 'enabled'))
      await soon(webhook, states)
      assert.equal(webhook.receiver.received.length, sent)
      const ids = webhook.receiver.received.map(each => JSON.parse(each.body.toString()).id)
      assert.deepEqual(ids, [...ids].sort())
      await place(webhook.shop)
      await webhook.receiver.until(sent + 1)
    })

  test('an event whose transaction saw the webhook disabled and commits after it was enabled is not lost, and no earlier pending delivery is dropped', async () => {
    const webhook = await given()
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    await place(webhook.shop)
    const late = await app.sql.reserve()
    await late`begin`
    const id = nobody('evt')
    await late`insert into events (tenant_id, id, type, created_at, body) values (${webhook.shop.id}, ${id}, 'order.created', now(), ${`{"id":"${id}"}`})`
    ok(await webhook.shop.post(`${webhook.path}/enable`, { pending: 'drop', missed: 'send' }))
    await eventuallyHolds(async () => {
      const [row] = await app.sql`select catching_up ->> 'xid' as xid from webhook_endpoints where id = ${webhook.id}`
      assert.ok(row?.['xid'])
    })
    assert.deepEqual(
      [ok(await webhook.shop.get(webhook.path)).status, ok(await webhook.shop.get(webhook.path)).catching_up],
      ['paused', true],
    )
    await late`commit`
    late.release()
    await webhook.receiver.until(2)
    await eventuallyHolds(async () => assert.equal(ok(await webhook.shop.get(webhook.path)).status, 'enabled'))
  })

  test('pausing while it catches up leaves it paused afterwards; nothing is lost', async () => {
    const webhook = await given()
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    await place(webhook.shop)
    const held = await app.sql.reserve()
    await held`begin`
    await held`insert into events (tenant_id, id, type, created_at, body) values (${webhook.shop.id}, 'evt_held', 'order.paid', now(), '{}')`
    ok(await webhook.shop.post(`${webhook.path}/enable`, { missed: 'send' }))
    assert.equal(ok(await webhook.shop.post(`${webhook.path}/pause`)).status, 'paused')
    await held`rollback`
    held.release()
    await eventuallyHolds(async () => assert.equal(ok(await webhook.shop.get(webhook.path)).catching_up, false))
    assert.equal(ok(await webhook.shop.get(webhook.path)).status, 'paused')
    assert.deepEqual(await states(webhook), { pending: 1 })
  })

  test('the log shows the request, the answer and its duration; newest first, by cursor and by filters', async () => {
    let fails = 1
    const webhook = await given({}, response => {
      const fail = fails-- > 0
      response.writeHead(fail ? 503 : 204, { 'X-Answer': 'yes', 'Retry-After': '0' }).end(fail ? 'busy' : undefined)
    })
    await place(webhook.shop)
    await soon(webhook, { succeeded: 1 })
    await place(webhook.shop, 2)
    await soon(webhook, { succeeded: 3 })

    const list = ok(await webhook.shop.get(`${webhook.path}/deliveries?limit=2`))
    for (const each of list.data) assert.deepEqual(check(Delivery, each), [])
    assert.equal(list.has_more, true)
    const rest = ok(await webhook.shop.get(`${webhook.path}/deliveries?limit=2&cursor=${list.next_cursor}`))
    const all = [...list.data, ...rest.data].map((each: { event_id: string }) => each.event_id)
    assert.deepEqual(all, [...all].sort().reverse())
    assert.equal(new Set(all).size, 3)

    const oldest = all[2] as string
    const detail = ok(await webhook.shop.get(`${webhook.path}/deliveries/${oldest}`))
    assert.deepEqual(check(DeliveryDetail, detail), [])
    assert.deepEqual([detail.attempts, detail.log.length], [2, 2])
    const [last, first] = [detail.log[0], detail.log.at(-1)]
    assert.deepEqual([first.attempt, first.status, first.error, first.response.body], [1, 503, 'the receiver answered 503', 'busy'])
    assert.equal(first.response.headers['x-answer'], 'yes')
    assert.equal(first.request.url, `${webhook.receiver.origin}/hooks`)
    assert.equal(first.request.headers['X-Service-Delivery-Id'], webhook.receiver.received[0]?.headers['x-service-delivery-id'])
    assert.ok(first.timings.total_ms > 0 && first.timings.connect_ms >= 0)
    assert.deepEqual([last.status, last.error], [204, null])
    assert.deepEqual(detail.event, JSON.parse(webhook.receiver.received[0]?.body.toString() ?? ''))

    const count = async (query: string) => ok(await webhook.shop.get(`${webhook.path}/deliveries?${query}`)).data.length
    const time = detail.created_at
    assert.deepEqual(
      await Promise.all(
        [
          'state=succeeded',
          'state=failed,pending',
          'type=order.created',
          'type=order.paid',
          `event_id=${oldest}`,
          `created_after=${time}`,
          `created_before=${time}`,
        ].map(count),
      ),
      [3, 0, 3, 0, 1, 2, 0],
    )
    assert.deepEqual(ok(await webhook.shop.get(`${webhook.path}/deliveries?fields=event_id,last_attempt.status&limit=1`)).data, [
      { event_id: all[0], last_attempt: { status: 204 } },
    ])
  })

  test('why a delivery waits: its own retry, the endpoint’s silence, another in order, the rate', async () => {
    const down: Respond = response => response.writeHead(503, { 'Retry-After': '600' }).end()
    const failing = await given({}, down)
    await place(failing.shop)
    await eventuallyHolds(async () => assert.equal((await waiting(failing))[0].reason, 'endpoint_failing'))
    const [silent] = await waiting(failing)
    assert.ok(Date.parse(silent.until) > Date.now() + 500_000)
    await place(failing.shop)
    assert.deepEqual(await waiting(failing), [silent, silent])

    const ordered = await given({ max_parallel: 1 }, down)
    await place(ordered.shop)
    await eventuallyHolds(async () => assert.equal((await waiting(ordered))[0].reason, 'retry'))
    await place(ordered.shop)
    assert.deepEqual(
      (await waiting(ordered)).map((each: { reason: string }) => each.reason),
      ['order', 'retry'],
    )

    const limited = await given({ max_per_minute: 1 })
    await place(limited.shop, 2)
    await eventuallyHolds(async () =>
      assert.deepEqual(
        (await waiting(limited)).map((each: { reason: string } | null) => each?.reason),
        ['rate_limit', undefined],
      ),
    )
    assert.equal(limited.receiver.received.length, 1)

    await app.sql`update webhook_deliveries set due_at = now() + interval '1 hour' where endpoint_id = ${limited.id} and state = 'pending'`
    await app.sql`update webhook_endpoints set silent_until = null where id = ${limited.id}`
    assert.equal((await waiting(limited))[0].reason, 'retry')
    assert.deepEqual((await waiting(limited))[0].until, ok(await limited.shop.get(`${limited.path}/deliveries`)).data[0].next_attempt_at)
  })

  test('only the requests being sent of a backlog are in flight: the oldest, as many as may be at once; the rest waits behind them', async () => {
    const held: ServerResponse[] = []
    const webhook = await given({ max_parallel: 2 }, response => void held.push(response))
    await place(webhook.shop, 6)
    await webhook.receiver.until(2)
    const sent = new Set(webhook.receiver.received.map(each => JSON.parse(each.body.toString()).id))
    const { data } = ok(await webhook.shop.get(`${webhook.path}/deliveries`))
    for (const each of data) {
      assert.deepEqual(check(Delivery, each), [])
      assert.deepEqual(each.waiting, { reason: sent.has(each.event_id) ? 'in_flight' : 'backlog', until: null })
    }
    const [newest] = data
    assert.equal(ok(await webhook.shop.get(`${webhook.path}/deliveries/${newest.event_id}`)).waiting.reason, 'backlog')
    // After a failure one at a time, deliveries never tried first.
    held[0]?.writeHead(500).end()
    await eventuallyHolds(async () => assert.equal(ok(await webhook.shop.get(webhook.path)).consecutive_failures, 1))
    held[1]?.writeHead(500).end()
    await webhook.receiver.until(3)
    const third = JSON.parse(webhook.receiver.received[2]?.body.toString() as string).id
    assert.ok(!sent.has(third))
    // Both failures are recorded before their retries are brought forward; the third began with the first.
    await eventuallyTried(webhook, 2)
    await app.sql`update webhook_deliveries set due_at = due_at - interval '1 minute' where endpoint_id = ${webhook.id} and attempts > 0`
    const reasons = await eventuallyTried(webhook, 2)
    assert.deepEqual(
      reasons.filter(each => each.reason === 'in_flight').map(each => each.id),
      [third],
    )
    assert.equal(reasons.filter(each => each.reason === 'backlog').length, 5)
    held[2]?.writeHead(204).end()
  })

  test('while it catches up, a waiting delivery says so', async () => {
    const webhook = await given()
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    await place(webhook.shop)
    ok(await webhook.shop.post(`${webhook.path}/disable`))
    const held = await app.sql.reserve()
    await held`begin`
    await held`insert into events (tenant_id, id, type, created_at, body) values (${webhook.shop.id}, 'evt_held_up', 'order.paid', now(), '{}')`
    ok(await webhook.shop.post(`${webhook.path}/enable`, { missed: 'send' }))
    assert.deepEqual(await waiting(webhook), [{ reason: 'catching_up', until: null }])
    await held`rollback`
    held.release()
    await webhook.receiver.until(1)
  })

  test('a rate is kept: no more requests in a minute, and those saved up at once', async () => {
    const webhook = await given({ max_per_minute: 60 })
    await place(webhook.shop, 8)
    const received = await webhook.receiver.until(5)
    assert.ok(received.length <= 6, `${received.length} at once, at one a second with three saved up`)
    await soon(webhook, { succeeded: 8 })
    const [row] =
      await app.sql`select extract(epoch from max(started_at) - min(started_at)) as seconds from webhook_attempts where endpoint_id = ${webhook.id}`
    assert.ok(Number(row?.['seconds']) >= 3, `8 sent within ${row?.['seconds']} s`)
  })

  for (const rate of [null, 6000])
    test(`a rate that is ${rate === null ? 'lifted' : 'raised'} holds nothing any more, also where a request was under way`, async () => {
      const answers: (() => void)[] = []
      const webhook = await given({ max_per_minute: 1 }, response => void answers.push(() => response.writeHead(204).end()))
      await place(webhook.shop, 3)
      await webhook.receiver.until(1)
      ok(await webhook.shop.patch(webhook.path, { max_per_minute: rate }))
      answers[0]?.()
      await webhook.receiver.until(2)
      answers[1]?.()
      await webhook.receiver.until(3)
      answers[2]?.()
      await soon(webhook, { succeeded: 3 })

      ok(await webhook.shop.patch(webhook.path, { max_per_minute: 1 }))
      await place(webhook.shop, 2)
      await webhook.receiver.until(4)
      answers[3]?.()
      await eventuallyHolds(async () => assert.equal((await waiting(webhook))[0]?.reason, 'rate_limit'))
      ok(await webhook.shop.patch(webhook.path, { max_per_minute: rate }))
      await webhook.receiver.until(5)
      answers[4]?.()
      await soon(webhook, { succeeded: 5 })
    })

  test('health tells of the last 24 hours, and of the pending deliveries', async () => {
    let n = 0
    const webhook = await given({ max_parallel: 1 }, response => response.writeHead(n++ % 2 ? 204 : 500).end())
    await place(webhook.shop, 2)
    await soon(webhook, { succeeded: 2 })
    ok(await webhook.shop.post(`${webhook.path}/pause`))
    await place(webhook.shop)
    const health = ok(await webhook.shop.get(`${webhook.path}/health`))
    assert.deepEqual(check(Health, health), [])
    assert.deepEqual(
      [health.status, health.attempts, health.succeeded, health.failed, health.success_rate, health.pending, health.consecutive_failures],
      ['paused', 4, 2, 2, 0.5, 1, 0],
    )
    assert.deepEqual([health.last_error.status, health.last_error.error], [500, 'the receiver answered 500'])
    assert.ok(health.duration_ms.p50 <= health.duration_ms.p95)
    assert.ok(health.oldest_pending_seconds >= 0)
  })

  test('health of a webhook that was never sent to is all zeros and nulls', async () => {
    const webhook = await given()
    const health = ok(await webhook.shop.get(`${webhook.path}/health`))
    assert.deepEqual(check(Health, health), [])
    assert.deepEqual(
      [health.attempts, health.success_rate, health.duration_ms.p50, health.last_error, health.oldest_pending_at],
      [0, null, null, null, null],
    )
  })

  test('nothing of another tenant’s webhook is visible', async () => {
    const webhook = await given()
    await place(webhook.shop)
    await webhook.receiver.until(1)
    const [{ event_id }] = ok(await webhook.shop.get(`${webhook.path}/deliveries`)).data
    const other = await app.tenant()
    for (const path of ['deliveries', `deliveries/${event_id}`, 'health', 'recoveries', `recoveries/${nobody('rcv')}`, 'deliveries/evt_x'])
      assert.equal((await other.get(`${webhook.path}/${path}`)).status, 404, path)
    for (const path of [
      'pause',
      'resume',
      'enable',
      'disable',
      'rotate-secret',
      'rotate-secret/confirm',
      'test',
      `deliveries/${event_id}/redeliver`,
      `recoveries/${nobody('rcv')}/cancel`,
    ])
      assert.equal((await other.post(`${webhook.path}/${path}`)).status, 404, path)
    assert.equal((await other.post(`${webhook.path}/recoveries`, { scope: 'failed' })).status, 404)
  })

  test('every change leaves an audit row', async () => {
    const webhook = await given()
    for (const verb of ['pause', 'resume', 'disable', 'enable', 'rotate-secret', 'rotate-secret/confirm', 'test'])
      ok(await webhook.shop.post(`${webhook.path}/${verb}`))
    ok(await webhook.shop.post(`${webhook.path}/recoveries`, { scope: 'failed' }))
    const rows = await app.sql<{ action: string }[]>`select action from audit_log where subject_id = ${webhook.id} order by id`
    assert.deepEqual(
      rows.map(row => row.action),
      ['create', 'pause', 'resume', 'disable', 'enable', 'rotate_secret', 'confirm_secret', 'test', 'recover'].map(
        verb => `webhook.${verb}`,
      ),
    )
  })
})
