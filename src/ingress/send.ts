// Sends an answer: with its ETag, and without the body where the caller has it already.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { free } from '../postgres/socket.ts'
import { Problem } from '../problems.ts'
import { bucketOf } from './admission.ts'
import { etagOf, matchesNone } from './conditional.ts'
import { type Span, spanOf } from './ranges.ts'
import { routeOf } from './request.ts'
import { type Answer, type Listed, type Streamed, withMembers } from './route.ts'

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer | Listed | Streamed): FastifyReply {
  if ('open' in answer) return sendFile(request, reply, answer)
  const pieces = 'pieces' in answer ? answer.pieces : [bytes(answer.body)]
  const etag = ('etag' in answer && answer.etag) || etagOf(pieces)
  const once = 'shownOnce' in answer && answer.shownOnce
  const headers: OutgoingHttpHeaders = {
    'X-Trace-Id': request.traceId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': showsSecret(request) ? 'no-store' : REVALIDATED,
    ...answer.headers,
    ETag: etag,
  }
  if ('location' in answer && answer.location !== undefined) headers['Location'] = answer.location
  if (bucketOf(request.method) === 'read' && matchesNone(request.headers['if-none-match'], etag)) {
    pieces.forEach(free)
    delete headers['Content-Encoding']
    return write(reply, 304, headers)
  }
  headers['Content-Type'] = 'application/json; charset=utf-8'
  const shown = once ? [bytes(withMembers(answer.body, once))] : pieces
  return write(reply, ('status' in answer && answer.status) || 200, headers, shown)
}

/** Only the caller's cache may keep it, and has to revalidate it at every use: with the ETag, that costs no body. */
const REVALIDATED = 'private, no-cache'

const bytes = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body) : body)

const showsSecret = (request: FastifyRequest): boolean => {
  const route = routeOf(request)
  return route !== undefined && 'showsSecret' in route && route.showsSecret === true
}

// Bypasses Fastify, which sends bodies of one piece only: joining the pieces of a page would copy all of it.
function write(reply: FastifyReply, status: number, headers: OutgoingHttpHeaders, pieces?: Buffer[]): FastifyReply {
  const { raw } = reply.hijack()
  if (pieces) headers['Content-Length'] = pieces.reduce((sum, piece) => sum + piece.length, 0)
  raw.writeHead(status, Object.assign(reply.getHeaders() as OutgoingHttpHeaders, headers))
  raw.cork()
  for (const piece of pieces ?? []) raw.write(piece)
  // The kernel has copied the page: its memory can be released.
  raw.end(() => pieces?.forEach(free))
  raw.uncork()
  return reply
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: Streamed): FastifyReply {
  const { type, etag, headers, size, open, drop } = file
  const isCurrent = etag !== undefined && matchesNone(request.headers['if-none-match'], etag)
  const isHead = request.method === 'HEAD'
  const part = isCurrent || isHead ? undefined : partOf(request, file)
  if (isCurrent || isHead || part === 'unsatisfiable') drop?.()
  if (part === 'unsatisfiable') throw unsatisfiable(size as number)
  reply.headers({ 'X-Trace-Id': request.traceId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': REVALIDATED })
  if (headers['Vary'] !== undefined) reply.header('Vary', headers['Vary'])
  if (etag !== undefined) reply.header('ETag', etag)
  if (isCurrent) return reply.code(304).send()
  // For a HEAD Fastify would read the stream to its end.
  const body = isHead ? Readable.from([]) : open(part)
  return reply
    .code(part ? 206 : 200)
    .headers({ ...headers, 'Content-Type': type, ...(size !== undefined && partHeaders(size, part)) })
    .send(body)
}

const partOf = ({ headers }: FastifyRequest, { size, etag }: Streamed): Span | 'unsatisfiable' | undefined =>
  size === undefined || etag === undefined ? undefined : spanOf(headers.range, headers['if-range'] as string | undefined, etag, size)

const partHeaders = (size: number, part: Span | undefined): Record<string, string> => ({
  'Accept-Ranges': 'bytes',
  'Content-Length': String(part ? part.to - part.from : size),
  ...(part && { 'Content-Range': `bytes ${part.from}-${part.to - 1}/${size}` }),
})

const unsatisfiable = (size: number): Problem =>
  new Problem(
    'range-not-satisfiable',
    `The file has ${size} bytes, and none in this range.`,
    { size_bytes: size },
    { 'Content-Range': `bytes */${size}` },
  )
