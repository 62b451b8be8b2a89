// Who types and what was read, as the customer's platform is told.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { queueSignal } from '../../src/channels/sending/signal.ts'
import { TYPING_EVERY_SECONDS } from '../../src/limits/conversations.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { startPlatform } from '../support/platform.ts'
import { talkOn } from '../support/talks.ts'

const app = await testApp()
const platform = await startPlatform()
after(() => platform.close())
await app.startWorker()

async function aTalkOn(name: 'telegram' | 'whatsapp', settings: object = {}) {
  const shop = await app.tenant()
  const channel = await aChannel(app, shop, {
    platform: name,
    account: { id: `${name}-1`, name: null },
    settings: { api_url: platform.origin, ...settings },
    credentials: { token: '1:token' },
  })
  return talkOn(app, shop, channel, new Date().toISOString())
}
type Talk = Awaited<ReturnType<typeof aTalkOn>>

const asked = (word: RegExp) => platform.asked.filter(({ path, body }) => word.test(`${path} ${body}`))

test('typing is told to the platform at most every five seconds, and reading where the channel says so', async () => {
  const since = performance.now()
  const most = () => 1 + Math.floor((performance.now() - since) / (TYPING_EVERY_SECONDS * 1000))
  /** Again where a busy machine took three seconds to tell it: then it is not told. */
  const typedUntil = async ({ shop, path, id }: Talk, told: () => boolean) => {
    let typed = Number.NEGATIVE_INFINITY
    await eventually(async () => {
      if (performance.now() - typed < TYPING_EVERY_SECONDS * 1000) return told()
      typed = performance.now()
      for (let times = 0; times < 3; times++) {
        const typing = await shop.post(`${path}/typing`)
        assert.deepEqual([typing.status, typing.body.conversation_id], [200, id])
      }
      return told()
    })
  }
  const telegram = await aTalkOn('telegram')
  await typedUntil(telegram, () => asked(/sendChatAction/).length > 0)
  assert.deepEqual(asked(/sendChatAction/)[0]?.json, { chat_id: telegram.thread, action: 'typing' })

  const shown = await aTalkOn('whatsapp')
  const hidden = await aTalkOn('whatsapp', { read_receipts: false })
  for (const talk of [hidden, shown]) {
    ok(await talk.shop.post(`${talk.path}/read`))
    ok(await talk.shop.post(`${talk.path}/read`))
  }
  ok(await hidden.shop.post(`${hidden.path}/typing`))
  await typedUntil(shown, () => asked(/typing_indicator/).length > 0)
  const replied = await aTalkOn('whatsapp')
  await replied.replied({ text: 'A note.', private: true })
  await replied.replied({ text: 'Yes.' })
  ok(await replied.shop.post(`${replied.path}/read`))
  const read = () => asked(/"status":"read"/).filter(each => !each.json.typing_indicator)
  await eventually(async () => read().length > 1)
  for (const told of [asked(/sendChatAction/), asked(/typing_indicator/)]) assert.ok(told.length <= most(), `${told.length} times`)
  // Typing marks as read too.
  for (const { json } of asked(/typing_indicator/)) assert.deepEqual([json.status, json.message_id], ['read', shown.first])
  assert.deepEqual(
    read()
      .map(each => each.json.message_id)
      .sort(),
    [shown.first, replied.first].sort(),
    'what was read, and what was answered, once; nothing of the other',
  )
  assert.equal((await app.sql`select 1 from messages where tenant_id = ${telegram.shop.id}`).length, 1, 'nothing is kept')
})

test('that somebody typed is not told three seconds later', async () => {
  const talk = await aTalkOn('telegram')
  const told = (secondsAgo: number) =>
    begin(app.sql, tx => {
      const channel = { tenant: talk.shop.id, id: talk.channel }
      return queueSignal(tx, {
        channel,
        conversation: talk.id,
        signal: 'typing',
        at: new Date(Date.now() - secondsAgo * 1000).toISOString(),
      })
    })
  const toThem = () => asked(/sendChatAction/).filter(each => each.json.chat_id === talk.thread)
  const jobs = () => app.sql`select 1 from graphile_worker._private_jobs where payload ->> 'tenantId' = ${talk.shop.id}`
  await told(4)
  await eventually(async () => (await jobs()).length === 0)
  assert.equal(toThem().length, 0)
  // Again where a busy machine took three seconds to tell it.
  await eventually(async () => {
    if ((await jobs()).length === 0) await told(0)
    return toThem().length > 0
  })
})

test('typing on a disabled channel is refused', async () => {
  const talk = await aTalkOn('telegram')
  await app.sql`update channels set status = 'disabled' where id = ${talk.channel}`
  const { status, body } = await talk.shop.post(`${talk.path}/typing`)
  assert.deepEqual([status, body.code], [409, 'channel_disabled'])
})

test('typing in another workspace’s conversation is a 404', async () => {
  const [talk, other] = [await aTalkOn('telegram'), await app.tenant()]
  assert.equal((await other.post(`${talk.path}/typing`)).status, 404)
})
