// A way to the database that can be cut: by an orderly end, by a reset, for a moment or until it is mended.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { serverOf } from './database.ts'

export interface Cuttable {
  /** Of the database, by this way. */
  url: string
  cut(how?: 'destroy' | 'resetAndDestroy'): void
  /** Whoever connects is turned away until it is mended. */
  block(): void
  mend(): void
}

/** Closed when the file's tests have run. */
export async function cuttable(databaseUrl: string): Promise<Cuttable> {
  const sockets = new Set<Socket>()
  let blocked = false
  const proxy = createServer(client => {
    client.on('error', () => {})
    if (blocked) return void client.destroy()
    const server = connect(serverOf(databaseUrl))
    server.on('error', () => {})
    client.pipe(server).pipe(client)
    client.on('close', () => server.destroy())
    sockets.add(client)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const way = new URL(databaseUrl)
  way.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const cut = (how: 'destroy' | 'resetAndDestroy' = 'destroy') => {
    for (const socket of sockets) socket[how]()
    sockets.clear()
  }
  after(() => {
    proxy.close()
    cut()
  })
  return {
    url: way.href,
    cut,
    block() {
      blocked = true
      cut()
    },
    mend() {
      blocked = false
    },
  }
}
