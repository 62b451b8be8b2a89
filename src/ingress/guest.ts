// Routes for guests: browsers on the pages of tenants, without a key. A token of ours says who the guest is, and the page's origin must be one that the
// tenant has named (CORS); a limiter of its own counts their addresses. What they ask of is named by the first id of the path.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { isId, type Prefix } from '../ids.ts'
import { GUEST_BODY_BYTES } from '../limits/chat.ts'
import { notFound } from '../problems.ts'
import type { AddressLimiter } from './address-limit.ts'
import { requireJson } from './body.ts'
import { subscriber } from './connections/caller-address.ts'
import { waiveLimit } from './connections/deadline.ts'
import { allow, foreign, preflight, unlessGone } from './cors.ts'
import { gather, giveBack } from './gather.ts'
import { readPlatformJson } from './platform-json.ts'
import type { ProblemReplies, Routed } from './problem-replies.ts'
import { rateHeaders, tooMany } from './quota.ts'
import { type Body, bodyOf } from './upload.ts'
import { validate } from './validate.ts'

/** What guests ask of: a chat, for instance. */
export interface Place<At> {
  /** The prefix of its ids, and what they name, for the 404. */
  idPrefix: Prefix
  noun: string
  /** @returns undefined where there is none */
  find(id: string): Promise<At | undefined>
  /** The same, if it is known without asking: for refusals, which must cost nothing. */
  known(id: string): At | undefined
  /** The origins of the pages on which it may stand. */
  origins(at: At): readonly string[]
}

export interface GuestInput<At, B> {
  at: At
  /** The second id of the path; empty where it has none. */
  innerId: string
  body: B
  query: Record<string, unknown>
  /** The token of `Authorization: Bearer`. */
  token: string | undefined
  /** The address of the guest's subscriber, by which guests are told apart: tokens are given for the asking. */
  guest: string
  headers: FastifyRequest['headers']
  /** The body of a route that takes a file. */
  file(maxBytes: number): Body
}

export interface GuestAnswer {
  /** 200 unless said otherwise; 204 without a body. */
  status?: number
  /** JSON, or a stream of what `headers` say. */
  body?: object | Readable
  headers?: Record<string, string>
}

export interface GuestRoute<At = unknown, B extends TSchema = TSchema> {
  method: 'GET' | 'POST'
  /** With `{id}`, and perhaps a second parameter. */
  path: string
  innerPrefix?: Prefix
  limit: AddressLimiter
  /** The schema of its JSON; or a file, of any type. */
  body?: B | 'file'
  handler(input: GuestInput<At, Static<B>>): Promise<GuestAnswer>
}

export const guestRoute = <At, B extends TSchema>(route: GuestRoute<At, B>): GuestRoute<At> => route as unknown as GuestRoute<At>

/** The methods of the routes, for `Allow`. */
export const methodsOfGuests = (routes: GuestRoute[]): Routed[] => routes.map(({ method, path }) => ({ method, path }))

export interface Guests {
  // biome-ignore lint/suspicious/noExplicitAny: each group of routes has a place of its own
  place: Place<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  routes: GuestRoute<any>[]
  /** The limit of the questions that browsers ask before a request. */
  preflightLimit: AddressLimiter
}

