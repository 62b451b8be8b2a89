// A webhook's settings change while it is being sent to: neither its attempts nor its failures are lost or burnt by it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { FAILURES_TO_DISABLE } from '../../src/limits/webhooks.ts'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { waitingForAdvisory } from '../support/locks.ts'
import { recoverableWebhook } from './recovering.ts'

// The second attempt comes 1.8 to 2.2 s after the first.
const SECOND_MS = 2_000
const app = await testApp({ WEBHOOK_SCHEDULE: '0,2,4,6,8' })

type Hook = Awaited<ReturnType<typeof recoverableWebhook>>

/** A receiver that refuses, each time after `change` was made. */
async function refusing(change: (webhook: Hook) => Promise<unknown>, over: object): Promise<Hook> {
  let known: Hook | undefined
  const webhook = await recoverableWebhook(
    app,
    async response => {
      await change(known as Hook)
      response.writeHead(500).end()
    },
    over,
  )
  known = webhook
  return webhook
}

/** By the log, for a busy machine receives late what was sent in time. */
async function assertBySchedule({ id }: Hook): Promise<void> {
  const attempts = () => app.sql<{ at: Date }[]>`select started_at as at from webhook_attempts where endpoint_id = ${id} order by id`
  const [first, second] = await eventually(async () => {
    const rows = await attempts()
    return rows.length >= 2 && rows.map(({ at }) => at.getTime())
  })
  const tookMs = (second as number) - (first as number)
  assert.ok(tookMs >= 0.9 * SECOND_MS, `the second attempt came after ${tookMs} ms`)
}

const changes: Record<string, (webhook: Hook) => Promise<unknown>> = {
  'its description is changed': async ({ shop, path }) => ok(await shop.patch(path, { description: `at ${performance.now()}` })),
  'its secret is rotated': async ({ shop, path }) => (await shop.post(`${path}/rotate-secret`)).status,
  'it is paused and resumed': async ({ shop, path }) => [ok(await shop.post(`${path}/pause`)), ok(await shop.post(`${path}/resume`))],
  'its rate is changed': async ({ shop, path }) => ok(await shop.patch(path, { max_per_minute: 6000 })),
}

describe('while an attempt is under way', { concurrency: true }, () => {
  before(() => app.startWorker())

  for (const [what, change] of Object.entries(changes))
    for (const max_parallel of [1, 8])
      test(`${what}: the next attempt of max_parallel ${max_parallel} comes by the schedule, and the failure counts`, async () => {
        const webhook = await refusing(change, { max_parallel })
        await webhook.emit()
        await webhook.receiver.until(1)
        await eventuallyHolds(async () => assert.equal((await webhook.health())['failures'], 1))
        await assertBySchedule(webhook)
      })

  for (const before of [6_000, null])
    test(`its rate is changed from ${before} to one a minute: that request counts, and so no other is made for a minute`, async () => {
      const webhook: Hook = await recoverableWebhook(
        app,
        async response => {
          ok(await webhook.shop.patch(webhook.path, { max_per_minute: 1 }))
          response.writeHead(204).end()
        },
        { max_per_minute: before },
      )
      const since = Date.now()
      await webhook.emit(2)
      const row = async () => (await app.sql`select lease_token, silent_until from webhook_endpoints where id = ${webhook.id}`)[0]
      const silentUntil = await eventually(async () => {
        const { lease_token, silent_until } = (await row()) ?? {}
        return webhook.receiver.received.length > 0 && lease_token === null && silent_until
      })
      assert.ok(silentUntil.getTime() - since > 59_000, `silent until ${silentUntil}`)
      const count = webhook.receiver.received.length
      // The same rate again is no new one.
      ok(await webhook.shop.patch(webhook.path, { max_per_minute: 1 }))
      assert.deepEqual((await row())?.['silent_until'], silentUntil)
      assert.ok(count <= 2 && webhook.receiver.received.length === count, `${count} requests`)
    })

  test('an ordered webhook moves to another address: its next attempt there comes by the schedule, and the old one’s answer does not count', async () => {
    const webhook = await refusing(({ shop, path, receiver }) => shop.patch(path, { url: `${receiver.origin}/moved` }), {
      max_parallel: 1,
    })
    await webhook.emit(2)
    await webhook.receiver.until(2)
    await assertBySchedule(webhook)
    assert.deepEqual(
      webhook.receiver.received.slice(0, 2).map(({ path, body }) => [path, JSON.parse(body.toString()).data.n]),
      [
        ['/', 0],
        ['/moved', 0],
      ],
    )
    await eventuallyHolds(async () => {
      const [row] = await app.sql`
        select failures, (select count(*) from webhook_attempts where endpoint_id = e.id) as attempts from webhook_endpoints e where id = ${webhook.id}`
      assert.deepEqual({ ...row }, { failures: 1, attempts: 2 })
    })
  })

  test('it is disabled and enabled: its slate is clean, and when ordered, a delivery that failed meanwhile waits for its time', async () => {
    const webhook = await refusing(
      async ({ shop, path }) => [ok(await shop.post(`${path}/disable`)), ok(await shop.post(`${path}/enable`))],
      { max_parallel: 1 },
    )
    await webhook.emit()
    await webhook.receiver.until(2)
    await assertBySchedule(webhook)
    assert.equal((await webhook.health())['failures'], 0)
  })

  test('it is enabled after its fifth failure and before it is disabled for that: it stays enabled, and nothing is told', async () => {
    const { sql } = app
    // The disabling is decided, and waits before it has looked at the row.
    await sql.unsafe(`
      create function hold_disabling() returns trigger language plpgsql as $$ begin
        if current_setting('application_name') = 'shopdesk worker' and current_query() like '%disabled_at = now()%' then
          perform pg_advisory_xact_lock(5);
        end if;
        return null; end $$;
      create trigger hold_disabling before update on webhook_endpoints for each statement execute function hold_disabling()`)
    const held = await sql.reserve()
    await held`select pg_advisory_lock(5)`
    const waiting = async () => (await waitingForAdvisory(sql, 5)).length
    const webhook = await recoverableWebhook(app, response => response.writeHead(500).end())
    const minute = new Date(Date.now() - 60_000)
    await sql`
      update webhook_endpoints set failures = ${FAILURES_TO_DISABLE - 1}, failing_since = ${minute}, failure_known_at = ${minute} where id = ${webhook.id}`
    await webhook.emit()
    await eventuallyHolds(async () => assert.equal(await waiting(), 1))
    assert.equal((await webhook.health())['failures'], FAILURES_TO_DISABLE)
    // The slate is clean, and stays so: what is due comes later.
    await sql`update webhook_deliveries set due_at = now() + interval '1 hour' where endpoint_id = ${webhook.id}`
    ok(await webhook.shop.post(`${webhook.path}/enable`))
    await held`select pg_advisory_unlock(5)`
    held.release()
    await eventuallyHolds(async () => {
      assert.equal(await waiting(), 0)
      assert.equal((await sql`select 1 from webhook_endpoints where id = ${webhook.id} and lease_token is null`).length, 1)
    })
    assert.deepEqual([(await webhook.health())['status'], (await webhook.health())['failures']], ['enabled', 0])
    assert.equal((await sql`select 1 from events where tenant_id = ${webhook.shop.id} and type = 'webhook.disabled'`).length, 0)
  })
})
