// Connections, and the rules of every request on them, whatever its route: how long they are kept, how they end, and how malformed input is refused.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import {
  BODY_LIMIT_MS,
  KEEP_ALIVE_MS,
  LINGER_MS,
  PACE_MS,
  REFUSED_AT_ONCE,
  REFUSED_LOG_MS,
  UPLOAD_LIMIT_MS,
} from '../../limits/connections.ts'
import { SHUTDOWN_GRACE_MS } from '../../limits/queue.ts'
import { limitBody } from './deadline.ts'
import { faultOf, hasBody } from './framing.ts'
import { connectionLimits, type Limit } from './limits.ts'
import { discard, linger } from './linger.ts'
import {
  answer,
  answerSocket,
  badRequest,
  type Malformed,
  refusalOf,
  targetOf,
  tooLate,
  tooManyConnections,
  type Wordings,
} from './malformed-http.ts'
import { seldom } from './seldom.ts'

// Importing it would load Node's own fetch too (test/architecture.test.ts).
const http = process.getBuiltinModule('node:http')

/** How long the service waits for callers, in milliseconds. */
export interface Patience {
  keepAliveMs: number
  bodyMs: number
  lingerMs: number
  graceMs: number
  /** The time over which the pace of clients that send or read files is averaged. */
  paceMs: number
}

export const PATIENCE: Patience = {
  keepAliveMs: KEEP_ALIVE_MS,
  bodyMs: BODY_LIMIT_MS,
  lingerMs: LINGER_MS,
  graceMs: SHUTDOWN_GRACE_MS,
  paceMs: PACE_MS,
}

export interface Listener {
  /** A server that hands well-formed requests to `handler`. `localhost` has one for each of its addresses. */
  serve(handler: RequestListener): Server
  /** For the server's `clientError`. */
  refuseMalformed(error: Malformed, socket: Socket): void
  /** To be filled by what answers below a path. */
  wordings: Wordings
  /** A valid key has come over this connection. */
  recognise(socket: Socket): void
  /** Ends idle connections at once, the others with their answers, and all that are left after the grace period. */
  close(): void
}

interface Refused {
  limit: Limit
  address: string | undefined
}

interface ListenerContext {
  config: Pick<Config, 'connections' | 'docsUrl'>
  log: Logger
  patience: Patience
  isProxy: (address: string) => boolean
  /** Called with each request. */
  watch?: ((request: IncomingMessage) => void) | undefined
}

export function openListener({ config, log, patience, isProxy, watch }: ListenerContext): Listener {
  const limits = connectionLimits(config.connections, isProxy)
  const sayRefused = seldom<Refused>(REFUSED_LOG_MS, (latest, times) =>
    log.warn({ ...latest, times }, 'connections were refused: CONNECTIONS_MAX or CONNECTIONS_PER_ADDRESS is reached'),
  )
  const open = new Set<Socket>()
  const refused = new Set<Socket>()
  /** The responses under way of each connection, in the order of their requests. */
  const underWay = new WeakMap<Socket, ServerResponse[]>()
  // Connections whose last answer has its head: later requests are not carried out (RFC 9112 §9.6).
  const ending = new WeakSet<Socket>()
  const wordings: Wordings = new Map()
  const cutOff = (response: ServerResponse): void => answer(response, tooLate('body'), wordings)
  let closing = false
  return { serve, refuseMalformed, wordings, recognise: limits.recognise, close }

  function serve(handler: RequestListener): Server {
    const options = {
      keepAliveTimeout: patience.keepAliveMs,
      // A new connection may be silent as long as a kept one.
      headersTimeout: patience.keepAliveMs,
      // The limit of a file; other bodies have a limit of their own.
      requestTimeout: UPLOAD_LIMIT_MS,
      // Node's own answer has no body.
      requireHostHeader: false,
    }
    const server = http.createServer(options, (request, response) => take(request, response, handler))
    // Expectations besides 100-continue may be ignored (RFC 9110 §10.1.1); Node's own answer is a 417 without our headers.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
    return server.on('connection', receive)
  }

  function receive(socket: Socket): void {
    if (closing) return void socket.destroy()
    open.add(socket)
    underWay.set(socket, [])
    socket.once('close', () => open.delete(socket))
    const end = socket.destroySoon
    // Called by Node after an answer that says `Connection: close`.
    socket.destroySoon = () => (closing ? end.call(socket) : linger(socket, patience.lingerMs))
    const limit = limits.count(socket)
    if (limit !== undefined) refuse(socket, limit)
  }

  function refuse(socket: Socket, limit: Limit): void {
    sayRefused({ limit, address: socket.remoteAddress })
    // Connections that are being refused take memory as well.
    if (refused.size >= REFUSED_AT_ONCE) return void socket.destroy()
    refused.add(socket)
    socket.once('close', () => refused.delete(socket))
    answerSocket(socket, tooManyConnections(limit, config.docsUrl), wordings)
  }

  function take(request: IncomingMessage, response: ServerResponse, handler: RequestListener): void {
    const { socket } = request
    if (ending.has(socket)) return
    begin(socket, response)
    const fault = faultOf(request)
    if (fault !== undefined) return void answer(response, badRequest(fault), wordings)
    if (closing || hasBody(request)) response.writeHead = writeHeadOfLast
    if (hasBody(request)) limitBody(request, response, patience.bodyMs, cutOff)
    watch?.(request)
    handler(request, response)
    // While it closes, Fastify answers every request with `Connection: close`; requests pipelined behind it would lose their answers.
    if (closing && !response.headersSent) response.removeHeader('Connection')
  }

  // Says where this is the last answer, which is known when its head is written: behind an unread body it is unknown where the next request begins.
  // One function for all responses: with one for each, V8 kept half of all requests until they were old, which took a fifth of a callback's time.
  function writeHeadOfLast(this: ServerResponse, ...args: unknown[]): ServerResponse {
    const { req } = this
    if (!req.complete || (closing && responsesOn(req.socket).at(-1) === this)) {
      ending.add(req.socket)
      this.setHeader('Connection', 'close')
    }
    return http.ServerResponse.prototype.writeHead.apply(this, args as Parameters<ServerResponse['writeHead']>)
  }

  function begin(socket: Socket, response: ServerResponse): void {
    responsesOn(socket).push(response)
    response.once('close', settle)
  }

  function settle(this: ServerResponse): void {
    const { socket } = this.req
    const responses = responsesOn(socket)
    responses.splice(responses.indexOf(this), 1)
    if (closing && responses.length === 0) socket.destroySoon()
  }

  function responsesOn(socket: Socket): ServerResponse[] {
    return underWay.get(socket) ?? []
  }

  function refuseMalformed(error: Malformed, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
    discard(socket)
    const responses = responsesOn(socket)
    // Answered before its body turned out to be malformed: the connection ends with that answer.
    if (responses.some(({ req, headersSent }) => !req.complete && headersSent)) return
    const ofBody = responses.find(({ req }) => !req.complete)
    const refuse = () => answerSocket(socket, refusalOf(error), wordings, ofBody ? ofBody.req.url : targetOf(error))
    const before = responses.findLast(({ req }) => req.complete)
    if (!before) return void refuse()
    // Well-formed requests are answered first.
    before.once('close', refuse)
  }

  function close(): void {
    closing = true
    for (const socket of open) {
      const responses = responsesOn(socket)
      if (responses.length === 0) socket.destroySoon()
      for (const response of responses) response.writeHead = writeHeadOfLast
    }
    setTimeout(() => open.forEach(socket => void socket.destroy()), patience.graceMs).unref()
  }
}
