// The files of a web chat's visitors: of some kinds, of some size, seen by those of the talk alone.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { suite, test } from 'node:test'
import { prune } from '../../src/attachments/store.ts'
import type { ChannelContext } from '../../src/channels/joining.ts'
import { disable, enable } from '../../src/channels/status.ts'
import { CHAT_FILES, CHAT_FILES_AT_ONCE, CHAT_FILES_OF_ADDRESS } from '../../src/limits/chat.ts'
import { shareOf } from '../../src/places.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { nobody, ok } from '../support/given.ts'
import { aChat, type Chat } from './chatting.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })
await app.startWorker()

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const upload = ({ ask }: Chat, token: string, raw: Buffer | string, { name = 'a.png', type = 'image/png' } = {}) =>
  ask(`files?name=${encodeURIComponent(name)}`, { token, raw, headers: { 'Content-Type': type } })
const rowsOf = async ({ shop }: Chat) => (await app.sql`select 1 from attachments where tenant_id = ${shop.id}`).length

test('a visitor sends a picture: staff sees it, and so does the visitor, by a link that needs no token', async () => {
  const chat = await aChat(app)
  const { token } = await chat.visitor()
  const reply = await upload(chat, token, PNG, { name: 'Моє фото.png' })
  assert.equal(reply.status, 201, reply.text)
  const { id, type, mime_type, size_bytes, name, status, url } = reply.body
  assert.deepEqual([type, mime_type, size_bytes, name, status], ['image', 'image/png', PNG.length, 'Моє фото.png', 'stored'])
  const said = { id: 'a-message-with-a-file', attachments: [{ id }] }
  for (let n = 0; n < 2; n++) assert.equal((await chat.ask('messages', { token, body: said })).status, 200)
  await eventuallyHolds(async () => {
    const [message] = (await chat.ask('messages', { token })).body.data
    assert.equal(message?.attachments[0]?.id, id)
    assert.equal(message.attachments[0].status, 'stored')
  })
  const [conversation] = ok(await chat.shop.get('/api/v1/conversations')).data
  const { data } = ok(await chat.shop.get(`/api/v1/conversations/${conversation.id}/messages`))
  assert.deepEqual(
    data.map((each: { attachments: { id: string }[] }) => each.attachments.map(file => file.id)),
    [[id]],
  )

  const by = async (path: string, headers = {}) => Buffer.from(await (await fetch(app.url + path, { headers })).arrayBuffer())
  const { pathname, search } = new URL(url)
  assert.deepEqual(await by(pathname + search), PNG)
  // On a page of a shop that isolates itself from other origins, too.
  assert.equal((await fetch(app.url + pathname + search)).headers.get('cross-origin-resource-policy'), 'cross-origin')
  const own = await fetch(`${app.url}/api/chat/${chat.id}/files/${id}`, { headers: { Authorization: `Bearer ${token}` } })
  assert.deepEqual([own.status, own.headers.get('x-content-type-options'), own.headers.get('content-type')], [200, 'nosniff', 'image/png'])
  assert.match(own.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.deepEqual(Buffer.from(await own.arrayBuffer()), PNG)
})

test('what is said to a disabled chat is kept, file and all, and is there when the chat is enabled, days later', async () => {
  const chat = await aChat(app)
  const [context, caller] = [
    { keyring: app.keyring, shown: { baseUrl: app.url, attachmentBytes: 1 } } as ChannelContext,
    { tenant: chat.shop.id, actor: { type: 'cli' } } as const,
  ]
  const { token } = await chat.visitor()
  await disable(app.sql, caller, chat.id, context)
  const [named, left] = await Promise.all([upload(chat, token, PNG), upload(chat, token, PNG)])
  const said = { id: 'a-message-that-waits', text: 'Hello?', attachments: [{ id: named.body.id }] }
  ok(await chat.ask('messages', { token, body: said }))
  await app.sql`update attachments set created_at = created_at - interval '29 days' where tenant_id = ${chat.shop.id}`
  for await (const _ of prune(app.sql));
  assert.equal((await chat.ask(`files/${left.body.id}`, { token })).status, 404)
  assert.deepEqual(ok(await chat.ask('messages', { token })).data, [])
  await enable(app.sql, caller, chat.id, context)
  await eventuallyHolds(async () => {
    const [message] = ok(await chat.ask('messages', { token })).data
    assert.deepEqual([message?.text, message?.attachments[0]?.status], ['Hello?', 'stored'])
  })
})

// By its content a text is a text, whatever it is called: it is shown as one, and runs nowhere.
for (const [what, content, type] of [
  ['a page that says it is a picture', '<!doctype html><script>alert(1)</script>'.padEnd(300), 'image/png'],
  ['a drawing with scripts', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'],
] as const)
  test(`${what} is a text`, async () => {
    const chat = await aChat(app)
    const reply = await upload(chat, (await chat.visitor()).token, content, { type })
    assert.deepEqual([reply.status, reply.body.mime_type], [201, 'text/plain'])
  })

suite('a file is refused, and nothing of it is kept', () => {
  test('that is a program, whatever it is called', async () => {
    const chat = await aChat(app)
    const { token } = await chat.visitor()
    const reply = await upload(chat, token, Buffer.from(`MZ${'\0'.repeat(200)}`), { type: 'image/png' })
    assert.deepEqual([reply.status, reply.body.code], [422, 'file_type'])
    assert.equal(await rowsOf(chat), 0)
  })

  test('that is empty, too large, or sent without a token', async () => {
    const chat = await aChat(app)
    const { token } = await chat.visitor()
    assert.equal((await upload(chat, token, '')).status, 422)
    assert.equal((await upload(chat, token, Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)]))).status, 413)
    assert.equal((await upload(chat, 'x', PNG)).status, 401)
    assert.equal(await rowsOf(chat), 0)
  })

  test('that is the sixth in ten minutes of one visitor', async () => {
    const chat = await aChat(app)
    const [ada, eve] = [await chat.visitor(), await chat.visitor()]
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload(chat, ada.token, PNG)))
    assert.deepEqual(replies.map(each => each.status).sort(), [201, 201, 201, 201, 201, 429, 429, 429])
    assert.ok(Number(replies.find(each => each.status === 429)?.headers.get('retry-after')) > 60)
    assert.equal((await upload(chat, eve.token, PNG)).status, 201)
    assert.equal(await rowsOf(chat), 6)
  })
})

