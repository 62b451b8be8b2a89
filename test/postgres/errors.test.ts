// What the database's errors mean, and which of them are worth a later try.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { connectClient } from '../../src/postgres/connect-pg.ts'
import { isOfDatabase, isUnavailable, violatedConstraint } from '../../src/postgres/errors.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { startTcpServer } from '../support/receiver.ts'
import { codeOf, thingsDatabase, thrown } from './things.ts'

const { url, sql } = await thingsDatabase()

test('a violated unique index is named', async () => {
  await sql`insert into things values (1)`
  const error = await thrown(() => sql`insert into things values (1)`)
  assert.equal(violatedConstraint(error), 'things_pkey')
  assert.equal(isUnavailable(error), false)
  assert.equal(violatedConstraint(new Error('other')), undefined)
  assert.equal(isOfDatabase(error), true)
})

test('a file that cannot be read is no error of the database', async () => {
  assert.equal(isOfDatabase(await thrown(() => readFile('/'))), false)
})

test('a database whose connection was lost is unavailable, also where the queue’s driver gives no code', async () => {
  const ending = await startTcpServer(socket => socket.once('data', () => socket.end()))
  after(ending.close)
  const client = connectClient({ connectionString: `postgres://u@127.0.0.1:${ending.port}/x`, application_name: 'errors test' })
  const error = await thrown(() => client.connect())
  assert.match(String(error), /Connection terminated unexpectedly/)
  assert.equal(isUnavailable(error), true)
})

test('a database that is away, full or busy is unavailable', async () => {
  const timedOut = openDatabase(url, { name: 'errors test', pool: 1, lanes: 1, statementTimeoutMs: 20 })
  const closed = await startTcpServer(() => {})
  await closed.close()
  const unreachable = openDatabase(`postgres://u@127.0.0.1:${closed.port}/x`, { name: 'errors test', pool: 1, lanes: 1 })
  const notGiven = await begin(sql, async tx => {
    await tx`lock table things in share mode`
    return thrown(() =>
      begin(sql, async other => {
        await other`set local lock_timeout = 10`
        await other`lock table things in access exclusive mode`
      }),
    )
  })
  const cases = {
    'a statement that took too long': await thrown(() => timedOut.sql`select pg_sleep(1)`),
    'nothing listens': await thrown(() => unreachable.sql`select 1`),
    'a lock that was not given': notGiven,
    'a session that was ended': await thrown(() => sql`select pg_terminate_backend(pg_backend_pid())`),
  }
  await Promise.all([timedOut.close(), unreachable.close()])
  for (const [name, error] of Object.entries(cases)) assert.ok(isUnavailable(error), `${name}: ${codeOf(error)} ${error}`)
})

test('some codes are worth a later try, and the others are not', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code })
  for (const code of [
    '08006',
    '08P01',
    '25006',
    '25P03',
    '25P04',
    '53300',
    '53100',
    '57P01',
    '57P03',
    '57P05',
    '57014',
    '58030',
    '40001',
    '40P01',
    '55P03',
    'ECONNREFUSED',
    'ECONNRESET',
    'CONNECT_TIMEOUT',
    'CONNECTION_CLOSED',
    'CONNECTION_ENDED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAGAIN',
    'ETIMEDOUT',
    'EPIPE',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ])
    assert.ok(isUnavailable(coded(code)), code)
  for (const code of ['23505', '23503', '42601', '42P01', '22P02', '22003', '25P02', 'P0001', 'XX000'])
    assert.ok(!isUnavailable(coded(code)), code)
  for (const other of [undefined, null, 'ECONNREFUSED', new Error('ECONNREFUSED')]) assert.ok(!isUnavailable(other))
})
