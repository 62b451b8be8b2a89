// Turns errors, and paths or methods without a route, into problem documents.
import { setImmediate } from 'node:timers/promises'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isReadOnly, isUnavailable } from '../postgres/errors.ts'
import { invalid, notAllowed, Problem, problemDocument } from '../problems.ts'
import type { Admissions } from './admission.ts'
import { unsupported } from './body.ts'
import { pathOf } from './request.ts'

export interface ProblemReplies {
  answerError(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** 404, 405 and OPTIONS: decided before a key is required, yet counted like any request. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** The problem to answer for an error. An error that was not thrown on purpose is logged. */
  asProblem(error: Error, request: FastifyRequest): Problem
  answerUnreadable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const API = /^\/api\/(v1|platform)(\/|$)/

/** A refusal holds for the moment only; caches may keep some statuses unless told not to. */
const NOT_KEPT = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** What answers at a path, which has `{id}`, or as Fastify writes them `:id` and `*`. */
export interface Routed {
  method: string
  path: string
}

/** Answers people with a page, for programs with a problem document. */
export type RefuseWithPage = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function problemReplies(
  admissions: Admissions,
  routes: () => Routed[],
  docsUrl: string,
  log: Logger,
  refuseWithPage?: RefuseWithPage,
): ProblemReplies {
  // Made when it is first asked for: then all routes are there.
  let methodsOf: ReturnType<typeof methodTable> | undefined
  return { answerError, answerUnrouted, asProblem, answerUnreadable }

  async function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const problem = asProblem(error, request)
    // A tick later a body that came with its head has been read; with an unread body the answer would have to end the connection.
    if (!request.raw.complete) await setImmediate()
    if (!reply.hasHeader('X-RateLimit-Limit') && API.test(pathOf(request)))
      // A failure here usually has the same cause as the refusal; thrown, it would reach the caller in the database's words.
      await admissions
        .setRateHeaders(request, reply)
        .catch(err => log.error({ err, traceId: request.traceId }, 'a refusal goes without its rate headers'))
    if (refuseWithPage && isForPeople(request)) return refuseWithPage(problem, request, reply)
    const document = problemDocument(problem, docsUrl, pathOf(request), request.traceId)
    return reply
      .code(problem.status)
      .headers({ ...problem.headers, ...NOT_KEPT, 'X-Trace-Id': request.traceId, 'Content-Type': 'application/problem+json' })
      .send(Buffer.from(JSON.stringify(document)))
  }

  async function answerUnrouted(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    methodsOf ??= methodTable(routes())
    const methods = methodsOf(pathOf(request))
    const headers = methods.length > 0 ? { Allow: methods.join(', ') } : {}
    if (request.method === 'OPTIONS' && methods.length > 0) {
      await admissions.setRateHeaders(request, reply)
      return reply
        .code(204)
        .headers({ ...headers, ...NOT_KEPT, 'X-Trace-Id': request.traceId })
        .send()
    }
    // A route that finds nothing under a name hands its request on.
    const isOther = methods.length > 0 && !methods.includes(request.method)
    const problem = isOther ? notAllowed(request.method, methods) : new Problem('resource-not-found', 'There is nothing at this path.')
    return answerError(problem, request, reply)
  }

  async function answerUnreadable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    log.debug({ err: error }, 'a path that cannot be read')
    const why = error.code === 'FST_ERR_BAD_URL' ? ': it is not valid percent-encoding' : ''
    await answerError(new Problem('resource-not-found', `There is nothing at this path${why}.`), request, reply)
  }

  function asProblem(error: Error, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error
    const framework = fromFramework(error, request.routeOptions.bodyLimit)
    if (framework) return framework
    if (hasLeft(request, error)) {
      log.debug({ err: error, traceId: request.traceId }, 'the client broke off')
      return invalid({ field: '', code: 'upload_incomplete', message: 'The body did not arrive whole. Send it again.' })
    }
    if (isUnavailable(error)) {
      log.error({ err: error, traceId: request.traceId }, 'the database did not answer')
      const why = isReadOnly(error)
        ? 'The database of the service takes no changes just now'
        : 'The service cannot reach its database just now'
      return new Problem('service-unavailable', `${why}; try again.`, {}, { 'Retry-After': '1' })
    }
    log.error({ err: error, traceId: request.traceId, method: request.method, path: pathOf(request) }, 'a request failed')
    return new Problem('internal-error', 'Something went wrong on our side; it was logged under the trace_id.')
  }
}

// The connection to the client breaks with the same codes as one to the database, but is the request's own failure.
const hasLeft = ({ raw }: FastifyRequest, error: Error): boolean => raw.errored === error

function fromFramework(error: Error & { code?: string }, maxBytes: number): Problem | undefined {
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupported()
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('payload-too-large', `The body may have at most ${maxBytes} bytes.`, { max_bytes: maxBytes })
  if (error.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return invalid({ field: 'Content-Length', code: 'invalid_format', message: 'does not match the body.' })
  return undefined
}

/** Pages are for people; elsewhere outside the API a browser that opens an address says that it wants one. */
function isForPeople(request: FastifyRequest): boolean {
  if ((request.routeOptions.config as { page?: true }).page) return true
  return !/^\/api(\/|$)/.test(pathOf(request)) && /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(request.headers.accept ?? '')
}

// The methods of a path, for Allow.
function methodTable(routes: Routed[]): (path: string) => string[] {
  const patterns = routes.map(({ method, path }) => ({ method, path, pattern: patternOf(path) }))
  return path => {
    const fixed = patterns.filter(each => each.path === path)
    const found = fixed.length > 0 ? fixed : patterns.filter(({ pattern }) => pattern.test(path))
    const known = new Set(found.map(({ method }) => method))
    if (known.has('GET')) known.add('HEAD')
    return known.size > 0 ? [...known, 'OPTIONS'] : []
  }
}

function patternOf(path: string): RegExp {
  const anything = path.replaceAll('.', '\\.').replaceAll('*', '.*')
  return new RegExp(`^${anything.replaceAll(/\{\w+\}|:\w+/g, '[^/]+')}$`)
}
