// The session that stands for a process: how the process notices its loss, and when other processes take over.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { now } from '../../src/clock.ts'
import { GONE_MS, STANDING_ABORT_MS, STANDING_BEAT_MS, STANDING_FENCE_MS } from '../../src/limits/queue.ts'
import postgres from '../../src/postgres/driver.ts'
import { isUnavailable } from '../../src/postgres/errors.ts'
import { openDatabase, type Sql } from '../../src/postgres/sql.ts'
import { createLookout } from '../../src/queue/lookout.ts'
import { PLACE } from '../../src/queue/neighbours.ts'
import { standUp } from '../../src/queue/standing.ts'
import { look, type Missing, release } from '../../src/queue/standing-store.ts'
import { sweep } from '../../src/webhooks/delivery/sweep.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { lookingOut } from '../support/lookout.ts'
import { aSubscriber } from '../support/subscriber.ts'

const log = pino({ level: 'silent' })
/** Enough for a busy machine, and less than the time after which a session that does not answer is given up, which ends it too. */
const LATE_MS = 1_500
/** Timers count in whole milliseconds. */
const EARLY_MS = 2

async function given(prepare: (app: TestApp) => Promise<unknown> = async () => {}) {
  const app = await testApp()
  await prepare(app)
  const proxy = await flakyProxy(app.databaseUrl)
  const standing = await standUp(proxy.url, log, new AbortController().signal)
  after(standing.close)
  const token = standing.token()
  const { sql } = app
  const name = standing.process()
  return {
    app,
    sql,
    proxy,
    standing,
    token,
    name,
    lookout: lookingOut([]),
    holds: () => standing.holds(token),
    /** It was not taken for gone, and holds what it held: a busy machine may keep an answer from it for a while. */
    stands: () => eventually(async () => standing.holds(token)),
    /** Ends its session. */
    terminate: () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'shopdesk standing'`,
    processes: async () => (await sql`select process from worker_processes order by process`).map(row => row['process']),
    elsewhere: () => sql`update worker_processes set place = 'elsewhere'`,
  }
}

/** @returns after how many milliseconds */
async function took(ask: () => boolean): Promise<number> {
  const since = performance.now()
  await eventually(async () => ask())
  return performance.now() - since
}

/** Sessions that begin later find this clock before that of the server. */
async function clockToSet({ superuserUrl, sql }: TestApp): Promise<void> {
  const superuser = postgres(superuserUrl, { max: 1 })
  const [row] = await sql`select current_database() as name`
  await superuser.unsafe(`
    create schema shifted;
    create table shifted.clock as select interval '0' as ahead;
    create function shifted.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + ahead from shifted.clock';
    grant usage on schema shifted to public;
    grant all on shifted.clock to public;
    alter database ${row?.['name']} set search_path = shifted, pg_catalog, public`)
  await superuser.end()
}

describe('a process', { concurrency: true }, () => {
  test('loses its leases at once when the clock of the database is set ahead, for they lapse by it; set back, it keeps them', async () => {
    const at = await given(clockToSet)
    const set = (by: string) => at.sql`update shifted.clock set ahead = ${by}::text::interval`
    await set('-10 minutes')
    await eventually(async () => now() < Date.now() - 500_000)
    assert.equal(at.standing.isLost(at.token), false)
    const underWay = at.standing.lost()
    await set('20 seconds')
    await eventually(async () => at.standing.isLost(at.token))
    assert.deepEqual([underWay.aborted, at.standing.holds(at.token)], [true, false])
    // Others free what the former name held, also what has not lapsed.
    await at.standing.ready()
    assert.ok(at.standing.holds(at.standing.token()))
    await eventually(async () => {
      await at.lookout(at.sql, log)
      return (await at.processes()).every(name => name === at.standing.process())
    })
  })

  test('whose session is ended by the server has another at once, and keeps its leases', async () => {
    const at = await given()
    await at.stands()
    const lost = at.standing.lost()
    // What the last answer was asked for after.
    const [before] = at.proxy.answers().slice(-2) as [number, number]
    await at.terminate()
    await eventually(async () => !at.holds())
    await eventually(async () => at.holds())
    // A busy machine may take longer for it than requests may go on.
    const isShort = performance.now() - before < STANDING_ABORT_MS
    assert.equal(at.standing.process(), at.name)
    assert.equal(at.standing.isLost(at.token), false)
    if (isShort) assert.equal(lost.aborted, false, 'so short an absence ends no request')
    assert.deepEqual(await at.processes(), [at.name])
  })

  for (const direction of ['both', 'to the database', 'from the database'] as const)
    test(`that hears nothing of its session (${direction}) begins nothing from the second on, and ends what is under way; it goes on when it hears again`, async () => {
      const at = await given()
      // Some beats, each a question and an answer.
      const { length } = at.proxy.answers()
      await eventually(async () => at.proxy.answers().length >= length + 3)
      await at.proxy.nextQuestion()
      at.proxy.silence(direction)
      const [lost, gone] = [at.standing.lost(), at.standing.gone()]
      const [before] = at.proxy.answers().slice(-2) as [number, number]
      const fenced = await took(() => !at.holds())
      assert.ok(fenced < STANDING_FENCE_MS + LATE_MS, `${fenced} ms`)
      // The last answer was asked for a beat after the answer before it, however long a busy machine took for either.
      const since = performance.now() - before
      assert.ok(since >= STANDING_BEAT_MS + STANDING_FENCE_MS - EARLY_MS, `${since} ms`)
      const aborted = fenced + (await took(() => lost.aborted))
      assert.ok(aborted < STANDING_ABORT_MS + LATE_MS, `${aborted} ms`)
      let ready = false
      void at.standing.ready().then(() => {
        ready = true
      })
      at.proxy.mend()
      await eventually(async () => at.holds())
      await eventually(async () => ready)
      assert.equal(at.standing.process(), at.name, 'no other process took over')
      assert.deepEqual([at.standing.lost().aborted, gone.aborted], [false, false])
    })

  test('that was cut off for so long that others took over goes on under another name, and holds nothing under the earlier one', async () => {
    const at = await given()
    const gone = at.standing.gone()
    at.proxy.block('resetAndDestroy')
    await took(() => !at.holds())
    await eventually(async () => (await release(at.sql, [at.name], [], [])).gone.length === 1)
    at.proxy.mend()
    await eventually(async () => at.standing.holds(at.standing.token()))
    assert.notEqual(at.standing.process(), at.name)
    assert.ok(at.standing.isLost(at.token) && !at.holds())
    assert.deepEqual([gone.aborted, at.standing.gone().aborted], [true, false])
    assert.deepEqual(await at.processes(), [at.standing.process()])
  })

  test('whose session lingers on the server after it was lost here ends that session, and stands by another', async () => {
    const at = await given()
    const sessions = () =>
      at.sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'shopdesk standing'`
    const [old] = await sessions()
    at.proxy.lose()
    await eventually(async () => !at.holds())
    await eventually(async () => at.holds())
    assert.equal(at.standing.process(), at.name)
    assert.ok((await sessions()).every(row => row['pid'] !== old?.['pid']))
  })

  test('that ends in good order leaves no row', async () => {
    const at = await given()
    await at.standing.close()
    assert.deepEqual(await at.processes(), [])
  })
})

