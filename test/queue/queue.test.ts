// We use the queue so that it loses no work: without named queues and job keys, and with one job for an endpoint.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { queueMail } from '../../src/mail/mail.ts'
import { begin, part } from '../../src/postgres/sql.ts'
import { addJobOf } from '../../src/queue/jobs.ts'
import { ELECTION } from '../../src/queue/recurring.ts'
import { createSlots } from '../../src/queue/slots.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { createDeliver } from '../../src/webhooks/delivery/engine.ts'
import { releaseAll } from '../../src/webhooks/delivery/lease-store.ts'
import { wake } from '../../src/webhooks/delivery/store.ts'
import { sweep } from '../../src/webhooks/delivery/sweep.ts'
import { takeAll } from '../../src/webhooks/delivery/take-store.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { elect } from '../support/lookout.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'
import { takeOrUnmark } from '../support/taking.ts'

const app = await testApp()
const { sql } = app

async function given() {
  const subscriber = await aSubscriber(app)
  const { shop, id } = subscriber
  return {
    ...subscriber,
    wake: () => wake(sql, [{ tenant: shop.id, id }]),
    /** Inserts a pending delivery without telling a worker. */
    insertDelivery: () => sql`
      with happened as (
        insert into events (tenant_id, id, type, created_at, body) values (${shop.id}, ${newId('evt')}, 'order.created', now(), '{}') returning id
      )
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) select ${shop.id}, ${id}, id, now() from happened`,
    jobs: async () =>
      (await sql`select id from graphile_worker._private_jobs where payload->>'endpointId' = ${id}`).map(row => row['id'] as string),
    /** As if the time in which a queued job should come had passed. */
    passQueued: () => sql`update webhook_endpoints set queued_at = queued_at - interval '11 seconds' where id = ${id}`,
  }
}

test('no job of ours has a queue or a key: named queues lose their order in the local queue, and a key may drop the job', async () => {
  const named = /\b(job_?key|queue_?name)\b/i
  for (const file of globSync(['src/**/*.ts', 'tasks/**/*.ts', 'sql/*.sql'])) {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(?:\/\/|--).*/g, '')
    assert.doesNotMatch(code, named, file)
    const adds = ['src/queue/jobs.ts', 'sql/0010_webhooks_delivery.sql', 'sql/0064_marks_of_jobs.sql'].includes(file)
    if (!adds) assert.doesNotMatch(code, /\badd_jobs?\b/, file)
  }
  const at = await given()
  await at.emit()
  await begin(sql, tx => queueMail(tx, { tenant: at.shop.id, kind: 'test', to: 'ada@shop.example', subject: 'S', text: 'T' }))
  await at.shop.post(`/api/v1/webhooks/${at.id}/test`)
  await at.shop.post(`/api/v1/webhooks/${at.id}/enable`, { pending: 'drop' })
  await at.shop.post('/api/v1/exports', { resource: 'orders' })
  const ask = { key: at.shop.key, raw: '{"name":"Cap","price_amount":1}\n', headers: { 'Content-Type': 'application/x-ndjson' } }
  await app.request('POST', '/api/v1/imports?resource=products', ask)

  // The other tasks' jobs are added by `addJob` alone.
  const queued = ['exports/write', 'imports/apply', 'mail/send', 'webhooks/catch-up', 'webhooks/deliver', 'webhooks/recover']
  const ours = globSync('tasks/*/*.ts').map(file => file.slice('tasks/'.length, -'.ts'.length))
  for (const task of ours.filter(each => !queued.includes(each))) await sql`select ${addJobOf(part`${task}`, part`'{}'::json`, {})}`

  // The jobs that the queue holds, whichever way its arguments were written.
  const jobs = await eventually(async () => {
    const rows = await sql`
      select t.identifier, j.key, j.job_queue_id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id`
    return ours.every(task => rows.some(({ identifier }) => identifier === task)) && rows
  })
  for (const { identifier, key, job_queue_id } of jobs) assert.deepEqual([key, job_queue_id], [null, null], identifier)
  assert.equal((await sql`select 1 from graphile_worker._private_job_queues`).length, 0)
  await sql`delete from graphile_worker._private_jobs`
  await sql`delete from webhook_deliveries`
})

