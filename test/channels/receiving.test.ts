// From the first byte of a callback to the conversation, over the whole service.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newSecret } from '../../src/channels/accounts/accounts.ts'
import * as channels from '../../src/channels/channels.ts'
import type { ChannelContext } from '../../src/channels/joining.ts'
import * as status from '../../src/channels/status.ts'
import { now } from '../../src/clock.ts'
import { createClient } from '../../src/outbound/client.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { byMeta, byService, byTelegram, callBack, type Signer } from '../support/callbacks.ts'
import { aChannel } from '../support/channels.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { nobody } from '../support/given.ts'
import { startReceiver } from '../support/receiver.ts'

// The limiter of addresses has tests of its own.
const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })
await app.startWorker()

const seconds = (ago = 0) => Math.floor(now() / 1000) - ago
const said = (chat: number, message_id: number, text: string, over: object = {}) => ({
  update_id: message_id,
  message: {
    message_id,
    from: { id: chat, is_bot: false, first_name: 'Ada' },
    chat: { id: chat, type: 'private' },
    date: seconds(),
    text,
    ...over,
  },
})
const bot = async (shop: TestTenant, id = '42', settings = {}) => {
  const secret = newSecret()
  const channel = await aChannel(app, shop, {
    platform: 'telegram',
    account: { id, name: null },
    settings: { reopen_hours: 24, ...settings },
    credentials: { token: `${id}:t`, secret },
  })
  return { channel, secret, tell: (body: unknown) => callBack(app, channel, body, byTelegram(secret)) }
}
const page = async (shop: TestTenant, id: string, app_secret: string) => {
  const channel = await aChannel(app, shop, {
    platform: 'facebook',
    account: { id, name: null },
    credentials: { token: 't', app_secret, verify_token: 'vt' },
  })
  return { channel, tell: (body: unknown) => callBack(app, channel, body, byMeta(app_secret)) }
}
const event = (account: string, mid: string, text: string) => ({
  id: account,
  time: now(),
  messaging: [{ sender: { id: 'psid-1' }, recipient: { id: account }, timestamp: now(), message: { mid, text } }],
})

/** What was said in each conversation of a channel, the oldest first. */
async function texts(shop: TestTenant, channel: string): Promise<(string | null)[][]> {
  const { body } = await shop.get(`/api/v1/conversations?channel_id=${channel}&sort=created_at&dir=asc`)
  return Promise.all(
    body.data.map(async ({ id }: { id: string }) => {
      const messages = (await shop.get(`/api/v1/conversations/${id}/messages?dir=asc`)).body.data
      return messages.map((each: { text: string | null }) => each.text)
    }),
  )
}
const eventuallySays = (shop: TestTenant, channel: string, expected: (string | null)[][]) =>
  eventuallyHolds(async () => assert.deepEqual(await texts(shop, channel), expected))

/** What became of the callbacks of a channel, the latest first. */
const log = (channel: string) =>
  app.sql<
    { status: string; reason: string | null }[]
  >`select status, reason from callbacks where source_id = ${channel} order by id desc`.then(rows => [...rows])

test('a customer’s message becomes a conversation, once however often it comes', async () => {
  const shop = await app.tenant()
  const { channel, tell } = await bot(shop)
  const { status, body } = await tell(said(7, 1, 'Hello?'))
  assert.deepEqual([status, body.object], [200, 'callback'])
  assert.match(body.id, /^cbk_/)
  await tell(said(7, 1, 'Hello?'))
  await tell(said(7, 2, 'Anybody there?'))
  await eventuallySays(shop, channel, [['Hello?', 'Anybody there?']])
  await eventuallyHolds(async () =>
    assert.deepEqual(
      (await log(channel)).map(each => each.status),
      ['applied', 'applied', 'applied'],
    ),
  )
  const { last_inbound_at } = (await shop.get(`/api/v1/channels/${channel}`)).body
  assert.ok(Math.abs(Date.parse(last_inbound_at) - now()) < 60_000)
})

test('two bots of one shop count their messages alike, and each message is in its own conversation', async () => {
  const shop = await app.tenant()
  const [one, two] = [await bot(shop, '42'), await bot(shop, '43')]
  await one.tell(said(7, 1, 'To one'))
  await eventuallySays(shop, one.channel, [['To one']])
  await two.tell(said(7, 1, 'To two'))
  await eventuallySays(shop, two.channel, [['To two']])
  const { data } = (await shop.get('/api/v1/contacts')).body
  assert.equal(data.length, 1)
})

