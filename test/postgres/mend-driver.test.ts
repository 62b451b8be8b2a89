// The connection to PostgreSQL, cut at the worst of moments: an error that can be caught, and a connection that comes back.
import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import postgres from 'postgres'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

const url = new URL((await testDatabase()).url)

// Between us and the database, able to cut.
async function cuttable() {
  const sockets = new Set<Socket>()
  const proxy = createServer(client => {
    const server = connect(Number(url.port), url.hostname)
    for (const socket of [client, server]) socket.on('error', () => {})
    client.pipe(server).pipe(client)
    client.on('close', () => server.destroy())
    sockets.add(client)
  })
  await new Promise<void>(resolve => void proxy.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.port = String((proxy.address() as AddressInfo).port)
  const sql = postgres(through.href, { max: 1, connect_timeout: 2, backoff: () => 0, onnotice: () => {} })
  const cut = (how: 'destroy' | 'resetAndDestroy') => {
    for (const socket of sockets) socket[how]()
    sockets.clear()
  }
  after(async () => {
    await sql.end({ timeout: 1 })
    proxy.close()
    cut('destroy')
  })
  return { sql, cut, connected: () => eventually(async () => (await sql`select 1`.catch(() => [])).length === 1, 1_500) }
}

test('a transaction that goes on after its connection died is rejected, and the connection is used again', async () => {
  const { sql, cut, connected } = await cuttable()
  for (let turns = 0; turns < 20; turns++) {
    await connected()
    const broken = sql.begin(async tx => {
      await tx`select 1`
      cut('destroy')
      // Before, while and after the driver hears of it.
      for (let i = 0; i < turns; i++) await turn()
      await tx`select 2`
    })
    await assert.rejects(broken, { code: /^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/ })
  }
})

test('a statement sent while its connection dies is answered or rejected, and nobody gets another’s answer', async () => {
  const { sql, cut, connected } = await cuttable()
  for (let round = 0; round < 20; round++) {
    await connected()
    const sleeping = sql`select pg_sleep(20)`.execute()
    await turn()
    cut('resetAndDestroy')
    await assert.rejects(sleeping)
    // The driver has told of the reset, and is yet to hear that the connection is closed.
    const late = [1, 2, 3].map(n =>
      sql`select ${n}::integer as n`.then(
        ([row]) => row?.['n'] === n,
        () => true,
      ),
    )
    const next = eventually(
      () =>
        sql`select 4 as n`.then(
          ([row]) => row?.['n'] as number,
          () => undefined,
        ),
      3_000,
    )
    assert.equal(await next, 4)
    assert.deepEqual(await Promise.all(late), [true, true, true])
  }
})
