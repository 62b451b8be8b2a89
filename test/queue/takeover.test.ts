// Real workers that are killed, frozen and cut off from their database: other workers go on with their work within seconds, and an ordered webhook never has
// two senders.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { type TestApp, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import type { Running } from '../support/processes.ts'
import type { Respond } from '../support/receiver.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

/** A receiver has longer than a busy machine takes to find out that it hears nothing. */
const ANSWER_MS = 60_000
const ABORTED_MS = 40_000
/** Ten seconds, and many times that on a busy machine. */
const IMPORTED_MS = 150_000

const NDJSON = 'application/x-ndjson'
const rows = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify({ name: `P ${i}`, price_amount: i, external_id: `E-${i}` })}\n`).join('')

/** An ordered webhook whose receiver answers when it is told to, and counts its concurrent requests. */
async function ordered(app: TestApp) {
  const seen = { underWay: 0, most: 0, open: [] as ServerResponse[], answers: false }
  const respond: Respond = response => {
    seen.most = Math.max(seen.most, ++seen.underWay)
    response.once('close', () => seen.underWay--)
    if (seen.answers) response.writeHead(204).end()
    else seen.open.push(response)
  }
  const hook = await aSubscriber(app, respond, { max_parallel: 1 })
  return {
    ...hook,
    seen,
    answer() {
      seen.answers = true
      for (const response of seen.open.splice(0)) response.writeHead(204).end()
    },
    eventsSent: () => new Set(hook.receiver.received.map(({ headers }) => String(headers['x-service-delivery-id']).split(':')[0])).size,
    delivered: (count: number) =>
      eventually(async () => {
        const [row] = await app.sql`select count(*) as n from webhook_deliveries where endpoint_id = ${hook.id} and state = 'pending'`
        return row?.['n'] === 0 && hook.receiver.received.length >= count
      }),
  }
}

async function given() {
  const app = await testApp()
  const settings = { ...settingsOf(app), WEBHOOK_TIMEOUT_MS: String(ANSWER_MS) }
  return {
    app,
    sql: app.sql,
    worker: (over: Record<string, string> = {}) => aWorker({ ...settings, ...over }),
    hook: await ordered(app),
    /** As if workers ran on machines of their own, which know of each other only through the database. */
    apart: () => app.sql`update worker_processes set place = 'elsewhere ' || pid`,
    terminate: ({ child }: Running) => app.sql`
      select pg_terminate_backend(w.backend) from worker_processes w where w.pid = ${child.pid as number}`,
    /** As if the elected process had been silent for long enough: one that lives is elected. */
    elect: () => app.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'shopdesk lookout'`,
    isTakenForGone: ({ child }: Running) =>
      eventually(async () => (await app.sql`select from worker_processes where pid = ${child.pid as number}`).length === 0),
    /**
     * Lets the leases of work under way last for an hour, so that what goes on sooner did not wait for them: by `npm run chaos kills` it does within 3 s,
     * and on a busy machine nearly as late as their 25 s.
     */
    async lengthenLeases() {
      for (const table of ['webhook_endpoints', 'webhook_recoveries', 'imports'])
        await app.sql`update ${app.sql(table)} set lease_until = lease_until + interval '1 hour' where lease_token is not null`
    },
  }
}

async function end(...workers: Running[]): Promise<void> {
  for (const { child } of workers) child.kill('SIGTERM')
  for (const { ended } of workers) assert.equal(await ended, 0)
}