test('a visitor whose files are all on their way keeps no file of a visitor elsewhere out, and is told why one of theirs ended', async () => {
  const chat = await aChat(app)
  const [ada, eve, ned] = [await chat.visitor(), await chat.visitor(), await chat.visitor()]
  const begin = (token: string, localAddress: string, body: Buffer): ClientRequest => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'image/png', 'Content-Length': PNG.length }
    const sent = request(`${app.url}/api/chat/${chat.id}/files`, { method: 'POST', agent: false, localAddress, headers })
    sent.write(body)
    return sent
  }
  const answered = async (sent: ClientRequest) => {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, text: (await answer.toArray()).join('') }
  }
  const held = Array.from({ length: shareOf(CHAT_FILES_AT_ONCE) }, (_, n) =>
    begin((n % 2 ? ada : eve).token, '127.0.0.1', PNG.subarray(0, 20)),
  )
  const ends = held.map(answered)
  await eventuallyHolds(async () => assert.equal(await rowsOf(chat), held.length))
  assert.equal((await upload(chat, ned.token, PNG)).status, 409)
  assert.equal((await answered(begin(ned.token, '127.0.0.2', PNG))).status, 201)
  const first = await Promise.race(ends)
  assert.equal(first.status, 422)
  assert.match(first.text, /The most files came from this address while others waited\. Send it again\./)
  for (const each of held) each.end(PNG.subarray(20))
  assert.deepEqual((await Promise.all(ends)).map(each => each.status).sort(), [...held.slice(1).map(() => 201), 422])
})

