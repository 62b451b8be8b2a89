// One operation of the reference. Its form needs the script, and is hidden without it.
import type { VNode } from 'preact'
import {
  anchorId,
  componentName,
  type Endpoint,
  follow,
  type Header,
  isOpen,
  type OpenApi,
  type Operation,
  type Parameter,
  type Ref,
  type RequestBody,
  type Response,
} from './document.ts'
import { curl, exampleBody, fileExample, givenExample, jsonMedia } from './example.ts'
import { line, prose } from './prose.tsx'
import { FieldList, Mark, schemaView, typeLabel } from './schema-view.tsx'
import { TryForm } from './try-form.tsx'

/** One operation: what it takes, what it answers, an example, and a form that sends it. */
export function OperationSection({ document, baseUrl, endpoint }: { document: OpenApi; baseUrl: string; endpoint: Endpoint }): VNode {
  const { operation, parameters } = endpoint
  const request = operation.requestBody && follow<RequestBody>(document, operation.requestBody)
  const body = exampleBody(document, request?.content)
  const file = fileExample(request?.content)
  return (
    <section class="operation" id={endpoint.id} data-find={words(endpoint)}>
      <h3>
        {operation.summary ?? endpoint.path}
        {operation.deprecated && <Mark word="deprecated" />} <Anchor id={endpoint.id} />
      </h3>
      <p class="address">
        <Badge endpoint={endpoint} /> <code>{endpoint.path}</code>
      </p>
      <div class="columns">
        <div class="about">
          {prose(operation.description)}
          <Access {...operation} />
          {(['path', 'query', 'header'] as const).map(place => (
            <ParameterList key={place} document={document} place={place} parameters={parameters} />
          ))}
          {request && <RequestSection document={document} request={request} />}
          <ResponseList document={document} responses={operation.responses ?? {}} />
        </div>
        <div class="samples">
          <h4>Example</h4>
          <CodeBlock text={curl(baseUrl, endpoint, body, file)} language="sh" />
          <AnswerExample document={document} responses={operation.responses ?? {}} />
          <TryForm basePath={new URL(baseUrl).pathname.replace(/\/$/, '')} endpoint={endpoint} body={body} file={file} />
        </div>
      </div>
    </section>
  )
}

function Access(operation: Operation): VNode | null {
  if (isOpen(operation)) return <p class="hint">Needs no key.</p>
  const scopes = Object.values(operation.security?.[0] ?? {}).flat()
  if (scopes.length === 0) return null
  return (
    <p class="hint">
      Needs a key with scope{' '}
      {scopes.map(scope => (
        <code key={scope}>{scope}</code>
      ))}
      .
    </p>
  )
}

/** The text that the filter searches. */
export const words = ({ method, path, operation }: Endpoint): string =>
  [method, path, operation.summary, operation.operationId, ...(operation.tags ?? [])].join(' ').toLowerCase()

export const Badge = ({ endpoint: { method } }: { endpoint: Endpoint }): VNode => (
  <span class={`method ${method}`}>{method.toUpperCase()}</span>
)

/** A heading's link to itself, for the mouse: it says nothing to those who cannot see it. */
export const Anchor = ({ id }: { id: string }): VNode => (
  <a class="anchor" href={`#${id}`} {...UNSEEN}>
    #
  </a>
)

const UNSEEN = { 'aria-hidden': 'true', tabIndex: -1 } as const

const CodeBlock = ({ text, language }: { text: string; language: string }): VNode => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre tabIndex={0}>
      <code data-language={language}>{text}</code>
    </pre>
  </div>
)

const PLACES = { path: 'In the path', query: 'Query parameters', header: 'Headers' }

function ParameterList(of: { document: OpenApi; place: keyof typeof PLACES; parameters: Parameter[] }): VNode | null {
  const fields = of.parameters
    .filter(parameter => parameter.in === of.place)
    .map(({ name, schema = {}, required = false, description, deprecated }) => ({ name, schema, required, description, deprecated }))
  if (fields.length === 0) return null
  return (
    <>
      <h4>{PLACES[of.place]}</h4>
      <FieldList document={of.document} fields={fields} named="linked" />
    </>
  )
}

function RequestSection({ document, request }: { document: OpenApi; request: RequestBody }): VNode {
  return (
    <>
      <h4>
        Body
        {request.required && <Mark word="required" />}
      </h4>
      {prose(request.description)}
      {Object.entries(request.content ?? {}).map(([type, { schema = {} }]) => (
        <>
          <p class="media">
            <code>{type}</code> <span class="type">{typeLabel(document, schema)}</span>
          </p>
          {schemaView(document, schema, 'expanded')}
        </>
      ))}
    </>
  )
}

function ResponseList({ document, responses }: { document: OpenApi; responses: Record<string, Response | Ref> }): VNode {
  return (
    <>
      <h4>Responses</h4>
      {Object.entries(responses).map(([status, response]) => (
        <ResponseItem key={status} document={document} status={status} response={follow<Response>(document, response)} />
      ))}
    </>
  )
}

// A body that is a named object is described once, under Objects.
function ResponseItem({ document, status, response }: { document: OpenApi; status: string; response: Response }): VNode {
  const contents = Object.entries(response.content ?? {})
  const headers = Object.entries(response.headers ?? {})
  const title = (
    <>
      <span class={`status s${status[0] ?? ''}`}>{status}</span> {line(response.description)}
    </>
  )
  if (headers.length === 0 && contents.length === 0) return <p class="response">{title}</p>
  return (
    <details class="response">
      <summary>{title}</summary>
      {contents.map(([type, { schema = {} }]) => (
        <>
          <p class="media">
            <code>{type}</code> <span class="type">{typeLabel(document, schema)}</span>
          </p>
          {componentName('schemas', schema) === undefined && schemaView(document, schema, 'linked')}
        </>
      ))}
      {headers.length > 0 && <HeaderList document={document} headers={headers} />}
    </details>
  )
}

// A header that many responses share is described once, under Headers.
function HeaderList({ document, headers }: { document: OpenApi; headers: [string, Header | Ref][] }): VNode {
  const all = headers.map(([name, header]) => ({ name, header, shared: componentName('headers', header) }))
  const shared = all.filter(header => header.shared !== undefined)
  const own = all.filter(header => header.shared === undefined)
  return (
    <>
      <h5>Headers</h5>
      {own.length > 0 && <HeaderFields document={document} headers={own} />}
      {shared.length > 0 && (
        <ul class="limits">
          {shared.map(({ name, shared }) => (
            <li key={name}>
              <a href={`#header-${anchorId(shared ?? '')}`}>{name}</a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function HeaderFields({ document, headers }: { document: OpenApi; headers: { name: string; header: Header | Ref }[] }): VNode {
  const fields = headers.map(({ name, header }) => {
    const { schema = {}, description } = follow<Header>(document, header)
    return { name, schema, required: false, description }
  })
  return <FieldList document={document} fields={fields} named="linked" />
}

function AnswerExample({ document, responses }: { document: OpenApi; responses: Record<string, Response | Ref> }): VNode | null {
  for (const [status, response] of Object.entries(responses)) {
    const media = jsonMedia(follow<Response>(document, response).content)
    const example = media && givenExample(document, media)
    if (!status.startsWith('2') || example === undefined) continue
    return (
      <>
        <h4>Response</h4>
        <CodeBlock text={JSON.stringify(example, null, 2)} language="json" />
      </>
    )
  }
  return null
}
