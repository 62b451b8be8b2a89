// Workers are told of an event's webhooks behind its COMMIT, as long as they are those of the last such event; of others after it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emitAll } from '../../src/events/emit.ts'
import { beginBriefly, type Database, type Fragment, openDatabase, part } from '../../src/postgres/sql.ts'
import { toldOf } from '../../src/queue/tell.ts'
import { wakeNow } from '../../src/webhooks/endpoints/wake.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { openCounter } from '../support/statement-counter.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app
const sent: string[] = []
const counter = await openCounter(app.databaseUrl, text => sent.push(text))
const opened: Database[] = []
after(async () => {
  await Promise.all(opened.map(db => db.close()))
  await counter.close()
})

/** Connections of their own, on which each statement is counted. */
function openCounted() {
  const db = openDatabase(counter.url, { name: 'counted', lanes: 0, pool: 1 })
  opened.push(db)
  return db.sql
}
const counted = openCounted()

/** Emits events as an order does, in a transaction that ends with them. @returns how many statements that told workers went behind its COMMIT */
async function emitLast(tenant: string, types = ['order.created'], { writes = [] as Fragment[], on = counted } = {}): Promise<number> {
  const from = sent.length
  await beginBriefly(on, async tx => {
    await tx`select 1`
    const drafts = types.map(type => ({
      caller: { tenant, actor: { type: 'system' as const } },
      type: defineEvent(type, '', Type.Any()),
      data: {},
    }))
    await emitAll(tx, drafts, writes, { isLast: true })
  })
  return behindCommit(from)
}

const behindCommit = (from: number): number => {
  const own = sent.slice(from)
  return own.slice(own.indexOf('commit') + 1).filter(text => text.includes('webhook_tell')).length
}

/** The only pool that beats, as far as the database knows. */
const heard: string[] = []
const { unlisten } = await sql.listen('pool', message => void heard.push(...toldOf(message).map(each => each.id)))
await sql`insert into worker_pools (id, process, host, pid, version, beat_at) values ('pool', 'pool', 'host', 1, '1', now() + interval '1 hour')`
after(unlisten)

let marks = 0
/** All that was heard since it was asked last: what goes the other way is told after what went that way before. */
async function heardSince(): Promise<string[]> {
  const mark = `whk_mark${marks++}`
  wakeNow([{ tenant: 'ten_1', id: mark }])
  await eventually(async () => heard.includes(mark))
  return heard
    .splice(0)
    .filter(id => id !== mark)
    .sort()
}

test('a worker is told once, behind COMMIT from the second event on: of what was added since as well, and of what is gone once more', async () => {
  const one = await aSubscriber(app)
  assert.equal(await emitLast(one.shop.id), 0)
  await eventually(async () => heard.includes(one.id))
  assert.deepEqual(await heardSince(), [one.id])

  // The first time on its connection, the statement is prepared.
  for (let i = 0; i < 3; i++) {
    await emitLast(one.shop.id)
    await eventually(async () => heard.includes(one.id))
    await heardSince()
  }
  assert.equal(await emitLast(one.shop.id), 1)
  await eventually(async () => heard.includes(one.id))
  assert.deepEqual(await heardSince(), [one.id])

  const added = await one.shop.post('/api/v1/webhooks', { url: `${one.receiver.origin}/2`, events: ['order.created', 'product.updated'] })
  assert.equal(added.status, 201, added.text)
  const both = [one.id, added.body.id].sort()
  for (let i = 0; i < 2; i++) {
    assert.equal(await emitLast(one.shop.id), 1)
    await eventually(async () => both.every(id => heard.includes(id)))
    assert.deepEqual(await heardSince(), both)
  }

  await one.shop.delete(one.path)
  for (const told of [both, [added.body.id]]) {
    assert.equal(await emitLast(one.shop.id), 1)
    await eventually(async () => told.every(id => heard.includes(id)))
    assert.deepEqual(await heardSince(), told)
  }
  // Of another kind, and so for the first time.
  assert.equal(await emitLast(one.shop.id, ['product.updated']), 0)
  assert.equal(await emitLast(one.shop.id, ['order.created', 'product.updated']), 0)
  assert.equal(await emitLast(one.shop.id, ['product.updated', 'order.created']), 1)
})

test('a worker is told of the webhooks of events that were rolled back in vain, and those that follow are told of', async () => {
  const one = await aSubscriber(app)
  for (let i = 0; i < 3; i++) await emitLast(one.shop.id)
  await eventually(async () => heard.includes(one.id))
  await heardSince()
  const from = sent.length
  const failing = [part`update tenants set id = null where id = ${one.shop.id} and 1 / ${0}::integer > 0`]
  // Twice, for the first time the statement is prepared.
  for (let i = 0; i < 2; i++) await assert.rejects(emitLast(one.shop.id, ['order.created'], { writes: failing }), { code: '22012' })
  assert.ok(behindCommit(from) >= 1)
  assert.equal(await emitLast(one.shop.id), 1)
  await eventually(async () => heard.includes(one.id))
  assert.deepEqual([...(await sql`select count(*)::integer as count from events where tenant_id = ${one.shop.id}`)], [{ count: 4 }])
})

test('where the connection takes no statement behind COMMIT, a worker is told all the same', async () => {
  const one = await aSubscriber(app)
  await emitLast(one.shop.id)
  await eventually(async () => heard.includes(one.id))
  await heardSince()
  // Its first statements are prepared, and until that is answered it takes no other.
  assert.equal(await emitLast(one.shop.id, ['order.created'], { on: openCounted() }), 0)
  await eventually(async () => heard.includes(one.id))
})

test('more webhooks than a worker is told of are given to the queue', async () => {
  const one = await aSubscriber(app)
  for (let i = 0; i < 32; i++) await one.shop.post('/api/v1/webhooks', { url: `${one.receiver.origin}/${i}`, events: ['order.created'] })
  for (let i = 0; i < 3; i++) assert.equal(await emitLast(one.shop.id), 0)
  await eventually(
    async () => (await sql`select 1 from webhook_endpoints where tenant_id = ${one.shop.id} and queued_at is null`).length === 0,
  )
})
