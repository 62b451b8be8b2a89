// A talk over web chat: what a visitor says becomes messages, and what is answered reaches them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { aChat, type Chat, identity } from './chatting.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })
await app.startWorker()

let said = 0
const say = async ({ ask }: Chat, token: string, over: object = {}) => {
  const id = `message-of-mine-${++said}`
  const reply = await ask('messages', { token, body: { id, text: 'Hello?', ...over } })
  assert.equal(reply.status, 200, reply.text)
  return id
}
const conversations = async ({ shop }: Chat) => ok(await shop.get('/api/v1/conversations')).data
const heard = ({ ask }: Chat, token: string, count: number) =>
  eventuallyHolds(async () => {
    const { body } = await ask('messages', { token })
    assert.equal(body.data.length, count)
    return body.data
  })

test('what a visitor says is a message once, however often it is sent, and what is answered is read in order', async () => {
  const chat = await aChat(app)
  const { token, id } = await chat.visitor()
  const own = 'message-sent-twice'
  for (let n = 0; n < 3; n++)
    await chat.ask('messages', { token, body: { id: own, text: 'Is it red?', page: 'https://shop.example.com/p/1' } })
  const [first] = await heard(chat, token, 1)
  assert.deepEqual([first.own_id, first.from, first.text, first.name], [own, 'visitor', 'Is it red?', null])
  const [conversation] = await conversations(chat)
  assert.deepEqual([conversation.platform, conversation.channel_id, conversation.unread_count], ['web', chat.id, 1])
  const contact = ok(await chat.shop.get(`/api/v1/contacts/${conversation.contact.id}`))
  assert.deepEqual(
    [contact.name, contact.channels[0].external_id, contact.attributes],
    [null, id, { last_page: 'https://shop.example.com/p/1' }],
  )

  const path = `/api/v1/conversations/${conversation.id}/messages`
  ok(await chat.shop.post(path, { text: 'A note', private: true }))
  const answer = ok(await chat.shop.post(path, { text: 'It is.', choices: [{ id: 'buy', title: 'Buy it' }] }))
  assert.equal(answer.status, 'sent')
  const [, shown] = await heard(chat, token, 2)
  assert.deepEqual(
    [shown.id, shown.from, shown.text, shown.own_id, shown.choices],
    [answer.id, 'shop', 'It is.', null, [{ id: 'buy', title: 'Buy it' }]],
  )
  await say(chat, token, { text: 'Buy it', choice_id: 'buy' })
  const all = await heard(chat, token, 3)
  assert.deepEqual((await chat.ask(`messages?after=${first.id}`, { token })).body.data, all.slice(1))
  assert.deepEqual((await chat.ask(`messages?after=${all[2].id}`, { token })).body, { object: 'list', data: [], has_more: false })
})

test('what was seen is read, up to that message', async () => {
  const chat = await aChat(app)
  const { token } = await chat.visitor()
  await say(chat, token)
  await heard(chat, token, 1)
  const [{ id }] = await conversations(chat)
  const path = `/api/v1/conversations/${id}/messages`
  const answers: string[] = []
  for (const text of ['One', 'Two', 'Three']) answers.push(ok(await chat.shop.post(path, { text })).id)
  assert.equal((await chat.ask('seen', { token, body: { message_id: answers[1] } })).status, 204)
  await eventuallyHolds(async () => {
    const { data } = ok(await chat.shop.get(path))
    const status = (wanted: string) => data.find((each: { id: string }) => each.id === wanted).status
    assert.deepEqual(answers.map(status), ['read', 'read', 'sent'])
  })
})

test('visitors see their own talk alone, of their own chat alone', async () => {
  const [chat, other] = [await aChat(app), await aChat(app)]
  const [ada, eve] = [await chat.visitor(), await chat.visitor()]
  await say(chat, ada.token, { text: 'A secret' })
  const [message] = await heard(chat, ada.token, 1)
  assert.deepEqual((await chat.ask('messages', { token: eve.token })).body.data, [])
  assert.deepEqual((await chat.ask(`messages?after=${message.id}`, { token: eve.token })).body.data, [])
  assert.equal((await chat.ask('seen', { token: eve.token, body: { message_id: message.id } })).status, 422)
  assert.equal((await other.ask('messages', { token: ada.token })).status, 401)
})

