// The queue of one worker: it starts anew whenever it ended or does not fetch, and says when even that does not help.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { TaskList } from 'graphile-worker'
import { pino } from 'pino'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { keepPool } from '../../src/queue/pool.ts'
import { UNWATCHED } from '../../src/queue/standing.ts'
import { WATCH_LIMITS, type WatchLimits } from '../../src/queue/watchman.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { sessionWaits } from '../support/locks.ts'
import { aServer } from '../support/server.ts'

/** Jobs that are found by their age alone are found after half a minute. */
const SOON_MS = 20_000

/** A pool whose only task runs until it is told to end. @param url the owner's, which adds the jobs @param queueUrl the pool's */
async function given(url: string, { queueUrl = url, watch = WATCH_LIMITS }: { queueUrl?: string; watch?: WatchLimits } = {}) {
  const db = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
  after(() => db.close())
  const other = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
  after(() => other.close())
  const lines: string[] = []
  const heard: string[] = []
  const begun: { n: number; end(): void }[] = []
  const tasks: TaskList = {
    hold: payload => new Promise<void>(resolve => begun.push({ n: (payload as { n: number }).n, end: resolve })),
  }
  const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
  const pool = await keepPool({
    databaseUrl: queueUrl,
    standing: UNWATCHED,
    tasks,
    concurrency: 4,
    told: message => void heard.push(message),
    version: '1',
    trouble: () => undefined,
    log,
    watch,
  })
  let closed: Promise<void> | undefined
  const close = () => {
    for (const { end } of begun) end()
    closed ??= pool.close()
    return closed
  }
  after(close)
  return {
    sql: db.sql,
    /** While that is in a transaction. */
    other: other.sql,
    pool,
    lines,
    heard,
    close,
    add: (n: number) => db.sql`select from graphile_worker.add_job('hold', ${db.sql.json({ n })}::json)`,
    begins: (n: number, withinMs?: number) => eventually(async () => begun.find(each => each.n === n), withinMs),
    begun: () => begun.map(({ n }) => n),
    says: (pattern: RegExp) => eventually(async () => lines.some(line => pattern.test(line))),
    jobs: async () => (await db.sql`select 1 from graphile_worker._private_jobs`).length,
  }
}

