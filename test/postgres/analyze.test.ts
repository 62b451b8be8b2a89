// Tables that fill faster than autovacuum looks: statements planned for them while they were empty are planned anew.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { analyzeGrown, forgetCountsOfFew } from '../../src/postgres/analyze.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { testDatabase } from '../support/database.ts'
import { explained } from '../support/plans.ts'

const { url } = await testDatabase()
const { sql, close } = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
after(close)

const known = async (table: string): Promise<number> =>
  (await sql`select reltuples as rows from pg_class where relname = ${table}`)[0]?.['rows']
const fill = (rows: number) => sql`insert into growing select n, 'a name that takes some room' from generate_series(1, ${rows}::integer) n`

suite('a table that grows fast', () => {
  test('is counted anew when it is twice as large, and not before', async () => {
    await sql`create table growing (n integer, name text) with (autovacuum_enabled = false)`
    await sql`create table resting (n integer) with (autovacuum_enabled = false)`
    await sql`vacuum analyze growing, resting`
    await fill(1_000)
    await analyzeGrown(sql, ['growing', 'resting'])
    assert.equal(await known('growing'), 1_000)
    await fill(500)
    await analyzeGrown(sql, ['growing', 'resting'])
    assert.equal(await known('growing'), 1_000)
    await fill(1_000)
    await analyzeGrown(sql, ['growing', 'resting'])
    assert.equal(await known('growing'), 2_500)
    assert.equal(await known('resting'), 0)
  })

  test('is not waited for while another counts it', async () => {
    const other = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
    after(other.close)
    await fill(10_000)
    await other.sql.begin(async tx => {
      await tx`lock table growing in share update exclusive mode`
      await analyzeGrown(sql, ['growing'])
    })
    assert.equal(await known('growing'), 2_500)
  })
})

suite('tables that were counted while they had few rows, and have many', () => {
  /** A table that was counted with one row. */
  async function one(table: string): Promise<void> {
    await sql.unsafe(`create table ${table} (n integer, name text) with (autovacuum_enabled = false)`)
    await sql.unsafe(`insert into ${table} values (1, 'one')`)
    await sql.unsafe(`vacuum analyze ${table}`)
  }
  const grow = (table: string) => sql.unsafe(`insert into ${table} select n, 'a name that takes some room' from generate_series(1, 5000) n`)

  test('count as never counted; those that stayed small, or had many rows, stay as they are', async () => {
    await one('grown')
    await grow('grown')
    await one('small')
    await sql`vacuum analyze growing`
    await grow('growing')
    await forgetCountsOfFew(sql)
    assert.deepEqual([await known('grown'), await known('small'), await known('growing')], [-1, 1, 12_500])
  })

  test('are left for the next time where another counts them, and the others are not', async () => {
    const other = openDatabase(url, { name: 'test', lanes: 0, pool: 1 })
    after(other.close)
    for (const table of ['held', 'free']) {
      await one(table)
      await grow(table)
    }
    await other.sql.begin(async tx => {
      await tx`lock table held in share update exclusive mode`
      await forgetCountsOfFew(sql)
      assert.deepEqual([await known('held'), await known('free')], [1, -1])
    })
    await forgetCountsOfFew(sql)
    assert.equal(await known('held'), -1)
  })

  test('are read by the index that finds a row, also by plans that were made while they were empty', async () => {
    const { sql: kept, plan, close: end } = await explained(url)
    after(end)
    // A list of theirs has an index as well, which was made later.
    await sql`create table listed (tenant text, id integer, at integer, primary key (tenant, id)) with (autovacuum_enabled = false)`
    await sql`create index on listed (tenant, at)`
    await sql`vacuum analyze listed`
    const find = (): Promise<unknown> => kept`select * from listed where tenant = ${'a'} and id = ${7}`
    await find()
    await sql`insert into listed select 'a', n, n from generate_series(1, 5000) n`
    await forgetCountsOfFew(sql)
    assert.equal((await plan(find)).rows, 1)
  })
})