describe('the lookout', { concurrency: true }, () => {
  /** A process without a session. @param pid of one that has ended unless it says otherwise */
  async function missing(sql: Awaited<ReturnType<typeof given>>['sql'], { pid = spawnSync('true').pid, place = PLACE } = {}) {
    const name = `${randomUUID().slice(0, 8)}-0000-4000`
    await sql`
      insert into worker_processes (process, host, pid, place, backend, backend_since)
      values (${name}, ${hostname()}, ${pid}, ${place}, 1, now())`
    return { name, token: `${name}-8000-000000000000` }
  }

  test('takes an ended process of its own machine for gone at once, one of another machine after a while, and none that stands', async () => {
    const at = await given()
    const [here, elsewhere] = [await missing(at.sql), await missing(at.sql, { place: 'elsewhere' })]
    const since = performance.now()
    await at.lookout(at.sql, log)
    const soon = performance.now() - since
    if (PLACE !== null && soon < GONE_MS) assert.deepEqual(await at.processes(), [elsewhere.name, at.name].sort())
    await eventually(async () => {
      await at.lookout(at.sql, log)
      return !(await at.processes()).includes(elsewhere.name)
    })
    assert.ok(performance.now() - since >= GONE_MS)
    assert.deepEqual(await at.processes(), [at.name])
    assert.ok(!(await at.processes()).includes(here.name))
    await at.stands()
  })

  test('has the time of a missing process begin at any process’s look, says when it is over, and is one process’s alone', async t => {
    const at = await given()
    const { name } = await missing(at.sql, { place: 'elsewhere' })
    const sessions = [0, 1].map(() => openDatabase(at.app.databaseUrl, { name: 'looking', lanes: 0, pool: 1 }))
    t.after(() => Promise.all(sessions.map(each => each.close())))
    const [one, other] = sessions.map(each => each.sql) as [Sql, Sql]
    assert.equal((await look(one, 1)).elected, true)
    // Taken by none yet: the first look of a process notes it.
    await at.sql`update worker_processes set missed_at = null where process = ${name}`
    const noted = await look(other, 1)
    assert.deepEqual([noted.elected, noted.missing.map(each => each.process)], [false, [name]])
    const seen = await look(one, 1)
    assert.deepEqual([seen.elected, seen.missing.length], [true, 1])
    const [{ missedMs }] = seen.missing as [Missing]
    assert.ok(missedMs > 0)
    if (missedMs < GONE_MS) assert.equal(await createLookout([])(one, log, seen.missing), GONE_MS - missedMs)
  })

  test('leaves a frozen neighbour alone, for its requests do not end by themselves', { skip: PLACE === null }, async t => {
    const at = await given()
    const child = spawn('sleep', ['60'])
    t.after(() => child.kill('SIGKILL'))
    child.kill('SIGSTOP')
    const frozen = await missing(at.sql, { pid: child.pid as number })
    const since = performance.now()
    await eventually(async () => {
      await at.lookout(at.sql, log)
      return performance.now() - since > GONE_MS * 1.5
    })
    assert.ok((await at.processes()).includes(frozen.name))
  })

  test('ends the leases of all kinds together: none waits for the answer to another, for what is free is free once all are', async () => {
    const at = await given()
    await missing(at.sql)
    const both = Promise.withResolvers<number>()
    let asked = 0
    const lapse = (): Promise<number> => {
      if (++asked === 2) both.resolve(1)
      return both.promise
    }
    await lookingOut([{ lapse }, { lapse }])(at.sql, log)
    assert.equal(asked, 2)
    assert.deepEqual(await at.processes(), [at.name])
  })

  test('goes on about a process that it freed where the answer to that was lost', async t => {
    const at = await given()
    const far = openDatabase(at.proxy.url, { name: 'far', lanes: 0, pool: 1 })
    t.after(() => far.close())
    const died: Date[] = []
    let loses = true
    const lapse = async (): Promise<number> => {
      if (loses) at.proxy.silence('from the database')
      loses = false
      return 0
    }
    const lookout = lookingOut([{ lapse }], noticed => died.push(noticed))
    // A statement that is not prepared yet waits for the answer about its parameters.
    await release(far.sql, [], [], [])
    await missing(at.sql)
    const looking = lookout(far.sql, log).catch(error => error)
    await eventually(async () => (await at.processes()).length === 1)
    at.proxy.cut()
    at.proxy.mend()
    assert.ok(isUnavailable(await looking))
    assert.equal(died.length, 0)
    await eventually(() =>
      lookout(far.sql, log).then(
        () => died.length === 1,
        () => false,
      ),
    )
    assert.deepEqual(await at.processes(), [at.name])
  })

  test('wakes a webhook for whose deliveries a process that is gone had no job, though it had one for what the webhook missed', async () => {
    const at = await given()
    const { sql } = at
    const hook = await aSubscriber(at.app)
    const dead = await missing(sql)
    await sql`insert into worker_pools (id, process, host, pid, version) values ('pool-dead', ${dead.name}, 'h', 1, '1')`
    await sql`update webhook_endpoints set lease_token = ${dead.token}, lease_until = now() + interval '25 seconds' where id = ${hook.id}`
    await sql`select graphile_worker.add_job('webhooks/catch-up', ${sql.json({ tenantId: hook.shop.id, endpointId: hook.id })}::json, max_attempts => 1)`
    await sql`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1`
    await at.lookout(sql, log)
    const jobs = await sql`
      select t.identifier from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by 1`
    assert.deepEqual(
      jobs.map(each => each['identifier']),
      ['webhooks/catch-up', 'webhooks/deliver'],
    )
  })

  test('frees the leases of a process that is gone, and its jobs with their place in the queue; a late statement of that process takes nothing for long', async () => {
    const at = await given()
    const { sql } = at
    const hook = await aSubscriber(at.app)
    const dead = await missing(sql)
    await sql`insert into worker_pools (id, process, host, pid, version) values ('pool-dead', ${dead.name}, 'h', 1, '1')`
    const take = () => sql`
      update webhook_endpoints set lease_token = ${dead.token}, lease_until = now() + interval '25 seconds', queued_at = null where id = ${hook.id}`
    await take()
    const [job] = await sql`
      select id, run_at, created_at::timestamptz(3) as made from graphile_worker.add_job('webhooks/deliver', ${sql.json({ tenantId: hook.shop.id, endpointId: hook.id })}::json, max_attempts => 1)`
    await sql`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1`
    await at.lookout(sql, log)
    const held = async () => {
      const [row] =
        await sql`select lease_until < clock_timestamp() as lapsed, queued_at as mark, lease_token, deaths from webhook_endpoints where id = ${hook.id}`
      return [row?.['lapsed'], row?.['mark'], row?.['lease_token'], row?.['deaths']]
    }
    const [mark] = await sql`select created_at::timestamptz(3) as made from graphile_worker._private_jobs`
    assert.deepEqual(await held(), [true, mark?.['made'], null, 1], 'with the mark of its job, and the death counted')
    assert.ok(mark?.['made'] > job?.['made'], 'which counts as queued now')
    const jobs = await sql`select id, run_at, attempts, locked_by from graphile_worker._private_jobs`
    assert.deepEqual([...jobs], [{ id: job?.['id'], run_at: job?.['run_at'], attempts: 0, locked_by: null }], 'one job, as it was')
    assert.equal((await sql`select 1 from worker_pools where id = 'pool-dead'`).length, 0)

    await take()
    await sql`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1`
    await eventually(async () => {
      await at.lookout(sql, log)
      return (await held())[0] === true
    })
    assert.equal((await sql`select 1 from graphile_worker._private_jobs where locked_by is not null`).length, 0)
  })

  test('does not take what it freed, and what waits in a living worker by then, for what waited in the dead one', async () => {
    const at = await given()
    const { sql } = at
    const hook = await aSubscriber(at.app)
    await hook.emit()
    const dead = await missing(sql)
    await sql`insert into worker_pools (id, process, host, pid, version) values ('pool-dead', ${dead.name}, 'h', 1, '1')`
    await sql`update webhook_endpoints set lease_token = ${dead.token}, lease_until = now() + interval '25 seconds', queued_at = null where id = ${hook.id}`
    await sql`update graphile_worker._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1`
    const deaths: Date[] = []
    await lookingOut([], noticed => deaths.push(noticed))(sql, log)
    // As a worker ends the job of what waits in its memory for a slot.
    const fetched = await sql`delete from graphile_worker._private_jobs returning id`
    await sweep(sql, deaths[0])
    assert.deepEqual([fetched.length, (await sql`select from graphile_worker._private_jobs`).length], [1, 0])
  })

  test('leaves the count of a death to the slice that takes the lease where the webhook is a suspect, or has a rate of which an unknown part was used', async () => {
    const at = await given()
    const { sql } = at
    const hook = await aSubscriber(at.app)
    for (const [deaths, rate] of [
      [2, null],
      [0, 60],
    ] as const) {
      const dead = await missing(sql)
      await sql`
        update webhook_endpoints
           set lease_token = ${dead.token}, lease_until = now() + interval '25 seconds', deaths = ${deaths}, max_per_minute = ${rate}
         where id = ${hook.id}`
      await at.lookout(sql, log)
      const [row] =
        await sql`select lease_until < clock_timestamp() as lapsed, lease_token as token, deaths from webhook_endpoints where id = ${hook.id}`
      assert.deepEqual({ ...row }, { lapsed: true, token: dead.token, deaths })
    }
  })
})
