// Retention deletes old rows, keeps those still needed, and holds up no other statement.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pruneAttempts, pruneQueues } from '../../src/channels/sending/prune-store.ts'
import { pruneChatMails } from '../../src/chat/mail-store.ts'
import { idSuffix, newId } from '../../src/ids.ts'
import { QUEUES_IDLE_HOURS } from '../../src/limits/channels.ts'
import { CHAT_MAILS_DAYS } from '../../src/limits/chat.ts'
import { PAYMENT_EVENTS_DAYS } from '../../src/limits/payments.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../../src/limits/retention.ts'
import { pruneMails, queueMail } from '../../src/mail/mail.ts'
import { pruneTaken } from '../../src/payments/ledger/waiting-store.ts'
import { prune as pruneIdempotencyKeys } from '../../src/postgres/idempotency.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { pruneEvents, pruneRecoveries } from '../../src/webhooks/prune-store.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { talksOn } from '../support/talks.ts'

const app = await testApp()
const { sql } = app
const DAY_MS = 86_400_000
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS)
const OLD = RETENTION_DAYS + 1
const YOUNG = RETENTION_DAYS - 1

async function given() {
  const shop = await app.tenant()
  const webhooks = []
  for (const path of ['a', 'b'])
    webhooks.push((await shop.post('/api/v1/webhooks', { url: `http://127.0.0.1:9/${path}`, events: ['order.created'] })).body.id as string)
  const [one, other] = webhooks as [string, string]
  return {
    shop,
    one,
    other,
    async event(days: number): Promise<string> {
      const at = daysAgo(days)
      const id = newId('evt', at.getTime())
      await sql`insert into events (tenant_id, id, type, created_at, body) values (${shop.id}, ${id}, 'order.created', ${at}, '{}')`
      return id
    },
    delivery: (endpoint: string, event: string, state: string) =>
      sql`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, state, due_at) values (${shop.id}, ${endpoint}, ${event}, ${state}, now() + interval '1 hour')`,
    events: async () => (await sql`select id from events where tenant_id = ${shop.id} order by id`).map(row => row['id']),
    attempt: (endpoint: string, event: string, days: number) =>
      sql`insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, final) values (${shop.id}, ${endpoint}, ${event}, 1, ${daysAgo(days)}, 1, true)`,
    log: async () =>
      (await sql`select endpoint_id, event_id from webhook_attempts where tenant_id = ${shop.id} order by event_id, endpoint_id`).map(
        row => `${row['endpoint_id']} ${row['event_id']}`,
      ),
    deliveries: async () =>
      (await sql`select endpoint_id, event_id from webhook_deliveries where tenant_id = ${shop.id} order by event_id, endpoint_id`).map(
        row => `${row['endpoint_id']} ${row['event_id']}`,
      ),
  }
}

test('old events go with their finished deliveries and the log; one that a pending delivery needs stays, however old, and its log with it', async () => {
  const at = await given()
  const [unheard, done, mixed, held, young] = [
    await at.event(OLD),
    await at.event(OLD),
    await at.event(OLD),
    await at.event(400),
    await at.event(YOUNG),
  ]
  await at.delivery(at.one, done, 'succeeded')
  await at.delivery(at.other, done, 'failed')
  await at.delivery(at.one, mixed, 'dropped')
  await at.delivery(at.other, mixed, 'pending')
  await at.delivery(at.one, held, 'pending')
  await at.delivery(at.one, young, 'succeeded')
  await at.attempt(at.one, done, OLD)
  await at.attempt(at.one, mixed, OLD)
  await at.attempt(at.other, young, YOUNG)
  await pruneAll(sql, pruneEvents)
  assert.deepEqual(await at.log(), [`${at.one} ${mixed}`, `${at.other} ${young}`])
  assert.deepEqual(await at.events(), [held, mixed, young].sort())
  assert.ok(!(await at.events()).includes(unheard))
  assert.deepEqual(await at.deliveries(), [
    `${at.one} ${held}`,
    ...[at.one, at.other].sort().map(id => `${id} ${mixed}`),
    `${at.one} ${young}`,
  ])

  await sql`update webhook_deliveries set state = 'succeeded' where tenant_id = ${at.shop.id}`
  await pruneAll(sql, pruneEvents)
  assert.deepEqual(await at.events(), [young])
  assert.deepEqual(await at.deliveries(), [`${at.one} ${young}`])
})

