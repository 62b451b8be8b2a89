// Mails to a tenant's admins about a failing webhook, from the worker to a real SMTP server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import { createUser } from '../../src/tenants/people.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startMailServer, type TakenMail } from '../support/mail-server.ts'
import { startReceiver } from '../support/receiver.ts'

const server = await startMailServer()
const app = await testApp({
  SMTP_URL: `${server.url}?ignoreTLS=true`,
  MAIL_FROM: 'shop@shop.example',
  // The fourth attempt long enough after the third that the warning tells of three.
  WEBHOOK_SCHEDULE: '0,0.05,0.1,1.2,1.3',
})
const { sql } = app
let status = 500
const receiver = await startReceiver(response => response.writeHead(status).end())
after(receiver.close)
const shop = await app.tenant()
for (const [email, role] of [
  ['ada@shop.example', 'admin'],
  ['bob@shop.example', 'operator'],
  ['cy@shop.example', 'admin'],
] as const)
  await createUser(sql, { tenant: shop.id, email, password: 'correct horse', role })
const [{ name: workspace } = {}] = await sql`select name from tenants where id = ${shop.id}`
const other = await app.tenant()
await createUser(sql, { tenant: other.id, email: 'eve@other.example', password: 'correct horse', role: 'admin' })
const { body: webhook } = await shop.post('/api/v1/webhooks', { url: `${receiver.origin}/hooks?x=1`, events: ['order.created'] })
const event = defineEvent('order.created', '', Type.Any())
const place = () => begin(sql, tx => emit(tx, { tenant: shop.id, actor: { type: 'system' } }, event, {}))
const state = async () =>
  (await sql`select status, failures, warned_of, failing_since from webhook_endpoints where id = ${webhook.id}`)[0] as Record<
    string,
    unknown
  >
const about = (word: string): TakenMail[] => server.mails.filter(mail => mail.headers['subject']?.includes(word))

test('admins are warned once in a streak, at its third failure, and told when the webhook is disabled', async () => {
  await app.startWorker()
  await place()
  await eventually(async () => (await state())['status'] === 'disabled')
  await eventually(async () => server.mails.length >= 4)
  await eventually(async () => (await sql`select 1 from mails where sent_at is null`).length === 0)

  for (const [word, kind] of [
    ['failing', 'webhook.failing'],
    ['disabled', 'webhook.disabled'],
  ] as const) {
    const mails = about(word)
    assert.deepEqual(mails.flatMap(mail => mail.to).sort(), ['ada@shop.example', 'cy@shop.example'], kind)
    assert.equal((await sql`select 1 from mails where tenant_id = ${shop.id} and kind = ${kind}`).length, 2)
    for (const { headers, text } of mails) {
      assert.equal(headers['subject'], `A webhook ${word === 'failing' ? 'is failing' : 'was disabled'}: ${receiver.origin}/hooks`)
      assert.equal(text.split('\n')[0], `Workspace: ${workspace}`)
      assert.ok(text.includes(webhook.id) && text.includes(`Address: ${receiver.origin}/hooks`))
      assert.match(text, /Last error: the receiver answered 500/)
    }
  }
  assert.match(about('failing')[0]?.text ?? '', /has failed 3 times in a row/)
  assert.match(about('failing')[0]?.text ?? '', new RegExp(`POST /api/v1/webhooks/${webhook.id}/enable has what is due sent now`))
  assert.match(about('failing')[0]?.text ?? '', /After 5 failures in a row it is disabled/)
  const disabled = about('disabled')[0]?.text ?? ''
  assert.match(disabled, new RegExp(`POST /api/v1/webhooks/${webhook.id}/enable`))
  assert.match(disabled, /\{"missed": "send"\}/)
  assert.doesNotMatch(disabled, /dashboard/)
  assert.ok(disabled.split('\n').every(line => line.length <= 140))
  assert.equal((await sql`select 1 from mails where tenant_id = ${other.id}`).length, 0)
})

test('a new streak is warned of anew; one that ends before its third failure, of nothing', async () => {
  const before = server.mails.length
  status = 204
  await sql`update webhook_endpoints set status = 'enabled', disabled_at = null, failures = 2, failing_since = now(), failure_known_at = now(), silent_until = null where id = ${webhook.id}`
  await place()
  await eventually(async () => (await state())['failures'] === 0)
  assert.equal((await state())['failing_since'], null)
  status = 500
  await sql`delete from webhook_deliveries`
  await place()
  await eventually(async () => (await state())['status'] === 'disabled')
  await eventually(async () => server.mails.length >= before + 4)
  await eventually(async () => (await sql`select 1 from mails where sent_at is null`).length === 0)
  assert.equal(server.mails.length, before + 4)
})
