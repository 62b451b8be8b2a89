// The HTTP server: each route is met at the door, checked in the interface's order, answered, and every refusal becomes a problem document.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { isId, type Prefix } from '../ids.ts'
import { BODY_LIMIT_MS, JSON_BODY_BYTES, SHUTDOWN_GRACE_MS, UPLOAD_LIMIT_MS } from '../limits.ts'
import type { Caller } from '../postgres/audit.ts'
import { inTime } from '../postgres/in-time.ts'
import { type Database, isUnavailable } from '../postgres/sql.ts'
import { invalid, notFound, Problem, problemDocument } from '../problems.ts'
import { type Authenticator, bucketOf, doorkeeper, type Entry, rateHeaders } from './authenticate.ts'
import { bearerToken } from './bearer.ts'
import { etagOf, matchesNone, precondition } from './conditional.ts'
import { parseFields } from './fields.ts'
import { type Claim, idempotencyKey, keepClaimed, once, remember } from './idempotency.ts'
import { performer } from './perform.ts'
import { readQuery } from './query.ts'
import type { Answer, ReadRoute, Route, Streamed, Upload, WriteRoute } from './route.ts'
import { traceIdOf } from './trace.ts'
import { bodyOf, fileType, requireFile } from './upload.ts'
import { parseJson, validate } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceId: string
    entry: Entry | undefined
  }
}

export interface Ingress {
  config: Config
  db: Database
  log: Logger
  authenticator: Authenticator
  routes: Route[]
}

const API = '/api/v1'

