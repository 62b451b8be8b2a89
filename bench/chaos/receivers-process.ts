// The receivers, in a process of their own: each has a port, a way to behave, and writes down every POST whose body has arrived.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificate, testKey } from '../../test/support/receiver.ts'
import type { Behaviour, FromReceivers, Post, ToReceivers } from './receivers.ts'

const TEN_MEGABYTES = Buffer.alloc(10 * 1024 * 1024, '.')
const DRIP_MS = 500
/** Less than a request may take. */
const LATE_MS = 9_000

const [behaviours, keep] = JSON.parse(process.argv[2] ?? '[]') as [Behaviour[], boolean]
const secrets: string[] = []
const posts: Post[] = []
let count = 0
/** For the receivers that are shaky. */
let asked = 0

const BEHAVE: Record<Behaviour, (request: IncomingMessage, response: ServerResponse) => void> = {
  prompt: (_request, response) => response.writeHead(204).end(),
  secure: (_request, response) => response.writeHead(204, { Connection: 'close' }).end(),
  // The time that an ordinary receiver takes to store an event.
  healthy: (_request, response) => void setTimeout(() => response.writeHead(204).end(), Math.random() * 30),
  // One that is nearly always sent to, at some orders a second.
  slow: (_request, response) => void setTimeout(() => response.writeHead(204).end(), 50 + Math.random() * 200),
  slower: (_request, response) => void setTimeout(() => response.writeHead(204).end(), 200 + Math.random() * 3_000),
  late: (_request, response) => void setTimeout(() => response.writeHead(204).end(), LATE_MS),
  // Each tenth request is refused: never five in a row.
  shaky: (_request, response) => response.writeHead(++asked % 10 === 0 ? 500 : 204).end(),
  error: (_request, response) => response.writeHead(500).end(),
  // One origin of many: late at /late/….
  shared: (request, response) => BEHAVE[request.url?.startsWith('/late/') ? 'late' : 'prompt'](request, response),
  'black hole': () => {},
  reset: request => request.socket.resetAndDestroy(),
  drip: request => drip(request),
  flood: (_request, response) => response.writeHead(200).end(TEN_MEGABYTES),
}

// The headers of an answer, a byte at a time.
function drip({ socket }: IncomingMessage): void {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n'
  let at = 0
  const timer = setInterval(() => socket.write(answer.charAt(at++)), DRIP_MS)
  socket.once('close', () => clearInterval(timer))
}

async function receive(endpoint: number, behaviour: Behaviour, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const at = Date.now()
  count++
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (keep) {
    const post = postOf(endpoint, at, Buffer.concat(chunks), request)
    posts.push(post)
    response.once('close', () => {
      post.until = Date.now()
      if (response.headersSent) post.status = response.statusCode
    })
  }
  BEHAVE[behaviour](request, response)
}

function postOf(endpoint: number, at: number, body: Buffer, { headers }: IncomingMessage): Post {
  const { id, created_at } = JSON.parse(body.toString()) as { id: string; created_at: string }
  return {
    endpoint,
    at,
    event: id,
    createdAt: Date.parse(created_at),
    delivery: String(headers['x-service-delivery-id']),
    bytes: createHash('sha256').update(body).digest('base64'),
    verified: isVerified(secrets[endpoint] ?? '', String(headers['x-service-signature']), body, at / 1000),
  }
}

// As docs/webhooks.md tells receivers to do it, on purpose without the product's own code.
function isVerified(secret: string, header: string, body: Buffer, now: number): boolean {
  const [, t = '', v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  return Math.abs(now - Number(t)) <= 300 && createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex') === v1
}

async function listen(behaviour: Behaviour, endpoint: number): Promise<number> {
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void receive(endpoint, behaviour, request, response).catch(() => {})
  const server = behaviour === 'secure' ? createTlsServer({ cert: testCertificate, key: testKey }, listener) : createServer(listener)
  // Senders end connections in the middle of requests here.
  server.on('connection', socket => socket.on('error', () => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const tell = (message: FromReceivers) => process.send?.(message)

process.on('message', (message: ToReceivers) => {
  if ('secrets' in message) secrets.push(...message.secrets)
  else tell(message.ask === 'posts' ? { posts } : { count })
})
process.once('disconnect', () => process.exit())
tell({ ports: await Promise.all(behaviours.map(listen)) })