test('an e-mail that a stranger types joins nobody and shows nothing; the identity that the shop signed joins', async () => {
  const chat = await aChat(app)
  const ada = ok(await chat.shop.post('/api/v1/contacts', { name: 'Ada', email: 'ada@example.com', external_id: 'crm-1' }))
  const stranger = await chat.visitor()
  await say(chat, stranger.token, { name: 'Ada', email: 'ADA@example.com' })
  await heard(chat, stranger.token, 1)
  const [talk] = await conversations(chat)
  assert.notEqual(talk.contact.id, ada.id)
  assert.deepEqual([talk.contact.name, talk.contact.email], ['Ada', null])
  const session = (await chat.ask('visitors', { token: stranger.token, body: {} })).body
  // As of an address that nobody has: a stranger cannot try out whose addresses are known.
  assert.equal(session.has_email, true)
  const { channels } = ok(await chat.shop.get(`/api/v1/contacts/${talk.contact.id}`))
  assert.equal(channels[0].handle, 'ADA@example.com', 'staff sees what was typed')

  const known = await chat.visitor({ identity: identity(chat.secret, { external_id: 'crm-1', email: 'ada@example.com' }) })
  await say(chat, known.token)
  await heard(chat, known.token, 1)
  const { data } = ok(await chat.shop.get(`/api/v1/conversations?contact_id=${ada.id}`))
  assert.equal(data.length, 1)
  assert.equal(ok(await chat.shop.get(`/api/v1/contacts/${ada.id}`)).version, ada.version, 'nothing was lacking')
})

test('who signs in later goes on with the same talk, which is the contact’s from then on', async () => {
  const chat = await aChat(app)
  const ada = ok(await chat.shop.post('/api/v1/contacts', { name: 'Ada', external_id: 'crm-1' }))
  const { token } = await chat.visitor()
  await say(chat, token)
  const before = await heard(chat, token, 1)
  const signed = (await chat.ask('visitors', { token, body: { identity: identity(chat.secret, { external_id: 'crm-1' }) } })).body
  await say(chat, signed.visitor_token, { text: 'It is me' })
  const after = await heard(chat, signed.visitor_token, 2)
  assert.equal(after[0].id, before[0].id)
  await eventuallyHolds(async () => {
    const all = await conversations(chat)
    assert.deepEqual(
      all.map((each: { contact: { id: string } }) => each.contact.id),
      [ada.id],
    )
  })
})

test('an address alone, given for an answer by mail, is told of a contact without a message', async () => {
  const chat = await aChat(app)
  const { token } = await chat.visitor()
  await say(chat, token)
  await heard(chat, token, 1)
  assert.equal((await chat.ask('messages', { token, body: { id: 'the-address-alone', email: 'eve@example.com' } })).status, 200)
  await eventuallyHolds(async () => assert.equal((await chat.ask('visitors', { token, body: {} })).body.has_email, true))
  assert.equal((await heard(chat, token, 1)).length, 1)
})

test('markup and ten thousand line breaks in a name are text, and short', async () => {
  const chat = await aChat(app)
  const { token } = await chat.visitor()
  await say(chat, token, {
    name: `<img src=x onerror=alert(1)>${'\n'.repeat(200)}`,
    text: `<script>alert(1)</script>${'\n'.repeat(4000)}x`,
  })
  const [message] = await heard(chat, token, 1)
  assert.match(message.text, /^<script>/)
  const [{ contact }] = await conversations(chat)
  assert.equal(contact.name, '<img src=x onerror=alert(1)>')
  assert.equal((await chat.ask('messages', { token, body: { id: 'a-name-of-10000', text: 'x', name: '\n'.repeat(10_000) } })).status, 422)
})
