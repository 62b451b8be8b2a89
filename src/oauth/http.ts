// OAuth over HTTP: metadata, registration, tokens and revocation. Any page may ask, for nothing here is by cookies; answers are not kept, and
// refusals are in OAuth's own form.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { createAddressLimiter } from '../ingress/address-limit.ts'
import { decoded, parseJson } from '../ingress/json.ts'
import { OAUTH_VALUES_MAX } from '../limits/oauth.ts'
import { ANONYMOUS_PER_MINUTE } from '../limits/rate.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { Problem } from '../problems.ts'
import { authenticate } from './authenticate.ts'
import { register } from './clients.ts'
import { readFields, required } from './fields.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { OAuthRefusal } from './refusal.ts'
import { readMetadata } from './registration.ts'
import { issue, revoke, type TokenContext } from './tokens.ts'

export interface OAuthOptions extends TokenContext {
  /** OAUTH_APP_SCHEMES. */
  appSchemes: readonly string[]
  /** OAUTH_REGISTRATIONS_PER_HOUR. */
  registrationsPerHour: number
  log: Logger
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

export interface OAuthHttp {
  server: Handler
  resource: Handler
  register: Handler
  token: Handler
  revoke: Handler
  /** A method that the path has not; OPTIONS is answered. */
  others(allowed: string[], request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** A path below `/.well-known` at which there is nothing. @throws {Problem} 404, which any page may read */
  noMetadata(reply: FastifyReply): never
  /** Such a path below `/api/oauth`. */
  noEndpoint(request: FastifyRequest, reply: FastifyReply): FastifyReply
  fail(error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply): FastifyReply
}

const ANYONE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Trace-Id' }
const NOT_KEPT = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
const METADATA_KEPT = { 'Cache-Control': 'public, max-age=300' }

export function oauthHttp(options: OAuthOptions): OAuthHttp {
  const { sql, baseUrl, log } = options
  const [server, resource] = [serverMetadata(baseUrl), resourceMetadata(baseUrl)].map(each => JSON.stringify(each)) as [string, string]
  const rules = { method: 'client_secret_basic', appSchemes: options.appSchemes } as const
  const limit = createAddressLimiter(ANONYMOUS_PER_MINUTE)

  // Those who fail are counted by their address, for a secret or a token could be guessed at.
  async function counted<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const slot = limit(request.ip)
    if (!slot.allowed) throw tooMany(slot.quota.resetMs)
    try {
      const done = await work()
      slot.giveBack()
      return done
    } catch (error) {
      // What goes wrong on our side, such as a database that is away, is no guess; nor is a good token that comes too often.
      if (!(error instanceof OAuthRefusal) || error.status === 429) slot.giveBack()
      throw error
    }
  }