describe('the queue of a worker', { concurrency: true }, () => {
  test('a job that ends in a read-only spell ends the pool; its successors wait for the end of the spell, and fetch within seconds', async () => {
    const server = await aServer()
    const at = await given(server.url)
    await at.add(1)
    const first = await at.begins(1)
    await server.readOnly(true)
    first.end()
    await at.says(/starting anew/)
    await at.says(/could not start anew/)
    await server.readOnly(false)
    await at.add(2)
    await at.begins(2, SOON_MS)
    await at.close()
    // A job that ended in the spell could not report that, so it is free again and runs at least once more.
    assert.ok((await at.jobs()) <= 1)
  })

  test('jobs that were fetched, though the answer was lost, run within seconds; one that runs meanwhile does so once', async () => {
    const { url } = await testDatabase()
    const proxy = await flakyProxy(url)
    const at = await given(url, { queueUrl: proxy.url })
    await at.add(1)
    await at.begins(1)
    await begin(at.sql, async tx => {
      await tx`lock table graphile_worker._private_jobs in access exclusive mode`
      await tx`select from graphile_worker.add_job('hold', '{"n": 2}')`
      await sessionWaits(at.other)
      proxy.silence('from the database')
    })
    const locked = async () => (await at.sql`select from graphile_worker._private_jobs where locked_at is not null`).length
    await eventually(async () => (await locked()) === 2)
    proxy.cut()
    proxy.mend()
    await at.begins(2, SOON_MS)
    await at.says(/the answer was lost/)
    assert.deepEqual([at.begun(), await locked()], [[1, 2], 2])
    await at.close()
  })

  test('fetches nothing before it is known whose pool it is, for its process may be killed just then', async () => {
    const { url } = await testDatabase()
    const db = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
    after(() => db.close())
    await db.sql.unsafe(`
      create function slowly() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return new; end';
      create trigger slowly before insert on worker_pools for each row execute function slowly();
      create table fetched (by_known boolean);
      create function note_fetch() returns trigger language plpgsql as $$
      begin
        insert into fetched values (exists (select from worker_pools p where p.id = new.locked_by));
        return new;
      end $$;
      create trigger note_fetch before update on graphile_worker._private_jobs for each row when (old.locked_by is null and new.locked_by is not null)
        execute function note_fetch();
      select from graphile_worker.add_job('hold', '{"n": 1}')`)
    await (await given(url)).begins(1)
    assert.deepEqual(
      (await db.sql`select by_known from fetched`).map(row => row['by_known']),
      [true],
    )
  })

  test('a job that is due and not fetched: the queue starts anew; where that does not help, it says that the process shall end', async () => {
    const { url, serviceUrl } = await testDatabase()
    const at = await given(url, { queueUrl: serviceUrl, watch: { lookMs: 100, unseenMs: 1_000, failingMs: 20_000, steadyMs: 20_000 } })
    await at.sql.unsafe(`
      create policy all_but_the_queue on graphile_worker._private_jobs as restrictive using (current_setting('application_name') <> 'shopdesk queue')`)
    await at.add(1)
    await at.says(/a job that was due 1 s ago was not fetched, though the database is well; the queue begins anew/)
    assert.equal(await at.pool.broken, 'a job that was due 1 s ago was not fetched')
  })

  test('hears of webhooks by its name, also after the connection on which it listens was cut', async () => {
    const { url } = await testDatabase()
    const at = await given(url)
    const [pool] = await eventually(async () => {
      const rows = await at.sql<{ id: string }[]>`select id from worker_pools`
      return rows.length > 0 && rows
    })
    const { id } = pool as { id: string }
    /** Repeated until it hears, for nothing is kept for it. */
    const hears = (what: string) =>
      eventually(async () => {
        await at.sql`select pg_notify(${id}, ${what}), pg_notify('another', 'not for it')`
        return at.heard.includes(what)
      })
    await hears('first')
    await at.sql`select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'shopdesk queue' and query ilike '%listen%'`
    await hears('second')
    assert.deepEqual([...new Set(at.heard)], ['first', 'second'])
  })

  test('connections that are cut while pools start and stop are no error that nothing catches', async () => {
    const { url } = await testDatabase()
    const db = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
    after(() => db.close())
    let cuts = true
    const cutting = (async () => {
      while (cuts) {
        await db.sql`
          select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'shopdesk queue'`
        await delay(Math.random() * 10)
      }
    })()
    // What nothing catches fails the test.
    for (let n = 0; n < 40; n++) await (await given(url).catch(() => undefined))?.close()
    cuts = false
    await cutting
    await (await given(url)).close()
  })

  test('jobs that wait in a queue that stops, and cannot be given back as the database is away, are no error that nothing catches', async () => {
    const { url } = await testDatabase()
    const proxy = await flakyProxy(url)
    const at = await given(url, { queueUrl: proxy.url })
    await begin(at.sql, async tx => {
      for (let n = 1; n <= 8; n++) await tx`select from graphile_worker.add_job('hold', ${tx.json({ n })}::json)`
    })
    const locked = async () => (await at.sql`select from graphile_worker._private_jobs where locked_at is not null`).length
    // They are locked before this process hears of it.
    await eventually(async () => (await locked()) === 8 && at.begun().length === 4)
    proxy.block()
    proxy.cut()
    const closed = at.close()
    await at.says(/Failed to return jobs/)
    proxy.mend()
    // What nothing catches fails the test.
    await closed
  })

  test('no fetch succeeds though the database is well: the same; the new pool has none of the connections of the one before', async () => {
    const { url } = await testDatabase()
    const at = await given(url, { watch: { lookMs: 100, unseenMs: 10_000, failingMs: 2_000, steadyMs: 20_000 } })
    const pids = async () =>
      (
        await at.sql<
          { pid: number }[]
        >`select pid from pg_stat_activity where datname = current_database() and application_name = 'shopdesk queue'`
      ).map(({ pid }) => pid)
    const before = await pids()
    await at.sql.unsafe(`
      create function broken() returns trigger language plpgsql as $$
      begin
        if current_setting('application_name') = 'shopdesk queue' then raise exception 'broken'; end if;
        return new;
      end $$;
      create trigger broken before update on graphile_worker._private_jobs for each statement execute function broken()`)
    await at.says(/no fetch of jobs succeeded for 2 s, though the database is well; the queue begins anew/)
    await at.says(/could not start anew/)
    await at.sql`drop trigger broken on graphile_worker._private_jobs`
    await at.add(1)
    await at.begins(1)
    await eventually(async () => (await pids()).every(pid => !before.includes(pid)))
  })
})
