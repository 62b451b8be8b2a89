// A long transaction holds back events, and the service says so. It holds back all tests on the server, so it writes late and ends soon.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anOrder } from '../support/given.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const foreign = postgres(app.databaseUrl, { max: 1, onnotice: () => {}, connection: { application_name: 'nightly report' } })
after(() => foreign.end())

/** Runs `meanwhile` while a transaction of a foreign connection has written and not ended. */
async function holding(meanwhile: () => Promise<void>): Promise<void> {
  await foreign.begin(async tx => {
    await tx`select pg_current_xact_id()`
    await meanwhile()
  })
}

test('GET /events says since when events are held back, once that has lasted a while', async () => {
  const shop = await app.tenant()
  const page = async (query = '') => (await shop.get(`/api/v1/events${query}`)).body
  assert.equal((await page()).held_back_since, null)
  await shop.post('/api/v1/orders', anOrder())
  await eventuallyHolds(async () => assert.equal((await page()).data.length, 1))
  await holding(async () => {
    await shop.post('/api/v1/orders', anOrder())
    assert.deepEqual([(await page()).data.length, (await page()).held_back_since], [1, null], 'a delay of milliseconds is not reported')
    const [row] = await app.sql`
      update events set created_at = date_trunc('milliseconds', now() - interval '6 seconds')
       where tenant_id = ${shop.id} and xid >= pg_snapshot_xmin(pg_current_snapshot())
      returning created_at`
    assert.equal((await page()).held_back_since, row?.['created_at'].toISOString())
    assert.equal((await page('?limit=1')).held_back_since, row?.['created_at'].toISOString())
  })
  await eventuallyHolds(async () => assert.equal((await page()).data.length, 2))
  const first = await page('?limit=1')
  assert.deepEqual([first.has_more, first.held_back_since], [true, null])
  assert.equal((await page()).held_back_since, null)
})

test('a webhook that catches up says since when it waits', async () => {
  const hook = await aSubscriber(app)
  await app.startWorker()
  await hook.shop.post(`${hook.path}/disable`)
  await hook.emit()
  const webhook = async () => (await hook.shop.get(hook.path)).body
  await holding(async () => {
    await hook.shop.post(`${hook.path}/enable`, { missed: 'send' })
    // The catch-up task has fixed how far it goes.
    await eventually(
      async () => (await app.sql`select 1 from webhook_endpoints where id = ${hook.id} and catching_up ? 'horizon'`).length > 0,
    )
    assert.deepEqual([(await webhook()).catching_up, (await webhook()).held_back_since], [true, null])
    await app.sql`update webhook_endpoints set updated_at = now() - interval '6 seconds' where id = ${hook.id}`
    const { held_back_since, updated_at } = await webhook()
    assert.equal(held_back_since, updated_at)
  })
  await hook.receiver.until(1)
  await eventuallyHolds(async () => assert.deepEqual([(await webhook()).catching_up, (await webhook()).held_back_since], [false, null]))
})

test('doctor names the transaction, and how to end it', async () => {
  const doctor = async (): Promise<string> => {
    const run = shopdesk(['doctor'], settingsOf(app))
    await run.ended
    return run.stdout()
  }
  await foreign.begin(async tx => {
    const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await eventually(
      async () =>
        (await app.sql`select 1 from pg_stat_activity where pid = ${pid} and xact_start < now() - interval '5 seconds'`).length > 0,
    )
    await tx`select pg_current_xact_id()`
    const line = (await doctor()).split('\n').find(each => each.includes('transactions')) ?? ''
    assert.match(line, /^FAIL {2}transactions +GET \/events and webhooks that catch up wait for what has not ended: /)
    // Transactions of tests beside this one may last as well.
    const told = line.split(/: | \| /).find(each => each.startsWith('nightly report'))
    assert.match(told ?? line, /, pid \d+ of role .*, in which nothing happens, has written and not ended for \d+ s; to end it$/)
    assert.ok(line.includes(`to end it: select pg_terminate_backend(${pid})`), line)
  })
})
