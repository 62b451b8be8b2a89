// The window of a slice, driven directly: what is claimed, polled and ended while answers and records are awaited.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import postgres from 'postgres'
import type { Sql } from '../../src/postgres/sql.ts'
import { createBodies } from '../../src/webhooks/delivery/bodies.ts'
import { createHeadroom } from '../../src/webhooks/delivery/headroom.ts'
import { HEALTHY } from '../../src/webhooks/delivery/health.ts'
import type { Slice } from '../../src/webhooks/delivery/slice.ts'
import { sendDue } from '../../src/webhooks/delivery/window.ts'
import { testApp } from '../support/app.ts'

const app = await testApp()

test('a body that cannot be read ends the slice with its error, and the request that was never made is not awaited', async () => {
  // A schema without the table of events.
  const sql = postgres(app.databaseUrl, { max: 1, connection: { search_path: 'pg_catalog' } }) as unknown as Sql
  after(() => sql.end())
  const awaited: number[] = []
  const slice = {
    context: { bodies: createBodies(sql), headroom: createHeadroom(), stopping: new AbortController().signal, claim: async () => [] },
    endpoint: { tenant: 'ten_1', id: 'whk_1' },
    lease: { max_parallel: 8, max_per_minute: null },
    found: [
      { event_id: 'evt_1', type: 'order.created', bytes: 1_000_000, body: null, attempts: 0, first_attempt_at: null, due_at: new Date(0) },
    ],
    watch: { awaiting: (requests: number) => awaited.push(requests), yielded: false },
    held: { lasts: () => true, letGo: () => {} },
    usedUntil: 0,
    health: HEALTHY,
    until: Number.POSITIVE_INFINITY,
  } as Partial<Record<keyof Slice, unknown>> as Slice
  await assert.rejects(sendDue(slice), { code: '42P01' })
  assert.deepEqual(awaited, [1, 0])
})
