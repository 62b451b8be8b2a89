// Conversations: what a customer's message starts, continues and changes, and what an answer does.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { apply as applyAll } from '../../src/conversations/apply.ts'
import { record } from '../../src/conversations/reply.ts'
import type { Update } from '../../src/conversations/update.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { anInbound, assertProblem, type Inbound, nobody, tell } from '../support/given.ts'
import { sessionWaits } from '../support/locks.ts'

const app = await testApp()
const CONVERSATIONS = '/api/v1/conversations'

async function aShop() {
  const shop = await app.tenant()
  const { body: contact } = await shop.post('/api/v1/contacts', { name: 'Ada "A" Lovelace', email: 'ada@example.com' })
  const says = (text: string, over: Partial<Inbound> = {}) => anInbound(app, shop, { contact_id: contact.id, text, ...over })
  const answer = (id: string, over: Partial<Parameters<typeof record>[3]> = {}) =>
    begin(app.sql, tx =>
      record(tx, { tenant: shop.id, actor: { type: 'system' } }, id, {
        author: { type: 'ai', id: null, name: null, via: null },
        text: 'Yes.',
        ...over,
      }),
    )
  const read = async (id: string): Promise<Reply['body']> => (await shop.get(`${CONVERSATIONS}/${id}`)).body
  const close = async (id: string) => {
    assert.equal((await shop.patch(`${CONVERSATIONS}/${id}`, { status: 'closed' })).status, 200)
  }
  return { shop, contact, says, answer, read, close }
}
const aMessage = (text: string, over: { thread: string }): Update => ({
  kind: 'message',
  thread: over.thread,
  at: null,
  from: { ids: [over.thread] },
  external_id: `${over.thread} ${text}`,
  said: { text, media: [] },
})
const apply = async (tx: Tx, tenant: string, channel: string, update: Update) => {
  const account = (await accounts.of(tx, tenant, channel)) as accounts.Account
  return applyAll(tx, { tenant, actor: { type: 'system' } }, account, [{ update, receivedAt: new Date() }])
}
const operator = { type: 'operator', id: nobody('usr'), name: 'Olga', via: 'dashboard' } as const
const events = async (shop: TestTenant): Promise<{ type: string; data: Reply['body'] }[]> =>
  (await app.sql`select body from events where tenant_id = ${shop.id} and type <> 'contact.created' order by seq`).map(({ body }) =>
    JSON.parse(body),
  )