// Each has two processes, and more of them at once would be the busy machine themselves.
describe('work of a worker', { concurrency: 4 }, () => {
  for (const place of ['on this machine', 'on another machine'])
    test(`that was killed ${place} goes on soon: a live delivery, an import and a recovery`, async () => {
      const at = await given()
      const { app, sql, hook } = at
      const victim = await at.worker()
      const shop = await app.tenant()
      await hook.emit(2)
      await hook.receiver.until(1)
      // A recovery: its receiver does not answer the first time.
      let mute = true
      const past = await aSubscriber(app, response => void (mute || response.writeHead(204).end()))
      await sql`update webhook_endpoints set status = 'paused' where id = ${past.id}`
      const [event] = await past.emit()
      const again = await past.shop.post(`${past.path}/deliveries/${event}/redeliver`)
      assert.equal(again.status, 202, again.text)
      await past.receiver.until(1)
      const ask = { key: shop.key, raw: rows(30_000), headers: { 'Content-Type': NDJSON } }
      const { id } = (await app.request('POST', '/api/v1/imports?resource=products', ask)).body
      const created = async (): Promise<number> => (await sql`select created from imports where id = ${id}`)[0]?.['created']
      await eventually(async () => (await created()) >= 1_000)

      const heir = await at.worker()
      if (place === 'on another machine') await at.apart()
      mute = false
      await at.lengthenLeases()
      victim.child.kill('SIGKILL')
      await victim.ended
      const [begun, left] = [hook.receiver.received.length, await created()]
      assert.ok(left < 30_000, 'it was killed in time')
      await Promise.all([
        eventually(async () => hook.receiver.received.length > begun),
        eventually(async () => past.receiver.received.length > 1),
        eventually(async () => (await created()) > left),
      ])
      hook.answer()
      await hook.delivered(3)
      assert.equal(hook.seen.most, 1)
      await eventually(async () => (await created()) === 30_000, IMPORTED_MS)
      const [products] =
        await sql`select count(*) as n, count(distinct external_id) as different from products where tenant_id = ${shop.id}`
      assert.deepEqual([products?.['n'], products?.['different']], [30_000, 30_000])
      await end(heir)
    })

  test('that was killed while it wrote an export goes on soon, from where it was', async () => {
    const at = await given()
    const { app, sql } = at
    const shop = await app.tenant()
    const victim = await at.worker()
    const heir = await at.worker()
    // Its job is the victim's, as if it had fetched it and were working on it.
    const [pool] = await sql`select id from worker_pools where pid = ${victim.child.pid as number}`
    assert.ok(pool)
    victim.child.kill('SIGSTOP')
    heir.child.kill('SIGSTOP')
    const { id } = (await shop.post('/api/v1/exports', { resource: 'products', format: 'csv' })).body
    await sql`update graphile_worker._private_jobs set locked_by = ${pool?.['id']}, locked_at = now(), attempts = 1 where payload ->> 'exportId' = ${id}`
    victim.child.kill('SIGKILL')
    heir.child.kill('SIGCONT')
    await eventually(async () => (await sql`select state from exports where id = ${id}`)[0]?.['state'] === 'completed')
    await end(heir)
  })

  test('to an ordered webhook is not suspected any more once it is past the event at which workers died, however long its slice lasts', async () => {
    const at = await given()
    await at.sql`update webhook_endpoints set deaths = 2 where id = ${at.hook.id}`
    await at.hook.emit(3)
    const worker = await at.worker()
    await at.hook.receiver.until(1)
    const standing = async () => {
      const [row] = await at.sql`select deaths, lease_until > clock_timestamp() as held from webhook_endpoints where id = ${at.hook.id}`
      return `${row?.['deaths']} ${row?.['held']}`
    }
    assert.equal(await standing(), '3 true', 'the next death would be the last')
    at.hook.seen.open.shift()?.writeHead(204).end()
    await at.hook.receiver.until(2)
    assert.equal(await standing(), '0 true')
    at.hook.answer()
    await at.hook.delivered(3)
    await end(worker)
  })

  test('whose standing session is ended by the server stays its own: no other worker takes it over, and one request at a time is under way', async () => {
    const at = await given()
    const [first, other] = [await at.worker(), await at.worker()]
    await at.apart()
    await at.hook.emit(3)
    await at.hook.receiver.until(1)
    await Promise.all([at.terminate(first), at.terminate(other)])
    await eventually(async () => {
      const [row] = await at.sql`
        select count(*) as n from pg_stat_activity
         where datname = current_database() and application_name = 'shopdesk standing' and backend_start > (select max(created_at) from events)`
      return row?.['n'] === 2
    })
    at.hook.answer()
    await at.hook.delivered(3)
    assert.deepEqual([at.hook.eventsSent(), at.hook.seen.most], [3, 1])
    assert.ok(
      at.hook.receiver.received.length <= 4,
      'a process that stands still for a second sends again what was under way, and nothing else',
    )
    for (const worker of [first, other]) assert.doesNotMatch(worker.stdout(), /others took over/)
    await end(first, other)
  })

  for (const how of ['destroy', 'resetAndDestroy'] as const)
    test(`that is cut off from the database (${how}) is ended by itself before another goes on with it; when it is back it works under another name`, async () => {
      const at = await given()
      const proxy = await flakyProxy(at.app.databaseUrl)
      const cutOff = await at.worker({ DATABASE_URL: proxy.url })
      await at.hook.emit(3)
      await at.hook.receiver.until(1)
      const other = await at.worker()
      await at.apart()
      proxy.block(how)
      await at.lengthenLeases()
      await eventually(async () => at.hook.receiver.received.length === 2)
      assert.equal(at.hook.seen.most, 1, 'the first request had ended')
      at.hook.answer()
      await at.hook.delivered(4)
      proxy.mend()
      await eventually(async () => (await at.sql`select 1 from worker_processes`).length === 2)
      await eventually(async () => cutOff.stdout().includes('others took over'))
      await end(other)
      await at.hook.emit(2)
      await at.hook.delivered(6)
      assert.equal(at.hook.seen.most, 1)
      // A machine that stands still for a second makes a worker end its request and send it again: what counts is that every event arrives, from one at a time.
      assert.equal(at.hook.eventsSent(), 5)
      await end(cutOff)
    })

  test('that hears nothing from the database aborts its request to an ordered webhook, and sends it again when it hears', async () => {
    const at = await given()
    const proxy = await flakyProxy(at.app.databaseUrl)
    const worker = await at.worker({ DATABASE_URL: proxy.url })
    await at.hook.emit(2)
    await at.hook.receiver.until(1)
    proxy.silence('both')
    await eventually(async () => at.hook.seen.underWay === 0, ABORTED_MS)
    at.hook.answer()
    proxy.mend()
    await at.hook.delivered(3)
    assert.deepEqual([at.hook.receiver.received.length, at.hook.seen.most], [3, 1])
    await end(worker)
  })

  test('that was frozen, and lost its standing session meanwhile, begins no request under its old leases', async () => {
    const at = await given()
    const frozen = await at.worker()
    await at.hook.emit(4)
    await at.hook.receiver.until(1)
    const other = await at.worker()
    await at.apart()
    frozen.child.kill('SIGSTOP')
    await Promise.all([at.terminate(frozen), at.elect()])
    // The delivery under way is no longer its own, and another worker begins it: the guarantee ends there (docs/reliability.md).
    await at.hook.receiver.until(2)
    await at.isTakenForGone(frozen)
    at.hook.seen.open.shift()?.writeHead(204).end()
    frozen.child.kill('SIGCONT')
    await eventually(async () => frozen.stdout().includes('others took over'))
    at.hook.answer()
    await at.hook.delivered(5)
    assert.equal(at.hook.receiver.received.length, 5, 'the frozen one began nothing more')
    assert.equal(at.hook.seen.most, 2)
    await end(frozen, other)
  })
})
