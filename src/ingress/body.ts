// The body of a write: JSON, of its route's shape, no longer than may be and not too late.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { BODY_LIMIT_MS, JSON_BODY_BYTES } from '../limits.ts'
import { Problem } from '../problems.ts'
import { answerGarbage } from './garbage.ts'
import type { Route, WriteRoute } from './route.ts'
import { parseJson, validate } from './validate.ts'

export const bodyBytesOf = (route: Route | undefined): number => (route?.method !== 'GET' && route?.bodyBytes) || JSON_BODY_BYTES

/**
 * Before the body is read, so that a wrong type is refused before a large body is (design §6).
 * @throws {Problem} 415
 */
export function expectBody(route: WriteRoute, request: IncomingMessage): void {
  cutOffDripping(request)
  if (route.body && !(route.bodyOptional && hasNoBody(request.headers))) requireJson(request.headers)
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

// A timer of ours, for Node's is the same for all requests, and a file may take long.
function cutOffDripping(request: IncomingMessage): void {
  // Nobody tells of the end of a body that was refused unread, and a process that ends need not wait for this.
  const timer = setTimeout(() => answerGarbage(TOO_LATE, request.socket), BODY_LIMIT_MS).unref()
  request.once('close', () => clearTimeout(timer))
}

const TOO_LATE = Object.assign(new Error('the body did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
