// The statement that records results: the columns it writes, and the locks it holds until it is committed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import type { AttemptLog } from '../../src/webhooks/delivery/attempt.ts'
import { HEALTHY } from '../../src/webhooks/delivery/health.ts'
import { record } from '../../src/webhooks/delivery/record-store.ts'
import type { ResultSlice } from '../../src/webhooks/delivery/result.ts'
import { wake } from '../../src/webhooks/delivery/store.ts'
import { takeAll } from '../../src/webhooks/delivery/take-store.ts'
import * as recovering from '../../src/webhooks/recovery/run-store.ts'
import * as recoveries from '../../src/webhooks/recovery/store.ts'
import { testApp } from '../support/app.ts'
import { resultOf } from '../support/results.ts'

const app = await testApp()
const { sql } = app

/** An endpoint under lease that succeeded so many seconds ago, and the success of another delivery to it. */
async function given(secondsAgo: number) {
  const shop = await app.tenant()
  const webhook = await shop.post('/api/v1/webhooks', { url: 'https://shop.example', events: ['order.created'] })
  const ref = { tenant: shop.id as string, id: webhook.body.id as string }
  const token = randomUUID()
  const [taken] = await takeAll(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }])
  assert.ok(taken)
  const { lease } = taken
  await sql`update webhook_endpoints set last_success_at = now() - make_interval(secs => ${secondsAgo}) where id = ${ref.id}`
  const result = resultOf({ endpoint: ref, token, job: null, lease }, newId('evt'), 204)
  /** The result of the verb while the record is not yet committed. */
  const beside = <T>(verb: (tx: Tx) => Promise<T>): Promise<T> =>
    begin(sql, async recording => {
      assert.deepEqual(await record(recording, [result]), [{ current: true, judged: true, ended: false }])
      return begin(sql, async tx => {
        await tx`set local lock_timeout = '50ms'`
        return verb(tx)
      }) as Promise<T>
    })
  return { shop, ref, token, lease, beside }
}

test('a record that changes the endpoint’s health keeps it from being woken until it is committed, and a success of this very second does not', async () => {
  const [steady, rare] = [await given(0), await given(60)]
  for (const [at, locked] of [
    [steady, []],
    [rare, [rare.ref]],
  ] as const) {
    await sql`update webhook_endpoints set lease_until = now() - interval '1 second' where id = ${at.ref.id}`
    assert.deepEqual(await at.beside(tx => wake(tx, [at.ref])), locked)
  }
})

test('an endpoint is not deleted while its results are recorded', async () => {
  for (const secondsAgo of [0, 60]) {
    const { ref, beside } = await given(secondsAgo)
    await assert.rejects(
      beside(async tx => tx`delete from webhook_endpoints where id = ${ref.id}`),
      { code: '55P03' },
    )
  }
})

const LOG: AttemptLog = {
  url: 'https://shop.example/hooks',
  status: 418,
  error: 'the receiver answered 418',
  timings: { dnsMs: 1.1, connectMs: 2.2, tlsMs: 3.3, firstByteMs: 4.4, totalMs: 20.5 },
  signature: 't=1780000000,v1=ab',
  headerNames: ['X-Gateway-Key'],
  responseHeaders: '{"x-tea":"pot"}',
  responseBody: 'short and stout',
  truncated: 'size',
}
const START = Date.parse('2026-11-20T12:00:00.500Z')

/** Recorded by the recorder of live slices, and by that of recoveries. */
const RECORDERS: [string, (slice: ResultSlice, event: string) => Promise<string | null>][] = [
  [
    'a live attempt',
    async (slice, event) => {
      const { tenant, id } = slice.endpoint
      const made = {
        startedAt: START,
        endedAt: START + 21,
        outcome: { status: 418, headers: {}, body: '', truncated: 'size', timings: LOG.timings } as const,
        succeeded: false,
        log: LOG,
      }
      await sql`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${tenant}, ${id}, ${event}, now())`
      await record(sql, [{ slice, event, attempt: 3, state: 'failed', dueAt: START, made, health: HEALTHY, ends: false }])
      return null
    },
  ],
  [
    'a recovery’s attempt',
    async ({ endpoint: { tenant, id: endpoint }, token }, event) => {
      const recovery = newId('rcv')
      const selection = { endpoint, scope: 'event' as const, first_id: event, end_id: `${event}0`, types: null }
      await recoveries.insert(sql, tenant, { ...selection, id: recovery, total: 1, total_at_least: false, max_per_second: 1 })
      const result = { ...LOG, endpoint, version: 1, event, attempt: 3, succeeded: false, startedAt: START, endedAt: START + 21 }
      await recovering.record(sql, { tenant, id: recovery }, token, result)
      return recovery
    },
  ],
]

for (const [what, recordBy] of RECORDERS)
  test(`each column of the log has the value that its name says: ${what}`, async () => {
    const { shop, ref, token, lease } = await given(60)
    const event = newId('evt')
    await sql`insert into events (tenant_id, id, type, created_at, body) values (${ref.tenant}, ${event}, 'order.created', now(), '{}')`
    const recovery = await recordBy({ endpoint: ref, token, job: null, lease }, event)
    const { body: detail } = await shop.get(`/api/v1/webhooks/${ref.id}/deliveries/${event}`)
    assert.deepEqual(detail.log, [
      {
        attempt: 3,
        started_at: '2026-11-20T12:00:00.500Z',
        duration_ms: 21,
        status: 418,
        error: 'the receiver answered 418',
        recovery_id: recovery,
        timings: { dns_ms: 1.1, connect_ms: 2.2, tls_ms: 3.3, first_byte_ms: 4.4, total_ms: 20.5 },
        request: {
          method: 'POST',
          url: 'https://shop.example/hooks',
          headers: {
            'X-Gateway-Key': '••••',
            'Content-Type': 'application/json',
            'User-Agent': 'Service-Webhooks/1.0',
            'X-Service-Event': 'order.created',
            'X-Service-Delivery-Id': `${ref.id}.${event.slice(4)}${recovery ? `.${recovery.slice(4)}` : ''}:3:1780000000`,
            'X-Service-Signature': 't=1780000000,v1=ab',
          },
        },
        response: { headers: { 'x-tea': 'pot' }, body: 'short and stout', truncated: 'size' },
      },
    ])
  })