/** @param paceMs the time over which the pace of an upload is averaged */
export function guestRoutes(
  app: FastifyInstance,
  { place, routes, preflightLimit }: Guests,
  replies: ProblemReplies,
  paceMs: number,
): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async (request: FastifyRequest, body: FastifyRequest['raw']) =>
      isFile(request) ? undefined : gather(body, GUEST_BODY_BYTES),
    )
    for (const route of routes) serve(scope, route)
    for (const path of new Set(routes.map(each => each.path))) serveOthers(scope, path)
  })

  function serve(scope: FastifyInstance, route: GuestRoute): void {
    scope.route({
      method: route.method,
      url: urlOf(route.path),
      exposeHeadRoute: false,
      bodyLimit: GUEST_BODY_BYTES,
      config: { guest: route },
      onRequest: async (request, reply) => {
        const { quota, allowed } = route.limit(request.ip)
        reply.headers(rateHeaders(quota))
        if (!allowed) {
          allow(reply, originAllowed(request, place.known(idOf(request))))
          throw tooMany(quota)
        }
        await admit(request, reply)
        if (route.body === 'file') expectFile(request)
        else if (route.body !== undefined) requireJson(request.headers)
      },
      handler: (request, reply) => answer(route, request, reply),
    })
  }

  function serveOthers(scope: FastifyInstance, path: string): void {
    const methods = routes.filter(each => each.path === path).map(each => each.method as string)
    scope.route({
      method: METHODS.filter(each => !methods.includes(each)),
      url: urlOf(path),
      onRequest: async (request, reply) => {
        const { quota, allowed } = preflightLimit(request.ip)
        reply.headers(rateHeaders(quota))
        if (!allowed) throw tooMany(quota)
        if (request.method === 'OPTIONS') await admit(request, reply).catch(unlessGone)
        else await admit(request, reply)
        if (request.method !== 'OPTIONS') return replies.answerUnrouted(request, reply)
        return reply
          .code(204)
          .headers({ ...preflight(methods), 'X-Trace-Id': request.traceId })
          .send()
      },
      handler: replies.answerUnrouted,
    })
  }

  /** @throws {Problem} 404; 403 for a page of an origin that was not named */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const id = idOf(request)
    const at = isId(place.idPrefix, id) ? await place.find(id) : undefined
    if (at === undefined) {
      // There is nothing that an origin could be kept from.
      allow(reply, '*')
      throw notFound(place.noun)
    }
    const allowed = originAllowed(request, at)
    allow(reply, allowed)
    if (request.headers.origin !== undefined && allowed === undefined) throw foreign(request.headers.origin)
    Object.assign(request, { guestAt: at })
  }

  function originAllowed({ headers: { origin } }: FastifyRequest, at: unknown): string | undefined {
    return origin !== undefined && at !== undefined && place.origins(at).includes(origin) ? origin : undefined
  }

  async function answer(route: GuestRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { innerId = '' } = request.params as { innerId?: string }
    if (route.innerPrefix && !isId(route.innerPrefix, innerId)) throw notFound('file')
    const input = {
      at: (request as unknown as { guestAt: unknown }).guestAt,
      innerId,
      body: bodyOfGuest(route, request),
      query: request.query as Record<string, unknown>,
      token: /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1],
      guest: subscriber(request.ip),
      headers: request.headers,
      file: (maxBytes: number) => bodyOf(request.raw, maxBytes, paceMs),
    }
    const { status = 200, body, headers } = await route.handler(input)
    reply.code(status).headers({ ...PLAIN, 'X-Trace-Id': request.traceId, ...headers })
    if (body === undefined) return reply.send()
    if (body instanceof Readable) return reply.send(body)
    return reply.header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify(body))
  }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const PLAIN = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

const idOf = (request: FastifyRequest): string => (request.params as { id?: string }).id ?? ''

// Any type is taken, also none: what the file is, is told by its content.
function expectFile(request: FastifyRequest): void {
  request.headers['content-type'] ??= 'application/octet-stream'
  waiveLimit(request.raw)
}

const isFile = (request: FastifyRequest): boolean => (request.routeOptions.config as { guest?: GuestRoute }).guest?.body === 'file'

/** What cannot be stored is mended, not refused: a guest can do nothing about it. @throws {Problem} 413, 422 */
function bodyOfGuest({ body: schema }: GuestRoute, request: FastifyRequest): unknown {
  if (schema === undefined || schema === 'file') return undefined
  const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  const { value } = readPlatformJson(raw)
  giveBack(raw)
  return validate(schema, value)
}
