// Conversations from before there were channels.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate } from '../../src/postgres/migrate.ts'
import { nobody } from '../support/given.ts'
import { databaseBefore } from '../support/migrating.ts'

const NAME = '0015_conversations_on_channels.sql'
const AT = '2026-05-28T20:26:40.000Z'
const [shop, other, contact] = [nobody('ten'), `ten_0${'2'.repeat(25)}`, nobody('con')]
const conversation = (id: string, platform: string, channel_id: string, status = 'open') => ({
  object: 'conversation',
  id,
  platform,
  channel_id,
  status,
  ai_status: 'on',
  ai_paused_at: null,
  ai_paused_reason: null,
  ai_paused_by: null,
  assigned_to: null,
  escalation: null,
  tags: [],
  version: 1,
  created_at: AT,
})
const message = (id: string, conversation_id: string, over: object = {}) => ({
  object: 'message',
  id,
  conversation_id,
  direction: 'inbound',
  author: { type: 'customer', id: contact, name: 'Ünï', via: 'channel' },
  text: 'Hello?',
  attachments: [],
  private: false,
  status: 'received',
  error: null,
  in_reply_to: null,
  external_id: null,
  ai: null,
  created_at: AT,
  ...over,
})

test('old conversations get a channel that is deleted, and their messages what messages have learnt since', async () => {
  const { url, sql } = await databaseBefore(NAME)
  const ids = [1, 2, 3, 4].map(n => `conv_0${String(n).repeat(25)}`) as [string, string, string, string]
  const file = { id: nobody('att'), type: 'image', url: 'https://a.example/1.jpg', mime_type: 'image/jpeg', size_bytes: 7, name: null }
  for (const tenant of [shop, other]) {
    await sql`insert into tenants (id, name, plan, currency) values (${tenant}, 'A shop', 'enterprise', 'EUR')`
    await sql`insert into contacts (tenant_id, id, created_at, updated_at, doc) values (${tenant}, ${contact}, ${AT}, ${AT}, '{}')`
  }
  const rows = [
    [shop, conversation(ids[0], 'telegram', 'demo-telegram')],
    [shop, conversation(ids[1], 'telegram', 'demo-telegram', 'closed')],
    [shop, conversation(ids[2], 'email', 'demo "e-mail"')],
    [other, conversation(ids[3], 'telegram', 'demo-telegram')],
  ] as const
  for (const [tenant, doc] of rows) {
    const { id, platform, channel_id, status } = doc
    await sql`
      insert into conversations (tenant_id, id, platform, channel_id, contact_id, status, ai_status, created_at, updated_at, doc)
      values (${tenant}, ${id}, ${platform}, ${channel_id}, ${contact}, ${status}, 'on', ${AT}, ${AT}, ${JSON.stringify(doc)})`
  }
  const messages = [
    message(`msg_0${'1'.repeat(25)}`, ids[0], { external_id: '4711', attachments: [file] }),
    message(`msg_0${'2'.repeat(25)}`, ids[1], { direction: 'outbound', status: 'failed', error: 'It broke.' }),
  ]
  for (const doc of messages)
    await sql`
      insert into messages (tenant_id, id, conversation_id, platform, external_id, created_at, doc)
      values (${shop}, ${doc.id}, ${doc.conversation_id}, 'telegram', ${doc.external_id}, ${AT}, ${JSON.stringify(doc)})`

  assert.equal((await migrate(url))[0], NAME)

  const channels = await sql`select tenant_id, id, platform, name, status, created_at from channels order by tenant_id, name`
  for (const channel of channels) {
    assert.match(channel['id'], /^chn_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    assert.deepEqual([channel['status'], channel['created_at'].toISOString()], ['deleted', AT])
  }
  assert.deepEqual(
    channels.map(row => [row['tenant_id'], row['platform'], row['name']]),
    [
      [shop, 'email', 'Former demo "e-mail"'],
      [shop, 'telegram', 'Former demo-telegram'],
      [other, 'telegram', 'Former demo-telegram'],
    ],
  )
  const [email, telegram, others] = channels.map(row => row['id'])
  const moved = await sql`select id, channel_id, thread, status, closed_at, doc from conversations order by id`
  assert.deepEqual(
    moved.map(row => row['channel_id']),
    [telegram, telegram, email, others],
  )
  for (const [index, row] of moved.entries()) {
    assert.deepEqual(JSON.parse(row['doc']), {
      ...rows[index]?.[1],
      channel_id: row['channel_id'],
      closed_at: row['status'] === 'closed' ? AT : null,
    })
    assert.equal(row['thread'], contact)
    assert.equal(row['closed_at']?.toISOString(), row['status'] === 'closed' ? AT : undefined)
  }
  const learnt = {
    location: null,
    choices: null,
    choice_id: null,
    template: null,
    unsupported: null,
    reactions: [],
    attempts: 0,
    next_attempt_at: null,
    sent_at: null,
    edited_at: null,
    deleted_at: null,
  }
  const docs = await sql`select channel_id, status, doc from messages order by id`
  assert.deepEqual(
    docs.map(row => [row['channel_id'], row['status'], JSON.parse(row['doc'])]),
    [
      [telegram, 'received', { ...messages[0], ...learnt, attachments: [{ ...file, status: 'stored', error: null }] }],
      [telegram, 'failed', { ...messages[1], ...learnt, error: { code: 'failed', message: 'It broke.' } }],
    ],
  )
})
