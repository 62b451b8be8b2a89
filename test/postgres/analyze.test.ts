// Tables that fill faster than autovacuum looks: statements planned for them while they were empty are planned anew.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { analyzeGrown } from '../../src/postgres/analyze.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { testDatabase } from '../support/database.ts'

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
