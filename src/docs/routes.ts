// The documentation over HTTP: the reference at /docs, the pages below it. Everything is looked up in an index, so no path reaches the disk.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { frame, type Site } from './frame.ts'
import { html } from './html.ts'
import { type Asset, openLibrary, page } from './pages.ts'
import { renderReference } from './reference.ts'

export interface DocsOptions {
  /** The OpenAPI 3.1 document; asked for at the first visit of the reference. */
  document: () => object
  /** Without a trailing slash. */
  baseUrl: string
  docsUrl: string
}

/** Registers GET and HEAD of `/docs` and `/docs/*`. Pages are rendered at the first visit: a process that nobody reads at carries none. */
export function docsRoutes(app: FastifyInstance, { document, baseUrl, docsUrl }: DocsOptions): void {
  let opened: Map<string, Asset> | undefined
  const assets = (): Map<string, Asset> => {
    opened ??= openAssets()
    return opened
  }

  function openAssets(): Map<string, Asset> {
    const { site, assets } = openLibrary(baseUrl, docsUrl)
    return new Map([
      ...assets,
      ['', page(frame(site, { slug: '', ...renderReference(document(), baseUrl) }))],
      [MISSING, page(frame(site, { slug: undefined, title: 'Page not found', body: notFound(site) }))],
    ])
  }

  app.get('/docs', (request, reply) => send(request, reply, assets().get('') as Asset))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => {
    const asset = assets().get(request.params['*'].replace(/\/$/, ''))
    return asset ? send(request, reply, asset) : send(request, reply.code(404), assets().get(MISSING) as Asset)
  })
}

/** No path: a slug has no spaces. */
const MISSING = 'not found'

// Nothing but the page's own stylesheet, script and API: hostile text in a schema could not run even if it became markup.
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function send(request: FastifyRequest, reply: FastifyReply, { type, body, etag }: Asset): FastifyReply {
  reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'public, max-age=300')
    .header('etag', etag)
  if (request.headers['if-none-match']?.includes(etag) && reply.statusCode === 200) return reply.code(304).send()
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
