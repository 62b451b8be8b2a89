// Turns that hang give their places back: who may begin meanwhile, and that a worker told to stop waits for them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import { createPlaces, type Standing } from '../../src/webhooks/delivery/slots.ts'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'

const SLOTS = 4
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS) })

const MINUTE = 60_000
const standing = (failures: number, succeededMs: number | null): Standing => ({
  failures,
  last_success_at: succeededMs === null ? null : new Date(Date.now() - succeededMs),
})
const STANDINGS = {
  trusted: standing(0, MINUTE),
  failing: standing(1, MINUTE),
  untried: standing(0, null),
  'long idle': standing(0, 61 * MINUTE),
}
type Name = keyof typeof STANDINGS
const NAMES = Object.keys(STANDINGS) as Name[]

interface Stood {
  begun: boolean
  admitted: boolean
  /** Its job has ended. */
  free: boolean
  job: Promise<void>
  end: PromiseWithResolvers<void>
}

/** Places of a process that is told to stop by `stop`, and turns that end when they are told to. */
function given(slots = SLOTS) {
  const reported: unknown[] = []
  const stop = new AbortController()
  const places = createPlaces(slots, stop.signal, error => reported.push(error))
  const made: Stood[] = []
  function stand(tenant: string, name: Name = 'trusted', requests = 0): Stood {
    const stood: Stood = { begun: false, admitted: false, free: false, job: DONE, end: Promise.withResolvers() }
    stood.job = places.turn({ tenant, id: `${made.push(stood)}` }, async place => {
      stood.begun = true
      stood.admitted = place.admits(STANDINGS[name])
      place.awaiting(requests)
      if (stood.admitted) await stood.end.promise
    })
    const end = () => {
      stood.free = true
    }
    stood.job.then(end, end)
    return stood
  }
  /** Ends all of them: while one has a place, a timer watches it. */
  async function finish(): Promise<void> {
    for (const { end } of made) end.resolve()
    await Promise.all(made.map(({ job }) => job))
    await places.ended()
  }
  return { places, stand, stop, reported, finish }
}
const DONE = Promise.resolve()
const countOf = (stood: Stood[], what: 'begun' | 'admitted' | 'free') => stood.filter(each => each[what]).length

test('however many turns a tenant has, another tenant’s begin at once; its own begin when there is room, each once', async () => {
  const { places, stand, finish } = given(8)
  const many = Array.from({ length: 20 }, () => stand('large'))
  const first = countOf(many, 'begun')
  assert.ok(first >= 4 && first < 8, `${first} of 20 began`)
  await immediate()
  assert.equal(countOf(many, 'free'), 20 - first, 'the jobs of those that wait have ended')
  assert.ok(stand('small').begun)
  const again = places.turn({ tenant: 'large', id: '20' }, () => assert.fail('it waits already'))
  await again
  for (const each of many) {
    each.end.resolve()
    await eventually(async () => countOf(many, 'begun') >= Math.min(20, first + many.indexOf(each)))
    assert.ok(countOf(many, 'begun') <= first + 1 + many.indexOf(each))
  }
  assert.ok(stand('large').begun)
  await finish()
})

test('a turn without a job runs at once or not at all, before none that waits, and is waited for at the end', async () => {
  const { places, stand, stop, reported, finish } = given(4)
  const end = Promise.withResolvers<void>()
  const tried = (tenant: string, id: string) => places.tryTurn({ tenant, id }, () => end.promise)
  assert.equal(tried('a', 'first'), true)
  const many = Array.from({ length: 8 }, () => stand('a'))
  assert.equal(tried('a', 'late'), false)
  assert.equal(tried('a', `${many.length}`), false, 'it waits already')
  let over = false
  const ended = places.ended().then(() => {
    over = true
  })
  await immediate()
  assert.equal(over, false)
  const bug = new Error('a bug')
  end.reject(bug)
  await finish()
  await ended
  assert.deepEqual(reported, [bug])
  stop.abort()
  assert.equal(tried('b', 'after'), false)
})

test('tenants whose turns wait have them in turn', async () => {
  const { stand, finish } = given(4)
  const [a, b] = [Array.from({ length: 12 }, () => stand('a')), Array.from({ length: 2 }, () => stand('b'))]
  for (const each of a.slice(0, 4)) each.end.resolve()
  await eventually(async () => countOf(a, 'begun') + countOf(b, 'begun') === 8)
  assert.equal(countOf(b, 'begun'), 2, 'they came last')
  await finish()
})

// Half a second: each waits for a timer of 250 ms.
for (const [hanging, refused] of [
  ['trusted', []],
  ['failing', ['failing']],
  ['untried', ['untried', 'long idle']],
  ['long idle', ['untried', 'long idle']],
] as [Name, Name[]][])
  test(`while a quarter of the places is a tenant’s ${hanging} ones that hang, its ${refused.join(' and ') || 'others'} ${refused.length > 0 ? 'wait until there is room' : 'go on'}`, async () => {
    const { places, stand, reported } = given()
    // The others only fill the places: of several that hang, only as many give theirs back as make half of them free.
    const hangs = stand('a', hanging, 1)
    const others = Array.from({ length: SLOTS - 1 }, () => stand('b'))
    await eventually(async () => hangs.free)
    for (const each of others.slice(0, 2)) each.end.resolve()
    await eventually(async () => countOf(others, 'free') === 2)
    const next: [Name, Stood][] = []
    for (const name of NAMES) {
      const stood = stand('a', name)
      next.push([name, stood])
      if (stood.admitted) stood.end.resolve()
      await stood.job
    }
    assert.deepEqual(
      next.filter(([, { admitted }]) => !admitted).map(([name]) => name),
      refused,
    )
    for (const [name] of next.filter(([, { admitted }]) => !admitted)) {
      const other = stand('c', name)
      assert.equal(other.admitted, name !== 'failing', 'a tenant of which nothing hangs goes on')
      other.end.resolve()
    }
    const bug = new Error('a bug')
    hangs.end.reject(bug)
    await eventually(async () => next.every(([, { admitted }]) => admitted))
    for (const [, { end }] of next) end.resolve()
    others[2]?.end.reject(bug)
    await assert.rejects(others[2]?.job as Promise<void>, bug)
    await places.ended()
    assert.deepEqual(reported, [bug])
  })

test('when the process is told to stop, all that waits begins, to leave its webhooks to others', async () => {
  const { places, stand, stop } = given()
  const many = Array.from({ length: 12 }, () => stand('large', 'failing'))
  stop.abort()
  await eventually(async () => countOf(many, 'admitted') === 12)
  for (const { end } of many) end.resolve()
  await places.ended()
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
