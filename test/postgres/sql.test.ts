// Transactions and what runs after them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterCommit, begin } from '../../src/postgres/sql.ts'
import { codeOf, thingsDatabase, thrown } from './things.ts'

const { sql, db } = await thingsDatabase()

test('afterCommit runs when the transaction is durable, in order, and begin hands on the result', async () => {
  const seen: string[] = []
  const result = await begin(sql, async tx => {
    await tx`insert into things values (1)`
    afterCommit(tx, () => seen.push('first'))
    afterCommit(tx, () => seen.push('second'))
    assert.deepEqual(seen, [])
    return 'result'
  })
  assert.deepEqual([result, seen], ['result', ['first', 'second']])
  assert.equal((await sql`select 1 from things where id = 1`).length, 1)
})

test('afterCommit never runs when the work throws, and the rows are gone', async () => {
  let ran = false
  const error = await thrown(() =>
    begin(sql, async tx => {
      await tx`insert into things values (2)`
      afterCommit(tx, () => {
        ran = true
      })
      throw new Error('refused')
    }),
  )
  assert.equal((error as Error).message, 'refused')
  assert.equal(ran, false)
  assert.equal((await sql`select 1 from things where id = 2`).length, 0)
})

test('afterCommit never runs when the commit itself fails', async () => {
  await sql`create table later (id int references things deferrable initially deferred)`
  let ran = false
  const error = await thrown(() =>
    begin(sql, async tx => {
      await tx`insert into later values (99)`
      afterCommit(tx, () => {
        ran = true
      })
    }),
  )
  assert.equal(codeOf(error), '23503')
  assert.equal(ran, false)
})

test('afterCommit outside of begin is a mistake, and says so', async () => {
  await assert.rejects(
    sql.begin(async tx => afterCommit(tx, () => {})),
    /needs a transaction opened by begin/,
  )
})

test('two transactions at once keep their own actions', async () => {
  const seen: number[] = []
  await Promise.all(
    [1, 2, 3].map(number =>
      begin(sql, async tx => {
        await tx`select pg_sleep(0.01)`
        afterCommit(tx, () => seen.push(number))
        if (number === 2) throw new Error('refused')
      }).catch(() => {}),
    ),
  )
  assert.deepEqual(seen.sort(), [1, 3])
})

test('reads go round over connections of their own, and int8 is a number', async () => {
  const pids = await Promise.all(
    Array.from({ length: 8 }, () => db.listLanes`select pg_backend_pid() as pid, 9007199254740991::int8 as big`),
  )
  assert.equal(new Set(pids.map(([row]) => row?.['pid'])).size, 4)
  assert.equal(pids[0]?.[0]?.['big'], Number.MAX_SAFE_INTEGER)
  const [row] = await sql`select current_setting('application_name') as name`
  assert.equal(row?.['name'], 'test')
})
