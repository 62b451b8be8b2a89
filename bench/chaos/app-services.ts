// The services of apps, in a process of their own: each has a port and a way to behave, and counts its requests.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

const WAYS = ['good', 'never', 'drip', 'flood', 'reset', 'error'] as const
export type Way = (typeof WAYS)[number]

/** What the process is told: how each service behaves from now on, the others as before. It answers with the requests of each so far. */
export interface ToServices {
  behave?: Partial<Record<Way, Way>>
}
export type Requests = Record<Way, number>

const DRIP_MS = 200
const FLOOD = Buffer.alloc(64 * 1024 * 1024, 'x')

const BEHAVE: Record<Way, (response: ServerResponse) => void> = {
  good: response => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"points":12}'),
  never: () => {},
  drip: response => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const timer = setInterval(() => response.write(' '), DRIP_MS)
    response.once('close', () => clearInterval(timer))
  },
  flood: response => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(FLOOD),
  reset: response => response.socket?.resetAndDestroy(),
  error: response => response.writeHead(500).end('{}'),
}

const behaving = Object.fromEntries(WAYS.map(way => [way, way])) as Record<Way, Way>
const requests = Object.fromEntries(WAYS.map(way => [way, 0])) as Requests

async function listen(way: Way): Promise<string> {
  const server = createServer((request, response) => {
    requests[way]++
    void text(request).then(
      () => BEHAVE[behaving[way]](response),
      () => {},
    )
  })
  // The service's callers end connections in the middle of answers here.
  server.on('connection', socket => socket.on('error', () => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

process.on('message', ({ behave }: ToServices) => {
  Object.assign(behaving, behave)
  process.send?.(requests)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: Object.fromEntries(await Promise.all(WAYS.map(async way => [way, await listen(way)]))) })
