// What apps tell the team, and the mails of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list } from '../../src/mail/mail.ts'
import { mailHeldBack, notify, pruneNotifications } from '../../src/notifications/notifications.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { testApp } from '../support/app.ts'
import { aPerson } from '../support/people.ts'

const app = await testApp()
const { sql } = app
const LOYALTY = { id: 'app_01jz0000000000000000000000', name: 'Loyalty' }

async function given() {
  const shop = await app.tenant()
  await aPerson(sql, shop.id, 'ada@shop.example')
  await aPerson(sql, shop.id, 'otto@shop.example', 'operator')
  const tell = (over: Partial<Parameters<typeof notify>[2]> = {}) =>
    begin(sql, tx =>
      notify(
        tx,
        { tenant: shop.id, actor: { type: 'app', id: LOYALTY.id }, cause: { run: 'run_01jz0000000000000000000000', depth: 1 } },
        { app: LOYALTY, level: 'warning', title: 'Stock is low', body: 'Five cups are left.', ...over },
      ),
    )
  return { shop, tell, subjects: async () => (await list(sql, shop.id, 100)).map(({ subject }) => subject).reverse() }
}

test('a warning is kept and mailed to the admins alone; an info is kept', async () => {
  const { shop, tell, subjects } = await given()
  await tell({ level: 'info' })
  assert.deepEqual(await subjects(), [])
  const { id } = await tell({ title: 'Stock\r\nBcc: x is low' })
  assert.deepEqual(await subjects(), ['Loyalty: Stock Bcc: x is low'], 'a line break makes no header')
  const [mail] = await sql`select recipient, text from mails where tenant_id = ${shop.id}`
  assert.deepEqual(
    [mail?.['recipient'], mail?.['text']],
    ['ada@shop.example', `Workspace: A shop\nApp: Loyalty (${LOYALTY.id})\n\nFive cups are left.\n`],
  )
  const [row] = await sql`select doc from notifications where tenant_id = ${shop.id} and id = ${id}`
  const doc = JSON.parse(row?.['doc'])
  assert.deepEqual([doc.app, doc.run_id, doc.level], [LOYALTY, 'run_01jz0000000000000000000000', 'warning'])
})

test('after twenty warnings of an app in an hour the others are kept, and one mail says how many they are', async () => {
  const { shop, tell, subjects } = await given()
  for (let i = 0; i < 23; i++) await tell()
  await tell({ app: { id: 'app_01jz0000000000000000000001', name: 'Other' } })
  assert.equal((await subjects()).length, 21, 'twenty, and one of another app')
  await mailHeldBack(sql)
  assert.equal((await subjects()).length, 21, 'the hour is not over')
  await sql`update notification_mails set since = since - interval '1 hour' where tenant_id = ${shop.id}`
  await mailHeldBack(sql)
  await mailHeldBack(sql)
  assert.deepEqual((await subjects()).slice(21), ['Loyalty: 3 more warnings'])
  await tell()
  assert.equal((await subjects()).length, 23, 'a new hour has begun')
})

test('a warning that begins a new hour brings the count of the one before, where no mail told of it yet', async () => {
  const { shop, tell, subjects } = await given()
  for (let i = 0; i < 21; i++) await tell()
  await sql`update notification_mails set since = since - interval '1 hour' where tenant_id = ${shop.id}`
  await tell()
  assert.deepEqual((await subjects()).slice(20), ['Loyalty: 1 more warning', 'Loyalty: Stock is low'])
  // By the name that the app has by then.
  for (let i = 0; i < 20; i++) await tell({ app: { ...LOYALTY, name: 'Points' } })
  await sql`update notification_mails set since = since - interval '1 hour' where tenant_id = ${shop.id}`
  await mailHeldBack(sql)
  assert.equal((await subjects()).at(-1), 'Points: 1 more warning')
})

test('a blank title is refused, and what is older than a month goes', async () => {
  const { shop, tell } = await given()
  for (const blank of [{ title: '  ' }, { body: '\n' }]) await assert.rejects(tell(blank), Problem)
  await assert.rejects(tell({ body: 'x'.repeat(4_001) }), Problem)
  await assert.rejects(tell({ title: 'x'.repeat(201) }), Problem)
  const { id } = await tell({ level: 'info', title: 'x'.repeat(200), body: 'x'.repeat(4_000) })
  await tell({ level: 'info' })
  await sql`update notifications set created_at = now() - interval '31 days' where id = ${id}`
  assert.equal(await pruneAll(sql, pruneNotifications), 1)
  assert.equal((await sql`select 1 from notifications where tenant_id = ${shop.id}`).length, 1)
})
