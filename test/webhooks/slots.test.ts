// Slices that hang yield their slots: which others may begin meanwhile; and a worker told to stop waits for all.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import { createSlots } from '../../src/queue/slots.ts'
import { createGates } from '../../src/webhooks/delivery/gates.ts'
import { sweep } from '../../src/webhooks/delivery/sweep.ts'
import { type TrackRecord, trustOf } from '../../src/webhooks/delivery/trust.ts'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'

const SLOTS = 4
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS) })

const MINUTE = 60_000
const record = (failures: number, succeededMs: number | null): TrackRecord => ({
  failures,
  last_success_at: succeededMs === null ? null : new Date(Date.now() - succeededMs),
})
const RECORDS = {
  trusted: record(0, MINUTE),
  failing: record(1, MINUTE),
  untried: record(0, null),
  'long idle': record(0, 61 * MINUTE),
}
type Name = keyof typeof RECORDS
const NAMES = Object.keys(RECORDS) as Name[]

interface Slice {
  begun: boolean
  admitted: boolean
  /** Whether its job has ended. */
  free: boolean
  job: Promise<void>
  end: PromiseWithResolvers<void>
}

/** Slots of a process that is told to stop by `stop`, and slices that end when they are told to. */
function given(count = SLOTS) {
  const reported: unknown[] = []
  const stop = new AbortController()
  const slots = createSlots(count, stop.signal, error => reported.push(error))
  const gates = createGates(count)
  const made: Slice[] = []
  function startSlice(tenant: string, name: Name = 'trusted', requests = 0): Slice {
    const slice: Slice = { begun: false, admitted: false, free: false, job: DONE, end: Promise.withResolvers() }
    slice.job = slots.run({ tenant, id: `${made.push(slice)}` }, async slot => {
      slice.begun = true
      slice.admitted = slot.admit(gates[trustOf(RECORDS[name], Date.now())])
      slot.awaiting(requests)
      if (slice.admitted) await slice.end.promise
    })
    const end = () => {
      slice.free = true
    }
    slice.job.then(end, end)
    return slice
  }
  /** Ends all slices: while one has a slot, a timer watches it. */
  async function finish(): Promise<void> {
    for (const { end } of made) end.resolve()
    await Promise.all(made.map(({ job }) => job))
    await slots.ended()
  }
  return { slots, startSlice, stop, reported, finish }
}
const DONE = Promise.resolve()
const countOf = (slices: Slice[], what: 'begun' | 'admitted' | 'free') => slices.filter(each => each[what]).length

test('however many slices a tenant has, another tenant’s begin at once; its own begin when there is room, each once', async () => {
  const { slots, startSlice, reported, finish } = given(8)
  const many = Array.from({ length: 20 }, () => startSlice('large'))
  const first = countOf(many, 'begun')
  assert.ok(first >= 4 && first < 8, `${first} of 20 began`)
  await immediate()
  assert.equal(countOf(many, 'free'), 20 - first, 'the jobs of those that wait have ended')
  assert.ok(startSlice('small').begun)
  const again = slots.run({ tenant: 'large', id: '20' }, () => assert.fail('it waits already'))
  await again
  for (const each of many) {
    each.end.resolve()
    await eventually(async () => countOf(many, 'begun') >= Math.min(20, first + many.indexOf(each)))
    assert.ok(countOf(many, 'begun') <= first + 1 + many.indexOf(each))
  }
  assert.ok(startSlice('large').begun)
  await finish()
  assert.deepEqual(reported, [])
})

test('a slice that has waited for room at its gate waits for a slot too, and is run by nothing else meanwhile', async () => {
  const { slots, startSlice, finish } = given()
  const [first, second] = [startSlice('a', 'failing'), startSlice('a', 'failing')]
  await second.job
  assert.deepEqual([first.admitted, second.admitted], [true, false])
  assert.equal(
    slots.tryRun({ tenant: 'a', id: '2' }, () => assert.fail('it waits at its gate')),
    false,
  )
  const others = ['b', 'c', 'd'].map(tenant => startSlice(tenant))
  const waiting = startSlice('e')
  first.end.resolve()
  // The slot goes to those who waited for it, and the room at the gate to the second.
  await eventually(async () => waiting.begun)
  await immediate()
  assert.equal(second.admitted, false)
  others[0]?.end.resolve()
  await eventually(async () => second.admitted)
  await finish()
})

