// Pages over HTTP: a plugin of its own, with its own parser of bodies and its own error pages. What renders is imported when it is first asked for.
import cookies from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FORM_BODY_BYTES } from '../../limits/pages.ts'
import type { Problem } from '../../problems.ts'
import { gather } from '../gather.ts'
import { sendAsset } from './assets.ts'
import { pageHeaders } from './headers.ts'
import type { SignedIn } from './page.ts'
import { PageRefusal, type Way } from './refusal.ts'
import type { Serve } from './serve.tsx'
import type { Site } from './site.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the page is opened anew after a failure; undefined where it cannot be opened. */
    again: Way | undefined
  }
}

/** Registers GET and HEAD of `/assets/…`. */
export function assetRoutes(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    if (!sendAsset(request, reply, request.params.name)) reply.callNotFound()
  })
}

/** Registers the pages' roots. */
export function pageRoutes<S extends SignedIn>(app: FastifyInstance, site: Site<S>): void {
  let opening: Promise<Serve> | undefined
  const refuse = refuseWithPage(site.baseUrl)

  async function open(): Promise<Serve> {
    await import('./tsx.ts')
    const [{ createServe }, opened] = await Promise.all([import('./serve.tsx'), site.open()])
    return createServe(site, opened)
  }

  app.decorateRequest('again', undefined)
  app.register(async scope => {
    scope.register(cookies)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request: FastifyRequest, body: FastifyRequest['raw']) =>
      gather(body, FORM_BODY_BYTES),
    )
    scope.addContentTypeParser('*', async () => {
      throw new PageRefusal(415, 'This is no form', 'Send the fields as application/x-www-form-urlencoded.')
    })
    scope.setErrorHandler((error, request, reply) => {
      if (!(error instanceof PageRefusal)) throw error
      return refuse(error, request, reply)
    })
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      // A failure is tried again at the next request.
      opening ??= open().catch(error => {
        opening = undefined
        throw error
      })
      return (await opening)(request, reply)
    }
    const below = async (root: FastifyInstance): Promise<void> => {
      const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']
      for (const url of ['', '/*']) root.route({ method, url, bodyLimit: FORM_BODY_BYTES, config: { page: true }, handler: answer })
      // Methods that Fastify routes nowhere, such as PROPFIND.
      root.setNotFoundHandler(answer)
    }
    for (const prefix of site.roots) {
      scope.register(below, { prefix })
      app.wordings.set(prefix, barePage)
    }
  })
}

/** What a browser is told whose request could not be read: without the frame, which is then perhaps not loaded. */
const barePage = ({ title, detail }: { title: string; detail: string }) => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html>\n<html lang="en">\n<meta name="viewport" content="width=device-width">\n<title>${title}</title>\n<h1>${title}</h1>\n<p>${detail}</p>\n`,
})

/** @returns answers with a page of its own */
export function refuseWithPage(baseUrl: string) {
  return async (error: Problem | PageRefusal, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await import('./tsx.ts')
    const { errorPage } = await import('./error-page.tsx')
    return reply
      .code(error.status)
      .headers({ ...pageHeaders(baseUrl), 'Cache-Control': 'no-store', 'X-Trace-Id': request.traceId, ...error.headers })
      .type('text/html; charset=utf-8')
      .send(errorPage(error, { traceId: request.traceId, isForm: request.method === 'POST', again: request.again }))
  }
}
