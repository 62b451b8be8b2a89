// Messages on their way into the queues of their conversations.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { leases } from '../../src/channels/sending/lease.ts'
import { queued, withdrawn } from '../../src/channels/sending/queue.ts'
import { setWake } from '../../src/channels/sending/wake.ts'
import { newId, type Ref } from '../../src/ids.ts'
import { combine } from '../../src/postgres/combine.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { anInbound } from '../support/given.ts'

const app = await testApp()
const { sql } = app
const woken: Ref[] = []
setWake(channels => woken.push(...channels))
after(() => setWake(() => {}))

const AT = '2026-05-28T20:26:40.000Z'

async function given() {
  const shop = await app.tenant()
  const { body: contact } = await shop.post('/api/v1/contacts', { email: 'ann@example.com' })
  const { conversation: begun } = await anInbound(app, shop, { contact_id: contact.id })
  const { id: conversation, channel_id: channel } = begun
  const send = (over: { message_id?: string; at?: string; ai_epoch?: number | null } = {}) => ({
    tenant: shop.id,
    channel_id: channel,
    conversation_id: conversation,
    message_id: newId('msg'),
    at: AT,
    ai_epoch: null,
    ...over,
  })
  const queue = (tx: Tx, over = {}) => combine(tx, { writes: queued(tx, [send(over)]) })
  const dueAt = async () =>
    (await sql`select due_at from channel_queues where conversation_id = ${conversation}`)[0]?.['due_at']?.toISOString()
  const waiting = async () =>
    (await sql`select message_id from channel_sends where conversation_id = ${conversation} order by queued_at, message_id`).map(
      row => row['message_id'],
    )
  return { shop, channel, conversation, queue, dueAt, waiting }
}

test('a message is queued and its channel woken with the transaction that wrote it, and not if that rolls back', async () => {
  const { shop, channel, queue, dueAt, waiting } = await given()
  const bug = new Error('a bug')
  const failing = begin(sql, async tx => {
    await queue(tx)
    throw bug
  })
  await assert.rejects(failing, bug)
  assert.deepEqual([await dueAt(), await waiting(), woken], [undefined, [], []])
  await begin(sql, tx => queue(tx, { message_id: 'msg_1' }))
  assert.deepEqual([await dueAt(), await waiting()], [AT, ['msg_1']])
  assert.deepEqual(woken.splice(0), [{ tenant: shop.id, id: channel }])
  await leases.enqueue(sql, { tenant: shop.id, id: channel })
  const jobs = await sql`select priority from graphile_worker._private_jobs where payload ->> 'channelId' = ${channel}`
  assert.deepEqual([...jobs], [{ priority: -1 }], 'before deliveries of webhooks, whose jobs have 1 and more, and what waits longer')
})

test('a message behind another does not move the time at which that may go, and one alone waits for what the platform asked for', async () => {
  const { conversation, queue, dueAt } = await given()
  const later = '2026-05-28T20:27:00.000Z'
  await begin(sql, tx => queue(tx))
  await sql`update channel_queues set due_at = ${later} where conversation_id = ${conversation}`
  await begin(sql, tx => queue(tx))
  assert.equal(await dueAt(), later, 'its next attempt')
  await sql`update channel_queues set due_at = null, held_until = ${later} where conversation_id = ${conversation}`
  await begin(sql, tx => queue(tx))
  assert.equal(await dueAt(), later)
})

test('words of the assistant are taken back unless they have begun to go, and nobody else’s are', async () => {
  const { shop, conversation, queue, waiting } = await given()
  await begin(sql, tx => queue(tx, { message_id: 'msg_1', ai_epoch: 1 }))
  await sql`update channel_sends set begun_at = now() where conversation_id = ${conversation}`
  await begin(sql, async tx => {
    await queue(tx, { message_id: 'msg_2', ai_epoch: 1, at: '2026-05-28T20:26:41.000Z' })
    await queue(tx, { message_id: 'msg_3', at: '2026-05-28T20:26:42.000Z' })
  })
  const gone = await begin(sql, tx => tx`${withdrawn(shop.id, conversation)}`)
  assert.deepEqual([...gone], [{ message_id: 'msg_2', in_doubt: false }])
  assert.deepEqual(await waiting(), ['msg_1', 'msg_3'])
})