  return {
    server: (request, reply) => send(request, reply, 200, server, METADATA_KEPT),
    resource: (request, reply) => send(request, reply, 200, resource, METADATA_KEPT),
    async register(request, reply) {
      const metadata = readMetadata(readObject(request), rules)
      const registered = await register(sql, metadata, request.ip, options.registrationsPerHour)
      return send(request, reply, 201, JSON.stringify(registered))
    },
    async token(request, reply) {
      const fields = readFields(formOf(request))
      const issued = await counted(request, async () =>
        issue(options, await authenticate(sql, request.headers.authorization, fields), fields),
      )
      return send(request, reply, 200, JSON.stringify(issued))
    },
    async revoke(request, reply) {
      const fields = readFields(formOf(request))
      await counted(request, async () => {
        const client = await authenticate(sql, request.headers.authorization, fields)
        await revoke(sql, client, required(fields, 'token'))
      })
      return reply
        .code(200)
        .headers({ ...ANYONE, ...NOT_KEPT, 'X-Trace-Id': request.traceId })
        .send()
    },
    others(allowed, request, reply) {
      const methods = [...allowed, 'OPTIONS'].join(', ')
      if (request.method !== 'OPTIONS')
        return refuse(request, reply, new OAuthRefusal('invalid_request', `Use ${methods}.`, 405, { Allow: methods }))
      return reply
        .code(204)
        .headers({
          ...ANYONE,
          ...NOT_KEPT,
          'X-Trace-Id': request.traceId,
          Allow: methods,
          'Access-Control-Allow-Methods': methods,
          'Access-Control-Allow-Headers': 'authorization, content-type, mcp-protocol-version',
          'Access-Control-Max-Age': '600',
        })
        .send()
    },
    noMetadata(reply) {
      reply.headers(ANYONE)
      throw new Problem('resource-not-found', 'There is nothing at this path.')
    },
    noEndpoint: (request, reply) =>
      refuse(
        request,
        reply,
        new OAuthRefusal(
          'invalid_request',
          `There is nothing at this path; ${baseUrl}/.well-known/oauth-authorization-server names those that there are.`,
          404,
        ),
      ),
    fail(error, request, reply) {
      const refusal = error instanceof OAuthRefusal ? error : (fromFramework(error, request.routeOptions.url) ?? unavailable(error))
      if (refusal) return refuse(request, reply, refusal)
      log.error({ err: error, traceId: request.traceId, path: request.routeOptions.url }, 'a request failed')
      return refuse(
        request,
        reply,
        new OAuthRefusal('server_error', `Something went wrong on our side; it was logged under ${request.traceId}.`, 500),
      )
    },
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: string,
  kept: Record<string, string> = NOT_KEPT,
): FastifyReply {
  return reply
    .code(status)
    .headers({ ...ANYONE, ...kept, 'X-Trace-Id': request.traceId, 'X-Content-Type-Options': 'nosniff', 'Content-Type': 'application/json' })
    .send(body)
}

function refuse(request: FastifyRequest, reply: FastifyReply, { error, message, status, headers }: OAuthRefusal): FastifyReply {
  return send(request, reply.headers(headers), status, JSON.stringify({ error, error_description: message }))
}

/** @throws {OAuthRefusal} */
function readObject(request: FastifyRequest): Record<string, unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new OAuthRefusal('invalid_client_metadata', 'Send the metadata as Content-Type: application/json.', 415)
  try {
    const value = parseJson(decoded((request.body as Buffer | undefined) ?? Buffer.alloc(0)), OAUTH_VALUES_MAX)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new OAuthRefusal(
      'invalid_client_metadata',
      error.members['code'] === 'too_deep' ? `The metadata ${error.message}` : error.message,
    )
  }
  throw new OAuthRefusal('invalid_client_metadata', 'The metadata must be a JSON object.')
}

/** @throws {OAuthRefusal} */
function formOf(request: FastifyRequest): Buffer {
  if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new OAuthRefusal('invalid_request', 'Send the parameters as Content-Type: application/x-www-form-urlencoded.', 415)
  return (request.body as Buffer | undefined) ?? Buffer.alloc(0)
}

// A registration is refused for its metadata (RFC 7591 §3.2.2).
function fromFramework({ code, status }: Error & { code?: string; status?: number }, path = ''): OAuthRefusal | undefined {
  const error = path.endsWith('/register') ? 'invalid_client_metadata' : 'invalid_request'
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || status === 413) return new OAuthRefusal(error, 'The body is too large.', 413)
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new OAuthRefusal(error, 'Content-Length does not match the body.')
  return undefined
}

function unavailable(error: Error): OAuthRefusal | undefined {
  return isUnavailable(error)
    ? new OAuthRefusal('temporarily_unavailable', 'The service cannot reach its database just now; try again.', 503, { 'Retry-After': '1' })
    : undefined
}

function tooMany(resetMs: number): OAuthRefusal {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return new OAuthRefusal('temporarily_unavailable', `Too many refused requests from this address; try again in ${seconds} s.`, 429, {
    'Retry-After': String(seconds),
  })
}
