// A receiver of webhooks, a process of its own and as lean as Node can be: it finds where each request ends, answers 204 and counts.
// It listens on every loopback address, so each endpoint can be a host of its own.
import { createServer, type Socket } from 'node:net'
import { type Arrivals, type Asked, clockMs } from './processes.ts'

const delayMs = Number(process.argv[2] ?? 0)
const ANSWER = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
/** As JSON.stringify and the drain's own SQL write an envelope: the id comes first. */
const EVENT_ID = process.argv[3] ?? '{"id":"'
const EVENT_ID_CHARS = 30

let arrivals: Arrivals = { count: 0, firstAt: 0, lastAt: 0, events: [] }
let naming = false

const server = createServer({ noDelay: true }, socket => {
  let rest: Buffer | undefined
  let since = 0
  socket.on('error', () => {})
  socket.on('data', chunk => {
    const now = clockMs()
    let bytes: Buffer = rest ? Buffer.concat([rest, chunk]) : chunk
    since = rest ? since : now
    for (;;) {
      const head = bytes.indexOf(HEAD_END)
      const size = head === -1 ? Number.POSITIVE_INFINITY : head + 4 + contentLength(bytes, head)
      if (bytes.length < size) break
      arrived(socket, bytes, head, since)
      bytes = bytes.subarray(size)
      since = now
    }
    rest = bytes.length > 0 ? bytes : undefined
  })
})

function contentLength(bytes: Buffer, head: number): number {
  const found = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head))
  if (!found) throw new Error('a request without Content-Length')
  return Number(found[1])
}

function arrived(socket: Socket, bytes: Buffer, head: number, at: number): void {
  arrivals.firstAt ||= at
  arrivals.lastAt = at
  arrivals.count++
  if (naming) {
    const id = head + 4 + EVENT_ID.length
    arrivals.events.push([bytes.toString('latin1', id, id + EVENT_ID_CHARS), at])
  }
  if (delayMs === 0) socket.write(ANSWER)
  else setTimeout(() => socket.writable && socket.write(ANSWER), delayMs)
}

process.on('message', (asked: Asked) => {
  process.send?.(arrivals)
  if (asked === 'count') return
  arrivals = { count: 0, firstAt: 0, lastAt: 0, events: [] }
  naming = asked === 'name'
})
process.on('disconnect', () => process.exit())

server.listen(0, '0.0.0.0', 4_096, () => process.send?.({ ready: (server.address() as { port: number }).port }))
