// What comes while several results wait to be recorded. By itself: the lock that keeps them waiting would keep other tests of its worker waiting too.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'

const app = await testApp()
await app.startWorker()
const { sql } = app
const held: ServerResponse[] = []
const receiver = await startReceiver(response => void held.push(response))
after(receiver.close)

test('is sent, and does not wait for them', async () => {
  const shop = await app.tenant()
  const webhook = await shop.post('/api/v1/webhooks', { url: receiver.origin, events: ['order.created'] })
  const happen = (times: number) =>
    begin(sql, async tx => {
      const event = defineEvent('order.created', '', Type.Any())
      for (let i = 0; i < times; i++) await emit(tx, { tenant: shop.id, actor: { type: 'system' } }, event, {})
    })
  const recorded = async () => (await sql`select 1 from webhook_attempts where tenant_id = ${shop.id}`).length
  await happen(2)
  await receiver.until(2)
  await begin(sql, async tx => {
    await tx`select 1 from webhook_endpoints where id = ${webhook.body.id} for update`
    for (const each of held) each.writeHead(204).end()
    await happen(1)
    await receiver.until(3)
    assert.equal(await recorded(), 0)
  })
  held[2]?.writeHead(204).end()
  await eventually(async () => (await recorded()) === 3)
})
