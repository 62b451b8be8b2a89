// Work that kills its worker: real workers die of it, as often as the rule says and not once more, and none of their other work fails.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { ENDPOINT_CAP } from '../../src/limits/webhooks.ts'
import { queueMail } from '../../src/mail/mail.ts'
import { begin } from '../../src/postgres/sql.ts'
import { UNRECORDED_MAX } from '../../src/webhooks/delivery/haunted.ts'
import { type TestApp, type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { startMailServer } from '../support/mail-server.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

const POISON = 'deadly-poison'
const PRELOAD = { NODE_OPTIONS: `--import=${new URL('../support/poison.ts', import.meta.url).href}` }

/** As if the time had passed in which dead workers are found, leases lapse, and lost jobs are queued again. */
async function letTimePass({ sql }: TestApp): Promise<void> {
  await sql`update worker_pools set beat_at = now() - interval '1 minute'`
  await sql`update begun_work set begun_at = now() - interval '1 minute'`
  await sql`update imports set lease_until = now() - interval '1 second', queued_at = now() - interval '1 minute' where status in ('queued', 'running')`
  await sql`update mails set claimed_until = null`
  await sql`update webhook_endpoints set lease_until = now() - interval '1 second', queued_at = null where lease_until is not null or queued_at is not null`
  await sql`select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker._private_jobs where locked_by is not null))`
}

/** A worker that dies. */
async function deadWorker(app: TestApp, env: Record<string, string> = {}): Promise<void> {
  const worker = shopdesk(['worker'], { ...settingsOf(app), ...PRELOAD, ...env })
  assert.equal(await worker.ended, 'SIGKILL', worker.stderr())
  await letTimePass(app)
}

/** A worker that the poison can kill stays alive until `check` holds, and ends when it is told to. */
async function livingWorker(app: TestApp, check: () => Promise<void>, env: Record<string, string> = {}): Promise<void> {
  const worker = await aWorker({ ...settingsOf(app), ...PRELOAD, ...env })
  await eventuallyHolds(check)
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 0, worker.stderr())
}

const file = (rows: number, poisoned?: number): string =>
  Array.from({ length: rows }, (_, i) => `${JSON.stringify({ name: i + 1 === poisoned ? POISON : `P ${i}`, price_amount: i })}\n`).join('')

async function imports(app: TestApp, shop: TestTenant, rows: string): Promise<string> {
  const ask = { key: shop.key, raw: rows, headers: { 'Content-Type': 'application/x-ndjson' } }
  return (await app.request('POST', '/api/v1/imports?resource=products', ask)).body.id
}

const statusOf = async ({ sql }: TestApp, id: string) => (await sql`select status from imports where id = ${id}`)[0]?.['status']
const deathsOf = async ({ sql }: TestApp) => (await sql`select deaths from begun_work order by deaths`).map(row => row['deaths'])

