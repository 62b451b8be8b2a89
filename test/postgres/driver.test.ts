// The driver with the fixes in patches/. A connection to PostgreSQL that is cut at the worst moment is an error that can be caught, and comes back;
// COMMIT may be sent early; and a URL may name a Unix socket.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import postgres from 'postgres'
import { isAtWork } from '../../src/postgres/connect.ts'
import { connectPool } from '../../src/postgres/connect-pg.ts'
import { openSocket } from '../../src/postgres/socket.ts'
import { beginBriefly, behindCommit, commitBehind, openDatabase, part, type Sql, type Tx } from '../../src/postgres/sql.ts'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'

const { url, cut, silence, mend } = await flakyProxy((await testDatabase()).url)

function openOne() {
  const options = { max: 1, connect_timeout: 2, backoff: () => 0, onnotice: () => {}, socket: openSocket }
  const sql = postgres(url, options)
  after(() => sql.end({ timeout: 1 }))
  return { sql, connected: () => eventually(async () => (await sql`select 1`.catch(() => [])).length === 1) }
}

test('a transaction that goes on after its connection died is rejected, and the connection is used again', async () => {
  const { sql, connected } = openOne()
  for (let turns = 0; turns < 20; turns++) {
    await connected()
    const broken = sql.begin(async tx => {
      await tx`select 1`
      cut()
      // Before, while and after the driver hears of it.
      for (let i = 0; i < turns; i++) await turn()
      await tx`select 2`
    })
    await assert.rejects(broken, { code: /^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/ })
  }
})

test('a process asks for PostgreSQL’s types once, and every connection knows them', async () => {
  const { sql, connected } = openOne()
  await connected()
  const later = postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: 'later' } })
  after(() => later.end())
  ;(await later.reserve()).release()
  const asked = await sql`select query from pg_stat_activity where datname = current_database() and application_name = 'later'`
  assert.deepEqual([...asked], [{ query: '' }])
  const [row] = await later`select ${[1, 2]}::integer[] as numbers, ${later.array(['a', 'b'])} as words, array[true, false] as facts`
  assert.deepEqual({ ...row }, { numbers: [1, 2], words: ['a', 'b'], facts: [true, false] })
})

test('COMMIT sent behind a statement that fails rolls back, and the connection is the next transaction’s', async () => {
  const { sql, connected } = openOne()
  await connected()
  await sql`create table committed (n integer check (n % 3 > 0))`
  const place = (n: number): Promise<number> =>
    beginBriefly(sql as unknown as Sql, async tx => {
      await tx`select ${n}::integer`
      const writing = tx`insert into committed values (${n})`.execute()
      commitBehind(tx)
      await writing
      return n
    })
  // The first statement of each kind is prepared, and so sent separately.
  for (const round of [0, 1]) {
    const placed = await Promise.allSettled(Array.from({ length: 30 }, (_, i) => place(30 * round + i)))
    for (const [i, each] of placed.entries()) assert.equal(each.status, i % 3 === 0 ? 'rejected' : 'fulfilled', `${i}`)
  }
  const [row] = await sql`select count(*)::integer as count, count(distinct n)::integer as different from committed`
  assert.deepEqual({ ...row }, { count: 40, different: 40 })
})

