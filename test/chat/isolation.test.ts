// Nothing that a visitor, a shop or a key has opens another's chat. Generated from the routes, so a new one is tested by being there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatContext } from '../../src/chat/context.ts'
import { chatRoutes } from '../../src/chat/routes.ts'
import { testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { nobody, ok } from '../support/given.ts'
import { aChat, type Chat, request } from './chatting.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })
await app.startWorker()
const { routes } = chatRoutes({ sql: app.sql, keyring: app.keyring, baseUrl: app.config.baseUrl } as ChatContext)

async function aTalk(chat: Chat) {
  const { token } = await chat.visitor()
  const file = await chat.ask('files?name=a.txt', { token, raw: 'A secret file.', headers: { 'Content-Type': 'text/plain' } })
  await chat.ask('messages', { token, body: { id: 'a-secret-of-theirs', text: 'A secret', attachments: [{ id: file.body.id }] } })
  const message = await eventuallyHolds(async () => {
    const [found] = (await chat.ask('messages', { token })).body.data
    assert.ok(found)
    return found
  })
  return { token, file: file.body.id as string, message: message.id as string }
}

const rowsOf = async (tenant: string): Promise<{ row: string }[][]> => {
  const tables = ['callbacks', 'messages', 'conversations', 'contacts', 'contact_channels', 'attachments', 'chat_mails', 'chat_mail_ends']
  return Promise.all(
    tables.map(async name => [
      ...(await app.sql<{ row: string }[]>`select to_jsonb(t)::text as row from ${app.sql(name)} t where tenant_id = ${tenant} order by 1`),
    ]),
  )
}

const bodies: Record<string, (file: string, message: string) => object> = {
  messages: file => ({ id: 'a-message-of-a-thief', text: 'Mine', attachments: [{ id: file }] }),
  seen: (_file, message) => ({ message_id: message }),
}

type Talk = Awaited<ReturnType<typeof aTalk>>

/** Where another visitor's token opens something of their own: none of it is of the first one's talk. */
const own: Record<string, (chat: Chat, token: string, theirs: Talk) => Promise<void>> = {
  'GET live': async (chat, token, theirs) => {
    const say = (by: string, id: string, text: string) => chat.ask('messages', { token: by, body: { id, text } })
    const since = { 'Last-Event-ID': String(Date.now() - 60_000) }
    const live = (by: string) => fetch(`${app.url}/api/chat/${chat.id}/live`, { headers: { Authorization: `Bearer ${by}`, ...since } })
    // Both streams are open, for what changed is read once for all of a shop.
    const [{ status, body }, beside] = await Promise.all([live(token), live(theirs.token)])
    assert.equal(status, 200)
    await say(theirs.token, 'another-secret-of-theirs', 'A secret of now')
    await eventuallyHolds(async () => assert.equal((await chat.ask('messages', { token: theirs.token })).body.data.length, 2))
    await say(token, 'an-own-message-of-mine', 'My own words')
    let text = ''
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      if (text.includes('My own words')) break
    }
    await beside.body?.cancel()
    assert.ok(!text.includes('secret') && !text.includes(theirs.message), text)
  },
  'POST files': async (chat, token, theirs) => {
    const before = await rowsOf(chat.shop.id)
    const { status, body } = await chat.ask('files?name=b.txt', { token, raw: 'x', headers: { 'Content-Type': 'text/plain' } })
    assert.equal(status, 201)
    const others = (await rowsOf(chat.shop.id)).map(rows => rows.filter(({ row }) => !row.includes(body.id)))
    assert.deepEqual(others, before)
    assert.equal((await chat.ask(`files/${body.id}`, { token: theirs.token })).status, 404)
  },
}

test('there are routes', () => assert.ok(routes.length >= 8))

for (const { method, path } of routes) {
  const name = path.split('/')[4] as string
  if (name === 'visitors') continue
  test(`${method} ${path}: tokens of other chats and workspaces, keys and nothing at all are refused; another visitor’s see and change nothing`, async () => {
    const chat = await aChat(app)
    const [theirs, sameShop, otherShop] = [await aTalk(chat), await chat.visitor(), await aChat(app)]
    const before = await rowsOf(chat.shop.id)
    const ask = (token: string | undefined, id = chat.id) => {
      const at = path.replace('{id}', id).replace('{innerId}', theirs.file)
      const body = bodies[name]?.(theirs.file, theirs.message) ?? {}
      const content = name === 'files' ? { raw: 'x', headers: { 'Content-Type': 'text/plain' } } : { body }
      return request(app, at, { token, ...(method === 'POST' && content) })
    }
    for (const token of [undefined, (await otherShop.visitor()).token, chat.shop.key, otherShop.shop.key, theirs.token.slice(0, -1)])
      assert.equal((await ask(token)).status, 401)
    assert.equal((await ask(theirs.token, otherShop.id)).status, 401)
    assert.equal((await ask(theirs.token, nobody('chn'))).status, 404)
    assert.deepEqual(await rowsOf(chat.shop.id), before)
    const open = own[`${method} ${name}`]
    if (open) return open(chat, sameShop.token, theirs)
    const { status, text } = await ask(sameShop.token)
    assert.ok([200, 204, 404, 422].includes(status), text)
    assert.ok(!text.includes('secret') && !text.includes(theirs.message), text)
    assert.deepEqual(await rowsOf(chat.shop.id), before)
  })
}

test('a visitor’s token is no key', async () => {
  const chat = await aChat(app)
  const { token } = await aTalk(chat)
  for (const path of ['/api/v1/conversations', '/api/v1/contacts', '/api/v1/conversations/live'])
    assert.ok([401, 403].includes((await app.request('GET', path, { key: token })).status), path)
  assert.equal(ok(await chat.shop.get('/api/v1/conversations')).data.length, 1)
})