test('an endpoint that has waited for long in a full queue gets no second job; one whose job was lost, or lies with a dead worker, does', async () => {
  const at = await given()
  await at.emit()
  const first = await eventually(async () => (await at.jobs())[0])
  await at.passQueued()
  await at.wake()
  await sweep(sql)
  assert.deepEqual(await at.jobs(), [first])

  // In the local queue of a worker that lives, then of one that does not.
  await sql`update graphile_worker._private_jobs set locked_by = 'pool', locked_at = now() where id = ${first}`
  await sql`insert into worker_pools (id, host, pid, version) values ('pool', 'host', 1, '1')`
  await sweep(sql)
  assert.deepEqual(await at.jobs(), [first])
  await sql`update worker_pools set beat_at = now() - interval '11 seconds' where id = 'pool'`
  await sweep(sql)
  assert.equal((await at.jobs()).length, 2)

  // As when the answer of a fetch was lost: no worker knows of the job, and its pool lives.
  await sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id} and id <> ${first}`
  await sql`update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes' where id = ${first}`
  await sql`update worker_pools set beat_at = now() where id = 'pool'`
  await at.passQueued()
  await sweep(sql)
  assert.equal((await at.jobs()).length, 2)
  await sql`delete from worker_pools`

  await sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id}`
  await at.wake()
  await sweep(sql)
  assert.equal((await at.jobs()).length, 0, 'its job counts as queued, and not yet for long')
  // As when the death of a process was noticed before, and after.
  const moments = await sql<{ at: Date }[]>`
    select queued_at + n * interval '1 millisecond' as at from webhook_endpoints, unnest(array[0, 1, 1]) n where id = ${at.id} order by n`
  for (const [index, moment] of moments.entries()) {
    await sweep(sql, moment.at)
    assert.equal((await at.jobs()).length, Math.min(index, 1))
  }
  // A worker that has just begun fetched it.
  await sql`update graphile_worker._private_jobs set locked_by = 'new', locked_at = now() where payload->>'endpointId' = ${at.id}`
  await sweep(sql, new Date(Date.now() + 60_000))
  assert.equal((await at.jobs()).length, 1)
  await sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id}`
  await at.passQueued()
  await sweep(sql)
  assert.equal((await at.jobs()).length, 1)
  await sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id}`
  await sql`delete from webhook_deliveries where endpoint_id = ${at.id}`
})

test('the sweep notices a wake-up for which the queue adds no job, and the event is delivered', async t => {
  const at = await given()
  await sql`alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) rename to add_jobs_really`
  await sql`
    create function graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean default false)
    returns setof graphile_worker._private_jobs language sql as 'select null::graphile_worker._private_jobs'`
  await at.emit()
  await eventually(async () => (await sql`select 1 from webhook_endpoints where id = ${at.id} and queued_at is not null`).length === 1)
  assert.equal((await sql`select 1 from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id}`).length, 0)
  await sql`drop function graphile_worker.add_jobs`
  await sql`alter function graphile_worker.add_jobs_really rename to add_jobs`

  const worker = await app.startWorker()
  t.after(() => worker.close())
  await at.passQueued()
  await eventually(async () => at.receiver.received.length === 1)
})

test('a slice that a worker was told of leaves an endpoint to the job that waits for it, however long, and the mark of a paused one', async () => {
  const at = await given()
  const slice = (job: string | null, markedBy = job === null ? null : Number.POSITIVE_INFINITY) => ({
    tenant: at.shop.id,
    id: at.id,
    token: randomUUID(),
    job,
    markedBy,
  })
  const take = async (each: ReturnType<typeof slice>) => (await takeAll(sql, [each]))[0]
  const end = (each: ReturnType<typeof slice>) => releaseAll(sql, [{ ...each, rest: false, version: null }])
  await at.insertDelivery()
  await at.wake()
  const [first] = await at.jobs()
  assert.equal(await take(slice(null)), undefined)
  const served = slice(first as string)
  assert.ok(await take(served))
  await end(served)
  const [second, ...more] = await at.jobs()
  assert.ok(second && second !== first && more.length === 0)

  await at.passQueued()
  const other = { tenant: at.shop.id, id: newId('whk'), token: randomUUID(), markedBy: null }
  for (const beside of [[], [other]]) assert.equal((await takeOrUnmark(sql, [slice(null), ...beside]))[0], undefined)
  assert.deepEqual(await at.jobs(), [second])
  const isMarked = async () => (await sql`select from webhook_endpoints where id = ${at.id} and queued_at is not null`).length === 1
  await sql`update webhook_endpoints set status = 'paused' where id = ${at.id}`
  assert.deepEqual([await takeOrUnmark(sql, [slice(null)]), await isMarked()], [[undefined], true])
  assert.deepEqual([await takeOrUnmark(sql, [slice(second)]), await isMarked()], [[undefined], false])
  await sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id}`
  await sql`delete from webhook_deliveries where endpoint_id = ${at.id}`
})

