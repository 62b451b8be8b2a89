// A delivery that comes while several results wait to be recorded. In a file of its own: the lock that keeps them waiting would keep other tests of its worker waiting too.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
await app.startWorker()
const { sql } = app

test('is sent, and does not wait for them', async () => {
  const held: ServerResponse[] = []
  const { shop, receiver, id, emit } = await aSubscriber(app, response => void held.push(response))
  const recorded = async () => (await sql`select 1 from webhook_attempts where tenant_id = ${shop.id}`).length
  await emit(2)
  await receiver.until(2)
  await begin(sql, async tx => {
    await tx`select 1 from webhook_endpoints where id = ${id} for update`
    for (const each of held) each.writeHead(204).end()
    await emit(1)
    await receiver.until(3)
    assert.equal(await recorded(), 0)
  })
  held[2]?.writeHead(204).end()
  await eventually(async () => (await recorded()) === 3)
})
