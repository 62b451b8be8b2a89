// The API reference: one page from the OpenAPI document, readable without a script; with it, a filter and a form per operation that sends it.
import { anchorId, type Endpoint, endpoints, type Header, type OpenApi, type Schema } from './document.ts'
import { type Html, html } from './html.ts'
import { prose } from './markdown.ts'
import { badge, headerFields, operationSection, words } from './operation.ts'
import { plain, schemaView, typeLabel } from './schema-view.ts'

export interface Reference {
  title: string
  body: Html
  /** Links to the operations, grouped as the page is. */
  outline: Html
}

/**
 * Renders an OpenAPI 3.1 document.
 * @param source the document; a part that is missing or misspelt leaves its place empty
 * @param baseUrl the API's address without a trailing slash, for the curl lines
 */
export function renderReference(source: object, baseUrl: string): Reference {
  const document = source as OpenApi
  const groups = byTag(document)
  const schemas = Object.entries(document.components?.schemas ?? {})
  const headers = Object.entries(document.components?.headers ?? {})
  return {
    title: 'Reference',
    outline: outline(groups, schemas),
    body: html`<article class="reference">
${intro(document, baseUrl)}
${groups.map(group => tagSection(document, baseUrl, group))}
${schemas.length > 0 && objects(document, schemas)}
${headers.length > 0 && sharedHeaders(document, headers)}
</article>`,
  }
}

interface Group {
  name: string
  description: string | undefined
  endpoints: Endpoint[]
}

// In the order of the document's tags, then of the tags it does not list.
function byTag(document: OpenApi): Group[] {
  const listed = document.tags ?? []
  const all = Map.groupBy(endpoints(document), ({ operation }) => operation.tags?.[0] ?? 'Other')
  const names = new Set([...listed.map(tag => tag.name).filter(name => all.has(name)), ...all.keys()])
  return [...names].map(name => ({
    name,
    description: listed.find(tag => tag.name === name)?.description,
    endpoints: all.get(name) ?? [],
  }))
}

function outline(groups: Group[], schemas: [string, Schema][]): Html {
  const operations = groups.map(({ name, endpoints }) => outlineGroup(name, `tag-${anchorId(name)}`, endpoints.map(outlineEndpoint)))
  const named = schemas.map(([name]) => outlineItem(name.toLowerCase(), `schema-${anchorId(name)}`, html`${name}`))
  return html`<div class="outline">${operations}${named.length > 0 && outlineGroup('Objects', 'objects', named)}</div>`
}

const outlineGroup = (title: string, id: string, items: Html[]): Html =>
  html`<section><h3><a href="#${id}">${title}</a></h3><ul>${items}</ul></section>`

const outlineEndpoint = (endpoint: Endpoint): Html =>
  outlineItem(words(endpoint), endpoint.id, html`${badge(endpoint)} ${endpoint.operation.summary ?? endpoint.path}`)

const outlineItem = (find: string, id: string, label: Html): Html => html`<li data-find="${find}"><a href="#${id}">${label}</a></li>\n`

function intro({ info }: OpenApi, baseUrl: string): Html {
  return html`<h1>${info.title} <small>${info.version}</small></h1>
${prose(info.description)}
<p>Base address: <code>${baseUrl}</code>. The machine-readable form of this page is <a href="${baseUrl}/api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<div class="tools script-only">
<label>Filter <input type="search" id="filter" placeholder="orders, POST, /products…" autocomplete="off"></label>
<label>API key for “Try it” <input type="password" id="api-key" placeholder="sk_…" autocomplete="off" spellcheck="false"></label>
<p class="hint">The key stays in this browser tab and is sent only to this service. “Try it” really sends: use a key of a test workspace.</p>
</div>
<p id="filter-empty" role="status" hidden>Nothing matches.</p>`
}

function tagSection(document: OpenApi, baseUrl: string, { name, description, endpoints }: Group): Html {
  return html`<section class="tag" id="tag-${anchorId(name)}"><h2>${name}</h2>
${prose(description)}
${endpoints.map(endpoint => operationSection(document, baseUrl, endpoint))}</section>`
}

function objects(document: OpenApi, schemas: [string, Schema][]): Html {
  return html`<section class="tag" id="objects"><h2>Objects</h2>${schemas.map(
    ([name, schema]) => html`<section class="object" id="schema-${anchorId(name)}" data-find="${name.toLowerCase()}">
<h3>${name} <a class="anchor" href="#schema-${anchorId(name)}" aria-hidden="true" tabindex="-1">#</a></h3>
${prose(plain(document, schema).description)}
${schemaView(document, schema, 'linked') ?? html`<p class="type">${typeLabel(document, plain(document, schema))}</p>`}
</section>`,
  )}</section>`
}

function sharedHeaders(document: OpenApi, headers: [string, Header][]): Html {
  return html`<section class="tag" id="headers"><h2>Headers</h2>${headers.map(
    ([name, header]) =>
      html`<div id="header-${anchorId(name)}" data-find="${name.toLowerCase()}">${headerFields(document, [{ name, header }])}</div>`,
  )}</section>
`
}
