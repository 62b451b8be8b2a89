// The API reference: one page from the OpenAPI document, readable without a script; with it, a filter and a form per operation that sends it.
import type { ComponentChildren, VNode } from 'preact'
import { anchorId, type Endpoint, endpoints, type Header, type OpenApi, type Schema } from './document.ts'
import { Anchor, Badge, HeaderFields, OperationSection, words } from './operation.tsx'
import { plain } from './plain-schema.ts'
import { prose } from './prose.tsx'
import { schemaView, typeLabel } from './schema-view.tsx'

export interface Reference {
  title: string
  body: VNode
  /** Links to the operations, grouped as the page is. */
  outline: VNode
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
    body: (
      <article class="reference">
        <Intro document={document} baseUrl={baseUrl} />
        {groups.map(group => (
          <TagSection key={group.name} document={document} baseUrl={baseUrl} group={group} />
        ))}
        {schemas.length > 0 && <Objects document={document} schemas={schemas} />}
        {headers.length > 0 && <SharedHeaders document={document} headers={headers} />}
      </article>
    ),
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

function outline(groups: Group[], schemas: [string, Schema][]): VNode {
  const named = schemas.map(([name]) => outlineItem(name.toLowerCase(), `schema-${anchorId(name)}`, name))
  return (
    <div class="outline">
      {groups.map(({ name, endpoints }) => outlineGroup(name, `tag-${anchorId(name)}`, endpoints.map(outlineEndpoint)))}
      {named.length > 0 && outlineGroup('Objects', 'objects', named)}
    </div>
  )
}

const outlineGroup = (title: string, id: string, items: VNode[]): VNode => (
  <section key={id}>
    <h3>
      <a href={`#${id}`}>{title}</a>
    </h3>
    <ul>{items}</ul>
  </section>
)

const outlineEndpoint = (endpoint: Endpoint): VNode =>
  outlineItem(
    words(endpoint),
    endpoint.id,
    <>
      <Badge endpoint={endpoint} /> {endpoint.operation.summary ?? endpoint.path}
    </>,
  )

const outlineItem = (find: string, id: string, label: ComponentChildren): VNode => (
  <li key={id} data-find={find}>
    <a href={`#${id}`}>{label}</a>
  </li>
)

function Intro({ document: { info }, baseUrl }: { document: OpenApi; baseUrl: string }): VNode {
  return (
    <>
      <h1>
        {info.title} <small>{info.version}</small>
      </h1>
      {prose(info.description)}
      <p>
        Base address: <code>{baseUrl}</code>. The machine-readable form of this page is{' '}
        <a href={`${baseUrl}/api/v1/openapi.json`}>openapi.json</a> (OpenAPI 3.1).
      </p>
      <div class="tools script-only">
        <label>
          Filter <input type="search" id="filter" placeholder="orders, POST, /products…" autocomplete="off" />
        </label>
        <label>
          API key for “Try it” <input type="password" id="api-key" placeholder="sk_…" autocomplete="off" spellcheck={false} />
        </label>
        <p class="hint">
          The key stays in this browser tab and is sent only to this service. “Try it” really sends: use a key of a test workspace.
        </p>
      </div>
      <p id="filter-empty" role="status" hidden>
        Nothing matches.
      </p>
    </>
  )
}

function TagSection({ document, baseUrl, group }: { document: OpenApi; baseUrl: string; group: Group }): VNode {
  return (
    <section class="tag" id={`tag-${anchorId(group.name)}`}>
      <h2>{group.name}</h2>
      {prose(group.description)}
      {group.endpoints.map(endpoint => (
        <OperationSection key={endpoint.id} document={document} baseUrl={baseUrl} endpoint={endpoint} />
      ))}
    </section>
  )
}

function Objects({ document, schemas }: { document: OpenApi; schemas: [string, Schema][] }): VNode {
  return (
    <section class="tag" id="objects">
      <h2>Objects</h2>
      {schemas.map(([name, schema]) => (
        <section key={name} class="object" id={`schema-${anchorId(name)}`} data-find={name.toLowerCase()}>
          <h3>
            {name} <Anchor id={`schema-${anchorId(name)}`} />
          </h3>
          {prose(plain(document, schema).description)}
          {schemaView(document, schema, 'linked') ?? <p class="type">{typeLabel(document, plain(document, schema))}</p>}
        </section>
      ))}
    </section>
  )
}

function SharedHeaders({ document, headers }: { document: OpenApi; headers: [string, Header][] }): VNode {
  return (
    <section class="tag" id="headers">
      <h2>Headers</h2>
      {headers.map(([name, header]) => (
        <div key={name} id={`header-${anchorId(name)}`} data-find={name.toLowerCase()}>
          <HeaderFields document={document} headers={[{ name, header }]} />
        </div>
      ))}
    </section>
  )
}
