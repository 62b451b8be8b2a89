// Handlers of admitted requests: reads, writes and uploads.
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Caller } from '../caller.ts'
import { UPLOADS_AT_ONCE } from '../limits/connections.ts'
import { WRITES_IN_TURNS_AT_ONCE } from '../limits/requests.ts'
import { createPlaces } from '../places.ts'
import type { Database } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { createTurns } from '../turns.ts'
import type { Admissions, Authenticator } from './admission.ts'
import { readBody, takesJson } from './body.ts'
import { precondition } from './conditional.ts'
import { subscriber } from './connections/caller-address.ts'
import { parseFields } from './fields.ts'
import { type Claim, idempotencyKey, once, remember } from './idempotency.ts'
import type { LongReads } from './long-reads.ts'
import type { ProblemReplies } from './problem-replies.ts'
import { TOO_MANY_UPLOADS } from './problem-schemas.ts'
import { readFilters, readQuery } from './query.ts'
import { pathIds, pathOf } from './request.ts'
import type { Answer, JsonWrite, Listed, ReadContext, ReadRoute, Route, Streamed, Upload } from './route.ts'
import { send } from './send.ts'
import { bodyOf } from './upload.ts'
import { writeTransaction } from './write-transaction.ts'

/**
 * @param paceMs the time over which an upload's pace is averaged
 * @returns makes the handler of a route
 */
export function handlers(
  db: Database,
  authenticator: Authenticator,
  admissions: Admissions,
  { asProblem }: ProblemReplies,
  longReads: LongReads,
  paceMs: number,
): (route: Route) => RouteHandlerMethod {
  const uploads = createPlaces({ ...UPLOADS, all: UPLOADS_AT_ONCE })
  const turns = createTurns(createPlaces({ ...IN_TURNS, all: WRITES_IN_TURNS_AT_ONCE }))
  return route => {
    if (route.kind === 'read') return (request, reply) => serveRead(route, request, reply)
    if (route.kind === 'upload') return (request, reply) => serveUpload(route, request, reply)
    const write = writeTransaction(db, route, turns)
    return (request, reply) => serveWrite(route, write, request, reply)
  }

  async function serveRead(route: ReadRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const token = admissions.credentialOf(request)
    const expected = token === undefined ? undefined : authenticator.expect(token)
    const admitted = admissions.admit(route, request, reply, token)
    const answer = (caller: Caller) => readAnswer(route, request, caller, readingApart(admitted, reply))
    // Begun on the strength of an earlier admission, and thrown away should this one refuse: saves a round trip.
    const early = expected && !route.file ? answer(expected) : undefined
    early?.catch(() => {})
    const caller = await admitted
    const found = await (early ?? answer(caller))
    if ('open' in found) cutOffWhenRevoked(caller, request, reply)
    return send(request, reply, found)
  }

  // A file, a stream or an upload may go on long after its key was checked.
  function cutOffWhenRevoked(caller: Caller, request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once(
      'close',
      authenticator.watch(caller, () => request.raw.socket.destroy()),
    )
  }

  // Only for an admitted caller, and for as long as it waits for the answer.
  function readingApart(admitted: Promise<Caller>, reply: FastifyReply): ReadContext['apart'] {
    return async work => {
      const { tenant } = await admitted
      const leaving = new AbortController()
      reply.raw.once('close', () => leaving.abort(new Problem('service-unavailable', 'The caller has left.')))
      return longReads(tenant, work, leaving.signal)
    }
  }

  async function readAnswer(
    route: ReadRoute,
    request: FastifyRequest,
    caller: Caller,
    apart: ReadContext['apart'],
  ): Promise<Answer | Listed | Streamed> {
    const query = readQuery(route.query, request.query as Record<string, string>)
    const { fields } = query as { fields?: string }
    const project = fields === undefined ? undefined : parseFields(fields, itemOf(route))
    const acceptEncoding = String(request.headers['accept-encoding'] ?? '')
    const lastEventId = request.headers['last-event-id']
    const input = { caller, ...pathIds(route, request), query: query as never, project, url: pathOf(request), acceptEncoding }
    return route.handler({
      ...input,
      ...(typeof lastEventId === 'string' && { lastEventId }),
      ...(route.public && { guest: subscriber(request.ip) }),
      ...(route.filters !== undefined && { filters: readFilters(request.query as Record<string, string>, request.url) }),
      apart,
      sql: isList(route) ? db.listLanes : db.pointLane,
    })
  }

  async function serveWrite(
    route: JsonWrite,
    write: ReturnType<typeof writeTransaction>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { caller } = request
    const body = takesJson(route) ? await readBody(route, request) : undefined
    const key = route.method === 'POST' ? idempotencyKey(request.headers['idempotency-key']) : undefined
    const unchanged = precondition(request.headers['if-match'], request.headers['if-unmodified-since'])
    const unexpected = (error: unknown) => asProblem(error as Error, request)
    const input = {
      caller,
      ...pathIds(route, request),
      query: {},
      project: undefined,
      url: pathOf(request),
      body,
      unchanged,
      unexpected,
    }
    const leaving = new AbortController()
    if (route.kind === 'action') reply.raw.once('close', () => leaving.abort(new Problem('service-unavailable', 'The caller has left.')))
    const work = (claim?: Claim): Promise<Answer> => write({ input, claim, leaving: leaving.signal })
    return send(request, reply, await (key === undefined ? work() : once(db.sql, caller.tenant, key, work)))
  }

  async function serveUpload(route: Upload, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { caller } = request
    const query = readQuery(route.query, request.query as Record<string, string>) as never
    const key = idempotencyKey(request.headers['idempotency-key'])
    cutOffWhenRevoked(caller, request, reply)
    const input = {
      caller,
      id: '',
      innerId: '',
      query,
      project: undefined,
      url: pathOf(request),
      sql: db.sql,
      ...request.fileType,
    }
    const { bytes, ...holder } = bodyOf(request.raw, route.maxBytes, paceMs)
    const leave = uploads.take(caller.tenant, holder)
    const work = (claim?: Claim): Promise<Answer> =>
      route.take({ ...input, bytes, remember: async (tx, answer) => claim && remember(tx, claim, answer) })
    const answer = key === undefined ? work() : once(db.sql, caller.tenant, key, work)
    return send(request, reply, await answer.finally(leave))
  }
}

const IN_TURNS = { code: 'busy', what: 'writes by turns', instead: 'wait until one has ended' }
const UPLOADS = { code: TOO_MANY_UPLOADS.code, what: 'uploads', instead: 'wait until one has ended' }
// A list may take long: it goes over lanes of its own, so that no single read waits behind it.
const isList = (route: ReadRoute): boolean => 'cursor' in route.query.properties

function itemOf(route: ReadRoute): ReadRoute['response'] {
  const { properties } = route.response as { properties?: { data?: { items?: ReadRoute['response'] } } }
  return properties?.data?.items ?? route.response
}