test('a pass walks on past kept rows, through every tenant, and ends', async () => {
  const shops = [await given(), await given(), await given()]
  const old = daysAgo(OLD)
  const ids = Array.from({ length: PRUNE_BATCH + 200 }, () => newId('evt', old.getTime()))
  for (const { shop } of shops)
    await sql`insert into events (tenant_id, id, type, created_at, body) select ${shop.id}, i, 'order.created', ${old}, '{}' from unnest(${ids}::text[]) i`
  const [first] = shops
  assert.ok(first)
  await sql`
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
    select ${first.shop.id}, ${first.one}, i, now() + interval '1 hour' from unnest(${ids}::text[]) i`
  let statements = 0
  for await (const _ of pruneEvents(sql)) statements++
  assert.ok(statements <= 6, `${statements} statements`)
  assert.deepEqual(await Promise.all(shops.map(async each => (await each.events()).length)), [ids.length, 0, 0])
})

test('a pass skips an event that a transaction is about to send again', async () => {
  const at = await given()
  const event = await at.event(OLD)
  await begin(sql, async tx => {
    await tx`select 1 from events where tenant_id = ${at.shop.id} and id = ${event} for share`
    await pruneAll(sql, pruneEvents)
    await tx`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${at.shop.id}, ${at.one}, ${event}, now())`
  })
  await pruneAll(sql, pruneEvents)
  assert.deepEqual(await at.events(), [event])
})

test('mails and idempotency keys are deleted when their time is over, and no sooner', async () => {
  const { shop } = await given()
  for (const days of [OLD, YOUNG]) {
    await begin(sql, tx => queueMail(tx, { tenant: shop.id, kind: 'test', to: 'a@b.example', subject: `s${days}`, text: 'T' }))
    await sql`update mails set created_at = ${daysAgo(days)} where tenant_id = ${shop.id} and subject = ${`s${days}`}`
  }
  const lapsed = daysAgo(0.5)
  for (const [key, created, until] of [
    ['old', daysAgo(1.1), lapsed],
    ['young', daysAgo(0.9), lapsed],
    ['old, but claimed anew', daysAgo(1.1), daysAgo(-1)],
  ] as const)
    await sql`insert into idempotency_keys (tenant_id, key, claim, claimed_until, created_at) values (${shop.id}, ${key}, gen_random_uuid(), ${until}, ${created})`
  for (const prune of [pruneMails, pruneIdempotencyKeys]) assert.equal(await pruneAll(sql, prune), 1)
  assert.deepEqual(
    (await sql`select subject from mails where tenant_id = ${shop.id}`).map(row => row['subject']),
    [`s${YOUNG}`],
  )
  assert.deepEqual(
    (await sql`select key from idempotency_keys where tenant_id = ${shop.id} order by key`).map(row => row['key']),
    ['old, but claimed anew', 'young'],
  )
})

test('recoveries go as long after their end as the log does, and one that is not at its end stays', async () => {
  const at = await given()
  for (const [id, days] of [
    ['rcv_old', OLD],
    ['rcv_young', YOUNG],
    ['rcv_running', undefined],
  ] as const)
    await sql`
      insert into webhook_recoveries (tenant_id, id, endpoint_id, scope, first_id, end_id, state, max_per_second, total, created_at, finished_at)
      values (${at.shop.id}, ${id}, ${at.one}, 'event', 'evt_a', 'evt_b', ${days ? 'completed' : 'running'}, 10, 1, ${daysAgo(OLD)}, ${days ? daysAgo(days) : null})`
  assert.equal(await pruneAll(sql, pruneRecoveries), 1)
  const left = await sql`select id from webhook_recoveries where tenant_id = ${at.shop.id} order by id`
  assert.deepEqual(
    left.map(({ id }) => id),
    ['rcv_running', 'rcv_young'],
  )
})

