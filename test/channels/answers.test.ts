// What each answer of a platform means: for the message, for its code, for the channel, and how many requests the platform sees.
import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import type { Message } from '../../src/conversations/schema.ts'
import { freePort } from '../../src/loopback.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Behaviour, startPlatform } from '../support/platform.ts'
import { aSendingChannel, aTalk } from '../support/sending.ts'

const app = await testApp({ CHANNEL_TIMEOUT_MS: '3000', MESSAGE_SCHEDULE: '0,2,2,2,2,2' })
before(() => app.startWorker())

interface Row {
  platform: PlatformName
  /** How the message is answered each time it is sent. */
  by: Behaviour[]
  status: Message['status']
  code?: string
  /** Part of what the message says of it. */
  words?: RegExp
  requests: number
  channel?: 'enabled' | 'failing'
  /** The customer cannot be written to by it, until they write. */
  isBlock?: true
}

const telegram = (error_code: number, description: string, parameters = {}): Behaviour => ({
  status: error_code,
  body: { ok: false, error_code, description, parameters },
})
const graph = (status: number, code: number, over = {}): Behaviour => ({
  status,
  body: { error: { message: 'The words of Meta', type: 'OAuthException', code, ...over } },
})

const ROWS: Record<string, Row> = {
  'telegram: it takes the message': { platform: 'telegram', by: ['take'], status: 'sent', requests: 1 },
  'whatsapp: it takes the message': { platform: 'whatsapp', by: ['take'], status: 'sent', requests: 1 },
  'facebook: it takes the message': { platform: 'facebook', by: ['take'], status: 'sent', requests: 1 },
  'instagram: it takes the message': { platform: 'instagram', by: ['take'], status: 'sent', requests: 1 },
  'api: it takes the message': { platform: 'api', by: ['take'], status: 'sent', requests: 1 },
  'api: a 2xx without an id': { platform: 'api', by: [{ status: 204 }], status: 'sent', requests: 1 },
  'api: a 2xx that is nonsense': { platform: 'api', by: [{ status: 200, body: '<html>' }], status: 'sent', requests: 1 },
  'telegram: 429 with retry_after': {
    platform: 'telegram',
    by: [telegram(429, 'Too Many Requests: retry after 1', { retry_after: 1 }), 'take'],
    status: 'sent',
    requests: 2,
  },
  'api: 429 with Retry-After': {
    platform: 'api',
    by: [{ status: 429, headers: { 'Retry-After': '1' } }, 'take'],
    status: 'sent',
    requests: 2,
  },
  'whatsapp: 500 that passes': { platform: 'whatsapp', by: [graph(500, 131000), 'take'], status: 'sent', requests: 2 },
  'whatsapp: an error that is transient': {
    platform: 'whatsapp',
    by: [graph(400, 999, { is_transient: true }), 'take'],
    status: 'sent',
    requests: 2,
  },
  'telegram: 500 that passes': { platform: 'telegram', by: [telegram(500, 'Internal Server Error'), 'take'], status: 'sent', requests: 2 },
  'telegram: 503 that passes': { platform: 'telegram', by: [{ status: 503 }, 'take'], status: 'sent', requests: 2 },
  'facebook: service temporarily unavailable, with 200': { platform: 'facebook', by: [graph(200, 2), 'take'], status: 'sent', requests: 2 },
  'telegram: 502': { platform: 'telegram', by: [{ status: 502 }], status: 'unknown', code: 'unconfirmed', requests: 1 },
  'whatsapp: 504': {
    platform: 'whatsapp',
    by: [{ status: 504, body: 'Gateway Timeout' }],
    status: 'unknown',
    code: 'unconfirmed',
    requests: 1,
  },
  'telegram: nothing in time': {
    platform: 'telegram',
    by: ['take and hang'],
    status: 'unknown',
    code: 'unconfirmed',
    words: /3000 ms/,
    requests: 1,
  },
  'telegram: a reset behind the request': {
    platform: 'telegram',
    by: ['take and reset'],
    status: 'unknown',
    code: 'unconfirmed',
    requests: 1,
  },
  'whatsapp: a reset before it is looked at': { platform: 'whatsapp', by: ['reset'], status: 'unknown', code: 'unconfirmed', requests: 1 },
  'facebook: half an answer': { platform: 'facebook', by: ['take and half'], status: 'unknown', code: 'unconfirmed', requests: 1 },
  'telegram: a 200 that is nonsense': {
    platform: 'telegram',
    by: [{ status: 200, body: 'OK' }],
    status: 'unknown',
    code: 'unconfirmed',
    requests: 1,
  },
  'whatsapp: a 200 without an id': {
    platform: 'whatsapp',
    by: [{ status: 200, body: { messages: [] } }],
    status: 'unknown',
    code: 'unconfirmed',
    requests: 1,
  },
  'telegram: 10 MB': {
    platform: 'telegram',
    by: [{ status: 200, body: 'x'.repeat(10_000_000) }],
    status: 'unknown',
    code: 'unconfirmed',
    requests: 1,
  },
  'api: 502, then a timeout, then it takes it': {
    platform: 'api',
    by: [{ status: 502 }, 'take and hang', 'take'],
    status: 'sent',
    requests: 3,
  },
  'telegram: a redirect': {
    platform: 'telegram',
    by: [{ status: 302, headers: { Location: 'https://elsewhere.example' } }],
    status: 'failed',
    code: 'rejected',
    requests: 1,
  },
  'api: a redirect': {
    platform: 'api',
    by: [{ status: 307, headers: { Location: '/elsewhere' } }],
    status: 'failed',
    code: 'rejected',
    requests: 1,
  },
  'telegram: it rejects the message': {
    platform: 'telegram',
    by: [telegram(400, 'Bad Request: message text is empty')],
    status: 'failed',
    code: 'rejected',
    words: /message text is empty/,
    requests: 1,
  },
  'whatsapp: it rejects the message': {
    platform: 'whatsapp',
    by: [graph(400, 100)],
    status: 'failed',
    code: 'rejected',
    words: /The words of Meta \(100\)/,
    requests: 1,
  },
  'api: it rejects the message': {
    platform: 'api',
    by: [{ status: 401, body: { message: 'Who are you?' } }],
    status: 'failed',
    code: 'rejected',
    words: /Who are you/,
    requests: 1,
  },
  'telegram: blocked by the customer': {
    platform: 'telegram',
    by: [telegram(403, 'Forbidden: bot was blocked by the user')],
    status: 'failed',
    code: 'recipient_unreachable',
    isBlock: true,
    requests: 1,
  },
  'telegram: no longer there': {
    platform: 'telegram',
    by: [telegram(403, 'Forbidden: user is deactivated')],
    status: 'failed',
    code: 'recipient_unreachable',
    requests: 1,
  },
  'telegram: chat not found': {
    platform: 'telegram',
    by: [telegram(400, 'Bad Request: chat not found')],
    status: 'failed',
    code: 'recipient_unreachable',
    requests: 1,
  },
  'whatsapp: not a number of WhatsApp': {
    platform: 'whatsapp',
    by: [graph(400, 131026)],
    status: 'failed',
    code: 'recipient_unreachable',
    isBlock: true,
    requests: 1,
  },
  'facebook: the person is not available': {
    platform: 'facebook',
    by: [graph(400, 551)],
    status: 'failed',
    code: 'recipient_unreachable',
    isBlock: true,
    requests: 1,
  },
  'whatsapp: the reply window is closed': {
    platform: 'whatsapp',
    by: [graph(400, 131047)],
    status: 'failed',
    code: 'reply_window_closed',
    requests: 1,
  },
  'facebook: the reply window is closed': {
    platform: 'facebook',
    by: [graph(403, 10, { error_subcode: 2018278 })],
    status: 'failed',
    code: 'reply_window_closed',
    requests: 1,
  },
  'instagram: the reply window is closed': {
    platform: 'instagram',
    by: [graph(403, 10, { error_subcode: 2534022 })],
    status: 'failed',
    code: 'reply_window_closed',
    requests: 1,
  },
  'telegram: the token is refused': {
    platform: 'telegram',
    by: [telegram(401, 'Unauthorized')],
    status: 'queued',
    requests: 1,
    channel: 'failing',
  },
  'telegram: no such bot': { platform: 'telegram', by: [telegram(404, 'Not Found')], status: 'queued', requests: 1, channel: 'failing' },
  'whatsapp: the token is refused': { platform: 'whatsapp', by: [graph(401, 190)], status: 'queued', requests: 1, channel: 'failing' },
  'facebook: a right is missing': { platform: 'facebook', by: [graph(403, 10)], status: 'queued', requests: 1, channel: 'failing' },
  'facebook: another right is missing': { platform: 'facebook', by: [graph(403, 230)], status: 'queued', requests: 1, channel: 'failing' },
  'whatsapp: the account is restricted': {
    platform: 'whatsapp',
    by: [graph(400, 131031)],
    status: 'queued',
    requests: 1,
    channel: 'failing',
  },
  'telegram: three failures in a row': {
    platform: 'telegram',
    by: [telegram(500, 'x'), telegram(500, 'x'), telegram(500, 'x')],
    status: 'queued',
    requests: 3,
    channel: 'failing',
  },
}

