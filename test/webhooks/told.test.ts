// Workers are told of single webhooks directly, without a job; the sweep finds those of which no worker heard.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toldOf } from '../../src/queue/tell.ts'
import { tell } from '../../src/webhooks/delivery/store.ts'
import { sweep } from '../../src/webhooks/delivery/sweep.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

const jobsOf = async (endpoint: string): Promise<number> =>
  (await sql`select 1 from graphile_worker._private_jobs where payload->>'endpointId' = ${endpoint}`).length

/** A pool that beats, as far as the database knows, and listens. */
async function aPool(id: string) {
  const heard: string[] = []
  const { unlisten } = await sql.listen(id, message => void heard.push(...toldOf(message).map(each => each.id)))
  await sql`insert into worker_pools (id, process, host, pid, version) values (${id}, ${id}, 'host', 1, '1')`
  const leave = async () => {
    await sql`delete from worker_pools where id = ${id}`
    await unlisten()
  }
  after(leave)
  return { id, heard, leave }
}

const many = (count: number, name: string) => Array.from({ length: count }, (_, i) => ({ tenant: 'ten_1', id: `${name}_${i}` }))

test('one of the live pools is told of a webhook, always the same; a pool that stopped beating is told of none', async () => {
  const [one, other, dead] = [await aPool('pool-one'), await aPool('pool-other'), await aPool('pool-dead')]
  await sql`update worker_pools set beat_at = now() - interval '11 seconds' where id = ${dead.id}`
  const endpoints = many(32, 'whk')
  const names = endpoints.map(each => each.id).sort()
  await tell(sql, endpoints)
  await eventually(async () => one.heard.length + other.heard.length >= 32)
  assert.deepEqual([...one.heard, ...other.heard].sort(), names)
  assert.ok(one.heard.length > 0 && other.heard.length > 0)
  const first = [...one.heard].sort()
  one.heard.splice(0)
  for (const each of endpoints) await tell(sql, [each])
  await eventually(async () => one.heard.length >= first.length)
  assert.deepEqual(one.heard.sort(), first)
  await one.leave()
  other.heard.splice(0)
  await tell(sql, endpoints)
  await eventually(async () => other.heard.length >= 32)
  assert.deepEqual([dead.heard, other.heard.sort()], [[], names])
  await Promise.all([other.leave(), dead.leave()])
})

test('without a live pool a job is queued; where the pool that was told did not hear, the sweep finds the due work', async () => {
  const [waiting, unheard] = [await aSubscriber(app), await aSubscriber(app)]
  await waiting.emit()
  await eventually(async () => (await jobsOf(waiting.id)) === 1)

  const deaf = await aPool('pool-deaf')
  await unheard.emit()
  await eventually(async () => deaf.heard.length > 0)
  assert.deepEqual([deaf.heard, await jobsOf(unheard.id)], [[unheard.id], 0])
  await sweep(sql)
  assert.equal(await jobsOf(unheard.id), 1)
  await deaf.leave()
})

test('a lone event is delivered without a job; more webhooks of one event than a worker is told of get jobs', async () => {
  await sql`delete from graphile_worker._private_jobs`
  await sql`delete from webhook_deliveries`
  await app.startWorker()
  await eventually(async () => (await sql`select 1 from worker_pools`).length > 0)
  const added = async () =>
    Number((await sql`select nextval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')) as n`)[0]?.['n'])
  const lone = await aSubscriber(app)
  // Until the worker listens, the sweep wakes the webhook.
  await lone.emit()
  await lone.receiver.until(1)
  const before = await added()
  for (let i = 2; i <= 40; i++) {
    await lone.emit()
    await lone.receiver.until(i)
  }
  // The sweep may look at any of them between its commit and its slice.
  assert.ok((await added()) - before < 10, `${(await added()) - before} jobs were added for 40 events`)

  const busy = await aSubscriber(app)
  for (let i = 0; i < 39; i++) await busy.shop.post('/api/v1/webhooks', { url: `${busy.receiver.origin}/${i}`, events: ['order.created'] })
  const from = await added()
  await busy.emit()
  await busy.receiver.until(40)
  assert.ok((await added()) - from >= 33)
})
