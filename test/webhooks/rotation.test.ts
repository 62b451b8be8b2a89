// Rotating a secret: both sign while receivers are being told the new one.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { verifyWebhook } from '../../src/outbound/sign.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { anOrder } from '../support/given.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'

const app = await testApp()

suite('rotation', () => {
  let shop: TestTenant
  let receiver: Receiver
  before(async () => {
    await app.startWorker()
    shop = await app.tenant()
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  const given = async () => {
    const made = await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/${Math.random()}`, events: ['order.created'] })
    return {
      id: made.body.id as string,
      url: made.body.url as string,
      path: `/api/v1/webhooks/${made.body.id}`,
      old: made.body.secret as string,
    }
  }
  const rotate = async (path: string) => {
    const rotated = await shop.post(`${path}/rotate-secret`)
    assert.equal(rotated.status, 200, rotated.text)
    return rotated.body
  }
  /** The next request to the endpoint of this address. */
  const next = async (url: string): Promise<Received> => {
    const mine = () => receiver.received.filter(each => url.endsWith(each.path))
    const before = mine().length
    await shop.post('/api/v1/orders', anOrder())
    while (mine().length === before) await receiver.until(receiver.received.length + 1)
    return mine().at(-1) as Received
  }
  const fits = (secret: string, { headers, body }: Received) =>
    verifyWebhook(secret, String(headers['x-service-signature']), body, Date.now() / 1000)
  const signatures = ({ headers }: Received) => String(headers['x-service-signature']).match(/v1=/g)?.length

  test('for 24 hours both secrets sign, the new one first and the old one last', async () => {
    const webhook = await given()
    const rotated = await rotate(webhook.path)
    assert.match(rotated.secret, /^whsec_[0-9a-f]{64}$/)
    assert.notEqual(rotated.secret, webhook.old)
    const hours = (Date.parse(rotated.previous_secret_until) - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours <= 24)
    const sent = await next(webhook.url)
    assert.ok(fits(rotated.secret, sent) && fits(webhook.old, sent))
    const [t, first, last] = String(sent.headers['x-service-signature']).split(',') as [string, string, string]
    assert.ok(fits(rotated.secret, { ...sent, headers: { 'x-service-signature': `${t},${first}` } }))
    assert.ok(fits(webhook.old, { ...sent, headers: { 'x-service-signature': `${t},${last}` } }))
  })

  test('the new secret is shown this once, and a repeat of the request does not show it again', async () => {
    const webhook = await given()
    const first = await shop.post(`${webhook.path}/rotate-secret`, undefined, { 'Idempotency-Key': `rotate-${webhook.id}` })
    assert.equal((await shop.get(webhook.path)).body.secret, undefined)
    const again = await shop.post(`${webhook.path}/rotate-secret`, undefined, { 'Idempotency-Key': `rotate-${webhook.id}` })
    assert.equal(again.status, 409)
    assert.equal(again.body.original.body.id, webhook.id)
    assert.ok(!again.text.includes(first.body.secret))
    assert.ok(fits(first.body.secret, await next(webhook.url)), 'the repeat rotated nothing')
  })

  test('confirmed, the new secret alone signs', async () => {
    const webhook = await given()
    const { secret } = await rotate(webhook.path)
    const confirmed = await shop.post(`${webhook.path}/rotate-secret/confirm`)
    assert.deepEqual([confirmed.status, confirmed.body.previous_secret_until, confirmed.body.secret], [200, null, undefined])
    const sent = await next(webhook.url)
    assert.equal(signatures(sent), 1)
    assert.ok(fits(secret, sent) && !fits(webhook.old, sent))
    assert.equal((await shop.post(`${webhook.path}/rotate-secret/confirm`)).status, 200)
  })

  test('after its time the old secret signs no more, without any request', async () => {
    const webhook = await given()
    const { secret } = await rotate(webhook.path)
    await app.sql`update webhook_endpoints set previous_secret_until = now() - interval '1 second' where id = ${webhook.id}`
    assert.equal((await shop.get(webhook.path)).body.previous_secret_until, null)
    const sent = await next(webhook.url)
    assert.equal(signatures(sent), 1)
    assert.ok(fits(secret, sent))
  })

  test('rotated again before it is confirmed, the secret that receivers know still signs', async () => {
    const webhook = await given()
    const lost = await rotate(webhook.path)
    const { secret } = await rotate(webhook.path)
    const sent = await next(webhook.url)
    assert.equal(signatures(sent), 2)
    assert.ok(fits(secret, sent) && fits(webhook.old, sent) && !fits(lost.secret, sent))
  })

  test('rotated again after it was confirmed, the confirmed one is the old one', async () => {
    const webhook = await given()
    const first = await rotate(webhook.path)
    await shop.post(`${webhook.path}/rotate-secret/confirm`)
    const { secret } = await rotate(webhook.path)
    const sent = await next(webhook.url)
    assert.ok(fits(secret, sent) && fits(first.secret, sent) && !fits(webhook.old, sent))
  })
})
