// The two ends of a slice: a row that is locked is not waited for, changes that others committed meanwhile are seen, and a last result ends it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { LOCKED, type Locked } from '../../src/postgres/past-lock.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { record } from '../../src/webhooks/delivery/record-store.ts'
import type { Recorded } from '../../src/webhooks/delivery/result.ts'
import { takeAll } from '../../src/webhooks/delivery/take-store.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { resultOf } from '../support/results.ts'
import { takeOrUnmark } from '../support/taking.ts'

const app = await testApp()
const { sql } = app
const event = defineEvent('order.created', '', Type.Any())

/** An endpoint that has a job, with so many pending deliveries. */
async function given(events: number) {
  const shop = await app.tenant()
  const webhook = await shop.post('/api/v1/webhooks', { url: 'https://shop.example', events: ['order.created'] })
  const ref = { tenant: shop.id as string, id: webhook.body.id as string }
  const happen = (tx: Tx) => emit(tx, { tenant: shop.id, actor: { type: 'system' } }, event, {})
  await begin(sql, async tx => {
    for (let i = 0; i < events; i++) await happen(tx)
  })
  const jobs = async () =>
    (await sql`select id::text from graphile_worker._private_jobs where payload->>'endpointId' = ${ref.id}`).map(row => row['id'])
  const [job] = await eventually(async () => {
    const found = await jobs()
    return found.length > 0 && found
  })
  return { ref, job: job as string, jobs, happen, token: randomUUID() }
}

/** A lease is taken, and one delivery of it answered: `end` records that as the slice's last. */
async function givenAnswered(events: number) {
  const slice = await given(events)
  const [taken] = await takeAll(sql, [{ ...slice.ref, token: slice.token, markedBy: Number.POSITIVE_INFINITY }])
  assert.ok(taken)
  assert.equal(taken.found?.length, events)
  const sliceOf = { endpoint: slice.ref, token: slice.token, job: slice.job, lease: taken.lease }
  const result = { ...resultOf(sliceOf, taken.found[0]?.event_id as string, 204), ends: true }
  const end = async () => (await record(sql, [result]))[0] as Recorded | Locked
  const isLeased = async () =>
    (await sql`select 1 from webhook_endpoints where id = ${slice.ref.id} and lease_token = ${slice.token}`).length === 1
  return { ...slice, end, isLeased }
}

/** Does `work` while another transaction holds the endpoint's row. */
function whileLocked<T>(endpoint: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return begin(sql, async tx => {
    await tx`select 1 from webhook_endpoints where id = ${endpoint} for update`
    return work(tx)
  })
}

test('the record of a slice’s last result ends its lease and its job', async () => {
  const slice = await givenAnswered(1)
  assert.deepEqual(await slice.end(), { current: true, judged: true, ended: true })
  assert.equal(await slice.isLeased(), false)
  assert.deepEqual(await slice.jobs(), [])
  assert.deepEqual(await slice.end(), { current: false, judged: false, ended: false }, 'once')
})

test('while more is due the slice does not end, and keeps both', async () => {
  const slice = await givenAnswered(2)
  assert.deepEqual(await slice.end(), { current: true, judged: true, ended: false })
  assert.equal(await slice.isLeased(), true)
  assert.deepEqual(await slice.jobs(), [slice.job])
})

test('while the endpoint is locked nothing is recorded; afterwards the slice ends, unless more became due meanwhile', async () => {
  for (const more of [false, true]) {
    const slice = await givenAnswered(1)
    const locked = await whileLocked(slice.ref.id, async () => {
      if (more) await begin(sql, slice.happen)
      return slice.end()
    })
    assert.equal(locked, LOCKED)
    assert.deepEqual(await slice.jobs(), [slice.job])
    // The word of what happened meanwhile may hold the row for a moment.
    const ended = await eventually(async () => {
      const recorded = await slice.end()
      return recorded !== LOCKED && recorded
    })
    assert.deepEqual(ended, { current: true, judged: true, ended: !more })
    assert.equal(await slice.isLeased(), more)
  }
})

test('while the endpoint is locked its lease is not taken; afterwards it comes without the deliveries that were recorded meanwhile', async () => {
  const { ref, token } = await given(2)
  const locked = await whileLocked(ref.id, async tx => {
    await tx`
      delete from webhook_deliveries
       where endpoint_id = ${ref.id} and event_id = (select min(id) from events where tenant_id = ${ref.tenant})`
    return takeOrUnmark(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }])
  })
  assert.deepEqual(locked, [LOCKED])
  const [taken] = await takeAll(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }])
  assert.ok(taken)
  assert.equal(taken.found?.length, 1)
})

test('a slice of an endpoint that failed last looks for nothing before it knows what was tried', async () => {
  const { ref, token } = await given(2)
  await sql`update webhook_endpoints set failures = 1, failing_since = now(), failure_known_at = now() where id = ${ref.id}`
  const [taken] = await takeAll(sql, [{ ...ref, token, markedBy: Number.POSITIVE_INFINITY }])
  assert.ok(taken)
  assert.equal(taken.lease.failures, 1)
  assert.equal(taken.found, undefined)
})
