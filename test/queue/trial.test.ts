// The rule by which work is given up after worker after worker died of it: what counts as a death, and which work may run side by side.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { begin, end, endAll, forgive } from '../../src/queue/begun-work-store.ts'
import { createCompany } from '../../src/queue/company.ts'
import { testApp } from '../support/app.ts'
import { insertOrders } from '../support/bulk-orders.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

let works = 0
/** Work of its own, and processes that run it. */
function given() {
  const work = { task: 'none/such', payload: `{"n":${++works}}` }
  let processes = 0
  return {
    work,
    /** The first part of its tokens. */
    process: () => `${String(++processes).padStart(4, '0')}${String(works).padStart(4, '0')}-0000-4000`,
    run: (process: string, alone = false) => begin(sql, work, tokenOf(process), alone),
    beat: (process: string, age = '0') => sql`
      insert into worker_pools (id, process, host, pid, version, beat_at)
      values (${process}, ${process}, 'host', 1, '1', now() - ${age}::interval)
          on conflict (id) do update set beat_at = excluded.beat_at`,
    letTimePass: () => sql`update begun_work set begun_at = now() - interval '11 seconds'`,
    token: async () => (await sql`select token from begun_work where payload = ${work.payload}`)[0]?.['token'],
  }
}
const tokenOf = (process: string): string => `${process}-8000-000000000000`

suite('a death', () => {
  test('is a note left behind by a process that no longer beats, or never did', async () => {
    const at = given()
    const [silent, mute, next] = [at.process(), at.process(), at.process()]
    await at.beat(silent, '11 seconds')
    assert.equal(await at.run(silent), 0)
    await at.letTimePass()
    assert.equal(await at.run(mute), 1)
    await at.letTimePass()
    assert.equal(await at.run(next), 2)
  })

  test('is no note of a live process, whether its work ended in an error that could not be noted, or was taken over', async () => {
    const at = given()
    const [living, young] = [at.process(), at.process()]
    await at.beat(living)
    await at.run(living)
    await at.letTimePass()
    assert.equal(await at.run(young), 0)
    // The process may not have beaten yet.
    assert.equal(await at.run(at.process()), 0)
  })

  test('is no note of a process that was told to stop, nor of work that ended in good order', async () => {
    const at = given()
    const [stopped, orderly] = [at.process(), at.process()]
    await at.run(stopped)
    await endAll(sql, stopped)
    await at.letTimePass()
    assert.equal(await at.run(orderly), 0)
    await end(sql, at.work, tokenOf(orderly))
    assert.equal(await at.token(), undefined)
    assert.equal(await at.run(at.process()), 0)
  })

  test('of work that got past its step is forgotten, and one of work that merely paused is not', async () => {
    const at = given()
    await at.run(at.process())
    await at.letTimePass()
    const second = at.process()
    assert.equal(await at.run(second), 1)
    await end(sql, at.work, tokenOf(second))
    const third = at.process()
    assert.equal(await at.run(third), 1, 'it paused')
    await forgive(sql, at.work, tokenOf(third))
    await at.letTimePass()
    assert.equal(await at.run(at.process()), 1, 'counted anew')
  })

  test('of a suspect counts only in the process where it ran alone', async () => {
    const at = given()
    for (let i = 0; i < 2; i++) {
      await at.run(at.process())
      await at.letTimePass()
    }
    assert.equal(await at.run(at.process()), 2)
    await at.letTimePass()
    assert.equal(await at.token(), null)
    assert.equal(await at.run(at.process(), true), 2, 'its process died of something else')
    await at.letTimePass()
    assert.equal(await at.run(at.process()), 3)
  })
})

suite('in one process', () => {
  test('a suspect waits for the others to leave, none joins meanwhile, and those under way are asked to give way', () => {
    const company = createCompany()
    const [one, two] = [company.join(), company.join()]
    assert.ok(one && two)
    assert.equal(company.awaited(), false)
    assert.equal(company.joinAlone(), undefined)
    assert.equal(company.awaited(), true)
    assert.equal(company.join(), undefined)
    one.leave()
    assert.equal(company.joinAlone(), undefined)
    two.leave()
    const suspect = company.joinAlone()
    assert.ok(suspect)
    assert.equal(company.awaited(), false)
    assert.equal(company.join(), undefined)
    suspect.leave()
    assert.ok(company.join())
  })

  test('an acquitted suspect runs beside others, and leaves once', () => {
    const company = createCompany()
    const suspect = company.joinAlone()
    assert.ok(suspect)
    suspect.acquit()
    suspect.acquit()
    const other = company.join()
    assert.ok(other)
    suspect.leave()
    suspect.leave()
    assert.equal(company.joinAlone(), undefined)
    other.leave()
    assert.ok(company.joinAlone())
  })
})

suite('work that is given up', () => {
  /** As if three workers had died of it. */
  const condemn = (task: string, payload: object) =>
    sql`insert into begun_work (task, payload, deaths) values (${task}, ${JSON.stringify(payload)}, 3)`

  test('names where: an export its rows, a recovery its event; a catch-up is cancelled and nothing is lost', async () => {
    const shop = await app.tenant()
    await insertOrders(sql, shop, 3)
    const [first] = await sql`select id from orders where tenant_id = ${shop.id} order by created_at, id`
    const exported = (await shop.post('/api/v1/exports', { resource: 'orders' })).body
    await sql`update exports set rows = 1, chunks = 1, last_at = created_at, last_id = ${first?.['id']} where id = ${exported.id}`
    await condemn('exports/write', { tenantId: shop.id, exportId: exported.id })

    const hook = await aSubscriber(app, undefined, { events: ['product.created'] })
    await hook.shop.post(`${hook.path}/disable`)
    for (const name of ['A', 'B']) await hook.shop.post('/api/v1/products', { name, price_amount: 1 })
    const [event] = (await sql`select id from events where tenant_id = ${hook.shop.id} order by id`).map(row => row['id'])
    const recovery = (await hook.shop.post(`${hook.path}/recoveries`, { scope: 'undelivered' })).body
    await condemn('webhooks/recover', { tenantId: hook.shop.id, recoveryId: recovery.id })
    await hook.shop.post(`${hook.path}/enable`, { missed: 'send' })
    await condemn('webhooks/catch-up', { tenantId: hook.shop.id, endpointId: hook.id })

    await app.startWorker()
    await eventuallyHolds(async () => {
      const { state, reason } = (await shop.get(`/api/v1/exports/${exported.id}`)).body
      assert.deepEqual(
        [state, reason],
        ['failed', `Its worker ended 3 times at the rows after the first 1, of which ${first?.['id']} is the last.`],
      )
    })
    await eventuallyHolds(async () => {
      const { state, reason } = (await hook.shop.get(`${hook.path}/recoveries/${recovery.id}`)).body
      assert.deepEqual([state, reason], ['failed', `its worker ended 3 times at ${event}`])
    })
    await eventuallyHolds(async () => {
      const { status, catching_up, disabled_reason } = (await hook.shop.get(hook.path)).body
      assert.deepEqual([status, catching_up, disabled_reason], ['disabled', false, '3 workers ended while it caught up'])
    })
    await hook.shop.post(`${hook.path}/enable`, { missed: 'send' })
    await hook.receiver.until(2)
    await eventuallyHolds(async () => assert.equal((await sql`select from begun_work where task <> 'none/such'`).length, 0))
  })
})
