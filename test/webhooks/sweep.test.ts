// The sweep wakes endpoints with due work that no worker serves, by one process at a time.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { newId } from '../../src/ids.ts'
import { RETENTION_DAYS } from '../../src/limits/retention.ts'
import { begin, part } from '../../src/postgres/sql.ts'
import { dueAgain } from '../../src/queue/recurring.ts'
import { stalledOf, sweeping } from '../../src/queue/sweep.ts'
import { startSchedule } from '../../src/schedule.ts'
import { SWEEP, sweep } from '../../src/webhooks/delivery/sweep.ts'
import { testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { aSubscriber } from '../support/subscriber.ts'

const app = await testApp()
const { sql } = app

async function given() {
  const subscriber = await aSubscriber(app)
  const { id } = subscriber
  return {
    ...subscriber,
    set: (change: Record<string, unknown>) => sql`update webhook_endpoints set ${sql(change)} where id = ${id}`,
    queuedAt: async () => (await sql`select queued_at from webhook_endpoints where id = ${id}`)[0]?.['queued_at'] as Date | null,
    jobs: () => sql`select id from graphile_worker._private_jobs where payload->>'endpointId' = ${id}`,
    /** As if the queue had lost it. */
    loseJob: () => sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${id}`,
    isStalled: async () => (await stalledOf(sql, SWEEP, LOST)).unqueued.some(each => each.id === id),
  }
}

type Hook = Awaited<ReturnType<typeof given>>

const LOST = part`(clock_timestamp() - interval '10 seconds')`
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000)

/** A sweeper with its errors. */
function sweeper() {
  const errors: string[] = []
  const schedule = startSchedule(app.databaseUrl, pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }))
  after(() => schedule.stop())
  return { ...schedule, errors }
}

const ELECTED = part`
  select l.pid from pg_locks l
   where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database()) and l.granted
     and l.objid = 7041777`

const electedPids = async (): Promise<number[]> => (await sql`${ELECTED}`).map(row => row['pid'])

test('slots go to tenants in rotation, and by age: a tenant with many busy webhooks comes after the others, but not for ever', async () => {
  const [large, small, late] = await Promise.all([aSubscriber(app), aSubscriber(app), aSubscriber(app)])
  const more = await Promise.all(
    Array.from({ length: 11 }, (_, i) =>
      large.shop.post('/api/v1/webhooks', { url: `${large.receiver.origin}/${i}`, events: ['order.created'] }),
    ),
  )
  const whose = new Map([
    ...more.map(reply => [ok(reply).id, 'large'] as const),
    [large.id, 'large'],
    [small.id, 'small'],
    [late.id, 'late'],
  ])
  /** The jobs' tenants in the order in which the queue fetches them. */
  const order = async () => {
    const jobs = await sql<{ id: string }[]>`
      select payload ->> 'endpointId' as id from graphile_worker._private_jobs
       where payload ->> 'endpointId' = any(${[...whose.keys()]}) and run_at <= now()
       order by priority, run_at, id`
    return jobs.map(({ id }) => whose.get(id))
  }
  await large.emit()
  await eventuallyHolds(async () => assert.equal((await order()).length, 12))
  await small.emit()
  await eventuallyHolds(async () => assert.equal((await order()).length, 13))
  assert.deepEqual((await order()).slice(0, 3), ['large', 'small', 'large'])
  // A minute passes, in which small tenants come and are served.
  await sql`update graphile_worker._private_jobs set run_at = run_at - interval '1 minute' where payload ->> 'endpointId' = any(${[...whose.keys()]})`
  await late.emit()
  await eventuallyHolds(async () => assert.equal((await order()).length, 14))
  assert.equal((await order()).at(-1), 'late')
})

test('an endpoint is stalled when work is due and it is neither queued, leased nor silent', async () => {
  const hook = await given()
  assert.equal(await hook.isStalled(), false, 'nothing is due')
  await hook.emit()
  await eventually(() => hook.queuedAt().then(at => at ?? undefined))
  const states: [Record<string, unknown>, boolean][] = [
    [{ queued_at: null }, true],
    [{ queued_at: ago(5) }, false],
    [{ queued_at: ago(11) }, false],
    [{ queued_at: null, lease_until: ago(-5) }, false],
    [{ lease_until: ago(1) }, true],
    [{ silent_until: ago(-5) }, false],
    [{ silent_until: ago(1) }, true],
    [{ status: 'disabled' }, false],
    [{ status: 'enabled' }, true],
  ]
  for (const [change, expected] of states) {
    await hook.set(change)
    assert.equal(await hook.isStalled(), expected, JSON.stringify(change))
  }
  await sql`update webhook_deliveries set due_at = now() + interval '1 hour' where endpoint_id = ${hook.id}`
  assert.equal(await hook.isStalled(), false, 'not due yet')
  await sql`delete from webhook_deliveries where endpoint_id = ${hook.id}`
})

test('every endpoint with due work is found, behind backlogs of others and of its own', async () => {
  const hooks = await Promise.all(Array.from({ length: 12 }, given))
  for (const webhook of hooks) for (let i = 0; i < 3; i++) await webhook.emit()
  for (const webhook of hooks) await eventually(() => webhook.queuedAt().then(at => at ?? undefined))
  // Again, for the wake-up of a later event may still have been running and have queued a job anew.
  await eventuallyHolds(async () => {
    for (const hook of hooks) await hook.set({ queued_at: null })
    const { unqueued } = await stalledOf(sql, SWEEP, LOST)
    const ids = unqueued.map(each => each.id)
    assert.equal(new Set(ids).size, ids.length, 'once each')
    for (const { id } of hooks) assert.ok(ids.includes(id))
  })
  await sql`delete from webhook_deliveries`
  await sql`delete from graphile_worker._private_jobs`
})

test('endpoints that wait in the queue for long keep none behind them from being woken, however many they are', async () => {
  const hooks = await Promise.all(Array.from({ length: 4 }, given))
  hooks.sort((a, b) => (a.shop.id < b.shop.id ? -1 : 1))
  for (const hook of hooks) await hook.emit()
  for (const hook of hooks) await eventually(async () => (await hook.jobs()).length === 1)
  const [last, ...waiting] = hooks.reverse() as [Hook, ...Hook[]]
  for (const hook of waiting) await hook.set({ queued_at: ago(60) })
  await last.loseJob()
  await last.set({ queued_at: null })
  await sweeping(SWEEP, 1)(sql)
  for (const hook of hooks) assert.equal((await hook.jobs()).length, 1)
  await sql`delete from webhook_deliveries`
  await sql`delete from graphile_worker._private_jobs`
})

test('of two sweepers one is elected; when its connection is lost one of them goes on, and both live', async () => {
  const [one, other] = [sweeper(), sweeper()]
  const [first, ...more] = await eventually(async () => {
    const pids = await electedPids()
    return pids.length > 0 && pids
  })
  assert.deepEqual(more, [])
  await sql`select pg_terminate_backend(${first as number})`
  const next = await eventually(async () => (await electedPids()).find(pid => pid !== first))
  assert.notEqual(next, first)
  const webhook = await given()
  await webhook.emit()
  await webhook.loseJob()
  await webhook.set({ queued_at: null })
  await eventually(async () => (await webhook.jobs()).length === 1)
  // One loss for each kind of work that was just asking the database.
  const lost = [...one.errors, ...other.errors].map(line => JSON.parse(line).work)
  assert.equal(new Set(lost).size, lost.length, `the loss is reported once: ${lost}`)
  await one.stop()
  await eventually(async () => (await electedPids()).length === 1)
  await other.stop()
  await eventually(async () => (await electedPids()).length === 0)
  await webhook.loseJob()
  await sql`delete from webhook_deliveries`
})

test('what waited in a dead worker is queued again by the next one that is elected, for the one before may have died before it did so', async () => {
  const webhook = await given()
  await webhook.emit()
  await eventually(async () => (await webhook.jobs()).length === 1)
  // Its job is over.
  await webhook.loseJob()
  const { stop } = sweeper()
  // However long a busy machine takes to elect one: queued just before.
  await eventually(async () => {
    await sql`update webhook_endpoints set queued_at = clock_timestamp() where id = ${webhook.id} and not exists (${ELECTED})`
    return (await electedPids()).length === 1
  })
  // Before it has been queued for so long that its job may be lost.
  await eventually(async () => (await webhook.jobs()).length === 1, 9_000)
  await stop()
  await webhook.loseJob()
  await sql`delete from webhook_deliveries`
})

test('while retention waits for a row, the sweep wakes the endpoints that are due', async () => {
  const webhook = await given()
  const old = newId('evt', Date.now() - (RETENTION_DAYS + 1) * 86_400_000)
  await sql`
    insert into webhook_attempts (tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms) values (${webhook.shop.id}, ${webhook.id}, ${old}, 1, now(), 1)`
  let stopped: Promise<void> | undefined
  const waits = async () =>
    (
      await sql`
      select 1 from pg_stat_activity
       where datname = current_database() and application_name = 'shopdesk retention' and wait_event_type = 'Lock'`
    ).length > 0
  await begin(sql, async tx => {
    await tx`select 1 from webhook_attempts where event_id = ${old} for update`
    const { stop } = sweeper()
    await eventually(waits)
    await webhook.emit()
    await webhook.loseJob()
    await webhook.set({ queued_at: null })
    await eventually(async () => (await webhook.jobs()).length === 1)
    assert.ok(await waits())
    await sql`delete from webhook_deliveries`
    await webhook.loseJob()
    stopped = stop()
  })
  await stopped
})

test('recurring work comes at its interval, and rests twenty times as long as it took, but three seconds at most', () => {
  for (const [everyMs, tookMs, restsMs] of [
    [1_000, 0, 1_000],
    [1_000, 40, 960],
    [1_000, 100, 2_000],
    [1_000, 150, 3_000],
    [1_000, 9_000, 3_000],
    [60_000, 100, 59_900],
    [60_000, 90_000, 3_000],
  ] as const)
    assert.equal(
      dueAgain(everyMs, 1_000_000, 1_000_000 + tookMs) - (1_000_000 + tookMs),
      restsMs,
      `of ${everyMs} ms, having taken ${tookMs}`,
    )
})

test('the sweep skips a row that another transaction holds, and wakes it when it is free', async () => {
  const [locked, free] = [await given(), await given()]
  for (const { id } of [locked, free]) {
    await sql`insert into events (tenant_id, id, type, created_at, body) select tenant_id, 'evt_' || id, 'order.created', now(), '{}' from webhook_endpoints where id = ${id}`
    await sql`insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) select tenant_id, id, 'evt_' || id, now() from webhook_endpoints where id = ${id}`
  }
  await begin(sql, async tx => {
    await tx`select 1 from webhook_endpoints where id = ${locked.id} for update`
    await sweep(sql)
    assert.deepEqual([(await locked.jobs()).length, (await free.jobs()).length], [0, 1])
  })
  await sweep(sql)
  assert.equal((await locked.jobs()).length, 1)
  // The same where their jobs were lost.
  for (const webhook of [locked, free]) await webhook.loseJob()
  await sql`update webhook_endpoints set queued_at = now() - interval '11 seconds' where id in ${sql([locked.id, free.id])}`
  await begin(sql, async tx => {
    await tx`select 1 from webhook_endpoints where id = ${locked.id} for update`
    await sweep(sql)
    assert.deepEqual([(await locked.jobs()).length, (await free.jobs()).length], [0, 1])
  })
  for (const webhook of [locked, free]) await webhook.loseJob()
  await sql`delete from webhook_deliveries`
})

test('a job lost after it was queued is queued again ten seconds later', async () => {
  const webhook = await given()
  await webhook.emit()
  await eventually(async () => (await webhook.jobs()).length === 1)
  await webhook.loseJob()
  for (const [seconds, jobs] of [
    [5, 0],
    [11, 1],
  ] as const) {
    await webhook.set({ queued_at: ago(seconds) })
    await sweep(sql)
    assert.equal((await webhook.jobs()).length, jobs, `after ${seconds} s`)
  }
  await webhook.loseJob()
  await sql`delete from webhook_deliveries`
})

// In time: the sweep comes every second, but rests for five where it took a quarter of one, as on a busy machine.
describe('with a worker', { concurrency: true }, () => {
  test('a lost wake-up is delivered within a few seconds', async () => {
    const webhook = await given()
    await webhook.emit()
    await webhook.loseJob()
    await webhook.set({ queued_at: null })
    await app.startWorker()
    await webhook.receiver.until(1)
  })

  test('a silent endpoint is not woken before its time, and is woken then', async () => {
    const webhook = await given()
    const until = new Date(Date.now() + 2_500)
    await webhook.set({ failures: 3, failing_since: ago(60), failure_known_at: ago(60), silent_until: until })
    await webhook.emit()
    await webhook.receiver.until(1)
    assert.ok(Date.now() >= until.getTime())
  })

  test('a retry is made when it is due', async () => {
    const webhook = await given()
    await webhook.set({ lease_until: ago(-3600) })
    await webhook.emit()
    const due = new Date(Date.now() + 1_500)
    await sql`update webhook_deliveries set due_at = ${due}, attempts = 1, first_attempt_at = ${ago(7)} where endpoint_id = ${webhook.id}`
    await webhook.set({ lease_until: null })
    const [request] = await webhook.receiver.until(1)
    assert.ok(Date.now() >= due.getTime())
    assert.match(String(request?.headers['x-service-delivery-id']), /:2:\d+$/)
  })
})
