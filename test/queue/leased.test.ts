// Leased work, with a toy of a noun: a table and a task are all that it names. By itself, and in real workers that are killed.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import type { Ref } from '../../src/ids.ts'
import { LEASE_SECONDS } from '../../src/limits/queue.ts'
import { begin } from '../../src/postgres/sql.ts'
import { connectedDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { lookingOut } from '../support/lookout.ts'
import { killAll, type Reporting, startScript } from '../support/processes.ts'
import { createTables, make, TASK, toys } from './toys.ts'

after(killAll)

/** Between two looks. The lookout of a worker looks less often. */
const LOOK_MS = 50

async function given() {
  const { url, sql } = await connectedDatabase({ lanes: 0, pool: 12 })
  await createTables(sql)
  let made = 0
  const rowOf = async ({ tenant, id }: Ref) => {
    const [row] = await sql<{ state: string; done: number; lease_token: string | null; left: number | null; queued: number }[]>`
      select state, done, lease_token, extract(epoch from lease_until - clock_timestamp())::float8 as left,
             extract(epoch from clock_timestamp() - queued_at)::float8 as queued
        from toys where tenant_id = ${tenant} and id = ${id}`
    assert.ok(row)
    return row
  }
  return {
    url,
    sql,
    rowOf,
    toy: (total = 10, tenant = 'ten_a', id = `toy_${++made}`) => make(sql, { tenant, id }, total),
    /** Its jobs: after how many seconds each is due, at which priority. */
    jobs: ({ id }: Ref) => sql<{ after: number; priority: number; payload: object; max_attempts: number }[]>`
      select round(extract(epoch from j.run_at - j.created_at))::integer as after, j.priority, j.payload, j.max_attempts
        from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id and t.identifier = ${TASK}
       where j.payload ->> 'toyId' = ${id}
       order by j.id`,
    loseJobs: () => sql`delete from graphile_worker._private_jobs`,
    letPass: (seconds: number) => sql`
      update toys set queued_at = queued_at - make_interval(secs => ${seconds}), lease_until = lease_until - make_interval(secs => ${seconds})`,
    isDone: (ref: Ref) => eventually(async () => (await rowOf(ref)).state === 'done'),
    /** The tokens of a toy's steps, in order. */
    tokens: async ({ id }: Ref) =>
      (await sql`select token from toy_steps where toy_id = ${id} order by n`).map(row => row['token'] as string),
  }
}

describe('the row and its lease', { concurrency: true }, () => {
  test('work is queued with the job of its task, and one worker of many takes it', async () => {
    const at = await given()
    const toy = await at.toy()
    assert.deepEqual(
      [...(await at.jobs(toy))],
      [{ after: 0, priority: 7, payload: { tenantId: toy.tenant, toyId: toy.id }, max_attempts: 1 }],
    )
    const single = await at.toy(1)
    assert.equal((await at.jobs(single))[0]?.priority, 0, 'the priority is the row’s')
    const taken = await Promise.all(Array.from({ length: 30 }, () => toys.take(at.sql, toy, randomUUID())))
    assert.equal(taken.filter(Boolean).length, 1)
    const { left } = await at.rowOf(toy)
    assert.ok(left !== null && left > LEASE_SECONDS - 5 && left <= LEASE_SECONDS)
  })

  test('many owners at once each hold a row of their own, and release no other', async () => {
    const at = await given()
    const refs = await Promise.all(Array.from({ length: 20 }, (_, i) => at.toy(10, `ten_${i % 4}`)))
    const held = new Map(refs.map(ref => [ref, randomUUID()]))
    // Each row is asked for by all, each by its own token and by those of others.
    const tokens = await Promise.all(
      refs.flatMap(ref => [toys.take(at.sql, ref, held.get(ref) as string), toys.take(at.sql, ref, randomUUID())]),
    )
    assert.equal(tokens.filter(Boolean).length, refs.length)
    for (const [ref, token] of held) {
      const owner = (await at.rowOf(ref)).lease_token as string
      if (owner !== token) await toys.release(at.sql, ref, token)
      assert.equal((await at.rowOf(ref)).lease_token, owner, 'the token of another owner releases nothing')
      assert.equal(await toys.renew(at.sql, ref, randomUUID()), undefined)
      await toys.release(at.sql, ref, owner)
      assert.equal((await at.rowOf(ref)).lease_token, null)
      assert.equal((await at.jobs(ref)).length, 2, 'one job as it was made, one for the next slice')
    }
  })

  test('a lease is renewed while it is held, lapses when it is not, and is then lost to the next holder', async () => {
    const at = await given()
    const toy = await at.toy()
    const [first, second] = [randomUUID(), randomUUID()]
    assert.ok(await toys.take(at.sql, toy, first))
    await at.letPass(LEASE_SECONDS - 1)
    assert.equal(await toys.renew(at.sql, toy, first), 'open')
    assert.equal(await toys.take(at.sql, toy, second), false)
    await at.letPass(LEASE_SECONDS + 1)
    assert.ok(await toys.take(at.sql, toy, second))
    assert.equal(await toys.renew(at.sql, toy, first), undefined)
    await at.sql`update toys set state = 'cancelled' where id = ${toy.id}`
    assert.equal(await toys.renew(at.sql, toy, second), 'over')
    await at.loseJobs()
    await toys.release(at.sql, toy, second)
    assert.deepEqual([...(await at.jobs(toy))], [], 'completed work has no next slice')
    assert.equal(await toys.take(at.sql, toy, randomUUID()), false)
  })

  test('work is postponed by a job that is due later, but not where a holder of the lease will queue it, nor where it is over', async () => {
    const at = await given()
    const toy = await at.toy()
    await at.loseJobs()
    await toys.enqueue(at.sql, toy, 60)
    assert.deepEqual(
      (await at.jobs(toy)).map(({ after: seconds }) => seconds),
      [60],
    )
    const token = randomUUID()
    await toys.take(at.sql, toy, token)
    await toys.enqueue(at.sql, toy, 5)
    assert.equal((await at.jobs(toy)).length, 1)
    await toys.release(at.sql, toy, token, 30)
    assert.deepEqual(
      (await at.jobs(toy)).map(({ after: seconds }) => seconds),
      [60, 30],
    )
    await at.sql`update toys set state = 'cancelled' where id = ${toy.id}`
    await toys.enqueue(at.sql, toy)
    assert.equal((await at.jobs(toy)).length, 2)
  })

  test('a change that is rolled back queues nothing', async () => {
    const at = await given()
    const toy = await at.toy()
    await at.loseJobs()
    await assert.rejects(
      begin(at.sql, async tx => {
        await toys.enqueue(tx, toy)
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    assert.equal((await at.jobs(toy)).length, 0)
  })

  test('the sweep rescues rows that have had neither lease nor job for ten seconds, and waits for no row that another transaction holds', async () => {
    const at = await given()
    const [lost, waiting, leased, young, over, frozen] = (await Promise.all(Array.from({ length: 6 }, () => at.toy()))) as [
      Ref,
      Ref,
      Ref,
      Ref,
      Ref,
      Ref,
    ]
    await at.sql`delete from graphile_worker._private_jobs where payload ->> 'toyId' <> ${waiting.id}`
    await at.sql`update toys set state = 'done' where id = ${over.id}`
    await at.letPass(11)
    await toys.take(at.sql, leased, randomUUID())
    await at.sql`update toys set queued_at = clock_timestamp() where id = ${young.id}`
    await begin(at.sql, async tx => {
      await tx`select 1 from toys where id = ${frozen.id} for update`
      assert.equal(await toys.rescueStalled(at.sql), 1)
    })
    const queued = async () => Promise.all([lost, waiting, leased, young, over, frozen].map(async ref => (await at.jobs(ref)).length))
    assert.deepEqual(await queued(), [1, 1, 0, 0, 0, 0])
    assert.equal(await toys.rescueStalled(at.sql), 1, 'the row that was held')
    assert.equal(await toys.rescueStalled(at.sql), 0, 'each once')
    // Its task has thrown: a job without an attempt left serves the row no more.
    await at.sql`update graphile_worker._private_jobs set attempts = max_attempts`
    await at.letPass(11)
    assert.equal(await toys.rescueStalled(at.sql), 4, 'lost, waiting, young and frozen')
  })

  test('the leases of dead processes lapse at once, and no others', async () => {
    const at = await given()
    const [dead, living] = [await at.toy(), await at.toy()]
    const [deadToken, livingToken] = [randomUUID(), randomUUID()]
    await toys.take(at.sql, dead, deadToken)
    await toys.take(at.sql, living, livingToken)
    assert.equal(await toys.lapse(at.sql, [deadToken.slice(0, 18)]), 1)
    assert.ok(await toys.take(at.sql, dead, randomUUID()))
    assert.equal(await toys.take(at.sql, living, randomUUID()), false)
  })
})

/** More than a worker makes before it is killed, and few enough for a busy machine. */
const STEPS = 400

// One after another: each has workers that take all the time there is.
describe('workers', { concurrency: false }, () => {
  /** Workers in processes of their own, and beside them the lookout, which runs in one elected process. */
  async function running({ most = 2, sliceMs = 500 }, work: (at: Running) => Promise<void>): Promise<void> {
    const at = await given()
    const look = lookingOut([toys])
    const stopped = new AbortController()
    const workers: Reporting[] = []
    const elected = (async () => {
      for (; !stopped.signal.aborted; await delay(LOOK_MS)) await look(at.sql, pino({ level: 'silent' }))
    })()
    const worker = async () => {
      const started = await startScript(new URL('./toy-worker.ts', import.meta.url), [at.url, String(most), String(sliceMs)])
      workers.push(started)
      return started
    }
    try {
      await work({ ...at, worker })
    } finally {
      stopped.abort()
      await elected
      await Promise.all(workers.map(each => each.stop()))
    }
  }
  type Running = Awaited<ReturnType<typeof given>> & { worker(): Promise<Reporting> }

  test('kill -9: within seconds another worker goes on from where the dead one was, and no step is made twice or by two', () =>
    running({}, async at => {
      const [victim] = await Promise.all([at.worker(), at.worker()])
      const refs = await Promise.all(Array.from({ length: 6 }, (_, i) => at.toy(STEPS, `ten_${i % 3}`)))
      const held = await eventually(async () => {
        const rows = await at.sql<Ref[]>`
          select t.tenant_id as tenant, t.id from toys t
           where t.lease_token in (select s.token from toy_steps s where s.pid = ${victim.pid}) and t.state = 'open'`
        return rows.length > 0 && rows
      })
      // What goes on before that has not waited for a lease to lapse.
      await at.sql`update toys set lease_until = lease_until + interval '1 hour' where lease_token is not null`
      await victim.stop('SIGKILL')
      const hasGoneOn = async ({ id }: Ref) =>
        (await at.sql`select pid from toy_steps where toy_id = ${id} order by n desc limit 1`)[0]?.['pid'] !== victim.pid
      // One that was just about to be done may have been done by it.
      for (const ref of held) await eventually(async () => (await hasGoneOn(ref)) || (await at.rowOf(ref)).state === 'done')
      for (const ref of refs) await at.isDone(ref)
      for (const ref of refs) {
        const tokens = await at.tokens(ref)
        assert.equal(tokens.length, STEPS, 'each step once')
        const owners = tokens.filter((token, i) => token !== tokens[i - 1])
        assert.equal(new Set(owners).size, owners.length, 'a lease that was released or lost is never used again')
      }
    }))

  test('three deaths at one step end the work as failed, naming the step; other work goes on', () =>
    running({}, async at => {
      const beside = await at.toy(400, 'ten_b')
      const deadly = await at.toy(5, 'ten_a', 'deadly')
      let deaths = 0
      let worker = await at.worker()
      await eventually(async () => {
        if (worker.hasEnded()) {
          deaths++
          worker = await at.worker()
        }
        return (await at.rowOf(deadly)).state !== 'open'
      }, 100_000)
      assert.deepEqual([(await at.rowOf(deadly)).state, deaths], ['failed at step 1', 3])
      await at.isDone(beside)
    }))

  test('a tenant with much work keeps another’s waiting for a slice or two, not for its end', () =>
    running({ most: 1, sliceMs: 300 }, async at => {
      const many = await Promise.all(Array.from({ length: 8 }, () => at.toy(1_000_000, 'ten_a')))
      await at.worker()
      await eventually(async () => (await at.sql`select 1 from toy_steps limit 1`).length > 0)
      const slicesOf = async (tenant: string) =>
        (await at.sql`select count(distinct token)::integer as n from toy_steps where tenant_id = ${tenant}`)[0]?.['n'] as number
      for (let round = 0; round < 3; round++) {
        const before = await slicesOf('ten_a')
        const one = await at.toy(3, 'ten_b')
        await at.isDone(one)
        const meanwhile = (await slicesOf('ten_a')) - before
        assert.ok(meanwhile <= 4, `${meanwhile} slices of the other tenant`)
      }
      // Its own rows are served in rotation as well.
      await eventually(async () => (await at.sql`select 1 from toys where tenant_id = 'ten_a' and done > 0`).length >= many.length / 2)
    }))
})
