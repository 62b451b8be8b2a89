// Workers as real processes, killed and stopped at the worst moment. No pending delivery is lost.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { SHUTDOWN_GRACE_MS } from '../../src/limits/queue.ts'
import { startSchedule } from '../../src/schedule.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import type { Running } from '../support/processes.ts'
import type { Receiver, Respond } from '../support/receiver.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

// A database and a web process each, so that the tests can run side by side without sharing workers.
async function given(respond?: Respond, options: { max_parallel?: number; max_per_minute?: number } = {}) {
  const app = await testApp()
  const { sql } = app
  const { id, ...subscriber } = await aSubscriber(app, respond, options)
  return {
    ...subscriber,
    sql,
    id,
    // Longer than another worker takes to start on a busy machine: held answers must not fail meanwhile.
    worker: (over = {}) => aWorker({ ...settingsOf(app), WEBHOOK_TIMEOUT_MS: '60000', ...over }),
    /** Webhooks that have a job, or wait in a worker's memory. */
    marks: () => sql<{ id: string; at: Date; has_job: boolean }[]>`
      select e.id, e.queued_at as at, exists (select from graphile_worker._private_jobs j where j.payload ->> 'endpointId' = e.id) as has_job
        from webhook_endpoints e where e.queued_at is not null`,
    /** What another worker does beside its jobs. */
    schedule: () => startSchedule(app.databaseUrl, pino({ level: 'silent' })),
    another: (respond?: Respond) => aSubscriber(app, respond),
    deliveries: () =>
      sql`select event_id, state, attempts from webhook_delivery_history where endpoint_id = ${id} and listed order by event_id`,
    log: () => sql`select event_id, attempt, status, signature from webhook_attempts where endpoint_id = ${id} order by id`,
    async row() {
      const [row] = await sql`select * from webhook_endpoints where id = ${id}`
      assert.ok(row)
      return row
    },
    succeeded: () =>
      eventually(async () => {
        const rows = await sql`select state from webhook_delivery_history where endpoint_id = ${id} and listed`
        const [{ lease_token } = {}] = await sql`select lease_token from webhook_endpoints where id = ${id}`
        return rows.every(({ state }) => state === 'succeeded') && lease_token === null
      }),
  }
}

/** Holds the first `count` answers back for good, and gives 204 to the rest. */
function holding(count: number): { respond: Respond; held: ServerResponse[] } {
  const held: ServerResponse[] = []
  return { held, respond: response => void (held.length < count ? held.push(response) : response.writeHead(204).end()) }
}

const eventOf = (body: Buffer): string => JSON.parse(body.toString()).id
const deliveryIds = ({ received }: Receiver): string[][] =>
  received.map(({ headers }) => String(headers['x-service-delivery-id']).split(':'))

