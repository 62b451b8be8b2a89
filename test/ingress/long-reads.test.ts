// Reads that look at many rows have connections of their own, by turns, so that neither other tenants nor other lists wait for them.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIST_GLANCE, LONG_READS_WAITING } from '../../src/limits/lists.ts'
import { shareOf } from '../../src/places.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder, aProduct, assertProblem } from '../support/given.ts'

const app = await testApp()
const { sql } = app

/** Whether what `work` asks for is a long read: the connections of long reads then have had a statement. */
async function isLong(work: () => Promise<unknown>): Promise<boolean> {
  const before = await latest()
  await work()
  return (await latest()) !== before
}

const latest = async (): Promise<string | null> => {
  const [row] = await sql`
    select max(query_start)::text as at from pg_stat_activity
     where datname = current_database() and application_name = 'shopdesk web long reads'`
  return row?.['at']
}

/** Long reads that wait for a lock. */
const held = async (): Promise<number> =>
  (
    await sql`
      select 1 from pg_stat_activity
       where datname = current_database() and application_name = 'shopdesk web long reads' and wait_event_type = 'Lock'`
  ).length

suite('a page by offset', () => {
  test('has its tenant’s turn, one at a time: all lists by cursor, and other tenants’ by offset, are served meanwhile', async () => {
    const [greedy, other] = [await app.tenant(), await app.tenant()]
    for (const shop of [greedy, other]) await shop.post('/api/v1/orders', anOrder())
    const product = await greedy.post('/api/v1/products', aProduct())
    const path = '/api/v1/products'
    const asked: Promise<Reply>[] = []
    await begin(sql, async tx => {
      // With this lock no statement on products ends.
      await tx`lock table products in access exclusive mode`
      for (let i = 0; i <= shareOf(LONG_READS_WAITING); i++) asked.push(greedy.get(`${path}?q=e&offset=${i}`))
      await eventuallyHolds(async () => {
        const refused = await greedy.get(`/api/v1/orders?offset=0`)
        assertProblem(refused, { status: 409, slug: 'conflict', instance: '/api/v1/orders', code: 'too_many_long_reads' })
        assert.equal(refused.headers.get('retry-after'), '5')
        assert.equal(await held(), 1)
      })
      for (const shop of [greedy, other]) assert.equal((await shop.get('/api/v1/orders')).body.data.length, 1)
      assert.equal((await other.get('/api/v1/orders?offset=0')).body.data.length, 1)
      assert.equal(await held(), 1)
    })
    const [first, ...rest] = await Promise.all(asked)
    assert.deepEqual(first?.body.data, [product.body])
    for (const reply of rest) assert.deepEqual([reply.status, reply.body.data], [200, []])
  })
})

suite('a page of rare rows', () => {
  /** Products, only the oldest of which has this name. */
  async function catalogue(shop: TestTenant, count: number, oldest: string): Promise<void> {
    const made = await shop.post('/api/v1/products', aProduct({ name: oldest }))
    assert.equal(made.status, 201)
    await sql`
      insert into products (tenant_id, id, name, price_amount, currency, status, created_at, updated_at, doc)
      select tenant_id, 'prod_' || lpad(n::text, 26, '0'), 'Shirt', price_amount, currency, status, created_at + make_interval(secs => n),
             updated_at, doc
        from products, generate_series(1, ${count}::int) n
       where tenant_id = ${shop.id}`
  }

  test('is read by a long read where the first rows do not fill it, and is the same page', async () => {
    const shop = await app.tenant()
    await catalogue(shop, LIST_GLANCE, 'Needle')
    const full = async (query: string) => {
      const { body } = await shop.get(`/api/v1/products?limit=5${query}`)
      assert.deepEqual([body.data.length, body.has_more], [5, true])
    }
    for (const query of ['', '&q=shirt', '&status=active', '&sort=name'])
      assert.equal(await isLong(() => full(query)), false, `long for ${query}`)
    const rare = async () => {
      const { body } = await shop.get('/api/v1/products?q=needle')
      assert.deepEqual([body.data.length, body.has_more, body.next_cursor], [1, false, null])
    }
    assert.equal(await isLong(rare), true)
  })

  test('of a small catalogue is found at once', async () => {
    const shop = await app.tenant()
    await catalogue(shop, LIST_GLANCE - 2, 'Needle')
    const rare = async () => assert.equal((await shop.get('/api/v1/products?name=needle')).body.data.length, 1)
    assert.equal(await isLong(rare), false)
  })

  test('of events is read by a long read as well', async () => {
    const shop = await app.tenant()
    await sql`
      insert into events (tenant_id, id, type, created_at, body)
      select ${shop.id}, id, 'product.created', now(),
             json_build_object('id', id, 'type', 'product.created', 'created_at', '2026-05-01T00:00:00.000Z', 'data', '{}'::json)
        from generate_series(1, ${LIST_GLANCE}::int) n, lateral (select 'evt_' || lpad(n::text, 26, '0') as id) i`
    const all = async () => assert.equal((await shop.get('/api/v1/events?limit=1')).body.data.length, 1)
    // A transaction of a concurrent test may hold the events back.
    await eventuallyHolds(all)
    assert.equal(await isLong(all), false)
    const rare = async () => {
      const { body } = await shop.get('/api/v1/events?types=order.created')
      assert.deepEqual([body.data, body.has_more], [[], false])
      assert.notEqual(body.resume_cursor, null)
    }
    assert.equal(await isLong(rare), true)
  })
})

test('the health of a webhook, which comes from its log, is a long read', async () => {
  const shop = await app.tenant()
  const { body } = await shop.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['order.created'] })
  const health = async () => assert.equal((await shop.get(`/api/v1/webhooks/${body.id}/health`)).status, 200)
  assert.equal(await isLong(health), true)
})