/** Builds the server of REST v1. Nothing listens yet. */
export function buildServer(ingress: Ingress): FastifyInstance {
  const { config, db, log, authenticator, routes } = ingress
  const meet = doorkeeper(authenticator)
  const methodsOf = methodTable(routes)
  const performers = new Map(routes.flatMap(route => (route.method === 'GET' ? [] : [[route, performer(db, route)]])))
  const app = Fastify({
    // Fastify's own lines are warnings and worse; what is worth an operator's eye at info is ours.
    loggerInstance: log.child({}, { level: quieter(log.level) }),
    // A line for each request costs more than answering it; what fails is logged by us.
    logController: new LogController({ disableRequestLogging: true }),
    // One logger serves all: a child for each request is made on every request and used on few.
    childLoggerFactory: logger => logger,
    trustProxy: typeof config.trustProxy === 'number' ? trustHops(config.trustProxy) : config.trustProxy,
    bodyLimit: JSON_BODY_BYTES,
    forceCloseConnections: 'idle',
    // Of a file; other bodies that drip are cut off earlier, and headers have Node's own limit of a minute.
    requestTimeout: UPLOAD_LIMIT_MS,
    keepAliveTimeout: SHUTDOWN_GRACE_MS / 3,
    frameworkErrors: (error, request, reply) => void refuseUnroutable(error, request, reply),
    clientErrorHandler: answerGarbage,
    routerOptions: { maxParamLength: 200 },
  }) as unknown as FastifyInstance
  app.decorateRequest('traceId', '')
  app.decorateRequest('entry', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)
  const fileTypes = routes.flatMap(route => (route.method !== 'GET' && route.upload?.types) || [])
  if (fileTypes.length > 0) app.addContentTypeParser([...new Set(fileTypes)], async (_request: FastifyRequest) => undefined)

  app.addHook('onRequest', (request, reply, done) => {
    request.traceId = traceIdOf(request.headers)
    const route = routeOf(request)
    // A read is met while its query is already under way.
    if (route?.method === 'GET' && !request.is404) return done()
    admitFirst(route, request, reply).then(() => reply.sent || done(), done)
  })
  if (log.isLevelEnabled('debug')) app.addHook('onResponse', async (request, reply) => logRequest(log, request, reply))
  app.setErrorHandler((error: Error, request, reply) => refuse(error, request, reply))
  app.setNotFoundHandler((request, reply) => answerUnrouted(request, reply))
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyBytesOf(route),
      config: { route },
      handler:
        route.method === 'GET'
          ? (request, reply) => serveRead(route, request, reply)
          : (request, reply) => (route.upload ? serveUpload(route.upload, request, reply) : serveWrite(route, request, reply)),
    })
  }
  return app

  async function admitFirst(route: Route | undefined, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (request.is404) return answerUnrouted(request, reply)
    if (!route || route.method === 'GET') return
    await enter(route, request, reply)
    if (route.upload) return requireFile(route.upload, request.headers)
    cutOffDripping(request.raw)
    if (route.body && !(route.bodyOptional && hasNoBody(request.headers))) requireJson(request.headers)
  }

  async function serveRead(route: ReadRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const token = tokenOf(request)
    const expected = token === undefined ? undefined : authenticator.expect(token)
    const entering = enter(route, request, reply, token)
    // Begun on the word of an earlier admission and thrown away should this one refuse: it saves the second round trip.
    const early = expected && !route.file ? readAnswer(route, request, expected) : undefined
    early?.catch(() => {})
    const caller = await entering
    return send(request, reply, await (early ?? readAnswer(route, request, caller)))
  }

  async function readAnswer(route: ReadRoute, request: FastifyRequest, caller: Caller): Promise<Answer | Streamed> {
    const query = readQuery(route.query, request.query as Record<string, string>)
    const { fields } = query as { fields?: string }
    const project = fields === undefined ? undefined : parseFields(fields, itemOf(route))
    const acceptEncoding = String(request.headers['accept-encoding'] ?? '')
    const asked = { caller, ...pathIds(route, request), query: query as never, project, url: pathOf(request), acceptEncoding }
    return isList(route) ? inTime(route.handler({ ...asked, sql: db.read })) : route.handler({ ...asked, sql: db.point })
  }

  async function serveWrite(route: WriteRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = (request.entry as Entry).admission?.caller as Caller
    const body = route.body ? readBody(route, request) : undefined
    const key = route.method === 'POST' ? idempotencyKey(request.headers['idempotency-key']) : undefined
    const unchanged = precondition(request.headers['if-match'], request.headers['if-unmodified-since'])
    const surprise = (error: unknown): Problem => asProblem(error as Error, request)
    const asked = { caller, ...pathIds(route, request), query: {}, project: undefined, url: pathOf(request), body, unchanged, surprise }
    const perform = performers.get(route) as ReturnType<typeof performer>
    const work = (claim?: Claim): Promise<Answer> => perform({ asked, claim })
    return send(request, reply, await inTime(key === undefined ? work() : once(db.sql, caller.tenant, key, work)))
  }

  async function serveUpload(upload: Upload, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = (request.entry as Entry).admission?.caller as Caller
    const query = readQuery(upload.query, request.query as Record<string, string>) as never
    const key = idempotencyKey(request.headers['idempotency-key'])
    const asked = {
      caller,
      id: '',
      innerId: '',
      query,
      project: undefined,
      url: pathOf(request),
      sql: db.sql,
      ...fileType(request.headers),
    }
    const bytes = bodyOf(request.raw, upload.maxBytes)
    if (key === undefined) return send(request, reply, await upload.take({ ...asked, bytes, remember: async () => {} }))
    const answer = await once(db.sql, caller.tenant, key, async claim => {
      const endClaim = keepClaimed(db.sql, claim)
      return upload.take({ ...asked, bytes, remember: (tx, answer) => remember(tx, claim, answer) }).finally(endClaim)
    })
    return send(request, reply, answer)
  }

  /** Authenticates, limits, checks the scope, and sets the headers that every response carries. */
  async function enter(route: Route, request: FastifyRequest, reply: FastifyReply, token = tokenOf(request)): Promise<Caller> {
    const entry = await greet(request, reply, route.public === true, token)
    if (entry.refusal) throw entry.refusal
    const { admission } = entry
    if (route.public) return admission?.caller ?? { tenant: '', actor: { type: 'system' } }
    if (!admission?.scopes.includes(route.scope))
      throw new Problem('insufficient-scope', `This key lacks the scope ${route.scope}.`, { required_scope: route.scope })
    admission.caller.traceId = request.traceId
    return admission.caller
  }

  async function greet(request: FastifyRequest, reply: FastifyReply, isPublic: boolean, token = tokenOf(request)): Promise<Entry> {
    request.entry ??= await meet(token, request, bucketOf(request.method), isPublic)
    reply.headers(rateHeaders(request.entry.quota))
    return request.entry
  }

  // 404, 405 and OPTIONS: decided before anybody is asked for a key (design §6), yet counted like any request.
  async function answerUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const methods = methodsOf(pathOf(request))
    const headers = methods.length > 0 ? { Allow: methods.join(', ') } : {}
    if (request.method === 'OPTIONS' && methods.length > 0) {
      await greet(request, reply, true)
      return reply
        .code(204)
        .headers({ ...headers, 'X-Trace-Id': request.traceId })
        .send()
    }
    const problem =
      methods.length > 0
        ? new Problem('method-not-allowed', `${request.method} is not allowed here; allowed are ${methods.join(', ')}.`, {}, headers)
        : new Problem('resource-not-found', 'There is nothing at this path.')
    return refuse(problem, request, reply)
  }

  async function refuseUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.traceId = traceIdOf(request.headers)
    log.debug({ err: error }, 'a path that cannot be read')
    await refuse(new Problem('resource-not-found', 'There is nothing at this path: it is not valid percent-encoding.'), request, reply)
  }

  async function refuse(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const problem = asProblem(error, request)
    if (!reply.hasHeader('X-RateLimit-Limit') && request.url.startsWith(API))
      await greet(request, reply, true).catch(() => reply.headers(rateHeaders(UNKNOWN_QUOTA)))
    const document = problemDocument(problem, config.docsUrl, pathOf(request), request.traceId)
    return reply
      .code(problem.status)
      .headers({ ...problem.headers, 'X-Trace-Id': request.traceId, 'Content-Type': 'application/problem+json' })
      .send(Buffer.from(JSON.stringify(document)))
  }

  function asProblem(error: Error, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error
    const framework = fromFramework(error, bodyBytesOf(routeOf(request)))
    if (framework) return framework
    if (isUnavailable(error)) {
      log.error({ err: error, traceId: request.traceId }, 'the database did not answer')
      return new Problem('service-unavailable', 'The service cannot reach its database just now; try again.', {}, { 'Retry-After': '1' })
    }
    log.error({ err: error, traceId: request.traceId, method: request.method, path: pathOf(request) }, 'a request failed')
    return new Problem('internal-error', 'Something went wrong on our side; it was logged under the trace_id.')
  }
}

