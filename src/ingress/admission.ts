// Admission: authenticates, rate-limits and checks the scope, and sets the rate-limit headers of every response. One round trip finds the key
// and takes a slot of its sliding log. A malformed token costs no query, and a made-up one next to none: its address is counted before the
// database is asked.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import { LATE_KEY_QUESTIONS } from '../limits/access.ts'
import { ANONYMOUS_PER_MINUTE } from '../limits/rate.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { Problem } from '../problems.ts'
import { createAddressLimiter } from './address-limit.ts'
import { type Quota, rateHeaders, tooMany } from './quota.ts'
import type { Route } from './route.ts'
import { isSession, notOurs, takesSessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request has been judged. */
    decision: Decision | undefined
    /** Set when the request is admitted: for a write before its handler runs. The handler of a read gets the caller from `admit`. */
    caller: Caller
  }
}

export type Bucket = 'read' | 'write'

/** What the noun of credentials found out. The authenticator is handed in, so that the ingress knows no noun. */
export interface Admission {
  caller: Caller
  scopes: string[]
  quota: Quota
  allowed: boolean
  /** The id of a browser's session, where it is one. */
  session?: string
}

export interface Authenticator {
  /** Whether this process knows the token as a key. */
  knows(token: string): boolean
  /**
   * Whether an unknown token is a key: it is known from then on. Takes no slot.
   * @param late whether the caller is beyond the limit of its address
   * @returns undefined where the lookup for a late caller has to wait. It takes place all the same, so that the caller's next try is admitted
   */
  find(token: string, late: boolean): Promise<boolean> | undefined
  /** Takes a slot of a known key. Undefined: the key was revoked. */
  admit(token: string, bucket: Bucket): Promise<Admission | undefined>
  /** Calls `end` within a minute after the caller's key was revoked. @returns ends the watch */
  watch(caller: Caller, end: () => void): () => void
  /** The caller that the token had when it was last admitted with room to spare: work may begin while `admit` is under way. */
  expect(token: string): Caller | undefined
}

/** Browsers’ sessions, in place of keys. */
export interface Sessions extends Pick<Authenticator, 'knows' | 'find' | 'admit'> {
  /** What stands for the session that the cookie names, with a space in it: no Bearer token has one, so none passes for a session. */
  credentialOf(headers: IncomingHttpHeaders): string | undefined
  /** Whether a page of ours sent the request: another site's knows no token of the session's. */
  isOurs(headers: IncomingHttpHeaders, session: string): boolean
}

export interface Decision {
  /** Present with a valid key. */
  admission: Admission | undefined
  quota: Quota
  /** Why the request is refused: to be thrown once the route is known to exist. */
  refusal: Error | undefined
}

export interface Admissions {
  /** Authenticates, limits, checks the scope, sets `caller`, and the headers that every response carries. @throws {Problem} 401, 403, 429 */
  admit(route: Route, request: FastifyRequest, reply: FastifyReply, token?: string): Promise<Caller>
  /** The credential that a request brings. */
  credentialOf(request: FastifyRequest): string | undefined
  /** Sets those headers, and refuses no request. */
  setRateHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** @param recognise called with each connection over which a valid key came @param sessions where some paths take them */
export function createAdmissions(authenticator: Authenticator, recognise: (socket: Socket) => void, sessions?: Sessions): Admissions {
  const decideOn = admitter(authenticator, sessions)
  const credentialOf = (request: FastifyRequest): string | undefined =>
    request.headers.authorization === undefined && takesSessions(request.url) ? sessions?.credentialOf(request.headers) : tokenOf(request)

  async function decisionFor(
    request: FastifyRequest,
    reply: FastifyReply,
    isPublic: boolean,
    token: string | undefined,
  ): Promise<Decision> {
    request.decision ??= await decideOn(token, request, bucketOf(request.method), isPublic).catch((error: unknown) => {
      // The database is away: remembered, so that the refusal that follows does not wait for it again.
      if (isUnavailable(error)) return { admission: undefined, quota: UNKNOWN_QUOTA, refusal: error as Error }
      throw error
    })
    if (request.decision.admission) recognise(request.raw.socket)
    reply.headers(rateHeaders(request.decision.quota))
    return request.decision
  }

  return {
    credentialOf,
    async admit(route, request, reply, token = credentialOf(request)) {
      const decision = await decisionFor(request, reply, route.public === true, token)
      if (decision.refusal) throw decision.refusal
      request.caller = callerOf(decision, route, request.traceId)
      const session = decision.admission?.session
      if (session !== undefined && route.method !== 'GET' && !sessions?.isOurs(request.headers, session)) throw notOurs()
      return request.caller
    },
    async setRateHeaders(request, reply) {
      await decisionFor(request, reply, true, credentialOf(request))
    },
  }
}

function callerOf({ admission }: Decision, route: Route, traceId: string): Caller {
  if (route.public) return admission?.caller ?? { tenant: '', actor: { type: 'system' } }
  if (!admission?.scopes.includes(route.scope))
    throw new Problem('insufficient-scope', `This key lacks the scope ${route.scope}.`, { required_scope: route.scope })
  admission.caller.traceId = traceId
  return admission.caller
}

/** While the database is away no window can be read. */
const UNKNOWN_QUOTA = { limit: 0, remaining: 0, resetMs: 1000 }

/** The token of `Bearer <token>`, the scheme in any case (RFC 9110, RFC 6750). Undefined where there is none, or no single one. */
export function tokenOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1]
}

/** Decides on a request: yields the quota for its headers, and the refusal, if there is one. */
function admitter(keys: Authenticator, sessions: Sessions | undefined) {
  const anonymous = createAddressLimiter(ANONYMOUS_PER_MINUTE)

  return async function decideOn(token: string | undefined, from: { ip: string }, bucket: Bucket, isPublic: boolean): Promise<Decision> {
    const authenticator = sessions && token !== undefined && isSession(token) ? sessions : keys
    // Before the database is asked, for any caller can make up a token that looks like a key.
    const slot = token !== undefined && authenticator.knows(token) ? undefined : anonymous(from.ip)
    const isKey = token !== undefined && (!slot || (await authenticator.find(token, !slot.allowed)))
    const admission = isKey ? await authenticator.admit(token, bucket) : undefined
    if (admission) {
      slot?.giveBack()
      return { admission, quota: admission.quota, refusal: admission.allowed ? undefined : tooMany(admission.quota) }
    }
    const { quota, allowed } = slot ?? anonymous(from.ip)
    if (isPublic) return { admission, quota, refusal: undefined }
    if (!allowed) return { admission, quota, refusal: tooMany(quota, isKey === undefined ? LATE_KEY_QUESTIONS.everyMs : undefined) }
    return { admission, quota, refusal: token === undefined || isSession(token) ? unauthenticated() : unknownKey() }
  }
}

export const bucketOf = (method: string | undefined): Bucket =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write'

function unauthenticated(): Problem {
  return new Problem(
    'authentication-required',
    'Send your API key as: Authorization: Bearer <API_KEY>',
    {},
    { 'WWW-Authenticate': 'Bearer' },
  )
}

const unknownKey = (): Problem => new Problem('invalid-api-key', 'This API key is unknown or revoked.')