test('a slice that waits for room here uses up the job that comes meanwhile, and leaves its endpoint to one that waits in the queue', async () => {
  const { shop, id } = await given()
  const stopping = new AbortController().signal
  const slots = createSlots(1, stopping, error => assert.fail(error as Error))
  const { deliver } = createDeliver({ db: { sql }, keyring: app.keyring, standing: UNWATCHED, slots, stopping } as never)
  const fetched = async (job: string) => ({ id: job, created_at: (await sql<[{ at: Date }]>`select clock_timestamp() as at`)[0].at })
  for (const comesHere of [false, true]) {
    const room = Promise.withResolvers<void>()
    const other = slots.run({ tenant: shop.id, id: 'another' }, () => room.promise)
    const first = await fetched('1')
    await deliver({ tenant: shop.id, id }, { ...first, created_at: new Date(first.created_at.getTime() - 10) })
    // The sweep took that job for lost, just when it had come here.
    await sql`update webhook_endpoints set queued_at = clock_timestamp() where id = ${id}`
    if (comesHere) await deliver({ tenant: shop.id, id }, await fetched('2'))
    room.resolve()
    await other
    await slots.ended()
    const [row] = await sql`select queued_at is not null as queued, lease_token from webhook_endpoints where id = ${id}`
    assert.deepEqual({ ...row }, { queued: !comesHere, lease_token: null })
  }
})

test('a job that was taken for lost, and runs all the same, leaves its endpoint to the job that was queued since, and queues none', async () => {
  const at = await given()
  const ref = { tenant: at.shop.id, id: at.id }
  const queued = async () =>
    sql<{ job: string; at: Date }[]>`
      select j.id as job, j.created_at as at from graphile_worker._private_jobs j where j.payload->>'endpointId' = ${at.id} order by j.id`
  const mark = async () => (await sql<{ at: Date | null }[]>`select queued_at as at from webhook_endpoints where id = ${at.id}`)[0]?.at
  const slice = ({ job, at: made }: { job: string; at: Date }) => ({ ...ref, token: randomUUID(), job, markedBy: made.getTime() + 1 })
  await at.insertDelivery()
  await at.wake()
  const [first] = await queued()
  assert.ok(first)
  // Its worker is frozen, so the sweep queues another; then the job comes back, to this worker or to the next.
  await sql`update graphile_worker._private_jobs set locked_by = 'frozen', locked_at = now() where id = ${first.job}`
  await at.passQueued()
  await sweep(sql)
  const [, second] = await queued()
  assert.ok(second)
  const marked = await mark()
  const stopping = new AbortController().signal
  const slots = createSlots(1, stopping, error => assert.fail(error as Error))
  const { deliver } = createDeliver({ db: { sql }, keyring: app.keyring, standing: UNWATCHED, slots, stopping } as never)
  await deliver(ref, { id: first.job, created_at: first.at })
  const other = { tenant: at.shop.id, id: newId('whk'), token: randomUUID(), markedBy: null }
  for (const beside of [[], [other]]) assert.equal((await takeOrUnmark(sql, [slice(first), ...beside]))[0], undefined)
  assert.deepEqual(await mark(), marked)
  await sql`delete from graphile_worker._private_jobs where id = ${first.job}`

  // The worker is frozen in the middle of the slice for longer than its lease, and ends it when a third job is queued.
  const served = slice(second)
  assert.ok((await takeAll(sql, [served]))[0])
  await sql`update webhook_endpoints set lease_until = now() - interval '1 second' where id = ${at.id}`
  await sweep(sql)
  const [, third] = await queued()
  assert.ok(third)
  await releaseAll(sql, [{ ...served, rest: false, version: null }])
  assert.deepEqual([...(await queued())], [third])
  assert.ok((await takeAll(sql, [slice(third)]))[0], 'which serves the endpoint')
  await sql`delete from graphile_worker._private_jobs where payload->>'endpointId' = ${at.id}`
  await sql`delete from webhook_deliveries where endpoint_id = ${at.id}`
})

/** A slice also serves deliveries that are woken before it ends, so how many slices a number of wake-ups makes is up to the machine. */
const SLICES = 30

test('the queue has one job for an endpoint at most, at every moment, however many slices follow each other', async t => {
  const at = await given()
  const worker = await app.startWorker()
  t.after(() => worker.close())
  // Each process that adds a job for it writes down how many there are: as the owner, for web and worker may not write into this table.
  await sql.unsafe(`
    create table seen (jobs integer);
    create function count_jobs() returns trigger language plpgsql security definer as $$
    begin
      insert into seen select count(*) from graphile_worker._private_jobs j where j.payload ->> 'endpointId' = '${at.id}';
      return null;
    end $$;
    create trigger count_jobs after insert on graphile_worker._private_jobs for each row
      when (new.payload ->> 'endpointId' = '${at.id}') execute function count_jobs();`)
  const slices = async (): Promise<number> => {
    const seen = await sql<{ jobs: number }[]>`select jobs from seen`
    for (const { jobs } of seen) assert.equal(jobs, 1)
    return seen.length
  }
  // Each wake-up comes when the slice before it is about to end.
  for (let i = 1, begun = 0; i <= 100 || begun < SLICES; i++) {
    await at.insertDelivery()
    await at.wake()
    await at.receiver.until(i)
    begun = await slices()
  }
  await eventually(async () => (await at.jobs()).length === 0)
  await slices()
  await sql.unsafe('drop trigger count_jobs on graphile_worker._private_jobs; drop function count_jobs; drop table seen')
})