test('COMMIT sent behind the last statement, the connection cut meanwhile: rejected or committed, and the connection comes back', async () => {
  const { sql, connected } = openOne()
  await connected()
  await sql`create table cut_off (n integer)`
  for (let n = 0; n < 20; n++) {
    await connected()
    const broken = beginBriefly(sql as unknown as Sql, async tx => {
      await tx`select ${n}::integer`
      const writing = tx`insert into cut_off values (${n})`.execute()
      commitBehind(tx)
      for (let i = 0; i < n; i++) await turn()
      cut()
      await writing
    })
    const outcome = await broken.then(
      () => 'committed',
      error => error.code as string,
    )
    assert.match(outcome, /^(committed|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/)
    await connected()
    const there = (await sql`select 1 from cut_off where n = ${n}`).length
    if (outcome === 'committed') assert.equal(there, 1)
  }
})

test('what is sent behind COMMIT runs after it or is refused, and neither its failure nor that is the transaction’s', async () => {
  const { sql, connected } = openOne()
  await connected()
  await sql`create table told (n integer, seen boolean)`
  await sql`create table placed (n integer)`
  const place = async (n: number) => {
    let told = Promise.resolve('not sent')
    const word = async (tx: Tx): Promise<string> => {
      // Where the transaction has ended, what it wrote is there, and the word is a transaction of its own.
      await tx`insert into told select ${n}::integer, exists (select from placed where n = ${n}) from generate_series(1, 1 / least(${n}::integer % 5, 1))`
      return 'told'
    }
    const placed = await beginBriefly(sql as unknown as Sql, async tx => {
      await tx`select ${n}::integer`
      const writing = tx`insert into placed values (${n})`.execute()
      behindCommit(tx, () => {
        told = word(tx as Tx).catch(error => error.code as string)
      })
      commitBehind(tx)
      await writing
      return n
    })
    return { placed, told: await told }
  }
  for (const round of [0, 1]) {
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => place(20 * round + i)))
    for (const [i, each] of all.entries()) {
      assert.equal(each.placed, 20 * round + i)
      // The first insert is prepared, so the connection is full.
      if (round === 0 && i === 0) assert.equal(each.told, 'BEHIND_COMMIT')
      else assert.equal(each.told, i % 5 === 0 ? '22012' : 'told')
    }
  }
  assert.equal((await sql`select n from placed`).length, 40)
  assert.deepEqual([...(await sql`select count(*)::integer as count from told where seen`)], [{ count: 32 }])
})

test('COMMIT, what is sent behind it and the last statement go out in one write', async () => {
  const written: number[] = []
  const socket: typeof openSocket = options => {
    const opened = openSocket(options)
    const write = opened.write.bind(opened) as (bytes: Buffer) => boolean
    return Object.assign(opened, {
      write(bytes: Buffer) {
        written.push(bytes.length)
        return write(bytes)
      },
    })
  }
  const sql = postgres(url, { max: 1, onnotice: () => {}, socket } as object)
  after(() => sql.end({ timeout: 1 }))
  await sql`create table long (text text)`
  const text = 'x'.repeat(3_000)
  const writes = async (long: string): Promise<number[]> => {
    written.splice(0)
    await beginBriefly(sql as unknown as Sql, async tx => {
      const writing = tx`insert into long values (${long})`.execute()
      behindCommit(tx, () => void tx`select 1`.catch(() => {}))
      commitBehind(tx)
      await writing
    })
    return [...written]
  }
  // BEGIN goes first where nothing was read, and what is sent the first time is prepared.
  for (let i = 0; i < 3; i++) await writes(text)
  const one = await writes(text)
  assert.equal(one.length, 1)
  // What is large does not wait.
  const [first = 0, ...rest] = await writes(text.repeat(10))
  assert.ok(first > 30_000 && rest.length === 1, `${first} and ${rest}`)
  assert.equal((await sql`select 1 from long`).length, 5)
})

test('statements that come alone use the connection that was used last', async () => {
  const sql = postgres(url, { max: 8, onnotice: () => {}, socket: openSocket } as object)
  after(() => sql.end({ timeout: 1 }))
  const pid = async (): Promise<number> => (await sql<[{ pid: number }]>`select pg_backend_pid() as pid from pg_sleep(0.05)`)[0].pid
  const of = async (count: number) => new Set(await Promise.all(Array.from({ length: count }, pid)))
  assert.equal((await of(8)).size, 8)
  const lone = new Set<number>()
  for (let i = 0; i < 10; i++) lone.add(await pid())
  assert.equal(lone.size, 1)
  assert.equal((await of(8)).size, 8)
})

test('a statement that is sent behind COMMIT too late is refused, and never part of another transaction', async () => {
  const { sql, connected } = openOne()
  await connected()
  let late: Tx | undefined
  await beginBriefly(sql as unknown as Sql, async tx => {
    late = tx
    await tx`select 1`
    commitBehind(tx)
  })
  const [refused] = await Promise.all([
    assert.rejects((late as Tx)`select 2`, { code: 'BEHIND_COMMIT' }),
    sql.begin(async tx => {
      await tx`select 3`
      await assert.rejects((late as Tx)`select 4`, { code: 'BEHIND_COMMIT' })
    }),
  ])
  assert.equal(refused, undefined)
})

