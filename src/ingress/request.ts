// Properties of a request, beyond those that Fastify reads.
import type { FastifyRequest } from 'fastify'
import { isId, type Prefix } from '../ids.ts'
import { notFound } from '../problems.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceId: string
  }
}

export const routeOf = (request: FastifyRequest): Route | undefined => (request.routeOptions.config as { route?: Route }).route

/** The path, without the query. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0] as string

/** The ids of the path. A text without the form of an id names nothing, and never reaches the database. @throws {Problem} 404 */
export function pathIds(route: Route, request: FastifyRequest): { id: string; innerId: string } {
  const params = request.params as Record<string, string>
  const { id } = params
  if (id !== undefined && !isId(route.idPrefix as Prefix, id)) throw notFound(route.noun ?? 'resource')
  const innerId = route.inner && params[route.inner.name]
  if (route.inner && !isId(route.inner.idPrefix, innerId ?? '')) throw notFound(route.inner.noun)
  return { id: id ?? '', innerId: innerId ?? '' }
}
