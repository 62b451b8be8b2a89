// Turns that hang give their places back: who may begin meanwhile, and that a worker told to stop waits for them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Lease } from '../../src/webhooks/delivery-store.ts'
import { createPlaces } from '../../src/webhooks/places.ts'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { startReceiver } from '../support/receiver.ts'

const SLOTS = 4
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS) })

const MINUTE = 60_000
const lease = (failures: number, succeededMs: number | null): Lease =>
  ({ failures, last_success_at: succeededMs === null ? null : new Date(Date.now() - succeededMs) }) as Lease
const STANDINGS = {
  trusted: lease(0, MINUTE),
  failing: lease(1, MINUTE),
  untried: lease(0, null),
  'long idle': lease(0, 61 * MINUTE),
}
type Standing = keyof typeof STANDINGS

// Half a second: each waits for a timer of 250 ms.
for (const [hanging, refused] of [
  ['trusted', []],
  ['failing', ['failing']],
  ['untried', ['untried', 'long idle']],
  ['long idle', ['untried', 'long idle']],
] as [Standing, Standing[]][])
  test(`while a quarter of the places is ${hanging} ones that hang, ${refused.join(' and ') || 'nobody'} has to rest`, async () => {
    const reported: unknown[] = []
    const places = createPlaces(SLOTS, error => reported.push(error))
    const turns = Array.from({ length: SLOTS }, () => Promise.withResolvers<void>())
    const held = turns.map(({ promise }, i) =>
      places.hold(i === 0 ? STANDINGS[hanging] : STANDINGS.trusted, watch => {
        // The others only fill the places: of several that hang, only as many give theirs back as make half of them free.
        if (i === 0) watch.awaiting(1)
        return promise
      }),
    )
    // It gives its place back, with its turn under way.
    await held[0]
    assert.deepEqual(
      (Object.keys(STANDINGS) as Standing[]).filter(each => !places.admits(STANDINGS[each])),
      refused,
    )
    const bug = new Error('a bug')
    for (const { reject } of turns) reject(bug)
    await places.ended()
    assert.ok(reported.length > 0 && reported.every(each => each === bug))
    await Promise.allSettled(held)
    assert.ok(Object.values(STANDINGS).every(each => places.admits(each)))
  })

test('a worker told to stop finishes what gave its place back, as all else', async () => {
  const { sql } = app
  const worker = await startWorker(app)
  let requests = 0
  // The first hang for longest: they are still waited for when all jobs have ended.
  const receiver = await startReceiver(response => setTimeout(() => response.writeHead(204).end(), ++requests <= 2 ? 3_000 : 600))
  after(receiver.close)
  const shop = await app.tenant()
  const made = await Promise.all(
    Array.from({ length: 2 * SLOTS }, (_, i) =>
      shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${i}`, events: ['order.created'] }),
    ),
  )
  const ids = made.map(({ body }) => body.id as string)
  await sql`update webhook_endpoints set last_success_at = now() where id = any(${ids})`
  await begin(sql, tx => emit(tx, { tenant: shop.id, actor: { type: 'system' } }, defineEvent('order.created', '', Type.Any()), {}))
  await receiver.until(SLOTS + 1)
  await worker.close()
  const [row] = await sql`
    select (select count(*) from webhook_attempts where endpoint_id = any(${ids}) and status = 204) as recorded,
           (select count(*) from webhook_endpoints where lease_token is not null) as leased`
  assert.deepEqual({ ...row }, { recorded: receiver.received.length, leased: 0 })
})
