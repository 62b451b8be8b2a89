// The worker as a process: what it survives, and how it goes.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Type } from 'typebox'
import { defineEvent, emit } from '../../src/events/emit.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Running, shopdesk } from '../support/shopdesk.ts'

const WORKER_SESSIONS = ['shopdesk worker', 'shopdesk queue', 'shopdesk beat', 'shopdesk schedule']

async function given() {
  const app = await testApp()
  const { sql } = app
  const receiver = await startReceiver()
  after(receiver.close)
  const shop = await app.tenant()
  const webhook = await shop.post('/api/v1/webhooks', { url: receiver.origin, events: ['order.created'] })
  assert.equal(webhook.status, 201)
  return {
    sql,
    receiver,
    id: webhook.body.id as string,
    emit: () =>
      begin(sql, tx => emit(tx, { tenant: shop.id, actor: { type: 'system' } }, defineEvent('order.created', '', Type.Any()), {})),
    start: (over: Record<string, string> = {}): Running =>
      shopdesk(['worker'], {
        DATABASE_URL: app.databaseUrl,
        SECRET_KEY: Object.values(app.keyring)[0]?.toString('hex'),
        LOG_LEVEL: 'warn',
        OUTBOUND_ALLOW_PRIVATE: 'true',
        ...over,
      }),
    sessions: () =>
      sql<
        { pid: number }[]
      >`select pid from pg_stat_activity where datname = current_database() and application_name = any(${WORKER_SESSIONS})`,
  }
}

describe('the worker', { concurrency: true, timeout: 60_000 }, () => {
  test('a turn that throws is logged and takes nothing else with it', async () => {
    const at = await given()
    await at.sql`update webhook_endpoints set secret = 'k1.AAAA'`
    const worker = at.start()
    await at.emit()
    await worker.says(/worker is running/)
    await worker.says(/"level":50/)
    assert.doesNotMatch(worker.stdout(), /AAAA|whsec_/)
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0)
    assert.equal(at.receiver.received.length, 0)
  })

  test('SIGTERM of an idle worker ends it at once with 0, and it leaves no session and no lock', async () => {
    const at = await given()
    const worker = at.start()
    await worker.says(/worker is running/)
    await eventually(async () => (await at.sessions()).length >= 3)
    const toldAt = Date.now()
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0)
    assert.ok(Date.now() - toldAt < 3_000)
    assert.equal(worker.stderr(), '')
    await eventually(async () => (await at.sessions()).length === 0)
  })

  test('a database that lacks the schema is one line and exit code 1', async () => {
    const at = await given()
    await at.sql`delete from migrations where number > 1`
    const worker = at.start()
    assert.equal(await worker.ended, 1)
    assert.match(worker.stderr(), /^The database lacks .* run: bin\/shopdesk migrate\n$/)
  })
})
