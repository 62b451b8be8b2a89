// Properties of a request, beyond those that Fastify reads.
import type { FastifyRequest } from 'fastify'
import { isId, type Prefix } from '../ids.ts'
import { notFound } from '../problems.ts'
import { inOriginForm } from './connections/framing.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceId: string
  }
}

export const routeOf = (request: FastifyRequest): Route | undefined => (request.routeOptions.config as { route?: Route }).route

/** The path, without the query. */
export const pathOf = ({ url }: FastifyRequest): string => inOriginForm(url).split('?', 1)[0] as string

/** The ids of the path. A text without the form of an id names nothing, and never reaches the database. @throws {Problem} 404 */
export function pathIds({ idPrefix, names, noun, inner }: Route, request: FastifyRequest): { id: string; innerId: string } {
  const params = request.params as Record<string, string>
  const id = names ? params[names.name] : params['id']
  if (names && !hasForm(names.pattern, id ?? '')) throw notFound(names.noun, names.named)
  if (!names && id !== undefined && !isId(idPrefix as Prefix, id)) throw notFound(noun ?? 'resource')
  const innerId = inner && params[inner.name]
  if (inner && !isId(inner.idPrefix, innerId ?? '')) throw notFound(inner.noun)
  return { id: id ?? '', innerId: innerId ?? '' }
}

const forms = new Map<string, RegExp>()

function hasForm(pattern: string, text: string): boolean {
  const form = forms.get(pattern) ?? new RegExp(pattern)
  forms.set(pattern, form)
  return form.test(text)
}
