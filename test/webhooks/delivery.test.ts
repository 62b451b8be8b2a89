// Deliveries end to end: real receivers, a real worker. Time is moved by moving an endpoint's rows into the past.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin } from '../../src/postgres/sql.ts'
import { pruneDeleted } from '../../src/webhooks/prune-store.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aProduct } from '../support/given.ts'
import { type Receiver, type Respond, startReceiver, startTcpServer } from '../support/receiver.ts'

const TIMEOUT_MS = 2_000
const app = await testApp({ WEBHOOK_TIMEOUT_MS: `${TIMEOUT_MS}` })
await app.startWorker()
const { sql } = app
const closers: (() => Promise<void>)[] = []
after(() => Promise.all(closers.map(close => close())))

const answer =
  (status: number, headers: Record<string, string> = {}): Respond =>
  response =>
    response.writeHead(status, headers).end()

async function receiverOf(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond)
  closers.push(receiver.close)
  return receiver
}

interface Delivery {
  event_id: string
  state: string
  attempts: number
  first_attempt_at: Date | null
  due_at: Date
}

interface Attempt {
  event_id: string
  attempt: number
  status: number | null
  error: string | null
  duration_ms: number
  response_body: string | null
  signature: string
  response_headers: Record<string, string>
}

/** A tenant with one webhook, and what a test asks of it. */
async function given(url: string, options: { events?: string[]; max_parallel?: number } = {}) {
  const shop = await app.tenant()
  const made = await shop.post('/api/v1/webhooks', { url, events: ['order.created'], ...options })
  assert.equal(made.status, 201, made.text)
  const id: string = made.body.id
  return { ...endpoint(shop.id, id), shop, id, secret: made.body.secret as string }
}

function endpoint(tenant: string, id: string) {
  const mine = sql`tenant_id = ${tenant} and endpoint_id = ${id}`
  return {
    emit: (data: unknown = {}, type = 'order.created') => emitTo(tenant, [data], type).then(([event]) => event as string),
    emitAll: (data: unknown[]) => emitTo(tenant, data),
    deliveries: () =>
      sql<
        Delivery[]
      >`select event_id, state, attempts, first_attempt_at, due_at from webhook_delivery_history where ${mine} and listed order by event_id`,
    log: () =>
      sql<
        Attempt[]
      >`select event_id, attempt, status, error, duration_ms, response_body, signature, response_headers from webhook_attempts where ${mine} order by id`,
    async row() {
      const [row] = await sql`select * from webhook_endpoints where tenant_id = ${tenant} and id = ${id}`
      assert.ok(row)
      return row
    },
    /** As if so many seconds had passed and the sweep had run. */
    async pass(seconds: number) {
      const by = sql`make_interval(secs => ${seconds})`
      await begin(sql, async tx => {
        await tx`update webhook_deliveries set due_at = due_at - ${by}, first_attempt_at = first_attempt_at - ${by} where ${mine}`
        await tx`
          update webhook_endpoints
             set failing_since = failing_since - ${by}, failure_known_at = failure_known_at - ${by}, silent_until = silent_until - ${by}
           where tenant_id = ${tenant} and id = ${id}`
      })
      await this.wake()
    },
    wake: () => sql`select webhook_wake(array[${tenant}], array[${id}])`,
    /** Until so many attempts are in the log and the lease is given back. */
    attempted(count: number) {
      return eventually(async () => {
        const log = await this.log()
        const { lease_token } = await this.row()
        return log.length >= count && lease_token === null && log
      })
    },
  }
}

async function emitTo(tenant: string, data: unknown[], type = 'order.created'): Promise<string[]> {
  return begin(sql, async tx => {
    const ids: string[] = []
    for (const each of data) ids.push(await emit(tx, { tenant, actor: { type: 'system' } }, defineEvent(type, '', Type.Any()), each))
    return ids
  })
}

const eventOf = (body: Buffer): string => JSON.parse(body.toString()).id

/** A receiver that notes how many requests it serves at once. */
async function countingReceiver(answerAfterMs: number): Promise<Receiver & { most: () => number }> {
  let [now, most] = [0, 0]
  const receiver = await receiverOf(response => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      response.writeHead(204).end()
    }, answerAfterMs)
  })
  return Object.assign(receiver, { most: () => most })
}

