// An answer, as it is sent: with its ETag, and without its body where the caller has it already.
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bucketOf } from './authenticate.ts'
import { etagOf, matchesNone } from './conditional.ts'
import type { Answer, Listed, Streamed } from './route.ts'

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer | Listed | Streamed): FastifyReply {
  if ('open' in answer) return sendFile(request, reply, answer)
  const isPage = 'pieces' in answer
  const etag = etagOf(isPage ? answer.pieces : answer.body)
  reply.headers({ 'X-Trace-Id': request.traceId, ...answer.headers, ETag: etag })
  if (!isPage && answer.location !== undefined) reply.header('Location', answer.location)
  if (bucketOf(request.method) === 'read' && matchesNone(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.header('Content-Type', JSON_TYPE)
  if (isPage) return sendPieces(reply, answer.pieces)
  // A buffer, for to a string of JSON Fastify would add a serialisation of its own.
  return reply.code(answer.status ?? 200).send(typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body)
}

// A page goes out as it lies, for joining its pieces would copy all of it. Fastify itself knows bodies of one piece alone.
function sendPieces(reply: FastifyReply, pieces: Buffer[]): FastifyReply {
  const { raw } = reply.hijack()
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-length': length })
  raw.cork()
  for (const piece of pieces) raw.write(piece)
  raw.end()
  raw.uncork()
  return reply
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, etag, headers, open }: Streamed): FastifyReply {
  reply.header('X-Trace-Id', request.traceId)
  if (etag !== undefined) {
    reply.header('ETag', etag)
    if (matchesNone(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  // Fastify would read a stream to its end for the sake of a HEAD.
  const body = request.method === 'HEAD' ? Readable.from([]) : open()
  return reply
    .code(200)
    .headers({ ...headers, 'Content-Type': type })
    .send(body)
}

const JSON_TYPE = 'application/json; charset=utf-8'
