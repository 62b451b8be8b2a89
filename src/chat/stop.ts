// The page behind a mail's second link. Opening it changes nothing, for mail programs open links by themselves; its button ends the mails, and so does the button of
// mail programs, which post the same (RFC 8058).
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Site } from '../channels/accounts/site.ts'
import { isId } from '../ids.ts'
import type { AddressLimiter } from '../ingress/address-limit.ts'
import type { Place } from '../ingress/guest.ts'
import { escapeHtml } from '../ingress/page/escape.ts'
import { tooMany } from '../ingress/quota.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { hashOf } from './links.ts'
import * as store from './mail-store.ts'

export interface StopContext {
  sql: Queryable
  place: Place<Site>
  limit: AddressLimiter
}

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1rem}'
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Registers GET and POST of `/chat/stop/{channel_id}/{secret}`. */
export function stopPages(app: FastifyInstance, { sql, place, limit }: StopContext): void {
  app.register(async scope => {
    // The page's form has no fields, and that of mail programs says what their address says already: as multipart/form-data, or as forms of pages.
    scope.addContentTypeParser(['application/x-www-form-urlencoded', 'multipart/form-data'], async () => undefined)
    const path = '/chat/stop/:id/:secret'
    scope.get<{ Params: Params }>(path, async (request, reply) => {
      const { id, secret } = await linkOf(request.ip, request.params)
      const words = `<p>Answers that you have not seen are mailed to you. Opening this page has not ended that: the button does.<br><span lang="uk">Відповіді, яких ви не бачили, надходять листом. Це триває, доки не натиснуто кнопку.</span></p>`
      return send(
        reply,
        `${words}<form method="post" action="/chat/stop/${id}/${escapeHtml(secret)}"><button>End the mails · Більше не надсилати</button></form>`,
      )
    })
    scope.post<{ Params: Params }>(path, async (request, reply) => {
      const { site, secret } = await linkOf(request.ip, request.params)
      if (!(await store.end(sql, site, hashOf(secret)))) throw notFound('link')
      return send(reply, '<p>Done: you get no more of these mails.<br><span lang="uk">Готово: таких листів більше не буде.</span></p>')
    })
  })

  async function linkOf(address: string, { id, secret }: Params): Promise<{ id: string; site: Site; secret: string }> {
    const { allowed, quota } = limit(address)
    if (!allowed) throw tooMany(quota)
    const site = isId('chn', id) && /^[0-9A-Za-z]{40}$/.test(secret) ? await place.find(id) : undefined
    if (!site) throw notFound('link')
    return { id, site, secret }
  }
}

interface Params {
  id: string
  secret: string
}

const send = (reply: FastifyReply, body: string): FastifyReply =>
  reply
    .headers({
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      // The address holds the link's secret.
      'Referrer-Policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Mails of answers</title>\n<style>${STYLE}</style>\n<main>${body}</main>\n</html>\n`,
    )
