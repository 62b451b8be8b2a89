// Workers are real processes, killed in the middle of an import. No row is lost, and none is there twice.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { applySlice } from '../../src/imports/apply.ts'
import { leases } from '../../src/imports/lease-store.ts'
import { begin } from '../../src/postgres/sql.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { sessionWaits } from '../support/locks.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { importing, NDJSON } from './importing.ts'

const app = await testApp()
const { shop } = importing(app)
const file = (rows: number): string =>
  Array.from({ length: rows }, (_, i) => `${JSON.stringify({ name: `P ${i}`, price_amount: i, external_id: `E-${i}` })}\n`).join('')

suite('an import whose worker is killed', () => {
  test('is finished by another worker, from the chunk that was not committed: each row once, with one event', async () => {
    const at = await shop()
    const [first, { body }] = await Promise.all([
      aWorker(settingsOf(app)),
      at.send('resource=products', file(12_000), { 'Content-Type': NDJSON }),
    ])
    await eventually(async () => {
      const [row] = await app.sql`select created from imports where id = ${body.id}`
      return row?.['created'] >= 1_000
    })
    first.child.kill('SIGKILL')
    assert.equal(await first.ended, 'SIGKILL')
    const [left] = await app.sql`select status, created from imports where id = ${body.id}`
    assert.equal(left?.['status'], 'running')
    assert.ok(left?.['created'] < 12_000, 'it was killed in time')
    const { length: there } = await app.sql`select 1 from products where tenant_id = ${at.id}`
    assert.equal(there, left?.['created'], 'the counted rows are there, and no others')

    // As if the lease's time had gone by.
    await app.sql`update imports set lease_until = now(), queued_at = now() - interval '11 seconds' where id = ${body.id}`
    await leases.rescueStalled(app.sql)
    const second = await aWorker(settingsOf(app))
    const done = await eventually(async () => {
      const now = await at.get(`/api/v1/imports/${body.id}`)
      return now.body.status === 'completed' && now.body
    })
    assert.deepEqual([done.created, done.failed, done.rows_read], [12_000, 0, 12_000])
    const [row] = await app.sql`
      select count(*) as rows, count(distinct external_id) as different,
             (select count(*) from events e where e.tenant_id = ${at.id} and e.type = 'product.created') as events
        from products where tenant_id = ${at.id}`
    assert.deepEqual([row?.['rows'], row?.['different'], row?.['events']], [12_000, 12_000, 12_000])
    assert.equal((await app.sql`select 1 from import_chunks where import_id = ${body.id}`).length, 0)
    second.child.kill('SIGTERM')
    assert.equal(await second.ended, 0)
  })

  test('a worker whose import another worker took over commits nothing', async () => {
    const at = await shop()
    const { body } = await at.send('resource=products', file(10), { 'Content-Type': NDJSON })
    const stopping = new AbortController().signal
    const held = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const holding = begin(app.sql, async tx => {
      await tx`lock table audit_log in exclusive mode`
      held.resolve()
      await letGo.promise
    })
    await held.promise
    const slice = applySlice({ sql: app.sql, standing: UNWATCHED, stopping }, { tenant: at.id, id: body.id })
    await sessionWaits(app.sql)
    await app.sql`update imports set lease_token = gen_random_uuid() where id = ${body.id}`
    letGo.resolve()
    await Promise.all([holding, slice])
    assert.equal((await app.sql`select 1 from products where tenant_id = ${at.id}`).length, 0)
    assert.equal((await at.get(`/api/v1/imports/${body.id}`)).body.created, 0)
  })

  test('a slice that meets an import that was cancelled writes nothing', async () => {
    const at = await shop()
    const { body } = await at.send('resource=products', file(10), { 'Content-Type': NDJSON })
    await at.post(`/api/v1/imports/${body.id}/cancel`)
    assert.equal(
      await applySlice({ sql: app.sql, standing: UNWATCHED, stopping: new AbortController().signal }, { tenant: at.id, id: body.id }),
      false,
    )
    assert.equal((await app.sql`select 1 from products where tenant_id = ${at.id}`).length, 0)
  })

  test('a row that the database refuses for an unforeseen reason costs itself alone', async () => {
    const at = await shop()
    await app.sql`alter table products add constraint unforeseen check (name <> 'P 1234') not valid`
    const { body } = await at.send('resource=products', file(2_000), { 'Content-Type': NDJSON })
    await applySlice({ sql: app.sql, standing: UNWATCHED, stopping: new AbortController().signal }, { tenant: at.id, id: body.id }, 60_000)
    await app.sql`alter table products drop constraint unforeseen`
    const done = (await at.get(`/api/v1/imports/${body.id}`)).body
    assert.deepEqual([done.status, done.created, done.failed], ['completed', 1_999, 1])
    assert.deepEqual(await at.wrong(body.id), [[1_235, '', 'internal_error']])
  })
})