test('two pages of one app share an address: each message is in the conversation of its page', async () => {
  const shop = await app.tenant()
  const [one, two, other] = [await page(shop, '101', 'secret-a'), await page(shop, '102', 'secret-a'), await page(shop, '103', 'secret-b')]
  await one.tell({ object: 'page', entry: [event('101', 'm-1', 'To one'), event('102', 'm-2', 'To two'), event('103', 'm-3', 'Stolen')] })
  await eventuallySays(shop, one.channel, [['To one']])
  await eventuallySays(shop, two.channel, [['To two']])
  await one.tell({ object: 'page', entry: [event('999', 'm-4', 'To nobody here')] })
  const last = await eventually(async () => (await log(one.channel)).find(each => each.status === 'ignored'))
  assert.equal(last.reason, 'of the account 999, which is no channel of this app here')
  assert.deepEqual(await texts(shop, other.channel), [])
})

test('a message of several files that its customer deletes is deleted with all of them', async () => {
  const shop = await app.tenant()
  const { channel, tell } = await page(shop, '303', 's')
  const told = (message: object) =>
    tell({
      object: 'page',
      entry: [{ id: '303', time: now(), messaging: [{ sender: { id: 'psid-3' }, recipient: { id: '303' }, timestamp: now(), message }] }],
    })
  const file = { type: 'image', payload: { url: 'http://127.0.0.1:9/picture' } }
  await told({ mid: 'm-1', text: 'These', attachments: [file, file, file] })
  await told({ mid: 'm-2', text: 'Which?' })
  await eventuallySays(shop, channel, [['These', null, null, 'Which?']])
  await told({ mid: 'm-1', is_deleted: true })
  await eventuallySays(shop, channel, [[null, null, null, 'Which?']])
})

test('a page of another workspace is not reached, though the app is the same', async () => {
  const [shop, neighbour] = [await app.tenant(), await app.tenant()]
  const [one, theirs] = [await page(shop, '201', 'secret-c'), await page(neighbour, '202', 'secret-c')]
  await one.tell({ object: 'page', entry: [event('202', 'm-1', 'Hi')] })
  await eventually(async () => (await log(one.channel)).find(each => each.status === 'ignored'))
  assert.deepEqual([await log(theirs.channel), await texts(neighbour, theirs.channel)], [[], []])
})

test('a pressed button is a message with its title and choice, and is answered', async () => {
  const shop = await app.tenant()
  const platform = await startReceiver(response => response.end('{"ok":true,"result":true}'))
  after(() => platform.close())
  const { channel, tell } = await bot(shop, '44', { api_url: platform.origin })
  const from = { id: 7, is_bot: false, first_name: 'Ada' }
  const reply_markup = { inline_keyboard: [[{ text: 'Medium', callback_data: 'm' }]] }
  const message = { message_id: 1, from: { id: 44 }, chat: { id: 7, type: 'private' }, date: seconds(), text: 'Size?', reply_markup }
  await tell({ update_id: 1, callback_query: { id: '4382', from, message, chat_instance: '1', data: 'm' } })
  await eventuallySays(shop, channel, [['Medium']])
  const [answered] = await platform.until(1)
  assert.deepEqual([answered?.path, answered?.body.toString()], ['/bot44:t/answerCallbackQuery', '{"callback_query_id":"4382"}'])
})

const client = createClient(app.config.outbound)
after(() => client.close())
const context: ChannelContext = {
  keyring: app.keyring,
  outbound: app.config.outbound,
  client,
  shown: { baseUrl: 'https://shop.example', attachmentBytes: 1 },
}
const caller = (shop: TestTenant) => ({ tenant: shop.id, actor: { type: 'cli' } as const })

test('people whose messages come without a name are asked for by it, once', async () => {
  const shop = await app.tenant()
  const platform = await startReceiver(response => response.end('{"first_name":"Peter","last_name":"Chang","id":"psid-1"}'))
  after(() => platform.close())
  const channel = await aChannel(app, shop, {
    platform: 'facebook',
    account: { id: '501', name: null },
    settings: { reopen_hours: 24, api_url: `${platform.origin}/v25.0` },
    credentials: { token: 't', app_secret: 's' },
  })
  const tell = (mid: string, text: string) => callBack(app, channel, { object: 'page', entry: [event('501', mid, text)] }, byMeta('s'))
  const names = async () => (await shop.get('/api/v1/contacts')).body.data.map((each: { name: string | null }) => each.name)
  await tell('m-1', 'One')
  await eventuallyHolds(async () => assert.deepEqual(await names(), ['Peter Chang']))
  const [{ id } = { id: '' }] = (await shop.get('/api/v1/contacts')).body.data
  await shop.patch(`/api/v1/contacts/${id}`, { name: 'Pete' })
  await tell('m-2', 'Two')
  await eventuallySays(shop, channel, [['One', 'Two']])
  assert.deepEqual(await names(), ['Pete'])
  assert.deepEqual(
    platform.received.map(each => each.path),
    ['/v25.0/psid-1?fields=first_name,last_name'],
  )
})