describe('deliveries', { concurrency: 6 }, () => {
  test('a delivery is exactly these headers and the stored envelope’s bytes, signed', async () => {
    const receiver = await receiverOf()
    const webhook = await given(`${receiver.origin}/hooks?shop=1`)
    const event = await webhook.emit({ name: 'Größe “M” 😀 \u2028', amount: 4900 })
    const [request] = await receiver.until(1)
    assert.ok(request)

    const [stored] = await sql`select body from events where id = ${event}`
    assert.ok(request.body.equals(Buffer.from(stored?.['body'])))
    const { 'x-service-signature': signature, 'x-service-delivery-id': deliveryId, ...headers } = request.headers
    assert.deepEqual(headers, {
      host: new URL(receiver.origin).host,
      connection: 'keep-alive',
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': 'order.created',
      'content-length': String(request.body.length),
    })
    assert.deepEqual([request.method, request.path], ['POST', '/hooks?shop=1'])
    const [, t, hex] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(String(signature)) ?? []
    assert.ok(Math.abs(Date.now() / 1000 - Number(t)) < 60)
    assert.equal(hex, createHmac('sha256', webhook.secret).update(`${t}.`).update(request.body).digest('hex'))
    assert.equal(deliveryId, `${webhook.id}.${event.slice(4)}:1:${t}`)
    assert.equal(String(deliveryId).split(':').length, 3)
  })

  for (const status of [200, 201, 202, 204, 226, 299])
    test(`${status} is a success`, async () => {
      const receiver = await receiverOf(answer(status))
      const webhook = await given(receiver.origin)
      await webhook.emit()
      const [attempt] = await webhook.attempted(1)
      assert.deepEqual([attempt?.status, attempt?.error, attempt?.attempt], [status, null, 1])
      const [delivery] = await webhook.deliveries()
      assert.deepEqual([delivery?.state, delivery?.attempts], ['succeeded', 1])
      const row = await webhook.row()
      assert.equal(row['failures'], 0)
      assert.ok(row['last_success_at'])
      assert.equal(row['last_failure_at'], null)
    })

  for (const status of [300, 301, 302, 304, 307, 400, 401, 404, 410, 422, 429, 500, 503, 599])
    test(`${status} is a failure, and a redirect is not followed`, async () => {
      const receiver = await receiverOf(answer(status, { Location: '/elsewhere' }))
      const webhook = await given(receiver.origin)
      await webhook.emit()
      const [attempt] = await webhook.attempted(1)
      assert.deepEqual([attempt?.status, attempt?.error], [status, `the receiver answered ${status}`])
      const [delivery] = await webhook.deliveries()
      assert.deepEqual([delivery?.state, delivery?.attempts], ['pending', 1])
      const row = await webhook.row()
      assert.equal(row['failures'], 1)
      assert.ok(row['last_failure_at'])
      assert.equal(receiver.received.length, 1)
    })

  const unanswered: [string, () => Promise<string>, RegExp][] = [
    ['a closed port', () => closedPort(), /^connection-refused: /],
    ['the connection is reset', () => tcp(socket => socket.on('data', () => socket.resetAndDestroy())), /^connection-reset: /],
    ['the answer is no HTTP', () => tcp(socket => socket.on('data', () => socket.end('hello\r\n\r\n'))), /^protocol: /],
    ['no answer comes in time', () => tcp(() => {}), /^timeout: No response within 2000 ms/],
    [
      'an answer’s header holds NUL',
      () => tcp(socket => socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n'))),
      /^protocol: /,
    ],
  ]
  for (const [name, url, error] of unanswered)
    test(`${name}: ERR, which is a failure`, async () => {
      const webhook = await given(await url())
      await webhook.emit()
      const [attempt] = await webhook.attempted(1)
      assert.equal(attempt?.status, null)
      assert.match(String(attempt?.error), error)
      assert.equal((await webhook.row())['failures'], 1)
      const [delivery] = await webhook.deliveries()
      assert.deepEqual([delivery?.state, delivery?.attempts], ['pending', 1])
    })

  test('retries follow the schedule: the same bytes and event id, a counted attempt and a new t; the fifth failure disables', async () => {
    // Answered in the next second, so that every attempt has a second of its own.
    const receiver = await receiverOf(response => {
      setTimeout(() => response.writeHead(500).end(), 1_005 - (Date.now() % 1_000))
    })
    const webhook = await given(receiver.origin)
    const event = await webhook.emit({ note: 'the same every time' })

    for (const [index, seconds] of [8, 60, 300, 1800].entries()) {
      await webhook.attempted(index + 1)
      const [delivery] = await webhook.deliveries()
      assert.deepEqual([delivery?.state, delivery?.attempts], ['pending', index + 1])
      const first = Number(delivery?.first_attempt_at)
      const wait = (Number(delivery?.due_at) - first) / 1000
      assert.ok(
        wait >= seconds * 0.9 && wait <= seconds * 1.1,
        `attempt ${index + 2} is due ${wait} s after the first, not about ${seconds}`,
      )
      await webhook.pass(seconds * 1.1 + 1)
    }
    await webhook.attempted(5)

    const requests = receiver.received
    assert.equal(requests.length, 5)
    const ids = requests.map(({ headers }) => String(headers['x-service-delivery-id']).split(':'))
    assert.deepEqual(
      ids.map(([webhook]) => webhook),
      Array(5).fill(`${webhook.id}.${event.slice(4)}`),
    )
    assert.deepEqual(
      ids.map(([, attempt]) => attempt),
      ['1', '2', '3', '4', '5'],
    )
    assert.equal(new Set(ids.map(([, , t]) => t)).size, 5)
    for (const [index, { body, headers }] of requests.entries()) {
      assert.ok(body.equals(requests[0]?.body as Buffer))
      const t = ids[index]?.[2]
      const hex = createHmac('sha256', webhook.secret).update(`${t}.`).update(body).digest('hex')
      assert.equal(headers['x-service-signature'], `t=${t},v1=${hex}`)
    }
    const [delivery] = await webhook.deliveries()
    assert.deepEqual([delivery?.state, delivery?.attempts], ['failed', 5])
    const shown = await webhook.shop.get(`/api/v1/webhooks/${webhook.id}`)
    assert.equal(shown.body.status, 'disabled')
    assert.equal(shown.body.disabled_reason, '5 consecutive failures')
    assert.equal(shown.body.consecutive_failures, 5)
    const [told] = await sql`select body from events where tenant_id = ${webhook.shop.id} and type = 'webhook.disabled'`
    const { data } = JSON.parse(told?.['body'])
    assert.deepEqual(data, {
      webhook_id: webhook.id,
      url: receiver.origin,
      reason: '5 consecutive failures',
      disabled_at: shown.body.disabled_at,
    })
  })

  test('a dead receiver costs a handful of requests; its backlog is kept, no delivery is added, and enabling sends the pending ones', async () => {
    let alive = false
    const receiver = await receiverOf(response => response.writeHead(alive ? 204 : 500).end())
    const webhook = await given(receiver.origin, { max_parallel: 3 })
    const events = await webhook.emitAll(Array(20).fill({}))

    // A burst of three, then one at a time: the second and the third failure bring silence, then a probe each.
    await webhook.attempted(5)
    assert.equal((await webhook.row())['failures'], 3)
    await webhook.pass(60)
    await webhook.attempted(6)
    assert.equal((await webhook.row())['failures'], 4)
    await webhook.pass(240)
    await webhook.attempted(7)
    // By a statement after the one that records the failure.
    await eventually(async () => (await webhook.row())['status'] === 'disabled')
    assert.equal(receiver.received.length, 7)
    assert.equal(new Set(receiver.received.map(({ body }) => eventOf(body))).size, 7, 'a probe is a delivery never tried before')
    assert.ok((await webhook.deliveries()).every(({ state }) => state === 'pending'))

    const meanwhile = await webhook.emit()
    assert.equal((await webhook.deliveries()).length, 20)
    assert.equal((await sql`select 1 from events where id = ${meanwhile}`).length, 1, 'the event itself is kept')
    await webhook.wake()
    assert.equal((await webhook.row())['queued_at'], null)

    alive = true
    const enabled = await webhook.shop.post(`/api/v1/webhooks/${webhook.id}/enable`)
    assert.deepEqual([enabled.body.status, enabled.body.consecutive_failures, enabled.body.disabled_at], ['enabled', 0, null])
    await webhook.pass(3600)
    await eventually(async () => (await webhook.deliveries()).every(({ state }) => state === 'succeeded'))
    assert.deepEqual(new Set(receiver.received.slice(7).map(({ body }) => eventOf(body))), new Set(events))
    assert.equal(receiver.received.length, 27)
  })

  test('a burst counts once, though it is refused within a millisecond', async () => {
    const receiver = await receiverOf(answer(500))
    for (let i = 0; i < 15; i++) {
      const webhook = await given(receiver.origin, { max_parallel: 3 })
      await webhook.emitAll(Array(20).fill({}))
      await webhook.attempted(5)
      assert.equal((await webhook.row())['failures'], 3)
    }
  })

  test('a success in between sets the count to zero', async () => {
    const statuses = [500, 500, 204, 500]
    const receiver = await receiverOf(response => response.writeHead(statuses.shift() ?? 500).end())
    const webhook = await given(receiver.origin, { max_parallel: 2 })
    for (const failures of [1, 2, 0, 1]) {
      const before = (await webhook.log()).length
      await webhook.emit()
      await webhook.attempted(before + 1)
      assert.equal((await webhook.row())['failures'], failures)
    }
  })

  test('a process that died between the fifth failure and the disabling leaves it to the next slice', async () => {
    const receiver = await receiverOf()
    const webhook = await given(receiver.origin)
    await sql`update webhook_endpoints set failures = 5, failing_since = now(), failure_known_at = now() where id = ${webhook.id}`
    await webhook.emit()
    await eventually(async () => (await webhook.row())['status'] === 'disabled')
    assert.equal(receiver.received.length, 0)
    assert.equal((await sql`select 1 from events where tenant_id = ${webhook.shop.id} and type = 'webhook.disabled'`).length, 1)
  })

  test('200 events in one second lose none to a receiver that deduplicates on the delivery id', async () => {
    const receiver = await receiverOf()
    const webhook = await given(receiver.origin)
    const events = await webhook.emitAll(Array.from({ length: 200 }, (_, number) => ({ number })))
    await receiver.until(200)
    const kept = new Map(receiver.received.map(({ headers, body }) => [headers['x-service-delivery-id'], eventOf(body)]))
    assert.deepEqual(new Set(kept.values()), new Set(events))
    const seconds = receiver.received.map(({ headers }) => String(headers['x-service-delivery-id']).split(':')[2])
    assert.ok(new Set(seconds).size < 200, 'many were signed in one second')
  })

  test('only what is subscribed is sent, and only to its own tenant', async () => {
    const [receiver, foreign, off] = [await receiverOf(), await receiverOf(), await receiverOf()]
    const webhook = await given(receiver.origin, { events: ['order.shipped', 'order.paid'] })
    const other = await given(foreign.origin, { events: ['order.created', 'order.shipped', 'order.paid'] })
    const disabled = await webhook.shop.post('/api/v1/webhooks', { url: off.origin, events: ['order.shipped'] })
    await webhook.shop.post(`/api/v1/webhooks/${disabled.body.id}/disable`)
    await webhook.emit({}, 'order.created')
    await webhook.emit({}, 'order.status_changed')
    const shipped = await webhook.emit({}, 'order.shipped')
    const paid = await webhook.emit({}, 'order.paid')
    await webhook.attempted(2)
    assert.deepEqual(receiver.received.map(({ body }) => eventOf(body)).sort(), [shipped, paid].sort())
    assert.equal((await other.deliveries()).length, 0)
    assert.equal((await sql`select 1 from webhook_deliveries where endpoint_id = ${disabled.body.id}`).length, 0)
    assert.equal(foreign.received.length + off.received.length, 0)
  })

  test('a rolled-back transaction leaves no delivery', async () => {
    const receiver = await receiverOf()
    const webhook = await given(receiver.origin)
    const failing = begin(sql, async tx => {
      await emit(tx, { tenant: webhook.shop.id, actor: { type: 'system' } }, defineEvent('order.created', '', Type.Any()), {})
      throw new Error('refused')
    })
    await assert.rejects(failing, /refused/)
    await webhook.emit()
    await webhook.attempted(1)
    assert.equal(receiver.received.length, 1)
    assert.equal((await sql`select 1 from events where tenant_id = ${webhook.shop.id}`).length, 1)
  })

  test('max_parallel is how many requests are under way at once', async () => {
    const receiver = await countingReceiver(30)
    const webhook = await given(receiver.origin, { max_parallel: 3 })
    await webhook.emitAll(Array(30).fill({}))
    await receiver.until(30)
    assert.equal(receiver.most(), 3)
  })

  test('unless told otherwise eight requests are under way at once', async () => {
    const receiver = await countingReceiver(100)
    const webhook = await given(receiver.origin)
    await webhook.emitAll(Array(60).fill({}))
    await receiver.until(60)
    assert.equal(receiver.most(), 8)
  })

  test('max_parallel 1 delivers strictly in order, one at a time', async () => {
    const receiver = await countingReceiver(2)
    const webhook = await given(receiver.origin, { max_parallel: 1 })
    const events: string[] = []
    for (let i = 0; i < 40; i++) events.push(await webhook.emit({ i }))
    await receiver.until(40)
    assert.equal(receiver.most(), 1)
    assert.deepEqual(
      receiver.received.map(({ body }) => eventOf(body)),
      events,
    )
  })

  test('events of one transaction, within a millisecond, are also sent in order', async () => {
    const receiver = await receiverOf()
    const webhook = await given(receiver.origin, { max_parallel: 1 })
    const products = Array.from({ length: 50 }, (_, i) => aProduct({ name: `product ${i}` }))
    await webhook.shop.patch(`/api/v1/webhooks/${webhook.id}`, { events: ['order.created', 'product.created'] })
    const events = await webhook.emitAll(Array.from({ length: 50 }, (_, i) => ({ i })))
    // A machine that stands still for a second makes a worker end its request and send it again.
    const heard = () => [
      ...new Set(receiver.received.map(({ body }) => JSON.parse(body.toString())).map(({ id, data }) => data.product?.name ?? id)),
    ]
    await eventually(async () => heard().length === 50)
    await webhook.shop.post('/api/v1/products/bulk', { items: products })
    await eventually(async () => heard().length === 100)
    assert.deepEqual(heard(), [...events, ...products.map(({ name }) => name)])
  })

  test('in order nothing overtakes a delivery that is to be tried again', async () => {
    const statuses = [204, 500, 500]
    const receiver = await receiverOf(response => response.writeHead(statuses.shift() ?? 204).end())
    const webhook = await given(receiver.origin, { max_parallel: 1 })
    const events: string[] = []
    for (let i = 0; i < 5; i++) events.push(await webhook.emit({ i }))
    await webhook.attempted(2)
    const [last] = await sql`select max(started_at) as at from webhook_attempts where endpoint_id = ${webhook.id}`
    const wait = Number((await webhook.row())['silent_until']) - Number(last?.['at'])
    assert.ok(wait > 7_000 && wait <= 8_800 + TIMEOUT_MS, `${wait}`)
    await webhook.wake()
    assert.equal((await webhook.row())['queued_at'], null, 'it is not woken before its head is due')
    await webhook.pass(9)
    await webhook.attempted(3)
    await webhook.pass(60)
    await webhook.attempted(7)
    const [a, b, ...rest] = events
    assert.deepEqual(
      receiver.received.map(({ body }) => eventOf(body)),
      [a, b, b, b, ...rest],
    )
    assert.ok((await webhook.deliveries()).every(({ state }) => state === 'succeeded'))
  })

  test('an endpoint is never served by two slices at once, however often it is woken', async () => {
    const receiver = await countingReceiver(3)
    const webhook = await given(receiver.origin, { max_parallel: 1 })
    const payload = { tenantId: webhook.shop.id, endpointId: webhook.id }
    const emitting = (async () => {
      for (let i = 0; i < 100; i++) await webhook.emit({ i })
    })()
    for (let i = 0; i < 100; i++) {
      await Promise.all([
        webhook.wake(),
        sql`select graphile_worker.add_job('webhooks/deliver', ${sql.json(payload)}::json, max_attempts => 1)`,
      ])
    }
    await emitting
    const log = await webhook.attempted(100)
    assert.equal(receiver.most(), 1)
    assert.equal(log.length, 100)
    assert.equal(new Set(receiver.received.map(({ body }) => eventOf(body))).size, 100)
  })

  test('a slice that has time left goes on with deliveries that came meanwhile, under the lease it has', async () => {
    const leases = new Set<string>()
    const receiver = await receiverOf(async response => {
      leases.add((await webhook.row())['lease_token'])
      if (receiver.received.length < 5) await webhook.emit()
      response.writeHead(204).end()
    })
    const webhook = await given(receiver.origin)
    const since = performance.now()
    await webhook.emit()
    await webhook.attempted(5)
    // A slice has five seconds, and a machine that stands still for one may lose it its lease.
    if (performance.now() - since < 1_000) assert.equal(leases.size, 1)
  })

  test('large bodies arrive whole, also more of them than are held at a time', async () => {
    const receiver = await receiverOf()
    const webhook = await given(receiver.origin)
    const events = await webhook.emitAll(Array.from({ length: 8 }, (_, i) => ({ text: `${i}é`.repeat(150_000) })))
    events.push(await webhook.emit({ text: 'x'.repeat(3_000_000) }))
    await webhook.attempted(9)
    const stored = await sql<{ id: string; body: string }[]>`select id, body from events where tenant_id = ${webhook.shop.id}`
    const sent = new Map(receiver.received.map(({ body }) => [eventOf(body), body]))
    assert.deepEqual(new Set(sent.keys()), new Set(events))
    for (const { id, body } of stored) assert.ok(sent.get(id)?.equals(Buffer.from(body)))
  })

  test('NUL, invalid UTF-8 and backslashes in an answer are logged and harm nothing', async () => {
    const receiver = await receiverOf(response => {
      response.writeHead(500, { 'X-Odd': '\\u0000 é \\', 'Content-Type': 'text/plain' })
      response.end(Buffer.from([0x61, 0x00, 0xff, 0xc3, 0x28, 0x62]))
    })
    const webhook = await given(receiver.origin)
    await webhook.emit()
    const [attempt] = await webhook.attempted(1)
    assert.equal(attempt?.response_body, 'a\u{FFFD}\u{FFFD}\u{FFFD}(b')
    assert.match(String(attempt?.response_headers['x-odd']), /^\\u0000 . \\$/)
    assert.equal((await webhook.deliveries())[0]?.attempts, 1)
  })

  test('the log keeps 16 KB of the answer, the request’s headers and how long it took', async () => {
    const receiver = await receiverOf(response => response.writeHead(200, { 'X-Request': 'r1' }).end('é'.repeat(20_000)))
    const webhook = await given(receiver.origin)
    await webhook.emit()
    const [attempt] = await webhook.attempted(1)
    assert.ok(Buffer.byteLength(attempt?.response_body ?? '') <= 16 * 1024 + 2)
    assert.ok((attempt?.response_body ?? '').length >= 8 * 1024)
    assert.equal(attempt?.response_headers['x-request'], 'r1')
    assert.equal(attempt?.signature, receiver.received[0]?.headers['x-service-signature'])
    assert.ok(attempt && attempt.duration_ms >= 0 && attempt.duration_ms < TIMEOUT_MS)
  })

  /** Of whole seconds, and still to come when a busy machine is asked. */
  const later = new Date(Math.ceil(Date.now() / 1000 + 1_500) * 1000)
  const retryAfter: [string, number, string, seconds: number | Date | undefined][] = [
    ['503 with seconds', 503, '120', 120],
    ['429 with a date', 429, later.toUTCString(), later],
    ['429 with hours is held to 30 minutes', 429, '7200', 1_800],
    ['500 has no say', 500, '120', undefined],
    ['nonsense has no say', 503, 'soon', undefined],
    ['429 with more seconds than a lifetime has is held to 30 minutes', 429, '9'.repeat(400), 1_800],
    ['a date gone by has no say', 503, 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ]
  for (const [name, status, header, silence] of retryAfter)
    test(`Retry-After: ${name}`, async () => {
      const receiver = await receiverOf(answer(status, { 'Retry-After': header }))
      const webhook = await given(receiver.origin)
      await webhook.emit()
      await webhook.attempted(1)
      const { silent_until: until, failure_known_at: since } = await webhook.row()
      if (silence === undefined) return assert.equal(until, null)
      const expected = silence instanceof Date ? silence.getTime() : since.getTime() + silence * 1_000
      assert.ok(Math.abs(until - expected) < 1_000, `silent until ${until.toISOString()}`)
    })

  test('a secret decrypts for its own row alone; the endpoint it was copied to is left alone until its lease lapses', async () => {
    const [receiver, thief] = [await receiverOf(), await receiverOf()]
    const [webhook, copy] = [await given(receiver.origin), await given(thief.origin)]
    await sql`update webhook_endpoints set secret = (select secret from webhook_endpoints where id = ${webhook.id}) where id = ${copy.id}`
    await Promise.all([webhook.emit(), copy.emit()])
    await webhook.attempted(1)
    // The lapse of its lease is its back-off, and without a holder, or the end of this process would seem to be its fault.
    const triedAgain = () =>
      eventually(async () => {
        const { lease_token, lease_until } = await copy.row()
        return lease_token === null && lease_until > new Date()
      })
    await triedAgain()
    assert.equal(thief.received.length, 0)
    // As if it had lapsed: it is tried again, and ends the same way.
    await sql`update webhook_endpoints set lease_until = now() - interval '1 second' where id = ${copy.id}`
    await triedAgain()
    assert.equal(thief.received.length, 0)
    assert.deepEqual(
      (await copy.deliveries()).map(({ state, attempts }) => [state, attempts]),
      [['pending', 0]],
    )
  })

  test('an endpoint deleted while it is being sent to leaves nothing behind', async () => {
    const held: ServerResponse[] = []
    const receiver = await receiverOf(response => void held.push(response))
    const webhook = await given(receiver.origin)
    await webhook.emit()
    await receiver.until(1)
    assert.equal((await webhook.shop.delete(`/api/v1/webhooks/${webhook.id}`)).status, 200)
    held[0]?.writeHead(204).end()
    await eventually(async () => {
      const jobs = await sql`select 1 from graphile_worker._private_jobs where payload->>'endpointId' = ${webhook.id}`
      return jobs.length === 0
    })
    await pruneAll(sql, pruneDeleted)
    assert.deepEqual([(await webhook.deliveries()).length, (await webhook.log()).length], [0, 0])
  })

  test('an endpoint disabled while it is being sent to records the requests under way, and sends no more', async () => {
    const held: ServerResponse[] = []
    const receiver = await receiverOf(response => void held.push(response))
    const webhook = await given(receiver.origin, { max_parallel: 1 })
    await webhook.emitAll([{}, {}])
    await receiver.until(1)
    await webhook.shop.post(`/api/v1/webhooks/${webhook.id}/disable`)
    held[0]?.writeHead(204).end()
    await webhook.attempted(1)
    assert.deepEqual((await webhook.deliveries()).map(({ state }) => state).sort(), ['pending', 'succeeded'])
    assert.equal(receiver.received.length, 1)
  })

  test('enabling clears the failures, also that of a request under way: it does not count', async () => {
    const held: ServerResponse[] = []
    const receiver = await receiverOf(response => void held.push(response))
    const webhook = await given(receiver.origin)
    await sql`update webhook_endpoints set failures = 4, failing_since = now() - interval '1 hour', failure_known_at = now() - interval '1 hour' where id = ${webhook.id}`
    await webhook.emit()
    await receiver.until(1)
    await webhook.shop.post(`/api/v1/webhooks/${webhook.id}/enable`)
    held[0]?.writeHead(500).end()
    await webhook.attempted(1)
    const { status, failures } = await webhook.row()
    assert.deepEqual({ status, failures }, { status: 'enabled', failures: 0 })
    assert.equal((await webhook.deliveries())[0]?.attempts, 1)
  })

  test('enabling an enabled endpoint ends its silence: deliveries never tried are sent now', async () => {
    const receiver = await receiverOf()
    const webhook = await given(receiver.origin)
    await sql`
      update webhook_endpoints
         set failures = 4, failing_since = now(), failure_known_at = now(), silent_until = now() + interval '30 minutes' where id = ${webhook.id}`
    const event = await webhook.emit()
    const path = `/api/v1/webhooks/${webhook.id}`
    const [{ waiting }] = (await webhook.shop.get(`${path}/deliveries`)).body.data
    assert.equal(waiting.reason, 'endpoint_failing')
    const { body } = await webhook.shop.post(`${path}/enable`)
    assert.deepEqual([body.status, body.consecutive_failures], ['enabled', 0])
    const [sent] = await receiver.until(1)
    assert.equal(sent && eventOf(sent.body), event)
  })

  test('an endpoint moved to a new address is sent to there, pending deliveries included', async () => {
    const [old, current] = [await receiverOf(answer(500)), await receiverOf()]
    const webhook = await given(old.origin)
    const event = await webhook.emit()
    await webhook.attempted(1)
    await webhook.shop.patch(`/api/v1/webhooks/${webhook.id}`, { url: current.origin })
    await webhook.pass(9)
    await webhook.attempted(2)
    assert.deepEqual([old.received.length, current.received.map(({ body }) => eventOf(body))], [1, [event]])
  })
})

async function closedPort(): Promise<string> {
  const server = await startTcpServer(() => {})
  await server.close()
  return server.origin
}

async function tcp(onSocket: Parameters<typeof startTcpServer>[0]): Promise<string> {
  const server = await startTcpServer(onSocket)
  closers.push(server.close)
  return server.origin
}
