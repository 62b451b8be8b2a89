// Webhooks over REST: created, read, changed, deleted, enabled and disabled.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { pruneAll } from '../../src/postgres/prune.ts'
import { decrypt } from '../../src/secrets.ts'
import { secretBinding } from '../../src/webhooks/endpoints/secrets.ts'
import { pruneDeleted } from '../../src/webhooks/prune-store.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { anOrder, assertProblem, aWebhook, nobody } from '../support/given.ts'

const app = await testApp()
const WEBHOOKS = '/api/v1/webhooks'

const create = async (shop: TestTenant, over: Record<string, unknown> = {}): Promise<Reply['body']> => {
  const reply = await shop.post(WEBHOOKS, aWebhook(over))
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const pathOf = ({ id }: { id: string }) => `${WEBHOOKS}/${id}`
const pending = async (shop: TestTenant): Promise<number> =>
  (await app.sql`select 1 from webhook_deliveries where tenant_id = ${shop.id} and state = 'pending'`).length

test('a webhook is created with 201 and Location, and shows its secret of 32 bytes this once', async () => {
  const shop = await app.tenant()
  const reply = await shop.post(WEBHOOKS, { url: 'https://receiver.example/hooks?x=1', events: ['order.created', 'order.paid'] })
  assert.equal(reply.status, 201)
  const { secret, ...webhook } = reply.body
  assert.equal(reply.headers.get('location'), pathOf(webhook))
  assert.match(webhook.id, /^whk_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.match(secret, /^whsec_[0-9a-f]{64}$/)
  assert.match(webhook.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(webhook.object, 'webhook')
  assert.equal(webhook.url, 'https://receiver.example/hooks?x=1')
  assert.deepEqual(webhook.events, ['order.created', 'order.paid'])
  assert.deepEqual(
    [webhook.status, webhook.description, webhook.max_parallel, webhook.consecutive_failures, webhook.version],
    ['enabled', null, 8, 0, 1],
  )
  assert.deepEqual((await shop.get(pathOf(webhook))).body, webhook)
  assert.ok(!(await shop.get(WEBHOOKS)).text.includes('whsec_'))
})

test('the secret is kept encrypted, and decrypts for this endpoint alone', async () => {
  const shop = await app.tenant()
  const [one, two] = [await create(shop), await create(shop)]
  assert.notEqual(one.secret, two.secret)
  const [row] = await app.sql`select secret from webhook_endpoints where id = ${one.id}`
  assert.ok(!row?.['secret'].includes(one.secret.slice(6)))
  assert.equal(decrypt(app.keyring, row?.['secret'], secretBinding(shop.id, one.id)), one.secret)
  assert.throws(() => decrypt(app.keyring, row?.['secret'], secretBinding(shop.id, two.id)))
})

test('every event type of the interface can be subscribed to', async () => {
  const shop = await app.tenant()
  const events = [
    'order.created',
    'order.paid',
    'order.shipped',
    'order.cancelled',
    'order.refunded',
    'order.status_changed',
    'message.received',
    'conversation.started',
  ]
  assert.deepEqual((await create(shop, { events })).events, events)
})

test('a change sets the given fields alone, and counts the version', async () => {
  const shop = await app.tenant()
  const { secret, ...before } = await create(shop, { description: 'The till' })
  const { body } = await shop.patch(pathOf(before), { events: ['order.paid'], max_parallel: 1 })
  assert.deepEqual(body, { ...before, events: ['order.paid'], max_parallel: 1, version: 2, updated_at: body.updated_at })
  const cleared = (await shop.patch(pathOf(before), { description: null })).body
  assert.deepEqual(cleared, { ...body, description: null, version: 3, updated_at: cleared.updated_at })
  const refused = await shop.patch(pathOf(before), { url: 'http://receiver.example/hooks' })
  assertProblem(refused, { status: 422, slug: 'validation-failed', instance: pathOf(before), field: 'url' })
  assert.deepEqual((await shop.get(pathOf(before))).body, cleared)
})

test('only subscribed events get a delivery, and only while the webhook is enabled', async () => {
  const shop = await app.tenant()
  const webhook = await create(shop, { events: ['order.cancelled'] })
  const { body: order } = await shop.post('/api/v1/orders', anOrder())
  assert.equal(await pending(shop), 0)
  await shop.patch(`/api/v1/orders/${order.id}`, { status: 'CANCELLED' })
  assert.equal(await pending(shop), 1)
  const disabled = (await shop.post(`${pathOf(webhook)}/disable`)).body
  assert.equal(disabled.status, 'disabled')
  assert.ok(disabled.disabled_at && disabled.disabled_reason)
  const { body: second } = await shop.post('/api/v1/orders', anOrder())
  await shop.patch(`/api/v1/orders/${second.id}`, { status: 'CANCELLED' })
  assert.equal(await pending(shop), 1, 'the pending delivery is kept, none is added')
  const enabled = (await shop.post(`${pathOf(webhook)}/enable`)).body
  assert.deepEqual([enabled.status, enabled.disabled_at, enabled.disabled_reason, enabled.consecutive_failures], ['enabled', null, null, 0])
})

test('deleting removes the pending deliveries too, and succeeds once', async () => {
  const shop = await app.tenant()
  const [gone, kept] = [await create(shop), await create(shop)]
  await shop.post('/api/v1/orders', anOrder())
  assert.equal(await pending(shop), 2)
  const reply = await shop.delete(pathOf(gone))
  assert.equal(reply.status, 200)
  assert.deepEqual(reply.body, { object: 'webhook', id: gone.id, deleted: true })
  await pruneAll(app.sql, pruneDeleted)
  assert.equal(await pending(shop), 1)
  assert.deepEqual(
    (await shop.get(WEBHOOKS)).body.data.map((each: { id: string }) => each.id),
    [kept.id],
  )
  for (const again of [await shop.delete(pathOf(gone)), await shop.get(pathOf(gone))])
    assertProblem(again, { status: 404, slug: 'resource-not-found', instance: pathOf(gone) })
})

test('every write leaves an audit row, and none holds the secret', async () => {
  const shop = await app.tenant()
  const webhook = await create(shop)
  await shop.patch(pathOf(webhook), { description: 'x' })
  await shop.post(`${pathOf(webhook)}/disable`)
  await shop.post(`${pathOf(webhook)}/enable`)
  await shop.delete(pathOf(webhook))
  const rows = await app.sql`select action, subject_id, details from audit_log where tenant_id = ${shop.id} order by id`
  assert.deepEqual(
    rows.map(row => row['action']),
    ['create', 'update', 'disable', 'enable', 'delete'].map(verb => `webhook.${verb}`),
  )
  assert.ok(rows.every(row => row['subject_id'] === webhook.id))
  assert.ok(!JSON.stringify(rows).includes(webhook.secret))
})

suite('the URL of a webhook', async () => {
  const strict = await testApp({ OUTBOUND_ALLOW_PRIVATE: 'false' })
  const shop = await strict.tenant()
  const addresses = [
    'http://receiver.example/',
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://printer.local/',
    'https://db.internal/',
    'https://100.64.0.1/',
  ]
  for (const url of addresses)
    test(`${url} is refused when a webhook is created and when it is changed`, async () => {
      assertProblem(await shop.post(WEBHOOKS, aWebhook({ url })), {
        status: 422,
        slug: 'validation-failed',
        instance: WEBHOOKS,
        field: 'url',
      })
    })
})

test('an id that names nothing is a 404 on every route', async () => {
  const shop = await app.tenant()
  const path = pathOf({ id: nobody('whk') })
  for (const [at, reply] of [
    [path, await shop.get(path)],
    [path, await shop.patch(path, { description: 'x' })],
    [path, await shop.delete(path)],
    [`${path}/enable`, await shop.post(`${path}/enable`)],
    [`${path}/disable`, await shop.post(`${path}/disable`)],
  ] as const)
    assertProblem(reply, { status: 404, slug: 'resource-not-found', instance: at })
})