const quieter = (level: string): string => (level === 'info' ? 'warn' : level)

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const ms = Math.round(reply.elapsedTime)
  log.debug({ traceId: request.traceId, method: request.method, path: pathOf(request), status: reply.statusCode, ms }, 'answered')
}

const trustHops = (hops: number) => (_address: string, hop: number) => hop < hops

/** While the database is away nobody's window can be read. */
const UNKNOWN_QUOTA = { limit: 0, remaining: 0, resetMs: 1000 }

const JSON_TYPE = 'application/json; charset=utf-8'

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer | Streamed): FastifyReply {
  const headers: Record<string, string> = { 'X-Trace-Id': request.traceId, ...answer.headers }
  if ('open' in answer) return sendFile(request, reply, answer)
  if (answer.location !== undefined) headers['Location'] = answer.location
  const etag = etagOf(answer.body)
  headers['ETag'] = etag
  if (bucketOf(request.method) === 'read' && matchesNone(request.headers['if-none-match'], etag))
    return reply.code(304).headers(headers).send()
  headers['Content-Type'] = JSON_TYPE
  // A buffer, for to a string of JSON Fastify would add a serialisation of its own.
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  return reply
    .code(answer.status ?? 200)
    .headers(headers)
    .send(body)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, etag, headers, open }: Streamed): FastifyReply {
  reply.header('X-Trace-Id', request.traceId)
  if (etag !== undefined) {
    reply.header('ETag', etag)
    if (matchesNone(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  // Fastify would read a stream to its end for the sake of a HEAD.
  const body = request.method === 'HEAD' ? Readable.from([]) : open()
  return reply
    .code(200)
    .headers({ ...headers, 'Content-Type': type })
    .send(body)
}

// A timer of ours, for Node's is the same for all requests, and a file may take long.
function cutOffDripping(request: IncomingMessage): void {
  const timer = setTimeout(() => answerGarbage(TOO_LATE, request.socket), BODY_LIMIT_MS)
  request.once('close', () => clearTimeout(timer))
}

const TOO_LATE = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

// Before the body is read, so that a wrong type is refused before a large body is (design §6).
function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? ''
  const charset = /charset="?([^";]+)/i.exec(type)?.[1]?.trim() ?? 'utf-8'
  const plain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  if (!/^application\/json *(;|$)/i.test(type) || charset.toLowerCase() !== 'utf-8' || !plain) throw unsupported()
}

const hasNoBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

function readBody(route: WriteRoute, request: FastifyRequest): unknown {
  if (route.bodyOptional && hasNoBody(request.headers)) return {}
  const value = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  return route.readBody ? route.readBody(value) : validate(route.body as NonNullable<WriteRoute['body']>, value)
}

const unsupported = (): Problem =>
  new Problem('unsupported-media-type', 'Send the body as Content-Type: application/json (UTF-8), not compressed.')

const bodyBytesOf = (route: Route | undefined): number => (route?.method !== 'GET' && route?.bodyBytes) || JSON_BODY_BYTES

function fromFramework(error: Error & { code?: string }, maxBytes: number): Problem | undefined {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupported()
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('payload-too-large', `The body may have at most ${maxBytes} bytes.`, { max_bytes: maxBytes })
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return invalid({ field: 'Content-Length', code: 'invalid_format', message: 'does not match the body.' })
  return undefined
}

// What cannot be an id names nothing, and never reaches the database.
function pathIds(route: Route, request: FastifyRequest): { id: string; innerId: string } {
  const params = request.params as Record<string, string>
  const { id } = params
  if (id !== undefined && !isId(route.idPrefix as Prefix, id)) throw notFound(route.noun ?? 'resource')
  const innerId = route.inner && params[route.inner.name]
  if (route.inner && !isId(route.inner.idPrefix, innerId ?? '')) throw notFound(route.inner.noun)
  return { id: id ?? '', innerId: innerId ?? '' }
}

// A list may take long: it goes over lanes of its own, so that nobody's single read waits behind it.
const isList = (route: ReadRoute): boolean => 'cursor' in route.query.properties

function itemOf(route: ReadRoute): ReadRoute['response'] {
  const { properties } = route.response as { properties?: { data?: { items?: ReadRoute['response'] } } }
  return properties?.data?.items ?? route.response
}

const tokenOf = (request: FastifyRequest): string | undefined => bearerToken(request.headers.authorization)

const routeOf = (request: FastifyRequest): Route | undefined => (request.routeOptions.config as { route?: Route }).route

const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string

// Which methods a path knows, for Allow.
function methodTable(routes: Route[]): (path: string) => string[] {
  const patterns = routes.map(({ method, path }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return path => {
    const known = new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method as string))
    if (known.has('GET')) known.add('HEAD')
    return known.size > 0 ? [...known, 'OPTIONS'] : []
  }
}

// What is not HTTP at all: no route, no key and no trace, but still one clear answer.
function answerGarbage(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const [status, title] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request']
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: 'The request is not valid HTTP/1.1.' })
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
