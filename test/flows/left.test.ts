// Runs that a worker has left when it died. No worker runs here: what each statement does is looked at by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { eventTypes } from '../../src/catalog.ts'
import { match } from '../../src/flows/matching/match.ts'
import { sweepRuns } from '../../src/flows/running/lease-store.ts'
import { createRequeuing } from '../../src/queue/requeuing.ts'
import { REQUEUED } from '../../src/schedule.ts'
import { testApp } from '../support/app.ts'
import { anOrder, ok } from '../support/given.ts'
import { installFlows } from './given.ts'

const app = await testApp()
const { sql } = app

test('runs whose app was just marked as queued by a worker that died since are queued again as the death is noticed, and not before', async () => {
  const shop = await app.tenant()
  const { id } = await installFlows(app, shop, [{}])
  ok(await shop.post('/api/v1/orders', anOrder()))
  await match({ sql, triggers: eventTypes, log: pino({ level: 'silent' }) }, [shop.id])
  await sql`update flow_runs set due_at = now() - interval '1 second' where tenant_id = ${shop.id}`
  // Later, so that nothing depends on how long a statement takes here.
  await sql`update flow_queues set queued_at = now() + interval '1 hour' where tenant_id = ${shop.id}`
  const jobs = async () => (await sql`select 1 from graphile_worker._private_jobs where payload ->> 'appId' = ${id}`).length
  await sweepRuns(sql)
  assert.equal(await jobs(), 0, 'it may be on its way')
  const left = createRequeuing(REQUEUED)
  const [{ noticed }] = await sql<[{ noticed: Date }]>`select now() + interval '2 hours' as noticed`
  left.died(noticed)
  await left.round(sql)
  assert.equal(await jobs(), 1)
})
