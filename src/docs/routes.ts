// The documentation over HTTP: the reference at /docs, the pages below it. Paths are looked up in an index, so none reaches the disk.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesNone } from '../ingress/conditional.ts'
import { sendAsset } from '../ingress/page/assets.ts'
import { pageHeaders } from '../ingress/page/headers.ts'
import type { Asset } from './library.tsx'
import type { DocsOptions, Rendered } from './rendered.tsx'

/**
 * Registers GET and HEAD of `/docs` and `/docs/*`, and of `/`, which leads to the dashboard. Pages are rendered at the first visit: without readers they
 * take no memory.
 */
export function docsRoutes(app: FastifyInstance, options: DocsOptions): void {
  const headers = { ...pageHeaders(options.baseUrl), 'Cache-Control': `public, max-age=${KEPT_SECONDS}` }
  let rendering: Promise<Rendered> | undefined

  async function render(): Promise<Rendered> {
    await import('../ingress/page/tsx.ts')
    const { renderDocs } = await import('./rendered.tsx')
    return renderDocs(options)
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, slug: string): Promise<FastifyReply> {
    // A failure is tried again at the next visit.
    rendering ??= render().catch(error => {
      rendering = undefined
      throw error
    })
    const { assets, missing } = await rendering
    const asset = assets.get(slug)
    return send(request, asset ? reply : reply.code(404), asset ?? missing)
  }

  function send(request: FastifyRequest, reply: FastifyReply, { type, encoded }: Asset): FastifyReply {
    const { body, etag, headers: own } = encoded(request.headers['accept-encoding']?.toString())
    reply.headers({ ...headers, ...own, etag })
    if (reply.statusCode === 200 && matchesNone(request.headers['if-none-match'], etag))
      return reply.code(304).removeHeader('content-encoding').send()
    return reply.type(type).send(body)
  }

  app.get('/', (_request, reply) =>
    reply.headers(headers).code(303).header('location', '/dashboard').type('text/html; charset=utf-8').send(FRONT),
  )
  app.get('/docs', (request, reply) => answer(request, reply, ''))
  // Beside the pages, for the documentation may have a host of its own.
  app.get<{ Params: { name: string } }>('/docs/assets/:name', async (request, reply) =>
    sendAsset(request, reply, request.params.name) ? reply : answer(request, reply, request.params.name),
  )
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => answer(request, reply, request.params['*'].replace(/\/$/, '')))
}

const KEPT_SECONDS = 300

// For clients that do not follow redirects.
const FRONT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Shopdesk</title>
<p>This is Shopdesk. <a href="/dashboard">The dashboard</a> is for people, and <a href="/docs">the documentation</a> for programs.
</html>
`
