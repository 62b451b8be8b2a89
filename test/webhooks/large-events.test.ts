// Large events take a bounded part of a worker's memory, whatever the number of webhooks and recoveries that send them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { MEMORY_MB, runScenario, type Scenario } from '../../bench/deliver/large.ts'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { LARGE_BODIES_BYTES } from '../../src/limits/webhooks.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { createBodies } from '../../src/webhooks/delivery/bodies.ts'
import { testApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'

const ORDER_BYTES = 900_000
const OrderCreated = defineEvent('order.created', '', Type.Any())

const app = await testApp()
const { sql } = app

/** An event whose body is about so long. Returns its id and how long it is. */
async function happened(tenant: string, bytes: number): Promise<{ event: string; bytes: number }> {
  const event = await begin(sql, tx => emit(tx, { tenant, actor: { type: 'system' } }, OrderCreated, { note: 'x'.repeat(bytes) }))
  const [row] = await sql<[{ bytes: number }]>`select octet_length(body) as bytes from events where id = ${event}`
  return { event, bytes: row.bytes }
}

const wanted = () => true

test('a body is held once, however many webhooks get it, and its room is freed when they are done', async () => {
  const { id: tenant } = await app.tenant()
  const { event, bytes } = await happened(tenant, 100_000)
  const bodies = createBodies(sql)
  const taken = await Promise.all(Array.from({ length: 150 }, () => bodies.take({ tenant, id: event }, bytes, wanted)))
  assert.equal(new Set(taken.map(each => each?.bytes)).size, 1)
  assert.equal(bodies.held(), bytes)
  const [row] = await sql<[{ body: string }]>`select body from events where id = ${event}`
  assert.equal(taken[0]?.bytes.toString(), row.body)
  for (const each of taken) each?.leave()
  assert.equal(bodies.held(), 0)
})

test('bodies wait while there is no room for them; a slice that gave up holds back no other, and no room is held for it', async () => {
  const { id: tenant } = await app.tenant()
  const [one, two, three] = [await happened(tenant, 60_000), await happened(tenant, 60_000), await happened(tenant, 60_000)]
  const bodies = createBodies(sql, 100_000)
  const first = await bodies.take({ tenant, id: one.event }, one.bytes, wanted)
  let patient = true
  const given = bodies.take({ tenant, id: two.event }, two.bytes, () => patient)
  const third = bodies.take({ tenant, id: three.event }, three.bytes, wanted)
  patient = false
  assert.equal(await given, undefined)
  assert.equal(bodies.held(), one.bytes)
  first?.leave()
  assert.equal((await third)?.bytes.length, three.bytes)
  assert.equal(bodies.held(), three.bytes)
})

test('a body counts once for its webhooks and anew once they are done, and one that is read for none of them until it is read', async () => {
  const { id: tenant } = await app.tenant()
  const [one, two] = [await happened(tenant, 60_000), await happened(tenant, 60_000)]
  const bodies = createBodies(sql)
  const take = ({ event }: { event: string }, bytes: number, isWanted = wanted) => bodies.take({ tenant, id: event }, bytes, isWanted)
  const [first, second] = await Promise.all([take(one, LARGE_BODIES_BYTES), take(one, LARGE_BODIES_BYTES)])
  first?.leave()
  first?.leave()
  assert.equal(bodies.held(), LARGE_BODIES_BYTES)
  assert.equal(await take(two, two.bytes, () => false), undefined, 'there is no room')
  second?.leave()
  const anew = await take(one, one.bytes)
  assert.equal(bodies.held(), one.bytes)
  anew?.leave()
  await begin(sql, async tx => {
    await tx`lock table events in access exclusive mode`
    assert.equal(await take(two, two.bytes, () => false), undefined)
    assert.equal(bodies.held(), two.bytes)
  })
  await eventually(async () => bodies.held() === 0)
})

test('a large body is not overtaken for ever by smaller ones of other workspaces', async () => {
  const shops = await Promise.all(Array.from({ length: 4 }, () => app.tenant()))
  const [a, b, c, d] = shops.map(each => each.id) as [string, string, string, string]
  const room = createBodies(sql, 200_000)
  const [half, large, small] = [await happened(a, 110_000), await happened(b, 120_000), await happened(c, 20_000)]
  const taken = await room.take({ tenant: a, id: half.event }, half.bytes, wanted)
  const waiting = room.take({ tenant: b, id: large.event }, large.bytes, wanted)
  const smaller = room.take({ tenant: c, id: small.event }, small.bytes, wanted)
  const also = await happened(d, 20_000)
  const last = room.take({ tenant: d, id: also.event }, also.bytes, wanted)
  // There is room for these two, but free room goes to the one that came first.
  assert.equal(room.held(), half.bytes)
  taken?.leave()
  await Promise.all([waiting, smaller, last])
  assert.equal(room.held(), large.bytes + small.bytes + also.bytes)
})

test('while all room is taken by large events whose receivers do not answer, events of other workspaces arrive', async () => {
  const held: (() => void)[] = []
  const receiver = await startReceiver((response, { path }) => {
    const answer = () => void response.writeHead(204).end()
    if (path.startsWith('/slow')) held.push(answer)
    else answer()
  })
  after(receiver.close)
  const [small, middle, ...larger] = await Promise.all(Array.from({ length: 7 }, () => app.tenant()))
  assert.ok(small && middle)
  const subscribe = async (shop: typeof small, path: string) =>
    assert.equal((await shop.post('/api/v1/webhooks', { url: receiver.origin + path, events: ['order.created'] })).status, 201)
  for (const each of larger) await subscribe(each, '/slow')
  await Promise.all([subscribe(small, '/small'), subscribe(middle, '/middle')])
  // As many of each as are sent to its webhook at once: 36 MB.
  for (const each of larger) for (let i = 0; i < 8; i++) await happened(each.id, ORDER_BYTES)
  // Longer than a busy machine takes to send them: what is given up makes room.
  const worker = await aWorker({ ...settingsOf(app), WEBHOOK_TIMEOUT_MS: '60000' })
  const came = (path: string) => receiver.received.filter(each => each.path === path).length
  await eventually(async () => held.length * ORDER_BYTES > LARGE_BODIES_BYTES * 0.8)
  await Promise.all([happened(small.id, 100), happened(middle.id, 30_000)])
  await eventually(async () => came('/small') === 1 && came('/middle') === 1)
  for (const answer of held) answer()
  worker.child.kill('SIGKILL')
  await worker.ended
})

const large = { bytes: ORDER_BYTES, delayMs: 500 }
const scenarios: Scenario[] = [
  { ...large, title: 'one order for 150 webhooks', endpoints: 150, tenants: 1, events: 1 },
  { ...large, title: 'orders of thirty workspaces at once', endpoints: 90, tenants: 30, events: 2 },
  { title: 'a backlog of events of 30 KB for 200 webhooks', endpoints: 200, tenants: 20, events: 20, bytes: 30_000, delayMs: 50 },
  { ...large, title: '16 recoveries of such orders', endpoints: 16, tenants: 1, events: 12, delayMs: 50, recoveries: 16 },
]

for (const scenario of scenarios)
  test(`a worker stays under ${MEMORY_MB} MB: ${scenario.title}`, {
    skip: process.platform !== 'linux' && 'memory is read from /proc',
  }, async () => {
    const database = await testDatabase()
    const db = openDatabase(database.url, { name: 'test', lanes: 0, pool: 2 })
    try {
      const { megabytes, count } = await runScenario({ databaseUrl: database.serviceUrl, db }, scenario)
      assert.equal(count, scenario.endpoints * scenario.events)
      assert.ok(megabytes < MEMORY_MB, `${megabytes.toFixed(0)} MB`)
    } finally {
      await db.close()
      await database.drop()
    }
  })
