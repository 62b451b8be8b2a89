// A webhook that moves to another receiver leaves its own headers behind: their values are credentials of the one before.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { begin } from '../../src/postgres/sql.ts'
import { moveTo } from '../../src/webhooks/endpoints/endpoints.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anOrder, ok } from '../support/given.ts'
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
await app.startWorker()

const receiver = async (respond?: Respond): Promise<Receiver> => {
  const started = await startReceiver(respond)
  after(() => started.close())
  return started
}

/** A webhook with two headers of its own, whose receiver is `from`. */
async function given(from: Receiver) {
  const shop = await app.tenant()
  const headers = { Authorization: 'Bearer TOPSECRET', 'X-Shop': '7' }
  const made = ok(await shop.post('/api/v1/webhooks', { url: `${from.origin}/hooks`, events: ['order.created'], headers }))
  return { shop, id: made.id as string, path: `/api/v1/webhooks/${made.id}` }
}

test('a webhook that moves to another origin sends its own headers there no more, and the answer names them', async () => {
  const [from, to] = [await receiver(), await receiver()]
  const webhook = await given(from)
  const moved = await webhook.shop.patch(webhook.path, { url: to.origin })
  assert.deepEqual([ok(moved).headers, moved.body.headers_dropped], [{}, ['Authorization', 'X-Shop']])
  const shown = await webhook.shop.get(webhook.path)
  assert.deepEqual([shown.body.headers, 'headers_dropped' in shown.body], [{}, false])
  assert.equal(shown.headers.get('etag'), moved.headers.get('etag'), 'the dropped headers are no part of the webhook')
  ok(await webhook.shop.post(`${webhook.path}/test`))
  const [sent] = await to.until(1)
  assert.deepEqual([sent?.headers.authorization, sent?.headers['x-shop']], [undefined, undefined])
  assert.match(String(sent?.headers['x-service-signature']), /^t=\d+,v1=/)
  const [row] = await app.sql`select headers, header_names from webhook_endpoints where id = ${webhook.id}`
  assert.deepEqual([row?.['headers'], row?.['header_names']], [null, []])
  const [audited] = await app.sql`select details from audit_log where subject_id = ${webhook.id} and action = 'webhook.update'`
  assert.deepEqual(audited?.['details'], { fields: ['url'], headers_dropped: ['Authorization', 'X-Shop'] })
})

test('headers given in the same request go along; those removed in it are not reported as dropped', async () => {
  const [from, to] = [await receiver(), await receiver()]
  const one = await given(from)
  const some = ok(await one.shop.patch(one.path, { url: to.origin, headers: { authorization: 'Bearer NEW' } }))
  assert.deepEqual([some.headers, some.headers_dropped], [{ authorization: '••••' }, ['X-Shop']])
  ok(await one.shop.post(`${one.path}/test`))
  const [sent] = await to.until(1)
  assert.deepEqual([sent?.headers.authorization, sent?.headers['x-shop']], ['Bearer NEW', undefined])
  const two = await given(from)
  const all = ok(await two.shop.patch(two.path, { url: to.origin, headers: { Authorization: null, 'x-shop': '8' } }))
  assert.deepEqual([all.headers, 'headers_dropped' in all], [{ 'x-shop': '••••' }, false])
})

test('on its own origin a webhook keeps its headers, however its URL is written', async () => {
  const from = await receiver()
  const webhook = await given(from)
  for (const url of [`${from.origin}/other?shop=7`, from.origin.replace('http:', 'HTTP:')]) {
    const moved = ok(await webhook.shop.patch(webhook.path, { url }))
    assert.deepEqual([Object.keys(moved.headers), 'headers_dropped' in moved], [['Authorization', 'X-Shop'], false])
  }
  ok(await webhook.shop.post(`${webhook.path}/test`))
  assert.equal((await from.until(1))[0]?.headers.authorization, 'Bearer TOPSECRET')
})

test('a scheme, a port or a name of its own is another origin', async () => {
  const from = await receiver()
  for (const url of [from.origin.replace('http:', 'https:'), 'http://127.0.0.1:4', from.origin.replace('127.0.0.1', 'localhost')]) {
    const webhook = await given(from)
    assert.deepEqual(ok(await webhook.shop.patch(webhook.path, { url })).headers_dropped, ['Authorization', 'X-Shop'], url)
  }
})

test('deliveries and recoveries under way while it moves take no earlier header along', async () => {
  const held: (() => void)[] = []
  let holding = true
  const from = await receiver(response => {
    const answer = () => void response.writeHead(204).end()
    if (holding) held.push(answer)
    else answer()
  })
  const to = await receiver()
  const webhook = await given(from)
  for (let n = 0; n < 30; n++) ok(await webhook.shop.post('/api/v1/orders', anOrder()))
  const all = { scope: 'all', since: new Date(Date.now() - 60_000).toISOString(), max_per_second: 100 }
  const recovery = ok(await webhook.shop.post(`${webhook.path}/recoveries`, all))
  // As many as may be at once, of both; more of both is claimed or selected.
  await from.until(10)
  ok(await webhook.shop.patch(webhook.path, { url: to.origin }))
  holding = false
  for (const answer of held) answer()
  await eventuallyHolds(async () => {
    assert.equal(ok(await webhook.shop.get(`${webhook.path}/recoveries/${recovery.id}`)).state, 'completed')
    assert.deepEqual(ok(await webhook.shop.get(`${webhook.path}/deliveries?state=pending`)).data, [])
  })
  const taken = ({ received }: Receiver) => [...new Set(received.map(({ headers }) => headers.authorization))]
  assert.deepEqual([taken(from), taken(to)], [['Bearer TOPSECRET'], [undefined]])
})

test('the command line drops them too, and so does the move that the demo makes', async () => {
  const [from, to] = [await receiver(), await receiver()]
  const webhook = await given(from)
  const update = shopdesk(['webhook', 'update', webhook.id, '--tenant', webhook.shop.id, '--url', to.origin, '--json'], settingsOf(app))
  assert.equal(await update.ended, 0, update.stderr())
  assert.deepEqual(JSON.parse(update.stdout()).headers_dropped, ['Authorization', 'X-Shop'])
  ok(await webhook.shop.patch(webhook.path, { headers: { 'X-Key': 'k' } }))
  await begin(app.sql, tx => moveTo(tx, { tenant: webhook.shop.id, actor: { type: 'system' } }, webhook.id, from.origin))
  assert.deepEqual(ok(await webhook.shop.get(webhook.path)).headers, {})
})