suite('answers', { concurrency: 8 }, () => {
  for (const [name, row] of Object.entries(ROWS)) {
    test(`${name}: ${row.channel === 'failing' ? 'the channel stops' : row.status}`, async t => {
      const platform = await startPlatform()
      t.after(platform.close)
      platform.behave('take')
      platform.next(...row.by)
      const shop = await app.tenant()
      const channel = await aSendingChannel(app, shop, row.platform, platform.origin)
      const talk = await aTalk(app, shop, channel, row.platform)
      const id = await talk.say('Hello')
      const status = async () => (await app.sql`select status from channels where id = ${channel}`)[0]?.['status']
      if (row.channel === 'failing') await eventually(async () => (await status()) === 'failing')
      else await eventually(async () => (await talk.message(id)).status === row.status)
      const message = await talk.message(id)
      assert.equal(message.status, row.status)
      assert.equal(message.error?.code, row.code)
      if (row.words) assert.match(message.error?.message ?? '', row.words)
      if (row.status === 'sent' && row.by.at(-1) === 'take') assert.equal(message.external_id, platform.book.at(-1)?.id)
      assert.equal(await status(), row.channel ?? 'enabled')
      const blocked = await app.sql`select 1 from contact_channels where channel_id = ${channel} and unreachable_since is not null`
      assert.equal(blocked.length, row.isBlock ? 1 : 0)
      // Nothing follows: what is queued would be sent at once.
      const left = await app.sql`select 1 from channel_sends where message_id = ${id}`
      assert.equal(left.length, row.status === 'queued' ? 1 : 0)
      assert.equal(platform.messages().length, row.requests)
      // A receiver that tells repeats does so by this.
      const keys = new Set(platform.messages().map(each => each.headers['idempotency-key']))
      assert.deepEqual([...keys], [row.platform === 'api' ? id : undefined])
    })
  }

  test('telegram: no connection: it is tried again, and sent once there is one', async t => {
    const port = await freePort()
    const shop = await app.tenant()
    const channel = await aSendingChannel(app, shop, 'telegram', `http://127.0.0.1:${port}`)
    const talk = await aTalk(app, shop, channel)
    const id = await talk.say('Hello')
    await eventually(async () => (await app.sql`select attempts from channel_sends where message_id = ${id}`)[0]?.['attempts'] >= 1)
    const platform = await startPlatform(port)
    t.after(platform.close)
    await eventually(async () => (await talk.message(id)).status === 'sent')
    assert.equal(platform.messages().length, 1)
  })
})
