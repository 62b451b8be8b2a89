// An event is sent again and again for hours: its attempts outrun the column of their number, and are recorded all the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { recoverableWebhook } from './recovering.ts'

const HIGHEST = 32_767

test('attempts beyond the highest number are made, recorded and logged with it, live and by a recovery', async () => {
  const app = await testApp()
  const webhook = await recoverableWebhook(app)
  const [again, live] = (await webhook.emit(2)) as [string, string]
  await webhook.setDeliveries([again], 'failed', HIGHEST)
  await app.sql`update webhook_deliveries set attempts = ${HIGHEST} where event_id = ${live}`
  await app.startWorker()
  const { id } = await webhook.recover({ scope: 'failed' })
  assert.equal((await webhook.ended(id)).state, 'completed')
  await eventually(async () => (await webhook.due()).length === 0)
  assert.deepEqual(await webhook.states(), [`succeeded ${HIGHEST}`, `succeeded ${HIGHEST}`])
  assert.deepEqual(webhook.sent(), [again, live].sort())
  const numbers = webhook.receiver.received.map(({ headers }) => String(headers['x-service-delivery-id']).split(':')[1])
  assert.deepEqual(numbers, [String(HIGHEST), String(HIGHEST)])
})
