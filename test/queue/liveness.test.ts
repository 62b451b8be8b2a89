// Workers that die, freeze and stop: their leases and jobs are free again, and other workers do their work.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import postgres from 'postgres'
import { queueMail } from '../../src/mail/mail.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { createRequeuing } from '../../src/queue/requeuing.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { elect } from '../support/lookout.ts'
import { startMailServer } from '../support/mail-server.ts'
import { startTcpServer } from '../support/receiver.ts'
import { aWorker, settingsOf, shopdesk } from '../support/shopdesk.ts'
import { aSubscriber } from '../support/subscriber.ts'

async function given() {
  const app = await testApp()
  const { sql } = app
  const shop = await app.tenant()
  return {
    app,
    sql,
    shop,
    worker: (over: Record<string, string> = {}) => aWorker({ ...settingsOf(app), MAIL_FROM: 'shop@shop.example', ...over }),
    pools: () => sql`select id, pid, beat_at, started_at from worker_pools order by started_at`,
    /** A job of a task that no worker here has, so that none takes it. */
    async lockedJob(pool: string, attempts: number): Promise<number> {
      const [row] = await sql`select id from graphile_worker.add_job('nobody/takes', '{}'::json, max_attempts => 2)`
      await sql`update graphile_worker._private_jobs set locked_by = ${pool}, locked_at = now() - interval '1 hour', attempts = ${attempts} where id = ${row?.['id']}`
      return Number(row?.['id'])
    },
  }
}

describe('workers', { concurrency: true }, () => {
  test('the leases and jobs of a killed worker are soon free again, and those of live workers stay theirs', async () => {
    const at = await given()
    const mute = await startTcpServer(() => {})
    after(mute.close)
    const server = await startMailServer()
    const victim = await at.worker({ SMTP_URL: mute.origin.replace('http', 'smtp') })
    await begin(at.sql, tx => queueMail(tx, { tenant: at.shop.id, kind: 'test', to: 'ada@shop.example', subject: 'S', text: 'T' }))
    await eventually(async () => (await at.sql`select 1 from mails where claimed_until is not null`).length === 1)
    const heir = await at.worker({ SMTP_URL: `${server.url}?ignoreTLS=true` })
    const [dead, living] = await eventually(async () => {
      const rows = await at.pools()
      return rows.length === 2 && rows.map(row => String(row['id']))
    })
    assert.ok(dead && living)
    const jobs = {
      ofTheLiving: await at.lockedJob(living, 1),
      ofTheDead: await at.lockedJob(dead, 1),
      spentOfTheDead: await at.lockedJob(dead, 2),
      ofOneThatNeverBeat: await at.lockedJob('pool-unknown', 1),
    }
    victim.child.kill('SIGKILL')
    const killedAt = Date.now()
    await at.sql`update graphile_worker._private_jobs set locked_at = now() where locked_by = 'pool-unknown'`

    // Within seconds, where the machine has time for it.
    await eventually(async () => server.mails.length === 1)
    const left = async () => at.sql`select id::int, locked_by from graphile_worker._private_jobs order by id`
    const expected = [
      { id: jobs.ofTheLiving, locked_by: living },
      { id: jobs.ofTheDead, locked_by: null },
      { id: jobs.spentOfTheDead, locked_by: null },
      { id: jobs.ofOneThatNeverBeat, locked_by: null },
    ]
    // The one that never beat was seen later than the others, so it is freed last.
    await eventually(async () => (await left()).filter(job => job['locked_by'] === null).length === 3).catch(() => {})
    assert.deepEqual([...(await left())], expected, heir.stdout())
    assert.deepEqual(
      (await at.pools()).map(row => row['id']),
      [living],
    )
    assert.match(heir.stdout(), /workers are gone/)
    assert.match(heir.stdout(), new RegExp(`"pid":${victim.child.pid}\\b`))
    assert.ok(Number(new Date((await at.pools())[0]?.['beat_at'])) > killedAt, 'the live workers beat on')

    const doctor = shopdesk(['doctor'], settingsOf(at.app))
    await doctor.ended
    assert.match(doctor.stdout(), new RegExp(`ok {4}workers .*pid ${heir.child.pid} `))
    heir.child.kill('SIGTERM')
    assert.equal(await heir.ended, 0)
  })

  test('a session younger than a beat may be judges no process, as after the database was away', async () => {
    const at = await given()
    await at.sql`insert into worker_pools (id, host, pid, version, beat_at) values ('pool-slow', 'h', 1, '1', now() - interval '1 minute')`
    const job = await at.lockedJob('pool-slow', 1)
    const startedAt = Date.now()
    const worker = await at.worker()
    await eventually(async () => (await at.pools()).every(row => row['id'] !== 'pool-slow'))
    assert.ok(Date.now() - startedAt > 19_000, `judged after ${Date.now() - startedAt} ms`)
    assert.equal((await at.sql`select locked_by from graphile_worker._private_jobs where id = ${job}`)[0]?.['locked_by'], null)
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0)
  })

  test('SIGTERM: a worker whose receiver does not answer within the grace aborts, releases everything and ends with 0', async () => {
    const at = await given()
    const { receiver, id, emit } = await aSubscriber(at.app, () => {})
    const worker = await at.worker({ WEBHOOK_TIMEOUT_MS: '60000' })
    await emit()
    await receiver.until(1)
    assert.equal((await at.pools()).length, 1)
    const toldAt = Date.now()
    worker.child.kill('SIGTERM')
    assert.equal(await worker.ended, 0)
    const seconds = (Date.now() - toldAt) / 1000
    assert.ok(seconds > 14 && seconds < 50, `${seconds} s: after the grace, and not after the receiver’s time to answer`)
    assert.equal(worker.stderr(), '')
    assert.equal((await at.pools()).length, 0)
    assert.equal((await at.sql`select 1 from graphile_worker._private_jobs where locked_by is not null`).length, 0)
    const [row] =
      await at.sql`select state, attempts, lease_token from webhook_delivery_history d join webhook_endpoints e on e.id = d.endpoint_id where d.listed and e.id = ${id}`
    assert.deepEqual([row?.['state'], row?.['attempts'], row?.['lease_token']], ['pending', 0, null])
  })

  test('a frozen worker loses the election, and takes part again when it thaws', async () => {
    const at = await given()
    const elected = async (): Promise<number | undefined> =>
      (
        await at.sql`
        select l.pid from pg_locks l
         where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database()) and l.granted
           and l.objid = 7041777`
      )[0]?.['pid']
    const frozen = await at.worker()
    const first = await eventually(elected)
    frozen.child.kill('SIGSTOP')
    const other = await at.worker()
    await eventually(async () => {
      const pid = await elected()
      return pid !== undefined && pid !== first
    })
    other.child.kill('SIGTERM')
    assert.equal(await other.ended, 0)
    frozen.child.kill('SIGCONT')
    await eventually(elected)
    frozen.child.kill('SIGTERM')
    assert.equal(await frozen.ended, 0)
  })

  test('the election is held once, however often it is asked for', async () => {
    const at = await given()
    const connect = () => postgres(at.app.databaseUrl, { max: 1, onnotice: () => {} }) as unknown as Sql
    const [one, other] = [connect(), connect()]
    assert.deepEqual([await elect(one, 42), await elect(one, 42), await elect(other, 42), await elect(one, 42)], [true, true, false, true])
    const unlock = async () => (await one`select pg_advisory_unlock(42) as held`)[0]?.['held']
    assert.deepEqual([await unlock(), await unlock()], [true, false])
    assert.equal(await elect(other, 42), true)
    await Promise.all([one.end(), other.end()])
  })
})

