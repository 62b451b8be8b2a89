// A resumed webhook is sent to at once, whatever happened to its job meanwhile.
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()
const { sql } = app

test('resumed after its job was used up while it was paused, a webhook waits for no sweep', async () => {
  const webhook = await recoverableWebhook(app)
  await webhook.emit()
  await eventually(async () => (await sql`select 1 from graphile_worker._private_jobs`).length > 0)
  ok(await webhook.shop.post(`${webhook.path}/pause`))
  await app.startWorker()
  await eventually(async () => (await sql`select 1 from graphile_worker._private_jobs`).length === 0)
  // Where it is still marked as queued, it gets no job until the sweep takes the one that is not there for lost, after ten seconds.
  await eventually(async () => (await sql`select 1 from webhook_endpoints where queued_at is not null`).length === 0)
  ok(await webhook.shop.post(`${webhook.path}/resume`))
  await webhook.receiver.until(1)
  await eventually(
    async () => (await sql`select 1 from webhook_endpoints where queued_at is not null or lease_token is not null`).length === 0,
  )
})
