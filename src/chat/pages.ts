// What browsers load of web chat: the script, from any shop's page, and the page to try it on.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isId } from '../ids.ts'
import { matchesNone } from '../ingress/conditional.ts'
import { type Encoded, encodings } from '../ingress/encoded.ts'
import { CHAT_SCRIPT_SECONDS } from '../limits/chat.ts'
import { notFound } from '../problems.ts'
import { keepScript } from './script.ts'
import { policyFor, TRY_STYLE, tryPage } from './try-page.ts'

export interface ChatPages {
  /** Without a trailing slash. */
  baseUrl: string
  docsUrl: string
}

/** Registers GET and HEAD of `/chat.js`, `/chat/try.css` and `/chat/try/{channel_id}`. */
export function chatPages(app: FastifyInstance, { baseUrl, docsUrl }: ChatPages): void {
  const script = keepScript()
  const style = encodings(TRY_STYLE)
  const policy = policyFor(new URL(baseUrl).origin)

  app.get('/chat.js', async (request, reply) => {
    const made = await script()
    return send(request, reply, 'text/javascript; charset=utf-8', made(acceptedBy(request)))
  })
  app.get('/chat/try.css', (request, reply) => send(request, reply, 'text/css; charset=utf-8', style(acceptedBy(request))))
  app.get<{ Params: { id: string }; Querystring: { lang?: unknown } }>('/chat/try/:id', async (request, reply) => {
    const { id } = request.params
    if (!isId('chn', id)) throw notFound('channel')
    reply.header('content-security-policy', policy)
    const page = encodings(tryPage(baseUrl, docsUrl, id, request.query.lang))
    return send(request, reply, 'text/html; charset=utf-8', page(undefined))
  })
}

const acceptedBy = (request: FastifyRequest): string | undefined => request.headers['accept-encoding']?.toString()

function send(request: FastifyRequest, reply: FastifyReply, type: string, { body, etag, headers }: Encoded): FastifyReply {
  reply
    .header('cache-control', `public, max-age=${CHAT_SCRIPT_SECONDS}`)
    // A page of a shop loads it, also with `crossorigin` and an `integrity` of its own, and where it isolates itself from other origins.
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('access-control-allow-origin', '*')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('etag', etag)
    .headers(headers)
  if (matchesNone(request.headers['if-none-match'], etag)) return reply.code(304).removeHeader('content-encoding').send()
  return reply.type(type).send(body)
}
