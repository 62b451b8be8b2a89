// Migrations against databases that are empty, newer, changed, made by other files, broken or away.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { OperatorError } from '../../src/errors.ts'
import { openEmbedded, SERVICE_ROLE } from '../../src/postgres/embedded/embedded.ts'
import { migrate, readMigrations, requireMigrated } from '../../src/postgres/migrate.ts'
import { testDatabase } from '../support/database.ts'
import { putPrepared } from '../support/prepared.ts'
import { startTcpServer } from '../support/receiver.ts'
import { shopdesk } from '../support/shopdesk.ts'

const all = (await readMigrations()).map(({ name }) => name)

/** A database; `empty` has not even our schema. */
async function given(empty = false) {
  const { url } = await testDatabase()
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  after(() => sql.end())
  if (empty) await sql.unsafe('drop schema public cascade; drop schema graphile_worker cascade; create schema public')
  const tables = async (): Promise<string[]> =>
    (await sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`).map(
      row => row['relname'],
    )
  return { url, sql, tables }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was accepted'),
    thrown => thrown,
  )
  assert.ok(error instanceof OperatorError, String(error))
  assert.doesNotMatch(error.message, /\n/)
  return error.message
}

test('from empty everything is applied, and the program accepts it; a second time nothing is', async () => {
  const { url, sql } = await given(true)
  assert.deepEqual(await migrate(url), all)
  await requireMigrated(url)
  assert.deepEqual(await migrate(url), [])
  const rows = await sql`select number, name, checksum, applied_at from migrations order by number`
  assert.deepEqual(
    rows.map(row => row['name']),
    all,
  )
  assert.ok(rows.every(row => /^[0-9a-f]{64}$/.test(row['checksum'])))
  assert.equal((await sql`select 1 from plans`).length, 5)
  assert.equal((await sql`select graphile_worker.add_job('webhooks/deliver')`).length, 1, 'the queue is there too')
})

test('three at once apply everything once', async () => {
  const { url, sql } = await given(true)
  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)])
  assert.deepEqual(applied.flat(), all)
  assert.equal((await sql`select 1 from migrations`).length, all.length)
})

test('the plans’ numbers are brought up to date', async () => {
  const { url, sql } = await given()
  await sql`update plans set read_per_minute = 1 where plan = 'free'`
  await sql`delete from plans where plan = 'business'`
  await migrate(url)
  const rows = await sql`select plan, read_per_minute, write_per_minute from plans where plan in ('free', 'business') order by plan`
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      ['business', 300, 60],
      ['free', 30, 5],
    ],
  )
})

test('a migration changed after it was applied is refused by name', async () => {
  const { url, sql } = await given()
  await sql`update migrations set checksum = 'other' where number = 3`
  const sentence = `sql/${all[2]} was changed after this database applied it; add a new migration instead, or`
  assert.equal(await refusal(migrate(url)), `${sentence} set DATABASE_URL to an empty database.`)
  assert.equal(
    await refusal(migrate(url, undefined, '/srv/shop/.data')),
    `${sentence} delete or move the folder of the database, /srv/shop/.data, and start again.`,
  )
})

/** The names from the eighth on belong to another, larger set. */
async function madeByOthers(sql: postgres.Sql): Promise<void> {
  await sql`delete from migrations where number >= 8`
  await sql`
    insert into migrations (number, name, checksum)
    select n, to_char(n, 'FM0000') || case n when 8 then '_webhooks.sql' else '_another.sql' end, 'x' from generate_series(8, 43) as n`
}

const STRANGE = 'The database was made with sql/0008_webhooks.sql, which is no file of this program, and cannot be updated;'

test('a database made by other files is refused with what to do, however many there were, and nothing in it is touched', async () => {
  const { url, sql, tables } = await given()
  const before = await tables()
  await madeByOthers(sql)
  await sql`update plans set read_per_minute = 7 where plan = 'free'`
  for (const newest of [43, 8]) {
    await sql`delete from migrations where number > ${newest}`
    for (const open of [migrate, requireMigrated])
      assert.equal(await refusal(open(url)), `${STRANGE} set DATABASE_URL to an empty database.`)
  }
  assert.deepEqual(await tables(), before)
  assert.equal((await sql`select read_per_minute from plans where plan = 'free'`)[0]?.['read_per_minute'], 7)
  const doctor = shopdesk(['doctor'], { DATABASE_URL: url, SECRET_KEY: '00'.repeat(32) })
  assert.equal(await doctor.ended, 1)
  assert.ok(doctor.stdout().replaceAll(/ +/g, ' ').includes(`FAIL migrations ${STRANGE} set`), doctor.stdout())
})

test('an embedded database is named by its folder, in one line and with exit code 1, and an empty one in its place is made anew', async () => {
  const base = mkdtempSync(join(tmpdir(), 'migrate-test-'))
  // Root's server runs as another user, and that user needs access.
  chmodSync(base, 0o711)
  after(() => rmSync(base, { recursive: true, force: true }))
  const dataDir = putPrepared(join(base, 'data'))
  const embedded = await openEmbedded({ dataDir, settings: { fsync: 'off' } })
  await migrate(embedded.url, SERVICE_ROLE)
  const sql = postgres(embedded.url, { max: 1, onnotice: () => {} })
  await madeByOthers(sql)
  await sql.end()
  for (const command of [['start'], ['migrate']]) {
    const { ended, stderr } = shopdesk(command, { DATA_DIR: dataDir, PORT: '0' })
    assert.equal(await ended, 1)
    assert.equal(stderr(), `${STRANGE} delete or move the folder of the database, ${dataDir}, and start again.\n`)
  }
  await embedded.close()
  renameSync(dataDir, `${dataDir}.old`)
  const again = shopdesk(['migrate'], { DATA_DIR: dataDir })
  assert.equal(await again.ended, 0, again.stderr())
})

test('a newer database is refused, and nothing in it is touched', async () => {
  const { url, sql, tables } = await given()
  const before = await tables()
  await sql`insert into migrations (number, name, checksum) values (9999, '9999_future.sql', 'x')`
  await sql`update plans set read_per_minute = 7 where plan = 'free'`
  const line = new RegExp(`^The database has schema 9999, newer than this program's ${all.length}; start the newer program`)
  assert.match(await refusal(migrate(url)), line)
  assert.match(await refusal(requireMigrated(url)), line)
  assert.deepEqual(await tables(), before)
  assert.equal((await sql`select read_per_minute from plans where plan = 'free'`)[0]?.['read_per_minute'], 7)
})