test('a slice without a job runs at once or not at all, before no waiting slice, and is awaited at the end', async () => {
  const { slots, startSlice, stop, reported, finish } = given(4)
  const end = Promise.withResolvers<void>()
  const tried = (tenant: string, id: string) => slots.tryRun({ tenant, id }, () => end.promise)
  assert.equal(tried('a', 'first'), true)
  const many = Array.from({ length: 8 }, () => startSlice('a'))
  assert.equal(tried('a', 'late'), false)
  assert.equal(tried('a', `${many.length}`), false, 'it waits already')
  let over = false
  const ended = slots.ended().then(() => {
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

test('tenants whose slices wait are served in turn', async () => {
  const { startSlice, finish } = given(4)
  const [a, b] = [Array.from({ length: 12 }, () => startSlice('a')), Array.from({ length: 2 }, () => startSlice('b'))]
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
  test(`while a quarter of the slots is held by a tenant’s ${hanging} endpoints that hang, its ${refused.join(' and ') || 'others'} ${refused.length > 0 ? 'wait until there is room' : 'go on'}`, async () => {
    const [{ slots, startSlice, reported }, roomy] = [given(), given()]
    const alone = roomy.startSlice('a', hanging, 1)
    // The others only fill the slots: of several that hang, only as many yield theirs as make half of them free.
    const hangs = startSlice('a', hanging, 1)
    const others = Array.from({ length: SLOTS - 1 }, () => startSlice('b'))
    await eventually(async () => hangs.free)
    assert.equal(alone.free, false, 'where half of the slots are free, none is yielded')
    await roomy.finish()
    for (const each of others.slice(0, 2)) each.end.resolve()
    await eventually(async () => countOf(others, 'free') === 2)
    const next: [Name, Slice][] = []
    for (const name of NAMES) {
      const slice = startSlice('a', name)
      next.push([name, slice])
      if (slice.admitted) slice.end.resolve()
      await slice.job
    }
    assert.deepEqual(
      next.filter(([, { admitted }]) => !admitted).map(([name]) => name),
      refused,
    )
    for (const [name] of next.filter(([, { admitted }]) => !admitted)) {
      const other = startSlice('c', name)
      assert.equal(other.admitted, name !== 'failing', 'a tenant without hanging endpoints goes on')
      other.end.resolve()
    }
    const bug = new Error('a bug')
    hangs.end.reject(bug)
    await eventually(async () => next.every(([, { admitted }]) => admitted))
    for (const [, { end }] of next) end.resolve()
    others[2]?.end.reject(bug)
    await assert.rejects(others[2]?.job as Promise<void>, bug)
    await slots.ended()
    assert.deepEqual(reported, [bug])
  })

test('slices without a slot have a limit too, of which a tenant has its share: the next that hang keep theirs', async () => {
  const { startSlice, finish } = given()
  const hanging = Array.from({ length: 12 }, () => startSlice('a', 'trusted', 1))
  // Six of eight have yielded, and four hold a slot.
  await eventually(async () => countOf(hanging, 'begun') >= 10)
  const later = given()
  const yields = Array.from({ length: 3 }, () => later.startSlice('a', 'trusted', 1))
  await eventually(async () => countOf(yields, 'free') > 0)
  assert.equal(countOf(hanging, 'begun'), 10)
  await later.finish()
  await finish()
  // What they had is free again.
  const anew = Array.from({ length: 3 }, () => startSlice('a', 'trusted', 1))
  await eventually(async () => countOf(anew, 'free') > 0)
  await finish()
})

test('a slice that is trusted by the time that its gate lets it in leaves the gate to the next', async () => {
  const { slots, finish } = given()
  const { failing } = createGates(SLOTS)
  const end = Promise.withResolvers<void>()
  const admitted: string[] = []
  /** A slice that finds a gate each time that it runs, or none. */
  const run = (id: string, ...found: (typeof failing)[]) =>
    slots.run({ tenant: 'a', id }, async slot => {
      if (!slot.admit(found.shift())) return
      admitted.push(id)
      if (id === 'first') await end.promise
    })
  void run('first', failing)
  await run('second', failing, undefined)
  assert.deepEqual(admitted, ['first'])
  end.resolve()
  await slots.ended()
  await run('third', failing)
  assert.deepEqual(admitted, ['first', 'second', 'third'])
  await finish()
})

test('the gate of endpoints that are not known lets nothing past what waits of its workspace, nor a new one in while as many as there are slots have yielded', () => {
  const { unknown } = createGates(16)
  assert.ok(unknown?.yielded)
  const { enter, leave, yielded } = unknown
  const begun: number[] = []
  const waiters = Array.from({ length: 6 }, (_, n) => ({ tenant: 'a', begin: () => void begun.push(n) }))
  yielded.take('a', 4)
  for (const each of waiters.slice(0, 5)) enter(each)
  assert.equal(begun.length, 0)
  yielded.giveBack('a', 4)
  leave({ tenant: 'b', begin: () => {} })
  enter(waiters[5] as (typeof waiters)[number])
  assert.deepEqual(begun, [0, 1])

  yielded.take('c', 15)
  enter({ tenant: 'd', begin: () => void begun.push(6) })
  yielded.take('c')
  enter({ tenant: 'e', begin: () => void begun.push(7) })
  assert.deepEqual(begun, [0, 1, 6])
})

test('when the process is told to stop, all waiting slices begin, to leave their webhooks to other workers', async () => {
  const { slots, startSlice, stop } = given()
  const many = Array.from({ length: 12 }, () => startSlice('large', 'failing'))
  stop.abort()
  await eventually(async () => countOf(many, 'admitted') === 12)
  for (const { end } of many) end.resolve()
  await slots.ended()
})

test('webhooks that may not begin for want of room are woken when there is room: they are not queued and released at each sweep', async () => {
  const { sql } = app
  const worker = await startWorker(app)
  const receiver = await startReceiver(response => void hanging.push(response))
  const hanging: ServerResponse[] = []
  after(receiver.close)
  const shop = await app.tenant()
  const made = await Promise.all(
    Array.from({ length: 3 * SLOTS }, (_, i) =>
      shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${i}`, events: ['order.created'], max_parallel: 1 }),
    ),
  )
  const ids = made.map(reply => ok(reply).id as string)
  // One failing webhook may be sent to at once: a quarter of the slots.
  const minute = new Date(Date.now() - 60_000)
  await sql`update webhook_endpoints set failures = 1, failing_since = ${minute}, failure_known_at = ${minute} where id = any(${ids})`
  await sql.unsafe(`
    create table writes (id text);
    create function note_write() returns trigger language plpgsql security definer as $$ begin
      insert into writes values (old.id); return null; end $$;
    create trigger note_write after update on webhook_endpoints for each row when (old.queued_at is null and new.queued_at is not null) execute function note_write()`)
  await begin(sql, tx => emit(tx, { tenant: shop.id, actor: { type: 'system' } }, defineEvent('order.created', '', Type.Any()), {}))
  await receiver.until(1)
  const jobs = () => sql`select 1 from graphile_worker._private_jobs`
  // Each look of the sweep wakes what neither waits nor is served.
  for (let look = 0; look < 8; look++) {
    await sweep(sql)
    await eventually(async () => (await jobs()).length === 0)
  }
  const woken = await sql`select count(*)::int as times from writes group by id order by times desc`
  assert.ok((woken[0]?.['times'] as number) <= 2, `one was woken ${woken[0]?.['times']} times`)
  assert.equal(receiver.received.length, 1)
  // Each that ends lets the next one begin, without a wake-up.
  for (let n = 2; n <= ids.length; n++) {
    hanging.shift()?.writeHead(500).end()
    await receiver.until(n)
  }
  for (const each of hanging) each.writeHead(500).end()
  await worker.close()
})

test('a worker told to stop finishes slices that yielded their slots, as all others', async () => {
  const { sql } = app
  const worker = await startWorker(app)
  let requests = 0
  // The first hang for longest: they are still awaited when all jobs have ended.
  const receiver = await startReceiver(response => setTimeout(() => response.writeHead(204).end(), ++requests <= 2 ? 3_000 : 600))
  after(receiver.close)
  const shop = await app.tenant()
  const made = await Promise.all(
    Array.from({ length: 2 * SLOTS }, (_, i) =>
      shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${i}`, events: ['order.created'] }),
    ),
  )
  const ids = made.map(reply => ok(reply).id as string)
  await sql`update webhook_endpoints set last_success_at = now() where id = any(${ids})`
  await begin(sql, tx => emit(tx, { tenant: shop.id, actor: { type: 'system' } }, defineEvent('order.created', '', Type.Any()), {}))
  await receiver.until(SLOTS + 1)
  await worker.close()
  const [row] = await sql`
    select (select count(*) from webhook_attempts where endpoint_id = any(${ids}) and status = 204) as recorded,
           (select count(*) from webhook_endpoints where lease_token is not null) as leased`
  assert.deepEqual({ ...row }, { recorded: receiver.received.length, leased: 0 })
})
