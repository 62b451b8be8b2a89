// From a customer's message to the answer that they get, over the whole service: by the account that they wrote to, and as the time since allows.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { now } from '../../src/clock.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { byMeta, byTelegram, callBack, type Signer } from '../support/callbacks.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { startPlatform } from '../support/platform.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })
before(() => app.startWorker())
const platform = await startPlatform()
after(platform.close)

async function bot(shop: TestTenant, id: string) {
  const secret = `whsec_${id}`
  const channel = await aChannel(app, shop, {
    platform: 'telegram',
    account: { id, name: null },
    settings: { api_url: platform.origin },
    credentials: { token: `${id}:token`, secret },
  })
  return { channel, sign: byTelegram(secret) }
}

async function page(shop: TestTenant, id: string, settings = {}) {
  const channel = await aChannel(app, shop, {
    platform: 'facebook',
    account: { id, name: null },
    settings: { api_url: platform.origin, ...settings },
    credentials: { token: `token-${id}`, app_secret: 'the-app', verify_token: 'vt' },
  })
  return { channel, sign: byMeta('the-app') }
}

const toBot = (message_id: number, text: string) => ({
  update_id: message_id,
  message: {
    message_id,
    date: Math.floor(now() / 1000),
    chat: { id: 77, type: 'private' },
    from: { id: 77, is_bot: false, first_name: 'Ada' },
    text,
  },
})
const toPage = (account: string, mid: string, text: string, timestamp = now()) => ({
  id: account,
  time: timestamp,
  messaging: [{ sender: { id: 'psid-1' }, recipient: { id: account }, timestamp, message: { mid, text } }],
})

/** Tells the channel. @returns the conversation on `channel` that says this last */
async function told(
  shop: TestTenant,
  by: { channel: string; sign: Signer },
  body: object,
  { channel, text }: { channel: string; text: string },
) {
  assert.equal((await callBack(app, by.channel, body, by.sign)).status, 200)
  return eventually(async () => {
    const { data } = (await shop.get(`/api/v1/conversations?channel_id=${channel}`)).body
    return data.find((each: { last_message: { text: string } }) => each.last_message.text === text) as { id: string } | undefined
  })
}

/** Answers, and waits until the platform has it. */
async function answer(shop: TestTenant, conversation: string, text: string) {
  const { status, body } = await shop.post(`/api/v1/conversations/${conversation}/messages`, { text })
  assert.equal(status, 201, JSON.stringify(body))
  return eventually(async () => platform.book.find(each => each.text === text))
}

suite('one person who writes to two accounts', () => {
  test('of two bots is answered by the one that they wrote to', async () => {
    const shop = await app.tenant()
    const bots = [await bot(shop, '41'), await bot(shop, '42')]
    for (const [index, each] of bots.entries()) {
      const text = `To bot ${index}`
      const { id } = await told(shop, each, toBot(1, text), { channel: each.channel, text })
      const { asked, to } = await answer(shop, id, `From bot ${index}`)
      assert.deepEqual([asked.path, to], [`/bot4${index + 1}:token/sendMessage`, '77'])
    }
    assert.equal((await shop.get('/api/v1/contacts')).body.data.length, 1, 'one person')
  })

  test('of two pages of one app is answered by the one that they wrote to, whichever address was called', async () => {
    const shop = await app.tenant()
    const pages = [await page(shop, '101'), await page(shop, '102')] as const
    for (const [index, each] of pages.entries()) {
      const text = `To page ${index}`
      const body = { object: 'page', entry: [toPage(`10${index + 1}`, `m-${index}`, text)] }
      const { id } = await told(shop, pages[0], body, { channel: each.channel, text })
      const { asked } = await answer(shop, id, `From page ${index}`)
      assert.deepEqual([asked.path, asked.headers.authorization], [`/10${index + 1}/messages`, `Bearer token-10${index + 1}`])
    }
  })
})

suite('two days after the customer wrote', () => {
  const twoDaysAgo = (account: string, text: string) => ({
    object: 'page',
    entry: [toPage(account, `m-${account}`, text, now() - 48 * 3_600_000)],
  })

  test('a page with human agents answers with their tag', async () => {
    const shop = await app.tenant()
    const of = await page(shop, '201', { human_agent: true })
    const { id } = await told(shop, of, twoDaysAgo('201', 'Long ago'), { channel: of.channel, text: 'Long ago' })
    const { json } = (await answer(shop, id, 'At last')).asked
    assert.deepEqual([json.messaging_type, json.tag], ['MESSAGE_TAG', 'HUMAN_AGENT'])
  })

  test('a page without them does not answer; what was queued in time goes without the tag, which it may not use', async () => {
    const shop = await app.tenant()
    const of = await page(shop, '202')
    const { id } = await told(shop, of, twoDaysAgo('202', 'Too long ago'), { channel: of.channel, text: 'Too long ago' })
    const refused = await shop.post(`/api/v1/conversations/${id}/messages`, { text: 'Hello' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'reply_window_closed'])
    await app.sql`update conversations set reply_until = now() + interval '1 hour' where id = ${id}`
    const { json } = (await answer(shop, id, 'Just in time')).asked
    assert.deepEqual([json.messaging_type, json.tag], ['RESPONSE', undefined])
  })
})
