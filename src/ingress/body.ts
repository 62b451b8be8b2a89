// The body of a write: JSON that fits its route's schema, within the route's limits of size.
import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as immediate } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { JSON_BODY_BYTES, JSON_SLICE_BYTES, JSON_VALUES_MAX } from '../limits/bodies.ts'
import { Problem } from '../problems.ts'
import { giveBack } from './gather.ts'
import { decoded, parseJson } from './json.ts'
import { parseInParts } from './json-parts.ts'
import type { JsonWrite, Route, WriteRoute } from './route.ts'
import { validate } from './validate.ts'
import { type OthersFirst, yielding } from './yielding.ts'

/** A write that takes JSON. */
export type BodyRoute = JsonWrite & { body: TSchema }

export const takesJson = (route: Route): route is BodyRoute => 'body' in route && route.body !== undefined

export const bodyBytesOf = (route: Route | undefined): number => (route && takesJson(route) && route.bodyBytes) || JSON_BODY_BYTES
export const bodyValuesOf = (route: BodyRoute): number => route.bodyValues ?? JSON_VALUES_MAX

/**
 * Called before the body is read, so that a wrong type is refused before a large body is.
 * @throws {Problem} 415
 */
export function expectBody(route: WriteRoute, headers: IncomingHttpHeaders): void {
  if (takesJson(route) && !(route.bodyOptional && hasNoBody(headers))) requireJson(headers)
}

/** @throws {Problem} 413 for too many values; 422 */
export async function readBody(route: BodyRoute, request: FastifyRequest): Promise<unknown> {
  const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  // One in chunks may turn out to have none.
  if (route.bodyOptional && bytes.length === 0) return {}
  const isLong = bytes.length > JSON_SLICE_BYTES
  // Receiving a long body has taken a while: other requests go first.
  if (isLong) await immediate()
  const othersFirst = yielding()
  const value = await parse(bytes, bodyValuesOf(route), isLong ? othersFirst : undefined).finally(() => giveBack(bytes))
  await othersFirst()
  return route.readBody ? route.readBody(value) : validate(route.body, value)
}

const parse = async (bytes: Buffer, most: number, othersFirst?: OthersFirst): Promise<unknown> =>
  othersFirst ? parseInParts(bytes, most, othersFirst) : parseJson(decoded(bytes), most)

export const unsupported = (): Problem =>
  new Problem('unsupported-media-type', 'Send the body as Content-Type: application/json (UTF-8), not compressed.')

export function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? ''
  const charset = /charset="?([^";]+)/i.exec(type)?.[1]?.trim() ?? 'utf-8'
  const plain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  if (!/^application\/json *(;|$)/i.test(type) || !/^utf-?8$/i.test(charset) || !plain) throw unsupported()
}

const hasNoBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'
