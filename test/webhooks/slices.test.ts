// A pool with four slots only: which slices get one, and for how long; the others wait.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { TIME_SLICE_MS } from '../../src/limits/queue.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts'

const SLOTS = 4
// Longer than any test waits: a receiver that hangs does so to its end.
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS), WEBHOOK_TIMEOUT_MS: '60000' })
const { sql } = app
const event = defineEvent('order.created', '', Type.Any())

async function receiverOf(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond)
  after(receiver.close)
  return receiver
}

/** A receiver that answers no request until it is told to, and then all. */
async function holdingReceiver(): Promise<Receiver & { letGo(): void }> {
  const held: ServerResponse[] = []
  let free = false
  const answer = (response: ServerResponse) => response.writeHead(204).end()
  const receiver = await receiverOf(response => void (free ? answer(response) : held.push(response)))
  const letGo = () => {
    free = true
    held.forEach(answer)
  }
  return Object.assign(receiver, { letGo })
}

/** @returns the webhook's id. The path tells its requests from the others'. */
async function webhook(shop: TestTenant, receiver: Receiver, path: string, options: object = {}): Promise<string> {
  const made = await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${path}`, events: ['order.created'], ...options })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

const emitTo = (shop: TestTenant, count = 1) =>
  begin(sql, async tx => {
    for (let i = 0; i < count; i++) await emit(tx, { tenant: shop.id, actor: { type: 'system' } }, event, { i })
  })

const areQueued = (ids: string[]) =>
  eventually(
    async () => (await sql`select 1 from webhook_endpoints where id = any(${ids}) and queued_at is not null`).length === ids.length,
  )

const pathsOf = ({ received }: Receiver): string[] => received.map(({ path }) => path)
const quiet = () =>
  eventually(async () => (await sql`select 1 from webhook_endpoints where lease_token is not null or queued_at is not null`).length === 0)

describe('slots of the pool', { concurrency: false }, () => {
  test('tenants are served in turn: one with many busy endpoints does not keep the next one waiting', async () => {
    const receiver = await holdingReceiver()
    const [large, small] = [await app.tenant(), await app.tenant()]
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => webhook(large, receiver, `large-${i}`)))
    await emitTo(large)
    await areQueued(many)
    const one = await webhook(small, receiver, 'small')
    await emitTo(small)
    await areQueued([one])

    await app.startWorker()
    await receiver.until(SLOTS)
    assert.ok(pathsOf(receiver).includes('/small'), `served first: ${pathsOf(receiver)}`)

    const reasons = await Promise.all(
      many.map(async id => (await large.get(`/api/v1/webhooks/${id}/deliveries`)).body.data[0].waiting.reason),
    )
    const [inFlight, waiting] = ['in_flight', 'turn'].map(name => reasons.filter(reason => reason === name).length) as [number, number]
    assert.equal(inFlight + waiting, many.length, `${reasons}`)
    // One more for each slice that had no answer for so long that it yielded its slot.
    assert.ok(inFlight >= SLOTS - 1 && waiting > 0, `${reasons}`)
    receiver.letGo()
    await receiver.until(many.length + 1)
    await quiet()
  })

  test('a tenant that comes late to a full pool waits only for jobs fetched before it, not for all that wait', async () => {
    const receiver = await holdingReceiver()
    const [large, small] = [await app.tenant(), await app.tenant()]
    await Promise.all(Array.from({ length: 40 }, (_, i) => webhook(large, receiver, `large-${i}`)))
    const late = await webhook(small, receiver, 'small')
    await emitTo(large)
    await receiver.until(SLOTS)
    await emitTo(small)
    await areQueued([late])
    receiver.letGo()
    await receiver.until(41)
    const before = pathsOf(receiver).indexOf('/small')
    // Slices with a slot, slices that yielded theirs, and two rounds that were fetched.
    assert.ok(before <= 5 * SLOTS, `served after ${before} others`)
    await quiet()
  })

  test('endpoints that failed last hold a quarter of the slots at most', async () => {
    const [silent, healthy] = [await holdingReceiver(), await receiverOf()]
    const [failing, fine] = [await app.tenant(), await app.tenant()]
    const suspects = await Promise.all(Array.from({ length: 5 }, (_, i) => webhook(failing, silent, `silent-${i}`)))
    await webhook(fine, healthy, 'healthy')
    await sql`update webhook_endpoints set failures = 1, failing_since = now(), failure_known_at = now() where id = any(${suspects})`
    await emitTo(failing)
    await silent.until(1)
    // The others have been told to rest, as often as the sweep wakes them.
    for (let look = 0; look < 3; look++)
      await eventually(
        async () =>
          (await sql`select 1 from webhook_endpoints where id = any(${suspects}) and queued_at is null`).length === suspects.length,
      )
    await emitTo(fine, 20)
    await healthy.until(20)
    assert.equal(silent.received.length, SLOTS / 4)
    silent.letGo()
    await silent.until(suspects.length)
    await quiet()
  })

  for (const known of [false, true])
    test(`twice as many receivers as there are slots hang all at once, ${known ? 'having answered so far' : 'from their first event on'}, and yield their slots to the others`, async () => {
      const [silent, healthy] = [await holdingReceiver(), await receiverOf()]
      const [hanging, fine] = [await app.tenant(), await app.tenant()]
      const holes = await Promise.all(Array.from({ length: 2 * SLOTS }, (_, i) => webhook(hanging, silent, `hole-${i}`)))
      const trusted = await webhook(fine, healthy, 'trusted')
      await sql`update webhook_endpoints set last_success_at = now() where id = any(${known ? [trusted, ...holes] : [trusted]})`
      await emitTo(hanging)
      await silent.until(SLOTS)
      await emitTo(fine, 20)
      await healthy.until(20)
      assert.equal((await sql`select 1 from webhook_attempts where endpoint_id = any(${holes})`).length, 0, 'all of them still hang')
      silent.letGo()
      await silent.until(holes.length)
      await quiet()
    })

  test('a long slice keeps its lease', async () => {
    const receiver = await holdingReceiver()
    const shop = await app.tenant()
    const id = await webhook(shop, receiver, 'lasting')
    const leaseUntil = async () => (await sql<{ at: Date }[]>`select lease_until as at from webhook_endpoints where id = ${id}`)[0]?.at
    await emitTo(shop)
    await receiver.until(1)
    const first = (await leaseUntil()) as Date
    try {
      await eventually(async () => ((await leaseUntil()) as Date) > first)
    } finally {
      receiver.letGo()
      await quiet()
    }
  })

  test('an endpoint with a backlog yields its slot to a waiting one after its time slice', async () => {
    const slow = await receiverOf(response => setTimeout(() => response.writeHead(204).end(), 50))
    const quick = await receiverOf()
    const [large, small] = [await app.tenant(), await app.tenant()]
    await Promise.all(Array.from({ length: SLOTS }, (_, i) => webhook(large, slow, `slow-${i}`, { max_parallel: 1 })))
    await webhook(small, quick, 'quick')
    const backlog = (2 * TIME_SLICE_MS) / 50
    await emitTo(large, backlog)
    await eventually(async () => new Set(pathsOf(slow)).size === SLOTS)
    await emitTo(small)
    await quick.until(1)
    const sent = Object.values(Object.groupBy(pathsOf(slow), path => path)).map(paths => paths?.length ?? 0)
    assert.ok(Math.max(...sent) < backlog * 0.9, `no backlog was near its end: ${sent} of ${backlog}`)
    await sql`delete from webhook_deliveries where state = 'pending'`
    await quiet()
  })
})