describe('a worker that goes', { concurrency: true }, () => {
  test('kill -9 between POST and record: another worker soon makes the delivery again, with its number and a new t, and sends what waited for room', async () => {
    const { respond } = holding(1)
    const subscriber = await given(respond)
    const { sql } = subscriber
    const waiting = await Promise.all([subscriber.another(), subscriber.another()])
    // Of failing ones a worker with four slots sends to one at a time.
    await sql`update webhook_endpoints set failures = 1, failing_since = now(), failure_known_at = now()`
    const first = await subscriber.worker({ WORKER_CONCURRENCY: '4' })
    const [event] = await subscriber.emit(1)
    await subscriber.receiver.until(1)
    for (const { emit } of waiting) await emit()
    // The sweep gives them jobs, which are over at once.
    await eventually(async () => {
      const marks = await subscriber.marks()
      return marks.length === waiting.length && marks.every(({ has_job }) => !has_job)
    })
    // Its lease is not what is waited for.
    await sql`update webhook_endpoints set lease_until = lease_until + interval '1 hour' where lease_token is not null`
    first.child.kill('SIGKILL')
    assert.equal(await first.ended, 'SIGKILL')
    const schedule = subscriber.schedule()
    // Until its death is noticed, however long a busy machine takes for that, they have waited for a second.
    const before = new Map<string, number>()
    await eventually(async () => {
      const marked = await sql<{ id: string; at: Date }[]>`
        update webhook_endpoints e set queued_at = clock_timestamp() - interval '1 second'
         where e.queued_at is not null and not exists (select from graphile_worker._private_jobs j where j.payload ->> 'endpointId' = e.id)
        returning e.id, e.queued_at as at`
      for (const { id, at } of marked) before.set(id, at.getTime())
      return (await sql`select 1 from worker_processes where pid = ${first.pid}`).length === 0
    })
    const marks = await eventually(async () => {
      const all = await subscriber.marks()
      return all.filter(({ has_job }) => has_job).length >= waiting.length && all
    })
    await schedule.stop()
    assert.equal(before.size, waiting.length)
    for (const [id, was] of before) {
      const seconds = ((marks.find(mark => mark.id === id)?.at.getTime() ?? 0) - was) / 1000
      assert.ok(seconds > 0 && seconds < 10, `queued again after ${seconds} s: as one whose job was lost while all workers lived`)
    }
    const other = await subscriber.worker()

    const [lost, again] = await subscriber.receiver.until(2)
    assert.ok(lost && again)
    assert.ok(again.body.equals(lost.body))
    assert.equal(eventOf(again.body), event)
    const [[name, attempt, t], [nameAgain, attemptAgain, tAgain]] = deliveryIds(subscriber.receiver) as [string[], string[]]
    assert.deepEqual([nameAgain, attemptAgain], [name, attempt])
    assert.ok(Number(tAgain) > Number(t))
    for (const { receiver } of waiting) await receiver.until(1)

    await subscriber.succeeded()
    assert.deepEqual(
      (await subscriber.deliveries()).map(({ state, attempts }) => [state, attempts]),
      [['succeeded', 1]],
    )
    const log = await subscriber.log()
    assert.equal(log.length, 1, 'the result of the first is unknown, so it is not in the log')
    assert.deepEqual([log[0]?.['attempt'], log[0]?.['status']], [1, 204])
    assert.equal(log[0]?.['signature'], again.headers['x-service-signature'])
    assert.ok(String(log[0]?.['signature']).startsWith(`t=${tAgain},`))
    const row = await subscriber.row()
    assert.deepEqual([row['failures'], row['status'], row['lease_until']], [0, 'enabled', null])
    other.child.kill('SIGTERM')
    assert.equal(await other.ended, 0)
    assert.deepEqual([first.stderr(), other.stderr()], ['', ''])
  })

  test('kill -9 while it sends to a webhook with a rate: what it used counts, so that no minute sees more requests than the rate', async () => {
    const { respond } = holding(1)
    const subscriber = await given(respond, { max_per_minute: 1 })
    const first = await subscriber.worker()
    const since = Date.now()
    await subscriber.emit(3)
    await subscriber.receiver.until(1)
    first.child.kill('SIGKILL')
    await first.ended
    const other = await subscriber.worker()
    const silent = await eventually(async () => {
      const { silent_until, lease_token } = await subscriber.row()
      return lease_token === null && silent_until
    })
    assert.ok(silent.getTime() - since > 59_000 && silent.getTime() - Date.now() < 64_000, `from ${new Date(since)} to ${silent}`)
    assert.equal(subscriber.receiver.received.length, 1)
    other.child.kill('SIGTERM')
    assert.equal(await other.ended, 0)
  })

  test('kill -9 while it sends to a webhook with a rate, for which another has no room then: what it used counts still', async () => {
    const { respond } = holding(1)
    const subscriber = await given(respond, { max_per_minute: 1 })
    const { sql, id } = subscriber
    const first = await subscriber.worker()
    const since = Date.now()
    await subscriber.emit(3)
    await subscriber.receiver.until(1)
    first.child.kill('SIGKILL')
    await first.ended
    const another = await subscriber.another(() => {})
    // Of failing ones a worker with four slots sends to one at a time.
    await sql`update webhook_endpoints set failures = 1, failing_since = now(), failure_known_at = now()`
    await sql`update webhook_endpoints set silent_until = now() + interval '1 hour' where id = ${id}`
    const other = await subscriber.worker({ WORKER_CONCURRENCY: '4' })
    await another.emit()
    await another.receiver.until(1)
    await sql`update webhook_endpoints set silent_until = null where id = ${id}`
    const { silent_until } = await eventually(async () => {
      const { lease_token, silent_until } = await subscriber.row()
      return lease_token === null && { silent_until }
    })
    assert.ok(silent_until?.getTime() - since > 59_000, `silent until ${silent_until}`)
    other.child.kill('SIGKILL')
    await other.ended
  })

  test('killed while it receives an answer, in the middle of a backlog: nothing is lost, and only deliveries under way are sent twice', async () => {
    let victim: Running | undefined
    const subscriber = await given(response => {
      if (subscriber.receiver.received.length === 30) victim?.child.kill('SIGKILL')
      response.writeHead(204).end()
    })
    victim = await subscriber.worker()
    const events = await subscriber.emit(100)
    await victim.ended
    const before = subscriber.receiver.received.length
    assert.ok((await subscriber.deliveries()).some(({ state }) => state === 'pending'))

    await subscriber.worker()
    await subscriber.succeeded()
    const times = new Map<string, number>()
    for (const { body } of subscriber.receiver.received) times.set(eventOf(body), (times.get(eventOf(body)) ?? 0) + 1)
    assert.deepEqual(new Set(times.keys()), new Set(events))
    const doubled = [...times.values()].filter(count => count > 1)
    assert.ok(doubled.every(count => count === 2))
    assert.ok(doubled.length <= before, `${doubled.length} of ${before}`)
    assert.equal((await subscriber.log()).length, 100)
    assert.ok((await subscriber.deliveries()).every(({ attempts }) => attempts === 1))
  })

  test('SIGTERM with a delivery in flight: it is finished and recorded, no other is begun, and the rest waits for the next worker', async () => {
    const { respond, held } = holding(1)
    const subscriber = await given(respond, { max_parallel: 1 })
    const worker = await subscriber.worker()
    const events = await subscriber.emit(5)
    await subscriber.receiver.until(1)
    worker.child.kill('SIGTERM')
    await eventually(
      async () =>
        (await subscriber.sql`select 1 from pg_stat_activity where datname = current_database() and application_name = 'shopdesk lookout'`)
          .length === 0,
    )
    const toldAt = performance.now()
    held[0]?.writeHead(204).end()
    assert.equal(await worker.ended, 0)
    assert.ok(performance.now() - toldAt < SHUTDOWN_GRACE_MS, 'it waits for nothing else')
    assert.equal(subscriber.receiver.received.length, 1)
    assert.deepEqual((await subscriber.deliveries()).map(({ state }) => state).sort(), [
      'pending',
      'pending',
      'pending',
      'pending',
      'succeeded',
    ])
    assert.equal((await subscriber.log()).length, 1)
    const row = await subscriber.row()
    assert.equal(row['lease_token'], null)
    assert.ok(row['queued_at'], 'the next job is queued already')
    const jobs = await subscriber.sql`select locked_at from graphile_worker._private_jobs`
    assert.deepEqual(
      jobs.map(job => job['locked_at']),
      [null],
    )
    assert.equal(worker.stderr(), '')

    await subscriber.worker()
    await subscriber.receiver.until(5)
    await subscriber.succeeded()
    assert.deepEqual(subscriber.receiver.received.map(({ body }) => eventOf(body)).sort(), events.sort())
  })

  test('two workers and a storm of wake-ups: an endpoint is served by one at a time, and each delivery is made once', async () => {
    let [now, most] = [0, 0]
    const subscriber = await given(
      response => {
        most = Math.max(most, ++now)
        setTimeout(() => {
          now--
          response.writeHead(204).end()
        }, 5)
      },
      { max_parallel: 1 },
    )
    await Promise.all([subscriber.worker(), subscriber.worker()])
    const payload = subscriber.sql.json({ tenantId: subscriber.shop.id, endpointId: subscriber.id })
    const emitting = (async () => {
      for (let i = 0; i < 30; i++) await subscriber.emit(5)
    })()
    for (let i = 0; i < 60; i++)
      await subscriber.sql`select graphile_worker.add_job('webhooks/deliver', ${payload}::json, max_attempts => 1)`
    await emitting
    await subscriber.receiver.until(150)
    await subscriber.succeeded()
    assert.equal(most, 1)
    assert.equal(subscriber.receiver.received.length, 150)
    assert.equal(new Set(subscriber.receiver.received.map(({ body }) => eventOf(body))).size, 150)
    assert.equal((await subscriber.log()).length, 150)
  })
})