describe('work that kills its worker', { concurrency: true }, () => {
  test('an import is given up after the third death, names its lines, and keeps the rows before them; other work under way goes on', async () => {
    const made = await testApp()
    // The lock below is waited for until a worker dies, however long that takes.
    const app = { ...made, databaseUrl: `${made.databaseUrl}?lock_timeout=120000` }
    const shops = [await app.tenant(), await app.tenant()] as const
    const subscriber = await aSubscriber(app)
    const sent = await subscriber.emit(3)
    // The innocent import writes nothing while this is held, so it dies along with the other, at the same row each time.
    const held = await app.sql.reserve()
    await held`set idle_in_transaction_session_timeout = 0`
    await held`begin`
    await held`lock table products in exclusive mode`
    const innocent = await imports(app, shops[0], file(10))
    const guilty = await imports(app, shops[1], file(3_000, 1_500))
    for (let i = 0; i < 2; i++) await deadWorker(app)
    assert.deepEqual(await deathsOf(app), [1, 1], 'a death is counted when other workers find it')
    await held`rollback`
    held.release()
    // Begun beside a suspect, it would be taken for one as well.
    const fresh = await imports(app, shops[0], file(2))
    await deadWorker(app)
    await livingWorker(app, async () => {
      assert.equal(await statusOf(app, guilty), 'failed')
      for (const id of [innocent, fresh]) assert.equal(await statusOf(app, id), 'completed')
      assert.ok(subscriber.receiver.received.length >= sent.length)
    })
    const { error, created } = (await shops[1].get(`/api/v1/imports/${guilty}`)).body
    assert.deepEqual([error.code, created], ['worker_ended', 1_000])
    assert.match(error.message, /ended 3 times at lines 1001 to 2000 of the file/)
    assert.deepEqual(await deathsOf(app), [])
  })

  test('a webhook is held back after the third death and disabled after the fourth, keeps its pending deliveries, and is shown with the way out; another beside it is not', async () => {
    const app = await testApp()
    const { shop, receiver, id, path } = await aSubscriber(app, undefined, { events: ['product.created'] })
    // Its request is under way when the first two die.
    let mute = true
    const slow = await aSubscriber(app, response => void (mute || response.writeHead(204).end()))
    assert.equal((await shop.post('/api/v1/products', { name: POISON, price_amount: 1 })).status, 201)
    await slow.emit()
    for (let i = 0; i < 2; i++) await deadWorker(app)
    mute = false
    await deadWorker(app)
    // The fourth holds it back, and dies when it tries it once more.
    const last = await aWorker({ ...settingsOf(app), ...PRELOAD })
    const held = () => app.sql`
      select from webhook_endpoints where id = ${id} and status = 'enabled' and deaths = 3 and lease_token is null and silent_until > now()`
    await eventually(async () => (await held()).length === 1)
    await app.sql`update webhook_endpoints set silent_until = now() - interval '1 second' where id = ${id}`
    assert.equal(await last.ended, 'SIGKILL', last.stderr())
    await letTimePass(app)
    await livingWorker(app, async () => {
      // At the other the last worker may have died with its lease, when all was recorded: its next slice forgets that.
      const rows = await app.sql`select id, case when deaths > 1 then deaths else 0 end as deaths, status from webhook_endpoints`
      assert.deepEqual(
        rows.map(row => [row['id'], row['deaths'], row['status']]).sort(),
        [
          [id, 4, 'disabled'],
          [slow.id, 0, 'enabled'],
        ].sort(),
      )
    })
    assert.equal((await shop.get(path)).body.disabled_reason, '4 workers ended while sending to it')
    const doctor = shopdesk(['doctor'], settingsOf(app))
    assert.equal(await doctor.ended, 1)
    const [, command] =
      new RegExp(`FAIL {2}set aside .*${id}, disabled after.*: bin/shopdesk (webhook enable ${id} .*)`).exec(doctor.stdout()) ?? []
    assert.ok(command, doctor.stdout())
    assert.equal(receiver.received.length, 0)

    // A version without the fault.
    await app.startWorker()
    const enabling = shopdesk(command.split(' '), settingsOf(app))
    assert.equal(await enabling.ended, 0, enabling.stderr())
    await slow.emit()
    await receiver.until(1)
    await eventuallyHolds(async () => assert.equal((await app.sql`select from webhook_endpoints where deaths > 0`).length, 0))
  })

  test('a webhook that takes several requests at once is cleared by the record of what a dead worker may have begun, though its slice goes on', async () => {
    const app = await testApp()
    const held: ServerResponse[] = []
    let asked = 0
    const { id, receiver, emit } = await aSubscriber(app, response => {
      if (++asked > UNRECORDED_MAX + ENDPOINT_CAP) held.push(response)
      else response.writeHead(204).end()
    })
    await emit(UNRECORDED_MAX + 3 * ENDPOINT_CAP)
    // Two workers died, and a third one that tried the suspect would convict it.
    await app.sql`
      update webhook_endpoints
         set deaths = 2, lease_token = '5e5e5e5e-0000-4000-8000-000000000000', lease_until = now() - interval '1 second', queued_at = null
       where id = ${id}`
    await app.startWorker()
    await receiver.until(UNRECORDED_MAX + ENDPOINT_CAP + 1)
    const stateOf = async () => (await app.sql`select deaths, lease_until > now() as leased from webhook_endpoints where id = ${id}`)[0]
    await eventuallyHolds(async () => assert.deepEqual({ ...(await stateOf()) }, { deaths: 0, leased: true }))
    for (const response of held) response.writeHead(204).end()
  })

  test('a webhook at which workers were killed from outside, one of them in its trial, is sent to again once another ends, and not disabled', async () => {
    const app = await testApp()
    const { sql } = app
    const { id, receiver, emit } = await aSubscriber(app)
    await sql`
      update webhook_endpoints
         set deaths = 3, lease_token = 'dead0000-0000-4000-8000-000000000000', lease_until = now() - interval '1 second'
       where id = ${id}`
    await emit()
    // In a process of its own: tests of this file run beside each other.
    const worker = await aWorker(settingsOf(app))
    await eventually(async () => (await sql`select from webhook_endpoints where id = ${id} and silent_until > now()`).length === 1)
    assert.equal(receiver.received.length, 0)
    await sql`insert into worker_processes (process, host, pid, backend, backend_since) values ('5e5e5e5e-0000-4000', '', 1, 1, now())`
    await sql`insert into worker_pools (id, process, host, pid, version) values ('p', '5e5e5e5e-0000-4000', '', 1, '1')`
    await sql`select worker_gone(array['5e5e5e5e-0000-4000'], array[]::text[])`
    await receiver.until(1)
    await eventuallyHolds(async () => {
      const [row] = await sql`select status, deaths from webhook_endpoints where id = ${id}`
      assert.deepEqual({ ...row }, { status: 'enabled', deaths: 0 })
    })
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0, worker.stderr())
  })

  test('a webhook that is held back is a suspect as before once a worker ends without a trial, and is held for longer where one ends in the trial of another', async () => {
    const app = await testApp()
    const { sql } = app
    const [held, tried] = [await aSubscriber(app), await aSubscriber(app)]
    const stand = async (beatAgo = '0') => {
      await sql`insert into worker_processes (process, host, pid, backend, backend_since) values ('5e5e5e5e-0000-4000', '', 1, 1, now())`
      await sql`
        insert into worker_pools (id, process, host, pid, version, beat_at) values ('p', '5e5e5e5e-0000-4000', '', 1, '1', now() - ${beatAgo}::interval)`
    }
    const gone = () => sql`select gone from worker_gone(array['5e5e5e5e-0000-4000'], array[]::text[])`
    const isHeld = async () =>
      (
        await sql`select deaths, silent_until > now() + interval '11 seconds' as long, silent_until > now() as silent from webhook_endpoints where id = ${held.id}`
      )[0]
    await sql`update webhook_endpoints set deaths = 3, silent_until = now() + interval '10 seconds' where id = ${held.id}`
    await sql`
      update webhook_endpoints
         set deaths = 3, lease_token = '5e5e5e5e-0000-4000-8000-000000000000', lease_until = now() + interval '1 minute' where id = ${tried.id}`
    await stand()
    await gone()
    assert.deepEqual({ ...(await isHeld()) }, { deaths: 3, long: true, silent: true })
    // What is freed again is no further death.
    await gone()
    assert.deepEqual({ ...(await isHeld()) }, { deaths: 3, long: true, silent: true })
    // The next holder of the other has come.
    await sql`update webhook_endpoints set lease_token = null where id = ${tried.id}`
    // It had frozen long before, and so may have died of the one that is held.
    await stand('1 minute')
    await gone()
    assert.deepEqual({ ...(await isHeld()) }, { deaths: 3, long: true, silent: true })
    await stand()
    await gone()
    assert.deepEqual({ ...(await isHeld()) }, { deaths: 2, long: null, silent: null })
  })

  test('a job without a lease of its own is set aside after the third death, shown, and run again or dropped as an operator says', async () => {
    const app = await testApp()
    const shop = await app.tenant()
    const server = await startMailServer()
    const env = { MAIL_FROM: 'shop@shop.example', SMTP_URL: `${server.url}?ignoreTLS=true`, POISONED_PORT: String(server.port) }
    const mail = (name: string) =>
      begin(app.sql, tx => queueMail(tx, { tenant: shop.id, kind: 'test', to: `${name}@shop.example`, subject: 'S', text: 'T' }))
    await mail(POISON)
    for (let i = 0; i < 3; i++) await deadWorker(app, env)
    await mail('ada')
    const setAside = async () => (await app.sql`select id::text as id from begun_work where set_aside_at is not null`)[0]?.['id']
    await livingWorker(app, async () => assert.ok(server.mails.length === 1 && (await setAside()) !== undefined), env)
    const run = async (...args: string[]) => {
      const command = shopdesk(args, settingsOf(app))
      return { code: await command.ended, text: command.stdout() + command.stderr() }
    }
    const id = String(await setAside())
    assert.match((await run('doctor')).text, new RegExp(`FAIL {2}set aside .*mail/send.*job retry ${id}`))
    assert.match((await run('job', 'list')).text, /mail\/send +\{"tenantId"/)
    assert.equal((await run('job', 'retry', id)).code, 0)
    assert.equal((await run('job', 'drop', id)).code, 1)
    const worker = await aWorker({ ...settingsOf(app), ...env })
    await eventually(async () => server.mails.length === 2)
    worker.child.kill('SIGTERM')
    await worker.ended
  })
})