test('what comes to a disabled channel is kept, and applied when it is enabled; a deleted one takes nothing', async () => {
  const shop = await app.tenant()
  const { channel, tell } = await bot(shop, '42', { api_url: 'http://127.0.0.1:9' })
  await status.disable(app.sql, caller(shop), channel, context)
  assert.equal((await tell(said(7, 1, 'Hello?'))).status, 200)
  assert.deepEqual(await texts(shop, channel), [])
  await status.enable(app.sql, caller(shop), channel, context)
  await eventuallySays(shop, channel, [['Hello?']])
  await status.remove(app.sql, caller(shop), channel, context)
  await eventuallyHolds(async () => assert.equal((await tell(said(7, 2, 'Hello?'))).status, 404))
})

test('what was taken for the account that a channel had is applied, and what comes for it later is not', async () => {
  const shop = await app.tenant()
  const { channel, tell } = await page(shop, '701', 's')
  const entry = (account: string, mid: string, text: string) => ({ object: 'page', entry: [event(account, mid, text)] })
  await status.disable(app.sql, caller(shop), channel, context)
  await tell(entry('701', 'm-1', 'Before'))
  await channels.change(app.sql, caller(shop), channel, { account: '702' }, 'trust', context)
  await tell(entry('702', 'm-2', 'After'))
  await tell(entry('701', 'm-3', 'Too late'))
  await status.enable(app.sql, caller(shop), channel, context)
  await eventuallySays(shop, channel, [['Before', 'After']])
  await eventuallyHolds(async () =>
    assert.deepEqual(
      (await log(channel)).map(each => each.status),
      ['ignored', 'applied', 'applied'],
    ),
  )
})

test('what was answered with 200 is a message, however near its channel’s deletion, and whether it was disabled', async () => {
  const shop = await app.tenant()
  const { channel, tell } = await bot(shop, '43', { api_url: 'http://127.0.0.1:9' })
  await status.disable(app.sql, caller(shop), channel, context)
  await tell(said(7, 1, 'While disabled'))
  const removed = status.remove(app.sql, caller(shop), channel, context)
  // One after the other: until the process reads anew that the channel is gone, it takes what comes.
  const taken = ['While disabled']
  for (let number = 2; ; number++) {
    const { status: answered } = await tell(said(7, number, `Message ${number}`))
    if (answered === 404) break
    assert.equal(answered, 200)
    taken.push(`Message ${number}`)
  }
  await removed
  assert.ok(taken.length > 1)
  await eventuallyHolds(async () => {
    const rows = await app.sql<
      { text: string }[]
    >`select doc::json ->> 'text' as text from messages where tenant_id = ${shop.id} order by created_at, id`
    assert.deepEqual(
      rows.map(each => each.text),
      taken,
    )
  })
  assert.ok((await log(channel)).every(each => each.status === 'applied'))
})

test('a rotated secret and the one before it both count', async () => {
  const shop = await app.tenant()
  const before = newSecret()
  const channel = await aChannel(app, shop, { credentials: { secret: before } })
  const present = await channels.rotateSecret(app.sql, caller(shop), channel, context)
  const update = (id: string) => ({ id, from: { id: 'c-1', name: 'Ada' }, text: id })
  assert.equal((await callBack(app, channel, update('m-1'), byService(before))).status, 200)
  assert.equal((await callBack(app, channel, update('m-2'), byService(present))).status, 200)
  await eventuallySays(shop, channel, [['m-1', 'm-2']])
})

test('Meta’s challenge is answered as text to the verify token, and refused without it', async () => {
  const shop = await app.tenant()
  const { channel } = await page(shop, '301', 's')
  const path = `/api/channels/${channel}/callback?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=`
  const [answered, refused] = [await app.request('GET', `${path}vt`), await app.request('GET', `${path}other`)]
  assert.deepEqual([answered.status, answered.text], [200, '1158201444'])
  assert.equal(refused.status, 403)
  assert.equal((await app.request('GET', `/api/channels/${nobody('chn')}/callback`)).status, 404)
  for (const { channel: other } of [await bot(shop), { channel: await aChannel(app, shop) }]) {
    const { status, headers } = await app.request('GET', `/api/channels/${other}/callback`)
    assert.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'], 'nothing asks another platform’s so')
  }
})

