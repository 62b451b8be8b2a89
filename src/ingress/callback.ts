// Callbacks: requests of platforms and payment providers. A signature stands in for the key, and a limiter of its own counts their addresses. The body
// may have any type: it is raw bytes until its signature is checked.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isId, type Prefix } from '../ids.ts'
import { CALLBACK_BODY_BYTES, INBOUND_LOG_MS } from '../limits/callbacks.ts'
import { notAllowed, notFound, Problem } from '../problems.ts'
import type { AddressLimiter } from './address-limit.ts'
import { seldom } from './connections/seldom.ts'
import { gather, giveBack } from './gather.ts'
import type { Routed } from './problem-replies.ts'
import { rateHeaders, tooMany } from './quota.ts'

/** A callback as it came. Names of headers are in lower case. */
export interface Signed {
  headers: Record<string, string | string[] | undefined>
  raw: Buffer
}

export interface CallbackRoute {
  /** With `{id}`, as OpenAPI writes it. */
  path: string
  idPrefix: Prefix
  /** What the id names, for the 404. */
  noun: string
  limit: AddressLimiter
  /** The setting of that limit, for the log. */
  setting: string
  /**
   * Keeps the callback, durably.
   * @returns its id
   * @throws {Problem} 404, 401, 422
   */
  take(id: string, signed: Signed): Promise<string>
  /**
   * Answers a GET, by which a platform asks whether the address is ours.
   * @returns the text to answer; undefined: refused; null: nothing asks this source so
   * @throws {Problem} 404
   */
  greet?: (id: string, query: Record<string, unknown>) => Promise<string | undefined | null>
}

/** One and the same for every fault of a signature: a caller learns nothing by trying. */
export const invalidSignature = (): Problem =>
  new Problem(
    'authentication-required',
    'The signature is missing, or it is not the one that the secret makes of this body, or it is too old.',
    { code: 'invalid_signature' },
    { 'WWW-Authenticate': 'Signature' },
  )

/** The methods of the routes, for `Allow`. */
export const methodsOf = ({ path, greet }: CallbackRoute): Routed[] =>
  greet
    ? [
        { method: 'GET', path },
        { method: 'POST', path },
      ]
    : [{ method: 'POST', path }]

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** @param refuse answers 405 with the path's methods, and OPTIONS */
export function callbackRoutes(app: FastifyInstance, routes: CallbackRoute[], refuse: Answer, log: Logger): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(ANY, (_request: FastifyRequest, body: FastifyRequest['raw']) => gather(body, CALLBACK_BODY_BYTES))
    for (const route of routes) serve(scope, route)
  })

  function serve(scope: FastifyInstance, route: CallbackRoute): void {
    const { greet, noun, setting } = route
    const sayRefused = seldom<undefined>(INBOUND_LOG_MS, (_, times) =>
      log.warn({ setting, times }, `callbacks of a ${noun} were refused with 429: ${setting} is reached; a busy installation raises it`),
    )
    const common = { url: route.path.replace('{id}', ':id'), bodyLimit: CALLBACK_BODY_BYTES }
    const methods = greet ? ['GET', 'POST'] : ['POST']
    const onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      limit(route, request, reply, sayRefused)
      done()
    }
    scope.route({ ...common, method: 'POST', onRequest, handler: (request, reply) => take(route, request, reply) })
    if (greet) scope.route({ ...common, method: 'GET', onRequest, handler: (request, reply) => welcome(route, greet, request, reply) })
    scope.route({
      ...common,
      method: OTHERS.filter(each => !methods.includes(each) && !(greet && each === 'HEAD')),
      onRequest: async (request, reply) => {
        reply.headers(rateHeaders(route.limit(request.ip).quota))
        return refuse(request, reply)
      },
      handler: refuse,
    })
  }

  function limit(route: CallbackRoute, request: FastifyRequest, reply: FastifyReply, sayRefused: (refused: undefined) => void): void {
    const { quota, allowed } = route.limit(request.ip)
    reply.headers(rateHeaders(quota))
    // Any type is taken, also one that is no type.
    request.headers['content-type'] = ANY
    if (allowed) return
    sayRefused(undefined)
    throw tooMany(quota)
  }

  async function take(route: CallbackRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
    const id = await route.take(idOf(route, request), { headers: request.headers, raw }).finally(() => giveBack(raw))
    return reply
      .headers({ ...PLAIN, 'X-Trace-Id': request.traceId, 'Content-Type': 'application/json; charset=utf-8' })
      .send(`{"object":"callback","id":"${id}"}`)
  }

  async function welcome(
    route: CallbackRoute,
    greet: NonNullable<CallbackRoute['greet']>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const text = await greet(idOf(route, request), request.query as Record<string, unknown>)
    if (text === null) throw notAllowed(request.method, ['POST', 'OPTIONS'])
    if (text === undefined) throw notVerified()
    return reply.headers({ ...PLAIN, 'X-Trace-Id': request.traceId, 'Content-Type': 'text/plain; charset=utf-8' }).send(text)
  }
}

/** What any type is called: Fastify finds the parser of a named type sooner. */
const ANY = 'application/octet-stream'
const OTHERS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const PLAIN = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

const notVerified = (): Problem =>
  new Problem('invalid-api-key', 'hub.verify_token is not the one of this channel.', { code: 'invalid_verify_token' })

function idOf({ idPrefix, noun }: CallbackRoute, request: FastifyRequest): string {
  const { id = '' } = request.params as { id?: string }
  if (!isId(idPrefix, id)) throw notFound(noun)
  return id
}