test('a statement sent while its connection dies is answered or rejected, and never gets another’s answer', async () => {
  const { sql, connected } = openOne()
  for (let round = 0; round < 20; round++) {
    await connected()
    const sleeping = sql`select pg_sleep(20)`.execute()
    await turn()
    cut('resetAndDestroy')
    await assert.rejects(sleeping)
    // The driver has reported the reset, and has yet to hear that the connection is closed.
    const late = [1, 2, 3].map(n =>
      sql`select ${n}::integer as n`.then(
        ([row]) => row?.['n'] === n,
        () => true,
      ),
    )
    const next = eventually(() =>
      sql`select 4 as n`.then(
        ([row]) => row?.['n'] as number,
        () => undefined,
      ),
    )
    assert.equal(await next, 4)
    assert.deepEqual(await Promise.all(late), [true, true, true])
  }
})

test('what had come of a statement that failed, or whose connection died, is no part of the next one’s answer', async () => {
  const [one, other] = [openOne(), openOne()]
  await Promise.all([one.connected(), other.connected()])
  const next = async () => [...(await one.sql`select 6 as n`)]
  // Sessions that earlier tests cut off sleep on.
  const sleeps = (seconds: number) => part`from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and query like ${`%pg_sleep(${seconds})%`}`
  await assert.rejects(one.sql`select 1 / (5 - n) as n from generate_series(1, 9) n`, { code: '22012' })
  assert.deepEqual(await next(), [{ n: 6 }])
  // The rows before it are too large to wait for it in the server.
  const many = assert.rejects(one.sql`select repeat('x', 20000), case when n = 9 then pg_sleep(22) end from generate_series(1, 9) n`)
  await eventually(async () => (await other.sql`select 1 ${sleeps(22)}`).length === 1)
  cut()
  await many
  assert.deepEqual(await next(), [{ n: 6 }])
  await other.connected()
  const killed = assert.rejects(one.sql`select pg_sleep(21)`)
  await eventually(async () => (await other.sql`select pg_terminate_backend(pid) ${sleeps(21)}`).length === 1)
  await killed
  assert.deepEqual(await next(), [{ n: 6 }])
})

test('a connection that dies while it is made ends nothing but what waited for it', async () => {
  const { sql, connected } = openOne()
  for (let round = 0; round < 20; round++) {
    await connected()
    cut()
    const asked = sql`select 5 as n`.then(
      () => 'answered',
      () => 'rejected',
    )
    // Each round cuts at another point of the start-up; an uncaught error would end the process.
    for (let i = 0; i < round; i++) await turn()
    cut('resetAndDestroy')
    await asked
  }
  await connected()
})

test('closing ends, whenever the connection died', async () => {
  for (let round = 0; round < 20; round++) {
    const { sql, connected } = openOne()
    await connected()
    const sleeping = sql`select pg_sleep(20)`.execute()
    await turn()
    cut(round % 2 === 0 ? 'resetAndDestroy' : 'destroy')
    await assert.rejects(sleeping)
    // Before, while and after the driver hears that the connection is closed.
    for (let i = 0; i < round; i++) await turn()
    const late = new AbortController()
    const limit = delay(10_000, 'never', { signal: late.signal })
    assert.notEqual(await Promise.race([sql.end(), limit]), 'never', `${round} turns after the statement was rejected`)
    late.abort()
    await assert.rejects(limit)
  }
})

test('rows that were read and let go are gone with the scavenges, and do not grow old', async () => {
  const { sql, connected } = openOne()
  await connected()
  setFlagsFromString('--expose-gc')
  const scavenge: (options: { type: 'minor' }) => void = runInNewContext('gc')
  const read = async (): Promise<number> => {
    for (let statement = 0; statement < 5; statement++)
      await sql`select n::text as number, 'the row of number ' || n as text from generate_series(1, 500) n`
    scavenge({ type: 'minor' })
    return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size as number
  }
  for (let warm = 0; warm < 4; warm++) await read()
  const before = await read()
  for (let round = 0; round < 8; round++) await read()
  // Those of eight rounds take some 5 MB.
  assert.ok((await read()) - before < 500_000)
})

test('the folder of a Unix socket may stand in the host’s place', () => {
  assert.equal(postgres('postgres://u:p@%2Fa%20b%2Fc:5433/x').options.path, '/a b/c/.s.PGSQL.5433')
  assert.equal(postgres('postgres://u:p@db.example/x').options.path, false)
})

