// The documentation over HTTP: the reference at /docs, the pages below it. Paths are looked up in an index, so none reaches the disk.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { matchesNone } from '../ingress/conditional.ts'
import { frame, type Site } from './frame.ts'
import { html } from './html.ts'
import { type Asset, openLibrary, page } from './pages.ts'
import { renderReference } from './reference.ts'

export interface DocsOptions {
  /** Returns the OpenAPI 3.1 document; called at the first visit. */
  document: () => object
  /** Without a trailing slash. */
  baseUrl: string
  docsUrl: string
}

interface Rendered {
  /** By path below `/docs`. */
  assets: Map<string, Asset>
  missing: Asset
}

/**
 * Registers GET and HEAD of `/docs` and `/docs/*`, and of `/`, which redirects there. Pages are rendered at the first visit: without readers they
 * take no memory.
 */
export function docsRoutes(app: FastifyInstance, { document, baseUrl, docsUrl }: DocsOptions): void {
  let rendered: Rendered | undefined

  function render(): Rendered {
    const { site, assets } = openLibrary(baseUrl, docsUrl)
    return {
      assets: new Map([...assets, ['', page(frame(site, { slug: '', ...renderReference(document(), baseUrl) }))]]),
      missing: page(frame(site, { slug: undefined, title: 'Page not found', body: notFound(site) })),
    }
  }

  function answer(request: FastifyRequest, reply: FastifyReply, slug: string): FastifyReply {
    rendered ??= render()
    const { assets, missing } = rendered
    const asset = assets.get(slug)
    return send(request, asset ? reply : reply.code(404), asset ?? missing)
  }

  // Until there is a dashboard.
  app.get('/', (request, reply) => send(request, reply.code(302).header('location', '/docs'), FRONT))
  app.get('/docs', (request, reply) => answer(request, reply, ''))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => answer(request, reply, request.params['*'].replace(/\/$/, '')))
}

// For clients that do not follow redirects.
const FRONT = page(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Shopdesk</title>
<p>This is Shopdesk. <a href="/docs">The documentation</a> says how to use it.
</html>
`)

// Nothing but the page's own stylesheet, script and API: hostile text in a schema could not run even if it became markup.
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function send(request: FastifyRequest, reply: FastifyReply, { type, encoded }: Asset): FastifyReply {
  const { body, etag, headers } = encoded(request.headers['accept-encoding']?.toString())
  reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'public, max-age=300')
    .header('etag', etag)
    .headers(headers)
  if (reply.statusCode === 200 && matchesNone(request.headers['if-none-match'], etag))
    return reply.code(304).removeHeader('content-encoding').send()
  return reply.type(type).send(body)
}

function notFound(site: Site) {
  return html`<article><h1>There is no such page</h1>
<p>The address may be mistyped, or the page may have moved. These lead further:</p>
<ul>
<li><a href="${site.root || '/'}">the API reference</a></li>
<li><a href="${site.root}/errors">every error the API answers with</a></li>
<li><a href="${site.root}/start">getting started</a></li>
</ul></article>`
}