test('one address sends a hundred files a day, as however many visitors, and another its own', async () => {
  const chat = await aChat(app)
  for (let n = 0; n < CHAT_FILES_OF_ADDRESS / CHAT_FILES; n++) {
    const { token } = await chat.visitor()
    const replies = await Promise.all(Array.from({ length: CHAT_FILES }, () => upload(chat, token, PNG)))
    assert.deepEqual(new Set(replies.map(each => each.status)), new Set([201]))
  }
  const { token } = await chat.visitor()
  assert.equal((await upload(chat, token, PNG)).status, 429)
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'image/png' }
  const options = { method: 'POST', agent: false, localAddress: '127.0.0.2', headers }
  const [elsewhere] = (await once(request(`${app.url}/api/chat/${chat.id}/files`, options).end(PNG), 'response')) as [IncomingMessage]
  assert.equal(elsewhere.resume().statusCode, 201)
})

test('what visitors send leaves a quarter of the workspace’s bytes to its staff', async () => {
  const small = await testApp({ STORED_BYTES_PER_WORKSPACE: '100000' })
  const chat = await aChat(small)
  const { token } = await chat.visitor()
  const file = (bytes: number) => upload(chat, token, 'x'.repeat(bytes), { name: 'a.txt', type: 'text/plain' })
  assert.equal((await file(70_000)).status, 201)
  const { status, body } = await file(10_000)
  assert.deepEqual([status, body.code], [409, 'quota_reached'])
  assert.match(body.detail, /no room for this file just now/)
  const own = await small.request('POST', '/api/v1/attachments', { key: chat.shop.key, raw: 'x'.repeat(20_000) })
  assert.equal(own.status, 201)
})

test('a visitor sends and sees no file of another, of another chat, or of the shop that was not sent to them', async () => {
  const [chat, other] = [await aChat(app), await aChat(app)]
  const [ada, eve, mallory] = [await chat.visitor(), await chat.visitor(), await other.visitor()]
  const { id } = (await upload(chat, ada.token, PNG)).body
  const ofShop = ok(
    await app.request('POST', '/api/v1/attachments', { key: chat.shop.key, raw: 'A file.', headers: { 'Content-Type': 'text/plain' } }),
  )
  for (const [by, token, file] of [
    [chat, eve.token, id],
    [chat, eve.token, ofShop.id],
    [chat, ada.token, ofShop.id],
    [chat, ada.token, nobody('att')],
    [other, mallory.token, id],
  ] as const) {
    const body = { id: 'a-message-with-a-file', attachments: [{ id: file }] }
    const reply = await by.ask('messages', { token, body })
    assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_attachment'])
    assert.equal((await by.ask(`files/${file}`, { token })).status, 404)
  }
  assert.equal((await chat.ask('files/x', { token: ada.token })).status, 404)
  assert.equal((await chat.ask(`files/${id}`, { token: ada.token })).status, 200)
})

test('what the shop sends is seen by its visitor alone', async () => {
  const chat = await aChat(app)
  const [ada, eve] = [await chat.visitor(), await chat.visitor()]
  await chat.ask('messages', { token: ada.token, body: { id: 'a-question-of-adas', text: 'Have you a picture?' } })
  await eventuallyHolds(async () => assert.equal(ok(await chat.shop.get('/api/v1/conversations')).data.length, 1))
  const [conversation] = ok(await chat.shop.get('/api/v1/conversations')).data
  const { id } = ok(
    await app.request('POST', '/api/v1/attachments?name=red.png', {
      key: chat.shop.key,
      raw: PNG,
      headers: { 'Content-Type': 'image/png' },
    }),
  )
  ok(await chat.shop.post(`/api/v1/conversations/${conversation.id}/messages`, { attachments: [{ id }] }))
  const { data } = (await chat.ask('messages', { token: ada.token })).body
  assert.match(data[1].attachments[0].url, /\/api\/files\/att_\w+\?link=/)
  assert.equal((await chat.ask(`files/${id}`, { token: ada.token })).status, 200)
  assert.equal((await chat.ask(`files/${id}`, { token: eve.token })).status, 404)
})
