// A request waits at its origin for longer than a lease lasts: the lease is renewed meanwhile, and a holder that lost it does not send.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { emitted } from '../support/subscriber.ts'

/** How many of an origin's slots one tenant may hold. */
const PLACES = 45
// Longer than the test: a receiver that hangs does so to its end.
const app = await testApp({ WEBHOOK_TIMEOUT_MS: '60000' })
const { sql } = app

test('in order one request is made at a time, however long a live or repeated delivery waits for its origin; a holder that lost its lease makes none', async () => {
  const held: ServerResponse[] = []
  const [underWay, most] = [new Map<string, number>(), new Map<string, number>()]
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/wide') return void held.push(response)
    const count = (underWay.get(path) ?? 0) + 1
    underWay.set(path, count)
    most.set(path, Math.max(most.get(path) ?? 0, count))
    setTimeout(() => {
      underWay.set(path, (underWay.get(path) as number) - 1)
      response.writeHead(204).end()
    }, 200)
  })
  after(receiver.close)
  await app.startWorker()
  const shop = await app.tenant()
  const webhook = async (path: string, type: string, max_parallel: number): Promise<string> =>
    ok(await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${path}`, events: [type], max_parallel })).id
  const leaseOf = async (id: string): Promise<number | undefined> => {
    const [row] = await sql<{ until: Date | null }[]>`
      select lease_until as until from webhook_endpoints where id = ${id} and lease_token is not null
      union all
      select lease_until from webhook_recoveries where id = ${id} and lease_token is not null`
    return row?.until?.getTime()
  }
  const leased = (id: string): Promise<number> => eventually(() => leaseOf(id))
  const pathsSent = () => receiver.received.map(({ path }) => path).filter(path => path !== '/wide')

  await webhook('wide', 'order.paid', 64)
  await emitted(sql, shop.id, PLACES, 'order.paid')
  await eventually(async () => held.length === PLACES)

  const types = { again: 'order.created', robbed: 'order.shipped', paused: 'order.cancelled' }
  const ids = { again: '', robbed: '', paused: '' }
  for (const name of ['again', 'robbed', 'paused'] as const) ids[name] = await webhook(name, types[name], 1)
  const recoveries = [
    ok(await shop.post(`/api/v1/webhooks/${ids.again}/test`)).id,
    ok(await shop.post(`/api/v1/webhooks/${ids.robbed}/test`)).id,
  ]
  await emitted(sql, shop.id, 1, types.paused)
  const first = new Map<string, number>()
  for (const id of [...Object.values(ids), ...recoveries]) first.set(id, await leased(id))
  await emitted(sql, shop.id, 1, types.again)
  ok(await shop.post(`/api/v1/webhooks/${ids.paused}/pause`))
  // As if its time had come without a renewal.
  await sql`update webhook_endpoints set lease_token = null, lease_until = null where id = ${ids.robbed}`
  await emitted(sql, shop.id, 1, types.robbed)
  first.set(ids.robbed, await leased(ids.robbed))

  // The live slice's too: it took its lease after the recovery's was robbed, which has begun to renew it in vain by then.
  for (const id of [...Object.values(ids), ...recoveries])
    await eventually(async () => ((await leaseOf(id)) ?? 0) > (first.get(id) as number))
  await eventually(async () => {
    const renewing = await sql`
      select from pg_stat_activity where datname = current_database() and state = 'active' and query like '%lease_until%' and pid <> pg_backend_pid()`
    return renewing.length === 0
  })
  assert.deepEqual(pathsSent(), [], 'all of them wait for a slot')
  for (const each of held) each.writeHead(204).end()
  await eventuallyHolds(async () => {
    const rows = await sql`select state from webhook_recoveries where id = any(${recoveries})`
    assert.deepEqual(
      rows.map(row => row['state']),
      ['completed', 'completed'],
    )
    const counts = ['/again', '/robbed'].map(path => pathsSent().filter(each => each === path).length)
    assert.deepEqual(counts, [2, 2])
  })
  assert.deepEqual([...most.values()], [1, 1])
  await eventually(async () => (await leaseOf(ids.paused)) === undefined)
  assert.ok(!pathsSent().includes('/paused'), 'no request begins to a webhook that was paused while it waited')
  ok(await shop.post(`/api/v1/webhooks/${ids.paused}/resume`))
  await eventually(async () => pathsSent().includes('/paused'))
  await eventuallyHolds(async () => {
    const rows = await sql`select attempt from webhook_attempts where endpoint_id = ${ids.paused}`
    assert.deepEqual(
      rows.map(row => row['attempt']),
      [1],
    )
  })
})
