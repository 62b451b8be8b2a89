// The worker as a process: which faults it survives, and how it ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SHUTDOWN_GRACE_MS } from '../../src/limits/queue.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

const WORKER_SESSIONS = ['shopdesk worker', 'shopdesk queue', 'shopdesk beat', 'shopdesk lookout', 'shopdesk schedule']

async function given() {
  const app = await testApp()
  const { sql } = app
  return {
    sql,
    settings: settingsOf(app),
    sessions: () =>
      sql<
        { pid: number }[]
      >`select pid from pg_stat_activity where datname = current_database() and application_name = any(${WORKER_SESSIONS})`,
  }
}

describe('the worker', { concurrency: true }, () => {
  test('a slice that throws is logged, and no other work fails with it', async () => {
    const app = await testApp()
    const { emit, receiver } = await aSubscriber(app)
    await app.sql`update webhook_endpoints set secret = 'k1.AAAA'`
    const worker = await aWorker(settingsOf(app))
    await emit()
    await worker.says(/"level":50/)
    assert.doesNotMatch(worker.stdout(), /AAAA|whsec_/)
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0)
    assert.equal(receiver.received.length, 0)
  })

  test('SIGTERM of an idle worker ends it at once with 0, and it leaves no session and no lock', async () => {
    const at = await given()
    const worker = await aWorker(at.settings)
    await eventually(async () => (await at.sessions()).length >= 3)
    const toldAt = performance.now()
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0)
    assert.ok(performance.now() - toldAt < SHUTDOWN_GRACE_MS, 'it waits for nothing')
    assert.equal(worker.stderr(), '')
    await eventually(async () => (await at.sessions()).length === 0)
  })

  test('a worker that does not see due jobs starts anew, then ends with 1 and one line, for its supervisor to start another', async () => {
    const at = await given()
    const worker = await aWorker(at.settings)
    await at.sql.unsafe(`
      create policy all_but_the_queue on graphile_worker._private_jobs as restrictive using (current_setting('application_name') <> 'shopdesk queue');
      select graphile_worker.add_job('mail/send', '{}')`)
    assert.equal(await worker.ended, 1)
    assert.match(worker.stdout(), /the queue begins anew/)
    assert.match(
      worker.stderr(),
      /^The process ends, for a new one to begin: a job that was due 10 s ago was not fetched, though the database is well.\n$/,
    )
  })

  test('a database that lacks the schema is one line and exit code 1', async () => {
    const at = await given()
    await at.sql`delete from migrations where number > 1`
    const worker = shopdesk(['worker'], at.settings)
    assert.equal(await worker.ended, 1)
    assert.match(worker.stderr(), /^The database lacks .* run: bin\/shopdesk migrate\n$/)
  })
})
