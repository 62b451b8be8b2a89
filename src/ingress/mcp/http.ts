// The agent server over HTTP, stateless: one POST, one answer. Checks in the order 405, 403 (host and origin), 401, 415, 413, 400.
import { setImmediate as immediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { LATE_KEY_QUESTIONS } from '../../limits/access.ts'
import { JSON_BODY_BYTES } from '../../limits/bodies.ts'
import { MCP_OTHERS_PER_MINUTE } from '../../limits/mcp.ts'
import { ANONYMOUS_PER_MINUTE, RATE_WINDOW_SECONDS } from '../../limits/rate.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { Problem } from '../../problems.ts'
import { createAddressLimiter, createSlidingLog } from '../address-limit.ts'
import { tokenOf } from '../admission.ts'
import { requireJson } from '../body.ts'
import { readMessages } from './body.ts'
import type { Within } from './call.ts'
import type { Admitted, Credentials } from './credentials.ts'
import { Refusal, refusal, unauthorized } from './http-refusal.ts'
import { errorAnswer, INVALID_REQUEST, type Outgoing, PARSE_ERROR } from './messages.ts'
import { originsOf } from './origins.ts'
import type { AgentServer } from './server.ts'

export interface AgentHttpOptions {
  /** Without a trailing slash. */
  baseUrl: string
  /** The kinds of credentials that open it. */
  credentials: Credentials[]
  server: AgentServer
  log: Logger
  /** Called with each connection over which a valid credential came. */
  recognise: FastifyRequest['server']['recognise']
}

/** The handlers of the plugin's routes. */
export interface AgentHttp {
  /** Before the body of a POST is read. @throws {Refusal} */
  receive(request: FastifyRequest, reply: FastifyReply): Promise<void>
  serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Any other method, or a path below. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
  preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply
  fail(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The credential of a request to the agent server: its token, and the kind that claims it. */
    agent: { token: string; kind: Credentials } | undefined
  }
}

export function createAgentHttp({ baseUrl, credentials, server, log, recognise }: AgentHttpOptions): AgentHttp {
  const origins = originsOf(baseUrl)
  const anonymous = createAddressLimiter(ANONYMOUS_PER_MINUTE)
  const others = createSlidingLog(MCP_OTHERS_PER_MINUTE, RATE_WINDOW_SECONDS)
  const unknown = (request: FastifyRequest) => unauthorized(baseUrl, request)

  async function receive(request: FastifyRequest): Promise<void> {
    refuseForeign(request)
    await identify(request)
    try {
      requireJson(request.headers)
    } catch {
      throw refusal(415, 'Send one JSON-RPC message, or a batch, as Content-Type: application/json (UTF-8), not compressed.')
    }
    request.headers['content-type'] = 'application/json'
  }

  function refuseForeign({ headers }: FastifyRequest): void {
    const why = origins.refusal(headers)
    if (why !== undefined) throw refusal(403, why)
  }

  // Those that were admitted before are found without looking at their checksum.
  const kindOf = (token: string): Credentials | undefined =>
    credentials.find(each => each.knows(token)) ?? credentials.find(each => each.claims(token))

  // An unknown token costs its address before it costs the database.
  async function identify(request: FastifyRequest): Promise<void> {
    const token = tokenOf(request)
    const kind = token === undefined ? undefined : kindOf(token)
    const agent = token !== undefined && kind ? { token, kind } : undefined
    request.agent = agent
    if (agent?.kind.knows(agent.token)) return
    const slot = anonymous(request.ip)
    const found = agent ? await agent.kind.find(agent.token, !slot.allowed) : false
    if (found) return slot.giveBack()
    if (!slot.allowed) throw tooMany(found === undefined ? LATE_KEY_QUESTIONS.everyMs : slot.quota.resetMs)
    throw unknown(request)
  }

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { token, kind } = request.agent as NonNullable<FastifyRequest['agent']>
    const framed = readMessages(request.body as Buffer | undefined)
    if (framed.refusal !== undefined) throw refusal(400, framed.refusal, framed.code ?? INVALID_REQUEST)
    const work = server.work(framed)
    const within: Within = { traceId: request.traceId, leaving: () => leavingOf(reply) }
    const admitting = kind.admit(token, work.buckets)
    // Begun on the strength of an earlier admission, and thrown away should this one refuse: saves a round trip.
    const expected = work.lone && kind.expect(token)
    const early = work.lone && expected ? server.begin(work.lone, expected, within) : undefined
    early?.catch(() => {})
    const admitted = await admitting
    if (!admitted) throw unknown(request)
    recognise(request.raw.socket)
    admitted.caller.traceId = request.traceId
    if (work.hasOthers) countOther(admitted)
    const body = await work.answer(admitted, within, early)
    return send(request, reply, body === undefined ? 202 : work.status, body)
  }

  /** @throws {Refusal} */
  function countOther({ credential }: Admitted): void {
    const { allowed, quota } = others(credential)
    if (!allowed) throw tooMany(quota.resetMs)
  }

  // Bypasses Fastify, as the answers of REST do.
  function send(request: FastifyRequest, reply: FastifyReply, status: number, body: Outgoing = []): FastifyReply {
    const { raw } = reply.hijack()
    const length = lengthOf(body)
    const headers: Record<string, string | number> = { ...common(request), 'Content-Length': length }
    if (length > 0) headers['Content-Type'] = JSON_TYPE
    raw.writeHead(status, headers)
    // ASCII is written as it lies there. For UTF-8 Node takes memory of three times its characters first.
    if (typeof body === 'string') raw.end(body, length === body.length ? 'latin1' : 'utf8')
    else endWith(raw, body)
    return reply
  }

  function common(request: FastifyRequest): Record<string, string> {
    return { ...origins.headers(request.headers), ...PLAIN, 'X-Trace-Id': request.traceId }
  }

  function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    // As the router found it: a path can be written in many ways, and with the host before it.
    const params = request.params as object | null
    // A path that is not valid percent-encoding has no parameters.
    const isBelow = !params || Object.hasOwn(params, '*')
    const why = isBelow
      ? refusal(404, `There is nothing at this path; the agent server is at ${baseUrl}/api/mcp.`)
      : refusal(
          405,
          `${request.method} is not allowed here: send messages by POST. There is no stream to open and no session to end.`,
          undefined,
          { Allow: 'POST, OPTIONS' },
        )
    return tell(why, request, reply)
  }

  function preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const why = origins.refusal(request.headers)
    if (why !== undefined) return tell(refusal(403, why), request, reply)
    return reply
      .code(204)
      .headers({ ...common(request), ...PREFLIGHT })
      .send()
  }

  async function fail(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const told = asRefusal(error, request)
    // A tick later a body that came with its head has been read; with an unread body the answer would have to end the connection.
    if (!request.raw.complete) await immediate()
    // What is known of a token may be old: a key that was revoked meanwhile is told so first.
    const { agent } = request
    if (told.status === 415 || told.status === 413 || told.status === 400) {
      try {
        const admitted = agent && (await agent.kind.admit(agent.token, []))
        if (agent && !admitted) return tell(unknown(request), request, reply)
        if (admitted) countOther(admitted)
      } catch (failure) {
        return tell(asRefusal(failure as Error, request), request, reply)
      }
    }
    return tell(told, request, reply)
  }

  function tell({ status, body, headers }: Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return reply
      .code(status)
      .headers({ ...common(request), ...headers, 'Content-Type': JSON_TYPE })
      .send(Buffer.from(body))
  }

  function asRefusal(error: Error & { code?: string }, request: FastifyRequest): Refusal {
    if (error instanceof Refusal) return error
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || (error instanceof Problem && error.status === 413))
      return refusal(413, error instanceof Problem ? error.message : `The body may have at most ${JSON_BODY_BYTES} bytes.`)
    if (error instanceof Problem) return refusal(400, error.message, PARSE_ERROR)
    if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || request.raw.errored === error)
      return refusal(400, 'The body did not arrive whole. Send it again.', PARSE_ERROR)
    const { traceId } = request
    if (isUnavailable(error)) {
      log.error({ err: error, traceId }, 'the database did not answer')
      return refusal(503, 'The service cannot reach its database just now; try again.', undefined, { 'Retry-After': '1' })
    }
    log.error({ err: error, traceId }, 'a request of an agent failed')
    return new Refusal(
      500,
      errorAnswer(null, INTERNAL, 'Something went wrong on our side; it was logged under the trace_id.', { trace_id: traceId }),
    )
  }

  return { receive, serve, refuse, preflight, fail }
}

const lengthOf = (body: Outgoing): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, { length }) => sum + length, 0)

// All in one call of the system.
function endWith(raw: FastifyReply['raw'], pieces: Buffer[]): void {
  raw.cork()
  for (const piece of pieces) raw.write(piece)
  raw.end()
  raw.uncork()
}

const INTERNAL = -32603
const JSON_TYPE = 'application/json'
const PLAIN = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
const PREFLIGHT = {
  Allow: 'POST, OPTIONS',
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'authorization, content-type, mcp-protocol-version, mcp-session-id, last-event-id',
  'Access-Control-Max-Age': '600',
}

function tooMany(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return refusal(429, `Too many requests; try again in ${seconds} s.`, undefined, { 'Retry-After': String(seconds) })
}

function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => leaving.abort(new Problem('service-unavailable', 'The caller has left.')))
  return leaving.signal
}