test('a first message starts a conversation, which has every documented field', async () => {
  const { shop, contact, says } = await aShop()
  const channel = await aChannel(app, shop, { platform: 'telegram' })
  const { message, conversation } = await says('Is it in M?', {
    platform: 'telegram',
    channel_id: channel,
    external_id: '4711',
  })
  const author = { type: 'customer', id: contact.id, name: contact.name, via: 'channel' }
  const at = message.created_at
  const reply = await shop.get(`${CONVERSATIONS}/${conversation.id}`)
  assert.deepEqual(reply.body, {
    object: 'conversation',
    id: conversation.id,
    platform: 'telegram',
    channel_id: channel,
    contact: { id: contact.id, name: 'Ada "A" Lovelace', email: 'ada@example.com', email_claimed: false },
    status: 'open',
    ai_status: 'on',
    ai_paused_at: null,
    ai_paused_reason: null,
    ai_paused_by: null,
    assigned_to: null,
    escalation: null,
    closed_at: null,
    unread_count: 1,
    failed_count: 0,
    reply_until: null,
    messages_count: 1,
    waiting_since: at,
    last_message: { id: message.id, direction: 'inbound', author, text: 'Is it in M?', created_at: at },
    tags: [],
    version: 1,
    created_at: conversation.created_at,
    updated_at: at,
    messages: [
      {
        object: 'message',
        id: message.id,
        conversation_id: conversation.id,
        direction: 'inbound',
        author,
        text: 'Is it in M?',
        attachments: [],
        location: null,
        choices: null,
        choice_id: null,
        template: null,
        unsupported: null,
        private: false,
        status: 'received',
        error: null,
        attempts: 0,
        next_attempt_at: null,
        in_reply_to: null,
        external_id: '4711',
        reactions: [],
        ai: null,
        sent_at: null,
        edited_at: null,
        deleted_at: null,
        created_at: at,
      },
    ],
  })
  for (const [id, prefix] of [
    [conversation.id, 'conv'],
    [message.id, 'msg'],
  ] as const)
    assert.match(String(id), new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
  const { messages, ...listed } = reply.body
  assert.deepEqual((await shop.get(CONVERSATIONS)).body.data, [listed], 'messages are in the detail alone')
  assert.deepEqual((await shop.get(`${CONVERSATIONS}/${conversation.id}/messages`)).body.data, messages)
})

suite('a customer’s message', () => {
  test('continues the contact’s open conversation on that channel, counts, and makes no new version', async () => {
    const { says, read, contact, shop } = await aShop()
    const elsewhere = await aChannel(app, shop)
    const first = await says('one')
    const second = await says('two')
    assert.equal(second.conversation.id, first.conversation.id)
    const other = await says('elsewhere', { channel_id: elsewhere })
    assert.notEqual(other.conversation.id, first.conversation.id)
    const { messages, ...now } = await read(first.conversation.id)
    assert.deepEqual(now, second.conversation, 'the verb returns what a read gives')
    assert.deepEqual([now.unread_count, now.messages_count, now.version, now.waiting_since], [2, 2, 1, first.message.created_at])
    assert.ok(now.updated_at > first.conversation.updated_at, 'it comes up in the list')
    assert.deepEqual(
      messages.map((each: { text: string }) => each.text),
      ['two', 'one'],
    )
    assert.equal((await shop.get(`/api/v1/contacts/${contact.id}`)).body.last_message_at, other.message.created_at)
  })

  test('23 hours after the conversation was closed reopens it, 25 hours after starts another', async () => {
    const { shop, says, close, read } = await aShop()
    const { conversation } = await says('one')
    await close(conversation.id)
    const closedAt = Date.parse((await read(conversation.id)).closed_at)
    const after = (hours: number) => new Date(closedAt + hours * 3_600_000).toISOString()
    const again = await says('two', { at: after(23) })
    assert.deepEqual([again.conversation.id, again.conversation.status, again.conversation.closed_at], [conversation.id, 'open', null])
    assert.deepEqual(
      (await events(shop)).slice(-2).map(each => each.type),
      ['conversation.reopened', 'message.received'],
    )
    await close(conversation.id)
    assert.notEqual((await says('three', { at: after(26) })).conversation.id, conversation.id)
  })

  test('emits message.received, after conversation.started where it starts one, with whole snapshots', async () => {
    const { shop, contact, says } = await aShop()
    const first = await says('one')
    const second = await says('two')
    const now = {
      ...contact,
      channels: (await shop.get(`/api/v1/contacts/${contact.id}`)).body.channels,
      last_message_at: first.message.created_at,
    }
    assert.deepEqual(
      (await events(shop)).map(({ type, data }) => ({ type, data })),
      [
        { type: 'conversation.started', data: { conversation: first.conversation, contact: now, first_message: first.message } },
        { type: 'message.received', data: { message: first.message, conversation: first.conversation, contact: now } },
        {
          type: 'message.received',
          data: {
            message: second.message,
            conversation: second.conversation,
            contact: { ...now, last_message_at: second.message.created_at },
          },
        },
      ],
    )
    const audited = await app.sql`select action, subject_id, details from audit_log where subject_id = ${first.conversation.id} order by id`
    assert.deepEqual(
      audited.map(row => [row['action'], row['details']]),
      [
        ['conversation.start', { message_id: first.message.id }],
        ['message.receive', { message_id: second.message.id }],
      ],
    )
  })

  test('is taken once: the platform’s repeat changes nothing', async () => {
    const { shop, says, read } = await aShop()
    const first = await says('one', { external_id: '1' })
    const before = await read(first.conversation.id)
    const again = await says('one', { external_id: '1' })
    assert.deepEqual(again, first)
    assert.deepEqual(await read(first.conversation.id), before)
    assert.equal((await events(shop)).length, 2)
    const other = await says('another channel’s', { external_id: '1', channel_id: await aChannel(app, shop) })
    assert.notEqual(other.conversation.id, first.conversation.id)
  })

  test('is taken once, also when the conversation was closed in between', async () => {
    const { says, close } = await aShop()
    const first = await says('one', { external_id: '1' })
    await close(first.conversation.id)
    const again = await says('one', { external_id: '1' })
    assert.deepEqual([again.message, again.conversation.status], [first.message, 'closed'])
  })

  test('waits for the message before it, whether that starts the conversation or continues it', async () => {
    const { shop, says, read } = await aShop()
    const { conversation } = await says('zero')
    const { channel_id: channel } = conversation
    for (const thread of ['new', conversation.contact.id]) {
      const one = (text: string) => aMessage(text, { thread })
      let second: Promise<unknown> | undefined
      await begin(app.sql, async tx => {
        await apply(tx, shop.id, channel, one('one'))
        second = tell(app, shop, channel, [one('two')])
        await sessionWaits(app.sql)
      })
      await second
      const [row] = await app.sql`select id from conversations where tenant_id = ${shop.id} and thread = ${thread}`
      const now = await read(row?.['id'])
      assert.deepEqual(
        now.messages.slice(0, 2).map((each: { text: string }) => each.text),
        ['two', 'one'],
      )
      assert.equal(now.unread_count, now.messages.length)
    }
  })

  test('comes after all that was said before, though the clock has gone back', async () => {
    const { says, read } = await aShop()
    const { conversation } = await says('one')
    const ahead = new Date(Date.now() + 60_000).toISOString()
    await app.sql`update conversations set updated_at = ${ahead} where id = ${conversation.id}`
    await says('two')
    const { updated_at, last_message } = await read(conversation.id)
    assert.deepEqual([last_message.text, updated_at > ahead, last_message.created_at], ['two', true, updated_at])
  })

  test('is taken also when ten come at once, one after the other; a repeat among them is taken once', async () => {
    const { shop, says, read } = await aShop()
    const results = await Promise.all(Array.from({ length: 10 }, (_, n) => says(`${n % 8}`, { external_id: `${n % 8}` })))
    const ids = new Set(results.map(each => each.conversation.id))
    assert.equal(ids.size, 1)
    const now = await read(results[0]?.conversation.id as string)
    assert.deepEqual([now.messages_count, now.unread_count, now.messages.length], [8, 8, 8])
    const times = now.messages.map((each: { created_at: string }) => each.created_at)
    assert.deepEqual([...new Set(times)].sort().reverse(), times, 'each message has a time of its own, so that time orders them')
    assert.equal(now.last_message.id, now.messages[0].id)
    assert.equal((await events(shop)).filter(each => each.type === 'message.received').length, 8)
  })
})

suite('an answer', () => {
  test('by the assistant ends the wait, and leaves unread what no human has seen', async () => {
    const { says, answer, read, shop, contact } = await aShop()
    const { conversation } = await says('one')
    const message = await answer(conversation.id, { ai: { skills: ['stock'], sources: [], proposal_id: null } })
    const now = await read(conversation.id)
    assert.deepEqual([now.waiting_since, now.unread_count, now.messages_count, now.ai_status, now.version], [null, 1, 2, 'on', 1])
    assert.deepEqual([now.last_message.id, now.last_message.direction, now.messages[0]], [message.id, 'outbound', message])
    assert.deepEqual([message.status, message.ai?.skills], ['sent', ['stock']])
    assert.equal((await shop.get(`/api/v1/contacts/${contact.id}`)).body.last_message_at, message.created_at)
    assert.deepEqual((await events(shop)).at(-1)?.type, 'message.sent')
  })

  test('by an operator is read by a human, and pauses the assistant', async () => {
    const { says, answer, read, shop } = await aShop()
    const { conversation } = await says('one')
    const message = await answer(conversation.id, { author: operator })
    const { messages, ...now } = await read(conversation.id)
    assert.deepEqual([now.unread_count, now.waiting_since, now.version], [0, null, 2])
    assert.deepEqual(
      [now.ai_status, now.ai_paused_at, now.ai_paused_reason, now.ai_paused_by],
      ['paused', message.created_at, 'human_reply', operator.id],
    )
    assert.deepEqual((await events(shop)).at(-1), {
      ...(await events(shop)).at(-1),
      type: 'ai.paused',
      data: { conversation_id: conversation.id, conversation: now, reason: 'human_reply', by: operator.id },
    })
    await answer(conversation.id, { author: operator })
    assert.equal((await read(conversation.id)).version, 2, 'it was paused already')
    assert.deepEqual(
      (await events(shop)).slice(2).map(each => each.type),
      ['message.sent', 'ai.paused', 'message.sent'],
    )
  })

  test('in private does not reach the customer: only the count and the time move', async () => {
    const { says, answer, read, shop, contact } = await aShop()
    const { conversation, message } = await says('one')
    const note = await answer(conversation.id, { author: operator, private: true, text: 'She is a friend.' })
    const { messages, ...now } = await read(conversation.id)
    assert.deepEqual(now, { ...conversation, messages_count: 2, updated_at: note.created_at })
    assert.deepEqual([messages[0].text, messages[0].private], ['She is a friend.', true])
    assert.equal((await shop.get(`/api/v1/contacts/${contact.id}`)).body.last_message_at, message.created_at)
  })

  test('in no conversation is a 404', async () => {
    const { answer } = await aShop()
    const other = await aShop()
    const { conversation } = await other.says('one')
    for (const id of [nobody('conv'), conversation.id])
      await assert.rejects(answer(id), (error: Problem) => error instanceof Problem && error.status === 404)
  })
})

test('a long last message is shown by its beginning, and no character is cut in two', async () => {
  const { says, shop } = await aShop()
  await says('😀'.repeat(300))
  assert.equal((await shop.get(CONVERSATIONS)).body.data[0].last_message.text, '😀'.repeat(200))
})

test('the contact is shown as it is now', async () => {
  const { shop, contact, says, read } = await aShop()
  const { conversation } = await says('one')
  await shop.patch(`/api/v1/contacts/${contact.id}`, { name: null, email: 'Ünï@example.com' })
  assert.deepEqual((await read(conversation.id)).contact, { id: contact.id, name: null, email: 'Ünï@example.com', email_claimed: false })
})

test('the detail has the newest 50 messages; the list of messages has all, page by page, while more come in', async () => {
  const { shop, says, read } = await aShop()
  const { conversation } = await says('0')
  for (let n = 1; n < 60; n++) await says(`${n}`)
  const texts = (items: { text: string }[]) => items.map(each => Number(each.text))
  const newest = Array.from({ length: 60 }, (_, n) => 59 - n)
  const detail = await read(conversation.id)
  assert.deepEqual(texts(detail.messages), newest.slice(0, 50))
  const sparse = await shop.get(`${CONVERSATIONS}/${conversation.id}?fields=id,contact.name,messages.text`)
  assert.deepEqual(Object.keys(sparse.body), ['id', 'contact', 'messages'])
  assert.deepEqual([sparse.body.contact, sparse.body.messages[0]], [{ name: detail.contact.name }, { text: '59' }])
  const path = `${CONVERSATIONS}/${conversation.id}/messages`
  const plain = await shop.get(path)
  assert.deepEqual(plain.body.data, detail.messages, 'the first page is what the detail shows')
  assert.deepEqual([plain.body.object, plain.body.url, plain.body.has_more], ['list', path, true])
  for (const [dir, expected] of [
    ['desc', newest],
    ['asc', newest.toReversed()],
  ] as const) {
    const seen: number[] = []
    let later = 60
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await shop.get(`${path}?limit=25&dir=${dir}${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...texts(body.data))
      cursor = body.next_cursor
      if (dir === 'desc' && cursor) await says(`${later++}`)
    }
    assert.deepEqual(
      seen.filter(n => n < 60),
      expected,
    )
  }
})

test('a conversation that does not exist is a 404, and so are its messages', async () => {
  const { shop } = await aShop()
  for (const instance of [nobody('conv'), nobody('ord'), 'x'].flatMap(id => [`${CONVERSATIONS}/${id}`, `${CONVERSATIONS}/${id}/messages`]))
    assertProblem(await shop.get(instance), { status: 404, slug: 'resource-not-found', instance })
})

test('every conversation’s columns are what its document says, and the document is rendered as we would again', async () => {
  const { shop, says, answer } = await aShop()
  const { conversation } = await says('Ünï "😀" \\ \u2028', { external_id: 'x' })
  await answer(conversation.id, { author: operator })
  await says('elsewhere', { channel_id: await aChannel(app, shop) })
  const rows = await app.sql`select * from conversations where tenant_id = ${shop.id}`
  assert.equal(rows.length, 2)
  for (const row of rows) {
    const doc = JSON.parse(row['doc'])
    assert.equal(JSON.stringify(doc), row['doc'])
    for (const name of ['id', 'platform', 'channel_id', 'status', 'ai_status', 'assigned_to', 'version']) assert.equal(row[name], doc[name])
    assert.equal(row['created_at'].toISOString(), doc.created_at)
    for (const name of ['updated_at', 'contact', 'unread_count', 'messages_count', 'waiting_since', 'last_message'])
      assert.ok(!(name in doc), name)
  }
  for (const row of await app.sql`select * from messages where tenant_id = ${shop.id}`) {
    const doc = JSON.parse(row['doc'])
    assert.equal(JSON.stringify(doc), row['doc'])
    for (const name of ['id', 'conversation_id', 'external_id']) assert.equal(row[name], doc[name])
    assert.equal(row['created_at'].toISOString(), doc.created_at)
  }
})
