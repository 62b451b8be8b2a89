// The probes of load balancers and supervisors, at paths outside the API: no key, no rate limit, no line in the log.
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'

/** @param missing tells what keeps the process from serving; undefined when nothing does */
export function probeRoutes(app: FastifyInstance, missing: () => Promise<string | undefined>): void {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  app.get('/healthz', (_request, reply) => reply.headers(headers).send(OK))
  app.get('/readyz', async (_request, reply) => {
    const reason = await missing()
    if (reason !== undefined) throw new Problem('service-unavailable', reason, {}, { 'Retry-After': '1' })
    return reply.headers(headers).send(OK)
  })
}

/** The paths that are not logged. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

const OK = { status: 'ok' }
