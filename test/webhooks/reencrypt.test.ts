// SECRET_KEY is rotated to its end: everything is encrypted anew, and the old key goes.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { open, previousBinding } from '../../src/channels/accounts/credentials.ts'
import * as channels from '../../src/channels/channels.ts'
import type { ChannelContext } from '../../src/channels/joining.ts'
import { REENCRYPT_BATCH } from '../../src/limits/secrets.ts'
import { decrypt, encrypt, type Keyring } from '../../src/secrets.ts'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { aWebhook, ok } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const { sql } = app
const written = (keyring: Keyring): string =>
  Object.entries(keyring)
    .map(([id, key]) => `${id}:${key.toString('hex')}`)
    .join(',')

async function run(keyring: Keyring, ...args: string[]) {
  const command = shopdesk(args, { ...settingsOf(app), SECRET_KEY: written(keyring) })
  return { code: await command.ended, stdout: command.stdout(), stderr: command.stderr() }
}

const current: Keyring = { k2: randomBytes(32) }
const both: Keyring = { ...current, ...app.keyring }

test('secrets of an older key are encrypted anew, in batches and for every tenant; then the older key can go', async () => {
  const receiver = await startReceiver()
  after(() => receiver.close())
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const headers = { Authorization: 'Bearer TOPSECRET' }
  const made = ok(await shop.post('/api/v1/webhooks', aWebhook({ url: receiver.origin, headers })))
  ok(await shop.post(`/api/v1/webhooks/${made.id}/rotate-secret`))
  // More than a batch, beside those created over REST.
  const ids = Array.from({ length: REENCRYPT_BATCH + 20 }, (_, n) => `whk_0${String(n).padStart(25, '0')}`)
  const secrets = ids.map(id => encrypt(app.keyring, `whsec_${id}`, `${other.id} ${id} secret`))
  await sql`
    insert into webhook_endpoints (tenant_id, id, url, events, secret, created_at, updated_at)
    select ${other.id}, r.id, 'https://receiver.example', '{order.created}', r.secret, now(), now()
      from unnest(${ids}::text[], ${secrets}::text[]) as r (id, secret)`
  const shown = () => shop.get(`/api/v1/webhooks/${made.id}`)
  const before = (await shown()).text

  const advised = await run(both, 'doctor')
  assert.match(advised.stdout, /ok +secrets +encrypting with key k2, 121 webhooks need k1; .* run: bin\/shopdesk secrets reencrypt/)
  const { code, stdout, stderr } = await run(both, 'secrets', 'reencrypt', '--json')
  assert.deepEqual([code, stderr, JSON.parse(stdout)], [0, '', { key: 'k2', total: 121, done: 121, left: 0 }])
  const { stdout: told } = await run(both, 'secrets', 'reencrypt')
  assert.match(told, /^0 of 0 encrypted anew with key k2: webhooks, channels, payment providers, [a-z, ]+\.\n$/)
  assert.match((await run(both, 'doctor')).stdout, /encrypting with key k2, none needs k1$/m)
  assert.equal((await shown()).text, before, 'the webhook is as it was')

  // With the new key alone a worker signs with both secrets, and sends the headers.
  const worker = await startWorker({ ...app, keyring: current })
  ok(await shop.post(`/api/v1/webhooks/${made.id}/test`))
  const [sent] = await receiver.until(1)
  await worker.close()
  assert.match(String(sent?.headers['x-service-signature']), /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  assert.equal(sent?.headers.authorization, headers.Authorization)
})

test('what channels and payment providers keep is encrypted anew as well', async () => {
  const shop = await app.tenant()
  const channel = await aChannel(app, shop, { credentials: { secret: 'whsec_1', token: 't' } })
  const old = { keyring: app.keyring, outbound: app.config.outbound } as ChannelContext
  await channels.rotateSecret(sql, { tenant: shop.id, actor: { type: 'cli' } }, channel, old)
  assert.match((await run(both, 'doctor')).stdout, /encrypting with key k2, 1 channels need k1/)
  const { code, stdout } = await run(both, 'secrets', 'reencrypt', '--json')
  assert.deepEqual([code, JSON.parse(stdout)], [0, { key: 'k2', total: 1, done: 1, left: 0 }])
  const [row] = await sql`select credentials, previous_secret from channels where id = ${channel}`
  assert.equal(open(current, shop.id, channel, row?.['credentials']).token, 't')
  assert.equal(decrypt(current, row?.['previous_secret'], previousBinding(shop.id, channel)), 'whsec_1')
})

test('a secret whose key is gone is left as it is and reported, and the rest is encrypted anew all the same', async () => {
  const shop = await app.tenant()
  const foreign: Keyring = { gone: randomBytes(32) }
  const [one, two] = [ok(await shop.post('/api/v1/webhooks', aWebhook())), ok(await shop.post('/api/v1/webhooks', aWebhook()))]
  const headers = encrypt(foreign, '{"X-A":"1"}', `${shop.id} ${one.id} headers`)
  await sql`update webhook_endpoints set headers = ${headers}, header_names = '{X-A}' where id = ${one.id}`
  const { code, stdout, stderr } = await run(both, 'secrets', 'reencrypt', '--json')
  assert.deepEqual([code, JSON.parse(stdout)], [1, { key: 'k2', total: 2, done: 1, left: 1 }])
  assert.match(stderr, /^1 of them need a key that SECRET_KEY lacks/)
  const rows = await sql`select id, secret, headers from webhook_endpoints where tenant_id = ${shop.id} order by id`
  assert.deepEqual(
    rows.map(row => [row['id'], row['secret'].slice(0, 3), row['headers']]),
    [
      [one.id, 'k1.', headers],
      [two.id, 'k2.', null],
    ],
  )
  assert.match((await run(both, 'doctor')).stdout, /FAIL +secrets +secrets at rest need the key gone;/)
})
