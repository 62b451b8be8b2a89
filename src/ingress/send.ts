// An answer, as it is sent: with its ETag, and without its body where the caller has it already.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bucketOf } from './authenticate.ts'
import { etagOf, matchesNone } from './conditional.ts'
import type { Answer, Streamed } from './route.ts'

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer | Streamed): FastifyReply {
  const headers: Record<string, string> = { 'X-Trace-Id': request.traceId, ...answer.headers }
  if ('open' in answer) return sendFile(request, reply, answer)
  if (answer.location !== undefined) headers['Location'] = answer.location
  const etag = etagOf(answer.body)
  headers['ETag'] = etag
  if (bucketOf(request.method) === 'read' && matchesNone(request.headers['if-none-match'], etag))
    return reply.code(304).headers(headers).send()
  headers['Content-Type'] = JSON_TYPE
  // A buffer, for to a string of JSON Fastify would add a serialisation of its own.
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  return reply
    .code(answer.status ?? 200)
    .headers(headers)
    .send(body)
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