test('a connection that answers nothing ends when the time for that is over, though more is asked of it, and the next one serves', async () => {
  const options = { max: 1, backoff: () => 0, onnotice: () => {}, socket: openSocket, silence_timeout: 2 }
  const sql = postgres(url, options)
  after(() => sql.end({ timeout: 1 }))
  // Some that are sent together may take longer than that, for each is answered in time.
  await Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.45)`))
  silence('both')
  const asked: Promise<unknown>[] = []
  const ending = sql`select 1`.then(
    () => assert.fail('it was answered'),
    (error: NodeJS.ErrnoException) => error.code,
  )
  let code: string | undefined
  ending.then(is => {
    code = is
  })
  while (!code) {
    asked.push(sql`select 2`.catch(() => {}))
    await delay(50)
  }
  assert.equal(code, 'CONNECTION_SILENT')
  mend()
  await Promise.all(asked)
  await eventually(async () => (await sql`select 1`.catch(() => [])).length === 1)
})

test('connections of ours end five seconds after the time that a statement may take', async () => {
  const { sql, close } = openDatabase(url, { name: 'silent', lanes: 0, pool: 1, statementTimeoutMs: 100 })
  await sql`select 1`
  silence('from the database')
  await assert.rejects(
    sql`select 1`.then(() => {}),
    { code: 'CONNECTION_SILENT' },
  )
  mend()
  await close()
})

test('a statement that may take long is awaited as long as the server is at it, and then no more', async () => {
  const asked: number[] = []
  const pid = Promise.withResolvers<number>()
  const at_work = async (session: number, ms: number): Promise<boolean> => {
    asked.push(ms)
    pid.resolve(session)
    return asked.length < 3
  }
  const options = { max: 1, backoff: () => 0, onnotice: () => {}, socket: openSocket, silence_timeout: 0.2, at_work }
  const sql = postgres(url, options)
  after(() => sql.end({ timeout: 1 }))
  const [mine] = await sql`select pg_backend_pid() as pid`
  await assert.rejects(
    sql`select pg_sleep(60)`.then(() => {}),
    { code: 'CONNECTION_SILENT' },
  )
  assert.equal(await pid.promise, mine?.['pid'])
  assert.deepEqual(
    asked.map((ms, i) => ms > (asked[i - 1] ?? 199)),
    [true, true, true],
  )
})

test('a server is at work for a session that has a statement, and for no other', async () => {
  const { sql, close } = openDatabase(url, { name: 'working', lanes: 0, pool: 1, statementTimeoutMs: 60_000 })
  const [mine] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = mine?.pid as number
  const working = sql`select pg_sleep(60)`
  const ended = working.then(
    () => {},
    () => {},
  )
  await eventually(() => isAtWork(url, pid))
  working.cancel()
  await ended
  const idle = await isAtWork(url, pid)
  silence('both')
  const unanswered = await isAtWork(url, pid, 100)
  mend()
  assert.deepEqual([idle, await isAtWork(url, 2 ** 30), unanswered], [false, false, false])
  const { silence_timeout, at_work } = sql.options as { silence_timeout: number; at_work?: (pid: number, ms: number) => Promise<boolean> }
  assert.deepEqual([silence_timeout, await at_work?.(pid, 65_000)], [15, false])
  await close()
})

const ESTABLISHED = '01'
const KEEP_ALIVE = '02'

test('an idle connection asks every ten seconds whether the server is there', { skip: process.platform !== 'linux' }, async () => {
  const { sql, close } = openDatabase(url, { name: 'idle', lanes: 0, pool: 1 })
  await sql`select 1`
  const queue = connectPool({ connectionString: url, application_name: 'idle' })
  await queue.query('select 1')
  // A line of this file: number, local and remote address, state, bytes under way, the kind of its timer and when that is due, in hundredths of a second.
  const remote = `0100007F:${Number(new URL(url).port).toString(16).padStart(4, '0').toUpperCase()}`
  const timers = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/ +/))
    .filter(([, , address, state]) => address === remote && state === ESTABLISHED)
    .map(([, , , , , timer = '']) => timer.split(':'))
  assert.ok(timers.length >= 2)
  for (const [kind, due = ''] of timers) assert.deepEqual([kind, Number.parseInt(due, 16) <= 1000], [KEEP_ALIVE, true])
  await queue.end()
  await close()
})
