// The only network client: one POST, whose outcome is a value. No redirects, no proxies, no compression, no cookies.
import type { Client, Dispatcher } from 'undici'
import { checkUrl, type Policy } from './address.ts'
import { ConnectError, type Connector, type ConnectorOptions, createConnector } from './connect.ts'
import { createGate, type Gate } from './gate.ts'
import { createLines, type Line, type Lines } from './lines.ts'
import { type Answer, type Failure, failureOf, type NoAnswer, type Outcome, type Timings } from './outcome.ts'

export interface PostRequest {
  url: string
  /** Without Host, which is the URL's. */
  headers: Record<string, string>
  body: string | Buffer
  /** From the start (name, connection, TLS) to the response's headers. */
  timeoutMs: number
  /** After that, for the response's body. */
  bodyExtraMs: number
  keepResponseBytes: number
  signal?: AbortSignal
}

export interface OutboundClient {
  /** Never rejects. Any status is an answer, that of a redirect (which is not followed) included. */
  post(request: PostRequest): Promise<Outcome>
  /** What is open now: origins known to the pools, and connections. */
  stats(): { origins: number; connections: number }
  /** Ends every connection. Requests without an answer yet end as 'aborted'. */
  close(): Promise<void>
}

export interface ClientOptions extends ConnectorOptions {
  /** How long an idle connection is kept. Default 4 s: receivers commonly close theirs after 5. */
  keepAliveMs?: number
  /** Of more open connections than this none is kept for a next request: thousands of receivers must not use up the file descriptors. */
  connectionsKept?: number
}

const REQUESTS_PER_ORIGIN = 64
const CONNECTIONS_KEPT = 2048
/** About half a kilobyte each. */
const URLS_KNOWN = 4096
const RESPONSE_HEADER_BYTES = 16 * 1024
const KEEP_ALIVE_MS = 4_000

/** One per process: it holds the connections. */
export function createClient(policy: Policy, options: ClientOptions = {}): OutboundClient {
  const connector = createConnector(policy, options)
  const keepAliveMs = options.keepAliveMs ?? KEEP_ALIVE_MS
  const clientOptions: Client.Options = {
    connect: connector.connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_BYTES,
    // A receiver may ask for less than this, never for more.
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // The time limits are each request's own, kept below: undici's tick only twice a second.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const network: Network = {
    connector,
    gate: createGate(REQUESTS_PER_ORIGIN),
    lines: createLines(clientOptions, options.connectionsKept ?? CONNECTIONS_KEPT),
    destinationOf: judgedOnce(policy),
    underWay: new Set(),
    closed: false,
  }
  return {
    post: request => post(network, request),
    stats: () => ({ origins: network.lines.origins(), connections: connector.sockets.size }),
    async close() {
      network.closed = true
      for (const exchange of network.underWay) fail(exchange, 'aborted', 'The client was closed.')
      for (const socket of connector.sockets) socket.destroy()
    },
  }
}

interface Network {
  connector: Connector
  gate: Gate
  lines: Lines
  destinationOf: (url: string) => Destination | Refusal
  /** Let in, and without an outcome. */
  underWay: Set<Exchange>
  closed: boolean
}

function post(network: Network, request: PostRequest): Promise<Outcome> {
  const destination = network.destinationOf(request.url)
  if ('error' in destination) return notSent(destination)
  const refused = refusal(request)
  if (refused) return notSent(refused)
  return new Promise(resolve => {
    const exchange = newExchange(network, request, destination, resolve)
    request.signal?.addEventListener('abort', exchange.onAbort)
    network.gate.enter(exchange.origin, exchange.begin)
  })
}

type Refusal = Omit<NoAnswer, 'timings'>

const notSent = (refused: Refusal): Promise<Outcome> => Promise.resolve({ ...refused, timings: { totalMs: 0 } })

/** Where a URL leads. */
interface Destination {
  origin: string
  path: string
}

// Judging a URL costs a sixth of a request (measured: 6 of 37 µs), and the same ones are posted to again and again.
function judgedOnce(policy: Policy): (url: string) => Destination | Refusal {
  const known = new Map<string, Destination | Refusal>()
  return text => {
    const before = known.get(text)
    if (before) return before
    const destination = judge(text, policy)
    if (known.size === URLS_KNOWN) known.clear()
    known.set(text, destination)
    return destination
  }
}

function judge(text: string, policy: Policy): Destination | Refusal {
  const problem = checkUrl(text, policy)
  if (problem) return { error: problem.code === 'private_host' ? 'private-address' : 'invalid-url', message: problem.message }
  const { origin, pathname, search } = new URL(text)
  return { origin, path: pathname + search }
}

function refusal({ headers, signal }: PostRequest): Refusal | undefined {
  // Another Host would also become the name that the certificate is checked for.
  if (Object.keys(headers).some(name => name.toLowerCase() === 'host'))
    return { error: 'invalid-request', message: 'The Host header is taken from the URL and cannot be set.' }
  if (signal?.aborted) return { error: 'aborted', message: 'The request was aborted before it was sent.' }
  return undefined
}

