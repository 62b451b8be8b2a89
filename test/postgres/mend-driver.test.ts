// The connection to PostgreSQL, cut in the middle of a transaction: an error that can be caught, and a connection that comes back.
import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import postgres from 'postgres'
import { testDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

test('a transaction that goes on after its connection died is rejected, and the connection is used again', async () => {
  const url = new URL((await testDatabase()).url)
  const serverPort = Number(url.port)
  const sockets = new Set<Socket>()
  const proxy = createServer(client => {
    const server = connect(serverPort, url.hostname)
    for (const socket of [client, server]) socket.on('error', () => {})
    client.pipe(server).pipe(client)
    client.on('close', () => server.destroy())
    sockets.add(client)
  })
  await new Promise<void>(resolve => void proxy.listen(0, '127.0.0.1', resolve))
  after(() => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  })
  url.port = String((proxy.address() as AddressInfo).port)
  const sql = postgres(url.href, { max: 1, connect_timeout: 2, backoff: () => 0, onnotice: () => {} })
  after(() => sql.end({ timeout: 1 }))

  for (let turns = 0; turns < 20; turns++) {
    await eventually(async () => (await sql`select 1`.catch(() => [])).length === 1, 1_500)
    const cut = sql.begin(async tx => {
      await tx`select 1`
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      // Before, while and after the driver hears of it.
      for (let i = 0; i < turns; i++) await turn()
      await tx`select 2`
    })
    await assert.rejects(cut, { code: /^(CONNECTION_CLOSED|ECONNRESET|EPIPE)$/ })
  }
})