test('what waited in dead workers is queued again in three rounds, once for all deaths of a second, and each kind of it also where another’s fails', async () => {
  const asked: number[] = []
  const requeuing = createRequeuing([
    () => Promise.reject(new Error('a lock')),
    async (_, noticed) => {
      asked.push(noticed.getTime())
    },
  ])
  const roundAt = (ms: number) => requeuing.round({} as Sql, ms).catch(({ message }) => message)
  assert.equal(await roundAt(0), undefined)
  requeuing.died(new Date(1), 100)
  requeuing.died(new Date(2), 200)
  assert.equal(await roundAt(200), 'a lock')
  requeuing.died(new Date(3), 300)
  for (let ms = 300; ms <= 10_000; ms += 100) await roundAt(ms)
  // At 0.2 s, when the second is over, and after one and six seconds more.
  assert.deepEqual(asked, [2, 3, 3, 3])
})

test('a round that meets a database that takes no changes is made again each second, until it does', async () => {
  const asked: number[] = []
  let isReadOnly = true
  const requeuing = createRequeuing([
    async () => {
      asked.push(ms)
      if (isReadOnly) throw Object.assign(new Error('read-only'), { code: '25006' })
    },
  ])
  let ms = 0
  requeuing.died(new Date(1), 0)
  for (; ms <= 30_000; ms += 250) {
    isReadOnly = ms < 12_500
    await requeuing.round({} as Sql, ms).catch(() => {})
  }
  assert.deepEqual(asked, [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000, 12_000, 13_000])
})
