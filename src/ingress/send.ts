// Sends an answer: with its ETag, and without the body where the caller has it already.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { free } from '../postgres/socket.ts'
import { bucketOf } from './admission.ts'
import { etagOf, matchesNone } from './conditional.ts'
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

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, etag, headers, open, drop }: Streamed): FastifyReply {
  reply.headers({ 'X-Trace-Id': request.traceId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': REVALIDATED })
  if (headers['Vary'] !== undefined) reply.header('Vary', headers['Vary'])
  if (etag !== undefined) reply.header('ETag', etag)
  const isCurrent = etag !== undefined && matchesNone(request.headers['if-none-match'], etag)
  const isHead = request.method === 'HEAD'
  if (isCurrent || isHead) drop?.()
  if (isCurrent) return reply.code(304).send()
  // For a HEAD Fastify would read the stream to its end.
  const body = isHead ? Readable.from([]) : open()
  return reply
    .code(200)
    .headers({ ...headers, 'Content-Type': type })
    .send(body)
}