// One POST under way.
interface Exchange extends Destination {
  network: Network
  request: PostRequest
  resolve: (outcome: Outcome) => void
  begin: () => void
  onAbort: () => void
  settled: boolean
  /** Of performance.now(). */
  startedAt: number
  sentAt: number
  timer: NodeJS.Timeout | undefined
  /** The headers were in time; the timer now limits the body. */
  bodyTime: boolean
  line: Line | undefined
  /** False while the request waits for its connection. */
  sent: boolean
  /** Its connection has served another request before. */
  reused: boolean
  /** The first byte of an answer has come. */
  answering: boolean
  /** The answer has come to its end, so its connection can be used again. */
  whole: boolean
  /** 0 until the headers of the answer have come. */
  status: number
  headers: Answer['headers']
  chunks: Buffer[]
  size: number
  timings: Timings
}

function newExchange(network: Network, request: PostRequest, { origin, path }: Destination, resolve: Exchange['resolve']): Exchange {
  const exchange: Exchange = {
    network,
    request,
    origin,
    path,
    resolve,
    begin: () => begin(exchange),
    onAbort: () => fail(exchange, 'aborted', 'The request was aborted.'),
    settled: false,
    startedAt: performance.now(),
    sentAt: 0,
    timer: undefined,
    bodyTime: false,
    line: undefined,
    sent: false,
    reused: false,
    answering: false,
    whole: false,
    status: 0,
    headers: {},
    chunks: [],
    size: 0,
    timings: { totalMs: 0 },
  }
  return exchange
}

function begin(exchange: Exchange) {
  const { network, request, origin } = exchange
  if (exchange.settled) return
  exchange.startedAt = performance.now()
  if (network.closed) return fail(exchange, 'aborted', 'The client was closed.')
  network.underWay.add(exchange)
  exchange.timer = setTimeout(onTimeout, request.timeoutMs, exchange)
  send(exchange, network.lines.take(origin))
}

function send(exchange: Exchange, line: Line) {
  const { path, request } = exchange
  exchange.line = line
  line.client.dispatch({ path, method: 'POST', headers: request.headers, body: request.body }, handler(exchange))
}

function handler(exchange: Exchange): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      onSent(exchange, controller)
    },
    onResponseStarted() {
      exchange.answering = true
      exchange.timings.firstByteMs ??= performance.now() - exchange.sentAt
    },
    onResponseStart(_controller, status, headers) {
      // 1xx: the answer is still to come.
      if (status < 200) return
      exchange.status = status
      exchange.headers = headers
    },
    onResponseData(_controller, chunk) {
      exchange.chunks.push(chunk)
      exchange.size += chunk.length
      if (exchange.size > exchange.request.keepResponseBytes) settle(exchange, answer(exchange, 'size'))
    },
    onResponseEnd() {
      exchange.whole = true
      settle(exchange, answer(exchange, false))
    },
    onResponseError(_controller, error) {
      onError(exchange, error)
    },
  }
}

function onSent(exchange: Exchange, controller: Dispatcher.DispatchController) {
  // Given up while it waited for its connection.
  if (exchange.settled) return controller.abort(new Error('The outcome is known.'))
  const connection = exchange.network.connector.handedOver()
  exchange.sent = true
  exchange.reused = !connection
  exchange.sentAt = performance.now()
  Object.assign(exchange.timings, connection)
}

function onError(exchange: Exchange, error: Error) {
  if (exchange.settled) return
  const failure = failureOf(error)
  // The receiver closed an idle connection just as it was used again: no failure of the receiver. Whether it took the request cannot be
  // known; deliveries are at least once, so the request is made again, once, on a connection of its own.
  if (failure === 'connection-reset' && exchange.reused && !exchange.answering) {
    const { lines } = exchange.network
    exchange.reused = false
    lines.drop(exchange.line as Line)
    return send(exchange, lines.open(exchange.origin))
  }
  if (error instanceof ConnectError) Object.assign(exchange.timings, error.timings)
  fail(exchange, failure, error.message)
}

function onTimeout(exchange: Exchange) {
  const { request, status, bodyTime, sent } = exchange
  if (status && !bodyTime) {
    exchange.bodyTime = true
    exchange.timer = setTimeout(onTimeout, request.bodyExtraMs, exchange)
    return
  }
  fail(exchange, 'timeout', `No ${sent ? 'response' : 'connection'} within ${request.timeoutMs} ms.`)
}

// Once the status is known it is the outcome, however the body ends.
function fail(exchange: Exchange, error: Failure, message: string) {
  settle(exchange, exchange.status ? answer(exchange, error) : { error, message })
}

function answer({ status, headers, chunks, request }: Exchange, truncated: Answer['truncated']): Omit<Answer, 'timings'> {
  const body = chunks.length === 0 ? '' : Buffer.concat(chunks).toString('utf8', 0, request.keepResponseBytes)
  return { status, headers, body, truncated }
}

function settle(exchange: Exchange, result: Omit<Answer, 'timings'> | Omit<NoAnswer, 'timings'>) {
  const { network, request, origin, begin, line, timings } = exchange
  if (exchange.settled) return
  exchange.settled = true
  clearTimeout(exchange.timer)
  request.signal?.removeEventListener('abort', exchange.onAbort)
  timings.totalMs = performance.now() - exchange.startedAt
  network.underWay.delete(exchange)
  if (line && exchange.whole) network.lines.giveBack(line)
  else if (line) network.lines.drop(line)
  network.gate.leave(origin, begin)
  exchange.resolve({ ...result, timings })
}
