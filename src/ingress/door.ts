// The door: everybody is met there, and told with every answer how much of their quota is left.
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { Problem } from '../problems.ts'
import { type Authenticator, bucketOf, doorkeeper, type Entry, rateHeaders } from './authenticate.ts'
import { tokenOf } from './request.ts'
import type { Route } from './route.ts'

export interface Door {
  /** Authenticates, limits, checks the scope, and sets the headers that every response carries. @throws {Problem} 401, 403, 429 */
  enter(route: Route, request: FastifyRequest, reply: FastifyReply, token?: string): Promise<Caller>
  /** Sets those headers and refuses nobody. */
  greet(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** @param recognise told of each request's connection over which a valid key came */
export function openDoor(authenticator: Authenticator, recognise: (socket: Socket) => void): Door {
  const meet = doorkeeper(authenticator)

  async function met(request: FastifyRequest, reply: FastifyReply, isPublic: boolean, token: string | undefined): Promise<Entry> {
    request.entry ??= await meet(token, request, bucketOf(request.method), isPublic).catch((error: unknown) => {
      // Asked once: the database is away, and the refusal that follows shall not wait for it again.
      if (isUnavailable(error)) return { admission: undefined, quota: UNKNOWN_QUOTA, refusal: error as Error }
      throw error
    })
    if (request.entry.admission) recognise(request.raw.socket)
    reply.headers(rateHeaders(request.entry.quota))
    return request.entry
  }

  return {
    async enter(route, request, reply, token = tokenOf(request)) {
      const entry = await met(request, reply, route.public === true, token)
      if (entry.refusal) throw entry.refusal
      const { admission } = entry
      if (route.public) return admission?.caller ?? { tenant: '', actor: { type: 'system' } }
      if (!admission?.scopes.includes(route.scope))
        throw new Problem('insufficient-scope', `This key lacks the scope ${route.scope}.`, { required_scope: route.scope })
      admission.caller.traceId = request.traceId
      return admission.caller
    },
    async greet(request, reply) {
      await met(request, reply, true, tokenOf(request))
    },
  }
}

/** While the database is away nobody's window can be read. */
const UNKNOWN_QUOTA = { limit: 0, remaining: 0, resetMs: 1000 }
