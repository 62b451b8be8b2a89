// Limits on what a workspace may have, tested by many requests at once. No worker runs, so nothing that is accepted ends meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as channels from '../../src/channels/channels.ts'
import type { ChannelContext } from '../../src/channels/joining.ts'
import { remove as removeChannel } from '../../src/channels/status.ts'
import { CHANNELS_PER_WORKSPACE } from '../../src/limits/channels.ts'
import { EXPORTS_OF_TENANT } from '../../src/limits/exports.ts'
import { IMPORTS_OF_TENANT } from '../../src/limits/imports.ts'
import { PROVIDERS_MAX } from '../../src/limits/payments.ts'
import * as providers from '../../src/payments/providers/providers.ts'
import { begin } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { lockTenant } from '../../src/tenants/tenants.ts'
import { NDJSON } from '../imports/importing.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { anOrder, aWebhook } from '../support/given.ts'
import { sessionWaits } from '../support/locks.ts'

const app = await testApp()

/** The answers, and how often each was given. */
function tally(replies: Reply[]): Record<string, number> {
  const answers = replies.map(({ status, body }) => (status < 300 ? String(status) : `${status} ${body.code}`))
  return Object.fromEntries([...new Set(answers)].sort().map(answer => [answer, answers.filter(each => each === answer).length]))
}

const atOnce = (count: number, one: () => Promise<Reply>) => Promise.all(Array.from({ length: count }, one))

const ROUNDS = 8

async function recover(shop: TestTenant): Promise<Reply> {
  const { body } = await shop.get('/api/v1/webhooks')
  return shop.post(`/api/v1/webhooks/${body.data[0].id}/recoveries`, { scope: 'undelivered' })
}

const RACES: [string, number, number, (shop: TestTenant) => Promise<Reply>, string][] = [
  ['exports', EXPORTS_OF_TENANT, 20, shop => shop.post('/api/v1/exports', { resource: 'orders' }), 'too_many_exports'],
  // As many as a workspace may send at once.
  ['imports', IMPORTS_OF_TENANT, 12, shop => send(shop, '{"name":"Cap","price_amount":900}\n'), 'too_many_imports'],
  ['recoveries of a webhook', 1, 20, recover, 'recovery_running'],
]

const send = (shop: TestTenant, raw: string) =>
  app.request('POST', '/api/v1/imports?resource=products', { key: shop.key, raw, headers: { 'Content-Type': NDJSON } })

for (const [what, allowed, asked, one, code] of RACES)
  test(`${asked} ${what} asked for at once: ${allowed} are accepted, every time`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const shop = await app.tenant()
      await shop.post('/api/v1/webhooks', aWebhook())
      const replies = await atOnce(asked, () => one(shop))
      assert.deepEqual(tally(replies), { 202: allowed, [`409 ${code}`]: asked - allowed }, `round ${round}`)
    }
  })

test('a workspace has as many channels and payment providers as it may, and one that is deleted makes room', async () => {
  const { id: tenant } = await app.tenant()
  const caller = { tenant, actor: { type: 'cli' } } as const
  const context = { keyring: app.keyring, outbound: app.config.outbound, shown: { baseUrl: app.url, attachmentBytes: 1 }, client: NOBODY }
  const channel = () => channels.create(app.sql, caller, { platform: 'web', origins: ['https://shop.example'] }, 'trust', context)
  const provider = () =>
    begin(app.sql, tx => providers.create(tx, caller, { provider: 'generic' }, { keyring: app.keyring, baseUrl: app.url }))
  for (const [most, make, remove] of [
    [CHANNELS_PER_WORKSPACE, channel, (id: string) => removeChannel(app.sql, caller, id, context)],
    [PROVIDERS_MAX, provider, (id: string) => begin(app.sql, tx => providers.remove(tx, caller, id))],
  ] as const) {
    const made = await Promise.allSettled(Array.from({ length: most + 3 }, () => make()))
    const [ids, refused] = Map.groupBy(made, each => each.status === 'fulfilled').values() as unknown as [typeof made, typeof made]
    assert.deepEqual([ids.length, refused.length], [most, 3])
    for (const each of refused) assert.equal(codeOf(each), 'quota_reached')
    await remove((ids[0] as PromiseFulfilledResult<{ id: string }>).value.id)
    assert.ok((await make()).id)
  }
})

test('what waits for a workspace’s lock has one connection, however many requests wait, and others are served; in the end all are made', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const made = await begin(app.sql, async tx => {
    await lockTenant(tx, shop.id)
    const made = atOnce(24, () => shop.post('/api/v1/webhooks', aWebhook()))
    await sessionWaits(app.sql)
    assert.equal((await other.post('/api/v1/webhooks', aWebhook())).status, 201)
    const waiting = await app.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    assert.ok(waiting.length <= 2, `${waiting.length} wait`)
    return [made]
  })
  // A machine that is so slow that the lock was held for five seconds has refused the first of them.
  const replies = await (made[0] as Promise<Reply[]>)
  assert.ok(replies.filter(({ status }) => status === 201).length >= 22, JSON.stringify(tally(replies)))
})

/** Nothing is asked of it. */
const NOBODY = {} as ChannelContext['client']
const codeOf = (settled: PromiseSettledResult<unknown>) =>
  settled.status === 'rejected' && settled.reason instanceof Problem ? settled.reason.members['code'] : undefined

test('while a limit is counted, orders are placed and other workspaces are served', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const [counted] = await begin(app.sql, async tx => {
    await lockTenant(tx, shop.id)
    const counted = shop.post('/api/v1/exports', { resource: 'orders' })
    await sessionWaits(app.sql)
    assert.equal((await shop.post('/api/v1/orders', anOrder())).status, 201)
    assert.equal((await shop.get('/api/v1/orders')).status, 200)
    assert.equal((await other.post('/api/v1/exports', { resource: 'orders' })).status, 202)
    return [counted]
  })
  assert.equal((await counted)?.status, 202)
})
