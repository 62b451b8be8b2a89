// The HTTP server: admits, checks and serves each request, always in the same order; every refusal becomes a problem document.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { JSON_BODY_BYTES } from '../limits/bodies.ts'
import type { Database } from '../postgres/sql.ts'
import { type Authenticator, createAdmissions, type Sessions } from './admission.ts'
import { bodyBytesOf, expectBody } from './body.ts'
import { type CallbackRoute, callbackRoutes, methodsOf } from './callback.ts'
import { waiveLimit } from './connections/deadline.ts'
import { openListener, type Patience } from './connections/listener.ts'
import type { Wordings } from './connections/malformed-http.ts'
import { proxyWatch, trusting } from './connections/proxies.ts'
import { gather } from './gather.ts'
import { type Guests, guestRoutes, methodsOfGuests } from './guest.ts'
import { handlers } from './handlers.ts'
import type { LongReads } from './long-reads.ts'
import { PROBES } from './probes.ts'
import { problemReplies, type RefuseWithPage, type Routed } from './problem-replies.ts'
import { pathOf, routeOf } from './request.ts'
import { ANY_TYPE, type FileType, type Route } from './route.ts'
import { traceIdOf } from './trace.ts'
import { requireFile } from './upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for an upload before its handler runs. */
    fileType: FileType
  }
  interface FastifyInstance {
    /** Called with each connection over which a valid credential came. */
    recognise(socket: Socket): void
    /** What answers below a prefix where the path is not valid percent-encoding, which the router hands to no plugin. */
    unreadable: Map<string, (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>>
    /** How malformed input is refused below a prefix, where not by a problem document. */
    wordings: Wordings
  }
}

export interface Ingress {
  config: Config
  db: Database
  log: Logger
  authenticator: Authenticator
  routes: Route[]
  longReads: LongReads
  /** Not in the OpenAPI document, whose subject is the API with keys. */
  callbacks?: CallbackRoute[]
  /** Likewise. */
  guests?: Guests
  /** A second way in, for the paths that take it. */
  sessions?: Sessions
  /** Without it, people are answered as programs are. */
  refuseWithPage?: RefuseWithPage
  patience: Patience
}