test('attempts on channels, the links of old mails, and the events of providers go when they are of no more use, and no sooner', async () => {
  const shop = await app.tenant()
  const { id: tenant } = shop
  const [idle, resting, waiting] = (await talksOn(app, shop, await aChannel(app, shop), 3)).map(each => each.id)
  // Of an old message one attempt is old, and one is of the day on which it was sent again.
  const [old, young] = [newId('msg', daysAgo(OLD).getTime()), newId('msg', daysAgo(YOUNG).getTime())]
  for (const [message, days] of [
    [old, OLD],
    [old, YOUNG],
    [young, YOUNG],
  ] as const)
    await sql`
      insert into channel_attempts (tenant_id, message_id, started_at, channel_id, duration_ms, outcome)
      values (${tenant}, ${message}, ${daysAgo(days)}, 'chn', 1, 'taken')`
  for (const [conversation, hours, due] of [
    [idle, QUEUES_IDLE_HOURS + 1, null],
    [resting, QUEUES_IDLE_HOURS - 1, null],
    [waiting, QUEUES_IDLE_HOURS + 1, new Date()],
  ] as const)
    await sql`
      insert into channel_queues (tenant_id, conversation_id, channel_id, due_at, idle_since)
      values (${tenant}, ${conversation as string}, 'chn', ${due}, ${daysAgo(hours / 24)})`
  for (const days of [CHAT_MAILS_DAYS + 1, CHAT_MAILS_DAYS - 1])
    await sql`
      insert into chat_mails (tenant_id, channel_id, hash, conversation_id, visitor_id, told_until, created_at)
      values (${tenant}, 'chn', ${Buffer.from([days])}, 'conv', ${`of ${days} days`}, now(), ${daysAgo(days)})`
  for (const days of [PAYMENT_EVENTS_DAYS + 1, PAYMENT_EVENTS_DAYS - 1])
    await sql`insert into payment_events_taken (tenant_id, provider_id, event_id, taken_at) values (${tenant}, 'pay', ${`of ${days} days`}, ${daysAgo(days)})`
  for (const prune of [pruneAttempts, pruneQueues, pruneChatMails, pruneTaken]) await pruneAll(sql, prune)
  const attempts = await sql`select message_id, started_at from channel_attempts where tenant_id = ${tenant} order by message_id`
  assert.deepEqual(
    attempts.map(each => [each['message_id'], each['started_at'] > daysAgo(RETENTION_DAYS)]),
    [
      [old, true],
      [young, true],
    ],
  )
  const left = await sql`
    select conversation_id as kept from channel_queues where tenant_id = ${tenant}
     union all select visitor_id from chat_mails where tenant_id = ${tenant}
     union all select event_id from payment_events_taken where tenant_id = ${tenant}`
  const kept = [resting, waiting, `of ${CHAT_MAILS_DAYS - 1} days`, `of ${PAYMENT_EVENTS_DAYS - 1} days`]
  assert.deepEqual(left.map(each => each['kept']).sort(), kept.sort())
})

test('no statement waits while thousands of rows are deleted', async () => {
  const at = await given()
  const ids = Array.from({ length: 5 * PRUNE_BATCH }, (_, i) => newId('evt', daysAgo(OLD).getTime() + i))
  await sql`insert into events (tenant_id, id, type, created_at, body) select ${at.shop.id}, i, 'order.created', ${daysAgo(OLD)}, '{}' from unnest(${ids}::text[]) i`
  await sql`
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, state, due_at)
    select ${at.shop.id}, ${at.one}, i, 'succeeded', now() from unnest(${ids}::text[]) i`
  await sql`
    insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms)
    select ${at.shop.id}, ${at.one}, i, 1, ${daysAgo(OLD)}, 1 from unnest(${ids}::text[]) i`
  // A statement that waits for a lock for longer than this fails.
  const impatient = openDatabase(`${app.databaseUrl}?lock_timeout=50`, { name: 'impatient', lanes: 1, pool: 4 })
  after(() => impatient.close())
  const [row] = await impatient.sql`show lock_timeout`
  assert.equal(row?.['lock_timeout'], '50ms')
  let pruning = true
  const pruned = pruneAll(impatient.sql, pruneEvents).finally(() => {
    pruning = false
  })
  let orders = 0
  while (pruning) {
    const placed = await at.shop.post('/api/v1/orders', {
      items: [{ name: 'Gift card', unit_amount: 1, quantity: 1 }],
      customer: { email: 'a@b.example' },
    })
    if (placed.status === 201) orders++
    else assert.equal(placed.status, 429)
    const event = newId('evt')
    await impatient.sql`insert into events (tenant_id, id, type, created_at, body) values (${at.shop.id}, ${event}, 'order.created', now(), '{}')`
    await impatient.sql`update webhook_deliveries set due_at = now() where tenant_id = ${at.shop.id} and endpoint_id = ${at.one} and state = 'pending'`
    await impatient.sql`insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms) values (${at.shop.id}, ${at.one}, ${event}, 1, now(), 1)`
  }
  assert.equal(await pruned, 3 * ids.length)
  assert.ok((await at.log()).every(line => line.slice(line.indexOf(' ') + 1) > newId('evt', daysAgo(1).getTime())))
  assert.ok(orders > 0)
  const left = await at.events()
  assert.ok(left.length >= orders)
  assert.ok(left.every(id => idSuffix(id) > idSuffix(newId('evt', daysAgo(1).getTime()))))
})
