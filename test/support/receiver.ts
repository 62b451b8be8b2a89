// A tenant's receiver: a real HTTP or HTTPS server on loopback that keeps the requests it gets. Answers 204 unless told otherwise.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { onOwnPort } from './ports.ts'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The raw body, which the signature covers. */
  body: Buffer
}

export interface Receiver {
  /** Without a trailing slash, e.g. http://127.0.0.1:40123 */
  origin: string
  port: number
  /** In the order of arrival, each entered when its body is complete. */
  received: Received[]
  /** Connections accepted so far. */
  connections: number
  /** Resolves when this many requests have been received. */
  until(count: number): Promise<Received[]>
  close(): Promise<void>
}

export type Respond = (response: ServerResponse, received: Received) => void

/** Valid for localhost, receiver.test, 127.0.0.1 and ::1; for clients that shall trust the https receiver. Its key is public: for tests only. */
export const testCertificate = readFileSync(new URL('receiver-test-only.cert.pem', import.meta.url), 'utf8')
export const testKey = readFileSync(new URL('receiver-test-only.key.pem', import.meta.url), 'utf8')

/** A request that does not come fails its own test, by name, before the file's time is over. */
const UNTIL_MAX_MS = 120_000

const noContent: Respond = response => response.writeHead(204).end()

/** @param host an address of this machine: 127.0.0.1, ::1, 127.0.0.2 … */
export async function startReceiver(respond: Respond = noContent, options: { tls?: boolean; host?: string } = {}): Promise<Receiver> {
  const { tls = false, host = '127.0.0.1' } = options
  const received: Received[] = []
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      // The sender gave up half-way.
      return
    }
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: Buffer.concat(chunks) }
    received.push(one)
    server.emit('received')
    respond(response, one)
  }
  const server: Server = tls ? createTlsServer({ cert: testCertificate, key: testKey }, listener) : createServer(listener)
  const listening = await listen(server, host)
  const receiver: Receiver = {
    origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${listening.port}`,
    port: listening.port,
    received,
    connections: 0,
    until: count =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          server.off('received', check)
          reject(new Error(`Not ${count} requests within ${UNTIL_MAX_MS} ms, but ${received.length}`))
        }, UNTIL_MAX_MS)
        const check = () => {
          if (received.length < count) return
          clearTimeout(late)
          server.off('received', check)
          resolve(received)
        }
        server.on('received', check)
        check()
      }),
    close: listening.close,
  }
  server.on('connection', () => receiver.connections++)
  return receiver
}

/** A server that sends the bytes that `onSocket` writes: broken protocols, resets, silence. */
export async function startTcpServer(
  onSocket: (socket: Socket) => void,
): Promise<{ origin: string; port: number; close(): Promise<void> }> {
  const server = createTcpServer(socket => {
    socket.on('error', () => {})
    onSocket(socket)
  })
  const listening = await listen(server, '127.0.0.1')
  return { origin: `http://127.0.0.1:${listening.port}`, ...listening }
}

async function listen(
  server: ReturnType<typeof createTcpServer> | Server,
  host: string,
): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Where it has closed, nothing else may listen: tests send there too.
  await onOwnPort(port => once(server.listen(port, host), 'listening'))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