/** Builds the server of REST v1, which does not listen yet. */
export function buildServer(ingress: Ingress): FastifyInstance {
  const { config, db, log, authenticator, routes, longReads, callbacks = [], guests, sessions, refuseWithPage, patience } = ingress
  const trust = trusting(config.trustProxy)
  const watch = config.trustProxy === false ? proxyWatch(db.sql, log) : undefined
  const listener = openListener({ config, log, patience, isProxy: address => trust(address, 0), watch })
  const admissions = createAdmissions(authenticator, listener.recognise, sessions)
  /** What plugins let be read: documentation, assets and the like. */
  const read: Routed[] = []
  const replies = problemReplies(
    admissions,
    () => [...routes, ...callbacks.flatMap(methodsOf), ...(guests ? methodsOfGuests(guests.routes) : []), ...read],
    config.docsUrl,
    log,
    refuseWithPage,
  )
  const handlerOf = handlers(db, authenticator, admissions, replies, longReads, patience.paceMs)
  const fixedPaths = new Set(routes.map(({ path }) => path).filter(path => !path.includes('{')))
  const app = Fastify({
    // Fastify's own lines below a warning are left out: the service logs what an operator needs at info.
    loggerInstance: log.child({}, { level: quieter(log.level) }),
    // A line for each request costs more than answering it; failures are logged in problem-replies.ts.
    logController: new LogController({ disableRequestLogging: true }),
    // All requests share one logger: a child would be made for every request and used by few.
    childLoggerFactory: logger => logger,
    // A request is told by its trace id.
    genReqId: () => '',
    trustProxy: config.trustProxy === false ? false : trust,
    bodyLimit: JSON_BODY_BYTES,
    serverFactory: handler => listener.serve(handler),
    // A request that arrives over a kept connection while this process ends is served, and the connection ends with the answer.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void answerUnreadable(error, request, reply),
    clientErrorHandler: listener.refuseMalformed,
    routerOptions: { maxParamLength: 200 },
    // Bodies are checked and answers written by our own: Fastify would load a validator and a serialiser that nothing uses.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
  }) as unknown as FastifyInstance
  const unreadable: FastifyInstance['unreadable'] = new Map()
  app.decorate('recognise', listener.recognise)
  app.decorate('unreadable', unreadable)
  app.decorate('wordings', listener.wordings)
  app.decorateRequest('traceId', '')
  app.decorateRequest('decision', undefined)
  app.decorateRequest('caller')
  app.decorateRequest('fileType')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request: FastifyRequest, body: IncomingMessage) =>
    gather(body, bodyBytesOf(routeOf(request))),
  )
  const fileTypes = routes.flatMap(route => (route.kind === 'upload' ? (route.types === ANY_TYPE ? [SOME_FILE] : route.types) : []))
  if (fileTypes.length > 0) app.addContentTypeParser([...new Set(fileTypes)], async (_request: FastifyRequest) => undefined)

  app.addHook('onRoute', ({ method, url, config }) => {
    if (method === 'GET' && !(config as { route?: Route } | undefined)?.route) read.push({ method, path: url })
  })
  app.addHook('onRequest', (request, reply, done) => {
    request.traceId = traceIdOf(request.headers)
    const route = routeOf(request)
    // A read is admitted in its handler, while its query is under way; routes without keys have rules of their own, and a plugin with a prefix has its
    // own answer where it has no route.
    if (route ? route.method === 'GET' && !isUnrouted(route, request) : !request.is404 || request.server !== app) return done()
    admitFirst(route, request, reply).then(() => reply.sent || done(), done)
  })
  if (log.isLevelEnabled('debug')) app.addHook('onResponse', async (request, reply) => logRequest(log, request, reply))
  app.addHook('preClose', async () => listener.close())
  app.setErrorHandler((error: Error, request, reply) => replies.answerError(error, request, reply))
  app.setNotFoundHandler((request, reply) => replies.answerUnrouted(request, reply))
  for (const route of routes) {
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: bodyBytesOf(route),
      config: { route },
      handler: handlerOf(route),
    })
  }
  callbackRoutes(app, callbacks, replies.answerUnrouted, log)
  if (guests) guestRoutes(app, guests, replies, patience.paceMs)
  return app

  async function answerUnreadable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    request.traceId = traceIdOf(request.headers)
    const [, answer] = [...unreadable].find(([prefix]) => pathOf(request).startsWith(`${prefix}/`)) ?? []
    // Nothing above catches what is thrown here.
    return answer
      ? answer(request, reply).catch(failure => replies.answerError(failure, request, reply))
      : replies.answerUnreadable(error, request, reply)
  }

  // The router takes a fixed path such as `…/bulk` for one with an id, where the fixed path lacks the method.
  function isUnrouted(route: Route | undefined, request: FastifyRequest): boolean {
    return request.is404 || ((route?.idPrefix ?? route?.names) !== undefined && fixedPaths.has(pathOf(request)))
  }

  async function admitFirst(route: Route | undefined, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    if (isUnrouted(route, request)) return replies.answerUnrouted(request, reply)
    if (!route || route.method === 'GET') return
    await admissions.admit(route, request, reply)
    if (route.kind !== 'upload') return void expectBody(route, request.headers)
    request.fileType = requireFile(route, request.headers)
    // Fastify has a parser for each type, and none for all.
    if (route.types === ANY_TYPE) request.headers['content-type'] = SOME_FILE
    waiveLimit(request.raw)
  }
}

const unused = (): never => {
  throw new Error('no route gives Fastify a schema')
}

/** What any type is called where a file of any type is taken. */
const SOME_FILE = 'application/octet-stream'

const quieter = (level: string): string => (level === 'info' ? 'warn' : level)

function logRequest(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  if (PROBES.has(pathOf(request))) return
  const ms = Math.round(reply.elapsedTime)
  log.debug({ traceId: request.traceId, method: request.method, path: pathOf(request), status: reply.statusCode, ms }, 'answered')
}
