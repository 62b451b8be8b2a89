// Everything that the documentation serves, rendered: its pages, the reference, and what is answered where there is none.
import type { VNode } from 'preact'
import { frame, type Site } from './frame.tsx'
import { type Asset, openLibrary, page } from './library.tsx'
import { renderReference } from './reference.tsx'

export interface DocsOptions {
  /** Returns the OpenAPI 3.1 document; called at the first visit. */
  document: () => object
  /** Without a trailing slash. */
  baseUrl: string
  docsUrl: string
}

export interface Rendered {
  /** By path below `/docs`. */
  assets: Map<string, Asset>
  missing: Asset
}

export function renderDocs({ document, baseUrl, docsUrl }: DocsOptions): Rendered {
  const { site, assets } = openLibrary(baseUrl, docsUrl)
  const reference = page(frame(site, { slug: '', script: 'reference.js', ...renderReference(document(), baseUrl) }))
  return {
    assets: new Map([...assets, ['', reference]]),
    missing: page(frame(site, { slug: undefined, title: 'Page not found', body: <NotFound site={site} /> })),
  }
}

function NotFound({ site }: { site: Site }): VNode {
  return (
    <article>
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or the page may have moved. These lead further:</p>
      <ul>
        <li>
          <a href={site.root || '/'}>the API reference</a>
        </li>
        <li>
          <a href={`${site.root}/errors`}>every error the API answers with</a>
        </li>
        <li>
          <a href={`${site.root}/start`}>getting started</a>
        </li>
      </ul>
    </article>
  )
}
