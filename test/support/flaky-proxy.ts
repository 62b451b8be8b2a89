// A proxy to the database whose connections can be cut: by an orderly end, by a reset, silently, for a moment or until it is mended.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { serverOf } from './database.ts'

export type Direction = 'both' | 'to the database' | 'from the database'

export interface FlakyProxy {
  /** The database's address, by way of the proxy. */
  url: string
  cut(how?: 'destroy' | 'resetAndDestroy'): void
  /** Ends our side of open connections, and leaves the database's side open. */
  lose(): void
  /** Open connections pass nothing any more, and neither side is told; new ones do: as when an address has moved to another server. */
  forget(): void
  /** Every new connection is ended until it is mended. */
  block(how?: 'destroy' | 'resetAndDestroy'): void
  /** Nothing passes, and neither side is told, until it is mended: bytes sent meanwhile then arrive, as TCP repeats them. */
  silence(direction: Direction): void
  mend(): void
  /** When the answers so far began to pass, of performance.now(). */
  answers(): number[]
  /** Resolves when the next question has passed, before its answer has. All earlier answers have arrived. */
  nextQuestion(): Promise<void>
  close(): void
}

interface Pair {
  client: Socket
  server: Socket
  lingers: boolean
}

/** For a file of tests, after which it is closed. */
export async function flakyProxy(databaseUrl: string): Promise<FlakyProxy> {
  const proxy = await openFlakyProxy(databaseUrl)
  after(proxy.close)
  return proxy
}

export async function openFlakyProxy(databaseUrl: string): Promise<FlakyProxy> {
  const pairs = new Set<Pair>()
  let blocked: 'destroy' | 'resetAndDestroy' | undefined
  let silent: Direction | undefined
  /** Ends of connections that were not passed on. */
  const untold: (() => void)[] = []
  const answers: number[] = []
  let answering = false
  let question = Promise.withResolvers<void>()
  const asks = (): void => {
    answering = false
    question.resolve()
    question = Promise.withResolvers()
  }
  const answered = (): void => {
    if (!answering) answers.push(performance.now())
    answering = true
  }

  // Piped twice, everything would arrive twice.
  function flow({ client, server, lingers }: Pair): void {
    client.off('data', asks).unpipe(server)
    server.off('data', answered).unpipe(client)
    if (lingers) return
    if (silent === undefined || silent === 'from the database') client.on('data', asks).pipe(server)
    if (silent === undefined || silent === 'to the database') server.on('data', answered).pipe(client)
  }
  const tell = (end: () => void): void => {
    if (silent === undefined) end()
    else untold.push(end)
  }
  const proxy = createServer(client => {
    client.on('error', () => {})
    if (blocked) return void client[blocked]()
    const server = connect(serverOf(databaseUrl))
    server.on('error', () => {})
    const pair = { client, server, lingers: false }
    client.on('close', () => pair.lingers || tell(() => server.destroy()))
    server.on('close', () => pair.lingers || tell(() => client.destroy()))
    pairs.add(pair)
    flow(pair)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const cut: FlakyProxy['cut'] = (how = 'destroy') => {
    for (const { client, server } of pairs) {
      client[how]()
      server[how]()
    }
    pairs.clear()
  }
  return {
    url: url.href,
    cut,
    lose() {
      for (const pair of pairs) {
        pair.lingers = true
        pair.client.unpipe(pair.server)
        pair.client.destroy()
      }
    },
    forget() {
      for (const pair of pairs) {
        pair.lingers = true
        flow(pair)
      }
    },
    block(how = 'destroy') {
      blocked = how
      cut(how)
    },
    silence(direction) {
      silent = direction
      for (const pair of pairs) flow(pair)
    },
    mend() {
      blocked = undefined
      silent = undefined
      for (const pair of pairs) flow(pair)
      for (const end of untold.splice(0)) end()
    },
    answers: () => [...answers],
    nextQuestion: () => question.promise,
    close() {
      proxy.close()
      cut()
    },
  }
}