test('an older or an empty database is told to migrate', async () => {
  const older = await given()
  await older.sql`delete from migrations where number = ${all.length}`
  const empty = await given(true)
  for (const { url } of [older, empty]) assert.match(await refusal(requireMigrated(url)), /run: bin\/shopdesk migrate$/)
  assert.deepEqual(await empty.tables(), [], 'asking changes nothing')
})

test('a failing migration leaves nothing behind, and what was applied before it stays', async () => {
  const { url, sql, tables } = await given(true)
  // 0009 makes webhook_endpoints, then webhook_deliveries: the second fails.
  await sql`create table webhook_deliveries (id int)`
  await assert.rejects(migrate(url), /"webhook_deliveries" already exists/)
  const there = await tables()
  assert.ok(there.includes('orders') && !there.includes('webhook_endpoints'), String(there))
  assert.equal((await sql`select max(number) as newest from migrations`)[0]?.['newest'], 8)
  assert.equal(
    (
      await sql`select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
    ).length,
    0,
  )
  await sql`drop table webhook_deliveries`
  assert.deepEqual(await migrate(url), all.slice(8))
})

test('a database that cannot be used is one line that never shows its password', async () => {
  const closed = await startTcpServer(() => {})
  await closed.close()
  const { url } = await given()
  const other = (change: (url: URL) => void): string => {
    const changed = new URL(url)
    change(changed)
    return changed.href
  }
  const wrong: [string, RegExp][] = [
    [`postgres://shop:hunter2@127.0.0.1:${closed.port}/shop`, /ECONNREFUSED/],
    ['postgres://shop:hunter2@%2Fno%2Fsuch/shop', /ENOENT \/no\/such\/\.s\.PGSQL\.5432/],
    [
      other(to => {
        to.pathname = 'no_such_database'
      }),
      /"no_such_database" does not exist/,
    ],
    [
      other(to => {
        to.password = 'hunter2'
      }),
      /password authentication failed/,
    ],
  ]
  for (const [address, reason] of wrong)
    for (const line of [await refusal(migrate(address)), await refusal(requireMigrated(address))]) {
      assert.match(line, /^DATABASE_URL cannot be used: /)
      assert.match(line, reason)
      assert.doesNotMatch(line, /hunter2/)
    }
})

test('bin/shopdesk migrate says what it did; unreachable is one line on stderr and exit code 1', async () => {
  const { url } = await given(true)
  const SECRET_KEY = '00'.repeat(32)
  const run = async (DATABASE_URL: string) => {
    const process = shopdesk(['migrate'], { DATABASE_URL, SECRET_KEY })
    return [await process.ended, process.stdout(), process.stderr()]
  }
  assert.deepEqual(await run(url), [0, `Applied ${all.join(', ')}.\n`, ''])
  assert.deepEqual(await run(url), [0, 'The schema is up to date.\n', ''])
  const [code, stdout, stderr] = await run('postgres://127.0.0.1:1/shop')
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(String(stderr), /^DATABASE_URL cannot be used: .*\n$/)
})
