// The body of a write: JSON, of its route's shape, no longer than may be.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { JSON_BODY_BYTES } from '../limits.ts'
import { Problem } from '../problems.ts'
import type { Route, WriteRoute } from './route.ts'
import { parseJson, validate } from './validate.ts'

export const bodyBytesOf = (route: Route | undefined): number => (route?.method !== 'GET' && route?.bodyBytes) || JSON_BODY_BYTES

/**
 * Before the body is read, so that a wrong type is refused before a large body is (design §6).
 * @throws {Problem} 415
 */
export function expectBody(route: WriteRoute, headers: IncomingHttpHeaders): void {
  if (route.body && !(route.bodyOptional && hasNoBody(headers))) requireJson(headers)
}

/** @throws {Problem} 422 */
export function readBody(route: WriteRoute, request: FastifyRequest): unknown {
  if (route.bodyOptional && hasNoBody(request.headers)) return {}
  const value = parseJson((request.body as Buffer | undefined) ?? Buffer.alloc(0))
  return route.readBody ? route.readBody(value) : validate(route.body as NonNullable<WriteRoute['body']>, value)
}

export const unsupported = (): Problem =>
  new Problem('unsupported-media-type', 'Send the body as Content-Type: application/json (UTF-8), not compressed.')

function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? ''
  const charset = /charset="?([^";]+)/i.exec(type)?.[1]?.trim() ?? 'utf-8'
  const plain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  if (!/^application\/json *(;|$)/i.test(type) || charset.toLowerCase() !== 'utf-8' || !plain) throw unsupported()
}

const hasNoBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