test('a wrong signature is one and the same 401, whatever its fault, and nothing is kept', async () => {
  const shop = await app.tenant()
  const [telegram, facebook] = [await bot(shop), await page(shop, '401', 's')]
  const secret = newSecret()
  const api = await aChannel(app, shop, { credentials: { secret } })
  const cases: [string, unknown, Signer][] = [
    [telegram.channel, said(7, 1, 'Hi'), () => ({})],
    [telegram.channel, said(7, 1, 'Hi'), byTelegram('other')],
    [facebook.channel, { object: 'page', entry: [] }, byMeta('other')],
    [facebook.channel, { object: 'page', entry: [] }, () => ({ 'X-Hub-Signature': 'sha1=00' })],
    [api, { id: '1', from: { id: '1' }, text: 'Hi' }, byService(secret, now() - 600_000)],
    [api, { id: '1', from: { id: '1' }, text: 'Hi' }, byService(secret, now() + 600_000)],
    [api, { id: '1', from: { id: '1' }, text: 'Hi' }, raw => byService(secret)(`${raw} `)],
    [
      api,
      { id: '1', from: { id: '1' }, text: 'Hi' },
      raw => ({ 'X-Service-Signature': byService(secret)(raw)['X-Service-Signature']?.slice(0, -1) ?? '' }),
    ],
  ]
  const answers = await Promise.all(cases.map(([channel, body, sign]) => callBack(app, channel, body, sign)))
  const bodies = answers.map(({ status, body: { trace_id, instance, ...body }, headers }) => [
    status,
    headers.get('www-authenticate'),
    body,
  ])
  for (const each of bodies) assert.deepEqual(each, bodies[0])
  assert.deepEqual(bodies[0]?.slice(0, 2), [401, 'Signature'])
  assert.equal(answers[0]?.body.code, 'invalid_signature')
  const [{ count } = { count: -1 }] = await app.sql<
    { count: number }[]
  >`select count(*)::integer from callbacks where tenant_id = ${shop.id}`
  assert.equal(count, 0)
})

test('what is no JSON object is refused; what is not known is kept, and ignored with its reason', async () => {
  const shop = await app.tenant()
  const { channel, tell } = await bot(shop)
  for (const body of ['', 'nonsense', 'null', '[]', '7', '"text"', '['.repeat(5_000), `{"a":${'['.repeat(5_000)}`])
    assert.equal((await tell(body)).status, 422, body.slice(0, 20))
  assert.equal((await tell(`{"a":"${'x'.repeat(4 * 1024 * 1024)}"}`)).status, 413)
  assert.equal((await tell({ update_id: 1, shipping_query: {} })).status, 200)
  const [line] = await eventually(async () => {
    const lines = await log(channel)
    return lines[0]?.status === 'ignored' && lines
  })
  assert.equal(line?.reason, 'shipping_query: updates of this kind are not used')
})

test('on the generic channel a wrong shape is a 422 that names the field', async () => {
  const shop = await app.tenant()
  const secret = newSecret()
  const channel = await aChannel(app, shop, { credentials: { secret } })
  const from = { id: 'c-1' }
  const cases: [unknown, string][] = [
    [{ from, text: 'Hi' }, 'id'],
    [{ id: 'm', text: 'Hi' }, 'from'],
    [{ id: 'm', from: {}, text: 'Hi' }, 'from.id'],
    [{ id: 'm', from }, 'text'],
    [{ id: 'm', from, text: '' }, 'text'],
    [{ id: 'm', from, type: 'edit', text: 'x' }, 'message_id'],
    [{ id: 'm', from, type: 'delivered' }, 'message_id'],
    [{ id: 'm', from, type: 'shout', text: 'x' }, 'type'],
    [{ id: 'm', from: { id: 'c', email: 'nobody' }, text: 'x' }, 'from.email'],
    [{ id: 'm', from, text: 'x', attachments: [{ name: 'a' }] }, 'attachments[0].url'],
    [{ id: 'm', from, text: 'x', timestamp: 'yesterday' }, 'timestamp'],
    [{ id: 'm', from, text: 'x', timestamp: '9999-12-31T23:59:59-00:01' }, 'timestamp'],
    [{ id: 'm', from, text: 'x', colour: 'red' }, 'colour'],
  ]
  for (const [body, field] of cases) {
    const answer = await callBack(app, channel, body, byService(secret))
    assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [422, field], JSON.stringify(body))
  }
  assert.deepEqual(await log(channel), [])
})