test('ending a slice finds its job by its id, though the queue was empty when the statement was planned', async () => {
  await sql`delete from graphile_worker._private_jobs`
  await sql`vacuum graphile_worker._private_jobs`
  const read = await begin(sql, async tx => {
    const end = async (job: number) => {
      await tx`select webhook_release('{t}', '{w}', array[gen_random_uuid()], '{false}', ${[job]}::bigint[], '{null}')`
      await tx`select webhook_end_turns('{t}', '{w}', ${[job]}::bigint[])`
    }
    const rowsRead = async () =>
      Number((await tx`select seq_tup_read as n from pg_stat_xact_user_tables where relname = '_private_jobs'`)[0]?.['n'])
    await end(0)
    await tx`select graphile_worker.add_job('none', run_at => now() + interval '1 hour') from generate_series(1, 1000)`
    const before = await rowsRead()
    await end(0)
    const rows = (await rowsRead()) - before
    await tx`delete from graphile_worker._private_jobs`
    return rows
  })
  assert.equal(read, 0)
})

/** If each fetch gathered and sorted the waiting jobs, each of them would be read 64 times. More would take minutes on a busy machine. */
const JOBS = 500

describe('a queue that was empty when the planner looked, as it is again and again:', () => {
  const add = (jobs: number) => sql`
    select graphile_worker.add_jobs(array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
             'identifier', 'webhooks/deliver', 'payload', json_build_object('tenantId', 'ten_gone', 'endpointId', 'whk_' || n)))))
      from generate_series(1, ${jobs}::integer) as n`
  const done = () => eventually(async () => (await sql`select 1 from graphile_worker._private_jobs limit 1`).length === 0)

  test('jobs are fetched in the order of their index, not gathered and sorted for each fetch', async t => {
    await sql`vacuum analyze graphile_worker._private_jobs`
    // What is elected looks through all jobs every second: on a busy machine that is many times for each fetch. So nothing but this session is.
    const elected = await sql.reserve()
    t.after(async () => {
      await elected`select pg_advisory_unlock(${ELECTION})`
      elected.release()
    })
    await eventually(() => elect(elected, ELECTION))
    // A connection reports its statistics when it ends, and until then now and then. Those of another worker would also fetch some of the jobs.
    const allTold = () =>
      eventually(
        async () =>
          (await sql`select 1 from pg_stat_activity where application_name = 'shopdesk queue' and datname = current_database()`).length ===
          0,
      )
    await allTold()
    const worker = await aWorker({ ...settingsOf(app), WORKER_CONCURRENCY: '4' })
    // Live rows: entries of jobs that are done stay in the index while an old transaction runs, as one does on a busy machine.
    const read = async () =>
      Number((await sql`select idx_tup_fetch + seq_tup_read as n from pg_stat_user_tables where relname = '_private_jobs'`)[0]?.['n'])
    const before = await read()
    await add(JOBS)
    await done()
    worker.child.kill()
    await worker.ended
    await allTold()
    const each = ((await read()) - before) / JOBS
    assert.ok(each >= 1 && each < 45, `${each} rows read for each job`)
  })

  test('a fetch of many jobs at once goes through the others once, not once for each', async () => {
    await add(10_000)
    await sql`delete from graphile_worker._private_jobs`
    await sql`analyze graphile_worker._private_jobs`
    const { name } = (await sql<[{ name: string }]>`select current_database() as name`)[0]
    // A fetch of 1,600 jobs takes some 30 ms here. It would take 2.6 s if it compared each with each.
    await sql.unsafe(`alter database ${name} set statement_timeout = '1s'`)
    const worker = await aWorker({ ...settingsOf(app), WORKER_CONCURRENCY: '800' })
    try {
      await add(10_000)
      await done()
    } finally {
      await sql.unsafe(`alter database ${name} reset statement_timeout`)
      worker.child.kill()
      await worker.ended
    }
    assert.doesNotMatch(worker.stderr() + worker.stdout(), /statement timeout/)
  })
})
