// A worker that is stopped while runs go on, as by a deploy, and the one that follows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../src/apps/manifest/shape.ts'
import { aSkill } from '../skills/given.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, ok } from '../support/given.ts'
import { installFlows, runsOf } from './given.ts'
import { startService } from './service.ts'

const app = await testApp()
const { sql } = app

test('a worker that is stopped lets the calls under way end and keeps what they came to, begins nothing more, and another goes on', async () => {
  const held = Promise.withResolvers<void>()
  const service = await startService(() => ({ status: 200, body: { level: 'gold' } }))
  service.hold = held.promise
  const shop = await app.tenant()
  const steps = [
    { id: 'award', type: 'call_skill', skill: 'award', input: { order: '{{event.order_id}}' } },
    { id: 'tag', type: 'tag_contact', tag: '{{steps.award.output.level}}' },
  ] as Step[]
  await installFlows(app, shop, [{ steps }], { skills: [aSkill(service.origin)] })
  const worker = await app.startWorker()
  // More than go on at once: the ninth has not begun.
  for (let i = 0; i < 9; i++) ok(await shop.post('/api/v1/orders', anOrder()))
  await eventually(async () => service.requests.length === 8)
  const stopped = worker.close()
  held.resolve()
  await stopped
  const calls = await sql`select stage, attempts from skill_calls`
  assert.deepEqual(
    calls.map(({ stage, attempts }) => [stage, attempts.length]),
    Array.from({ length: 8 }, () => ['done', 1]),
  )
  assert.ok((await runsOf(app, shop)).every(({ state }) => state === 'running' || state === 'queued'))
  const [queue] = await sql`select lease_token, queued_at is not null as is_queued from flow_queues`
  assert.deepEqual(queue, { lease_token: null, is_queued: true })
  await app.startWorker()
  await eventually(async () => (await runsOf(app, shop)).filter(({ state }) => state === 'succeeded').length === 9)
  assert.equal(service.requests.length, 9)
})
