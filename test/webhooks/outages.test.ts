// Our own outages, at a hundredth of their length: ten minutes are six seconds, in which a webhook whose receiver is down is disabled three times over.
// None of the others is, nothing of theirs is counted, and all of it arrives when the outage is over.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { FAILURES_TO_DISABLE } from '../../src/limits/webhooks.ts'
import { type TestApp, type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { startNameServer } from '../support/name-server.ts'
import { type Respond, startReceiver, testCertificate } from '../support/receiver.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'
import { emitted } from '../support/subscriber.ts'

/** A house: how many workspaces, and the webhooks of each. That of two is in test/outbound/own-fault.test.ts. */
type Size = readonly [workspaces: number, each: number]
const ONE: Size = [1, 6]
const TWENTY: Size = [20, 1]
const OUTAGE_MS = 6_000
const SCHEDULE = { WEBHOOK_SCHEDULE: '0,0.08,0.6,3,18' }

interface House {
  app: TestApp
  shops: string[]
  webhooks: number
  /** The webhook whose receiver is down all the time. */
  dead: string
  /** The rows of all webhooks but the dead one. */
  rows(): Promise<{ status: string; failures: number; attempts: number }[]>
  disabled(webhook: string): Promise<boolean>
}

/** @param urlOf of a webhook, by its number. Every house has its own service, for a worker judges by what it sent itself */
async function house([tenants, each]: Size, urlOf: (webhook: number) => string, deadUrl: string): Promise<House> {
  const app = await testApp(SCHEDULE)
  const shops = await Promise.all(Array.from({ length: tenants }, () => app.tenant()))
  const subscribe = async (shop: TestTenant, url: string): Promise<string> => {
    const made = await shop.post('/api/v1/webhooks', { url, events: ['order.created'] })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  const ids = await Promise.all(Array.from({ length: tenants * each }, (_, n) => subscribe(shops[n % tenants] as TestTenant, urlOf(n))))
  return {
    app,
    shops: shops.map(({ id }) => id),
    webhooks: ids.length,
    dead: await subscribe(shops[0] as TestTenant, deadUrl),
    rows: () => app.sql`
      select w.status, w.failures, (select count(*) from webhook_attempts a where a.endpoint_id = w.id and a.error is not null)::int as attempts
        from webhook_endpoints w where w.id = any(${ids}) order by w.id`,
    disabled: async webhook => (await app.sql`select 1 from webhook_endpoints where id = ${webhook} and status = 'disabled'`).length > 0,
  }
}

// Several each: five failures in a row disable a webhook, not the five attempts of one event.
const EVENTS = 10
const eventsForAll = ({ app, shops }: House) => Promise.all(shops.map(id => emitted(app.sql, id, EVENTS)))

describe('in an outage of our own, as ', { concurrency: false }, () => {
  test('the name servers are away, refusing and then silent, no webhook is disabled but the one whose receiver is down', async () => {
    const names = await startNameServer(() => ({ addresses: ['127.0.0.1'], ttl: 0 }), 'options timeout:1 attempts:1')
    after(names.close)
    const receiver = await startReceiver(undefined, { tls: true })
    after(receiver.close)
    const closed = await startReceiver()
    await closed.close()
    const at = await house(TWENTY, n => `https://receiver.test:${receiver.port}/${n}`, closed.origin)
    await at.app.startWorker({ ...names.files, ca: testCertificate })
    await names.away('closed')
    await eventsForAll(at)
    await pause(OUTAGE_MS / 2)
    await names.away('silent')
    await pause(OUTAGE_MS / 2)
    await eventually(() => at.disabled(at.dead))
    assert.deepEqual(
      (await at.rows()).filter(row => row.status !== 'enabled' || row.failures > 0 || row.attempts > 0),
      [],
    )
    await names.back()
    await receiver.until(at.webhooks * EVENTS)
    assert.equal(new Set(receiver.received.map(({ path }) => path)).size, at.webhooks)
  })

  for (const size of [ONE, TWENTY])
    test(`hardly any receiver answers in a house of ${size[0]}, the fault is taken for our own; a receiver that stays down is disabled afterwards`, async () => {
      let down = true
      const respond: Respond = (response, { path }) =>
        void (down || path === '/dead' ? response.socket?.destroy() : response.writeHead(204).end())
      const receiver = await startReceiver(respond)
      after(receiver.close)
      // Each a host of its own, as far as names go.
      const at = await house(size, n => `http://shop${n}.localhost:${receiver.port}/${n}`, `http://dead.localhost:${receiver.port}/dead`)
      const settings = { ...settingsOf(at.app), ...SCHEDULE }
      const worker = await aWorker(settings)
      await eventsForAll(at)
      const trouble = () => at.app.sql`select 1 from worker_pools where trouble like 'hardly any receiver%'`
      await eventually(async () => (await trouble()).length === 1)
      await worker.says(/"level":50.*sending is paused: hardly any receiver .*counts against no webhook/)
      const doctor = shopdesk(['doctor'], settings)
      assert.equal(await doctor.ended, 1)
      assert.match(doctor.stdout(), /FAIL {2}workers .*PAUSES SENDING: hardly any receiver/)
      // Until most were seen to fail, some had to be believed. From then on nothing is counted.
      const before = await at.rows()
      assert.ok(before.every(({ status, failures }) => status === 'enabled' && failures < FAILURES_TO_DISABLE))
      await pause(OUTAGE_MS)
      assert.deepEqual(await at.rows(), before)
      assert.equal(await at.disabled(at.dead), false)
      down = false
      await eventuallyHolds(async () => {
        const arrived = await at.app.sql`select 1 from webhook_attempts where status = 204`
        assert.equal(arrived.length, at.webhooks * EVENTS)
      })
      await eventually(() => at.disabled(at.dead))
      await eventually(async () => (await trouble()).length === 0)
      await worker.says(/"level":40.*sending goes on; it was paused because hardly any receiver/)
      assert.ok((await at.rows()).every(({ status, failures }) => status === 'enabled' && failures === 0))
      worker.child.kill('SIGTERM')
      assert.equal(await worker.ended, 0, worker.stderr())
    })
})
