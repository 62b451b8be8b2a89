// One operation of the reference. Its form needs the script, and is hidden without it.
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
import { curl, exampleBody, type FileExample, fileExample, givenExample, jsonMedia } from './example.ts'
import { type Html, html } from './html.ts'
import { line, prose } from './markdown.ts'
import { fieldList, schemaView, typeLabel } from './schema-view.ts'

/** One operation: what it takes, what it answers, an example, and a form that sends it. */
export function operationSection(document: OpenApi, baseUrl: string, endpoint: Endpoint): Html {
  const { operation, parameters } = endpoint
  const request = operation.requestBody && follow<RequestBody>(document, operation.requestBody)
  const body = exampleBody(document, request?.content)
  const file = fileExample(request?.content)
  return html`<section class="operation" id="${endpoint.id}" data-find="${words(endpoint)}">
<h3>${operation.summary ?? endpoint.path}${operation.deprecated && html` <span class="deprecated">deprecated</span>`} <a class="anchor" href="#${endpoint.id}" aria-hidden="true" tabindex="-1">#</a></h3>
<p class="address">${badge(endpoint)} <code>${endpoint.path}</code></p>
<div class="columns"><div class="about">
${prose(operation.description)}
${access(operation)}
${(['path', 'query', 'header'] as const).map(place => parameterList(document, place, parameters))}
${request && requestSection(document, request)}
${responseList(document, operation.responses ?? {})}
</div><div class="samples">
<h4>Example</h4>
${codeBlock(curl(baseUrl, endpoint, body, file), 'sh')}
${answerExample(document, operation.responses ?? {})}
${tryForm(new URL(baseUrl).pathname.replace(/\/$/, ''), endpoint, body, file)}
</div></div></section>
`
}

function access(operation: Operation): Html | undefined {
  if (isOpen(operation)) return html`<p class="hint">Needs no key.</p>`
  const scopes = Object.values(operation.security?.[0] ?? {}).flat()
  return scopes.length > 0
    ? html`<p class="hint">Needs a key with scope ${scopes.map(scope => html`<code>${scope}</code>`)}.</p>`
    : undefined
}

/** The text that the filter searches. */
export const words = ({ method, path, operation }: Endpoint): string =>
  [method, path, operation.summary, operation.operationId, ...(operation.tags ?? [])].join(' ').toLowerCase()

export const badge = ({ method }: Endpoint): Html => html`<span class="method ${method}">${method.toUpperCase()}</span>`

const codeBlock = (text: string, language: string): Html =>
  html`<div class="code"><pre tabindex="0"><code data-language="${language}">${text}</code></pre></div>`

const PLACES = { path: 'In the path', query: 'Query parameters', header: 'Headers' }

function parameterList(document: OpenApi, place: keyof typeof PLACES, parameters: Parameter[]): Html | false {
  const fields = parameters
    .filter(parameter => parameter.in === place)
    .map(({ name, schema = {}, required = false, description, deprecated }) => ({ name, schema, required, description, deprecated }))
  return fields.length > 0 && html`<h4>${PLACES[place]}</h4>${fieldList(document, fields, 'linked')}`
}

function requestSection(document: OpenApi, request: RequestBody): Html {
  const types = Object.entries(request.content ?? {})
  return html`<h4>Body${request.required && html` <span class="required">required</span>`}</h4>
${prose(request.description)}
${types.map(
  ([type, { schema = {} }]) =>
    html`<p class="media"><code>${type}</code> <span class="type">${typeLabel(document, schema)}</span></p>${schemaView(document, schema, 'expanded')}`,
)}`
}

function responseList(document: OpenApi, responses: Record<string, Response | Ref>): Html {
  return html`<h4>Responses</h4>${Object.entries(responses).map(([status, response]) =>
    responseItem(document, status, follow<Response>(document, response)),
  )}`
}

// A body that is a named object is described once, under Objects.
function responseItem(document: OpenApi, status: string, response: Response): Html {
  const contents = Object.entries(response.content ?? {})
  const headers = headerList(document, response.headers ?? {})
  const title = html`<span class="status s${status[0] ?? ''}">${status}</span> ${line(response.description)}`
  if (headers === undefined && contents.length === 0) return html`<p class="response">${title}</p>`
  return html`<details class="response"><summary>${title}</summary>
${contents.map(
  ([type, { schema = {} }]) =>
    html`<p class="media"><code>${type}</code> <span class="type">${typeLabel(document, schema)}</span></p>
${componentName('schemas', schema) === undefined && schemaView(document, schema, 'linked')}`,
)}
${headers}</details>`
}

// A header that many responses share is described once, under Headers.
function headerList(document: OpenApi, headers: Record<string, Header | Ref>): Html | undefined {
  const all = Object.entries(headers).map(([name, header]) => ({ name, header, shared: componentName('headers', header) }))
  if (all.length === 0) return undefined
  const shared = all.filter(header => header.shared !== undefined)
  const own = all.filter(header => header.shared === undefined)
  return html`<h5>Headers</h5>
${own.length > 0 && headerFields(document, own)}
${shared.length > 0 && html`<ul class="limits">${shared.map(({ name, shared }) => html`<li><a href="#header-${anchorId(shared ?? '')}">${name}</a></li>\n`)}</ul>`}`
}

export function headerFields(document: OpenApi, headers: { name: string; header: Header | Ref }[]): Html {
  const fields = headers.map(({ name, header }) => {
    const { schema = {}, description } = follow<Header>(document, header)
    return { name, schema, required: false, description }
  })
  return fieldList(document, fields, 'linked')
}

function answerExample(document: OpenApi, responses: Record<string, Response | Ref>): Html | undefined {
  for (const [status, response] of Object.entries(responses)) {
    const media = jsonMedia(follow<Response>(document, response).content)
    const example = media && givenExample(document, media)
    if (status.startsWith('2') && example !== undefined) {
      return html`<h4>Response</h4>${codeBlock(JSON.stringify(example, null, 2), 'json')}`
    }
  }
  return undefined
}

function tryForm(
  basePath: string,
  { id, method, path, parameters, operation }: Endpoint,
  body: unknown,
  file: FileExample | undefined,
): Html {
  const inputs = parameters.filter(parameter => parameter.in !== 'cookie')
  const text = file?.text ?? (body === undefined ? undefined : JSON.stringify(body, null, 2))
  return html`<details class="try script-only"><summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${basePath}${path}"${isOpen(operation) && html` data-open`} aria-label="Try: ${operation.summary ?? path}">
<div class="inputs">${inputs.map(
    parameter =>
      html`<label>${parameter.name}${parameter.required && html` <span class="required">required</span>`}${control(parameter)}</label>\n`,
  )}</div>
${
  text !== undefined &&
  html`<label>Body<textarea name="body" data-in="body" data-type="${file?.type ?? 'application/json'}" rows="10" spellcheck="false" id="${id}-body">${text}</textarea></label>`
}
<button type="submit">Send ${method.toUpperCase()}</button>
</form>
<div class="answer" role="status" aria-live="polite"></div>
</details>`
}

// An enumeration is a select. A parameter left empty is not sent.
function control(parameter: Parameter): Html {
  const { name, required, schema } = parameter
  const marks = html`name="${name}" data-in="${parameter.in}"${required && html` required`}`
  const values = typeof schema === 'object' && (schema.enum ?? (schema.type === 'boolean' && [true, false]))
  if (typeof schema !== 'object' || !values)
    return html`<input ${marks} placeholder="${placeholder(parameter)}" autocomplete="off" spellcheck="false">`
  const none = schema.default === undefined ? '' : `${schema.default}, unless chosen`
  return html`<select ${marks}><option value="">${none}</option>${values.map(value => html`<option>${String(value)}</option>`)}</select>`
}

function placeholder({ in: place, schema }: Parameter): string {
  if (typeof schema !== 'object') return ''
  const several = typeof schema.items === 'object' && schema.items.enum?.slice(0, 2).join(',')
  const value = schema.examples?.[0] ?? schema.default ?? (several || undefined)
  return value === undefined ? (place === 'path' ? 'required' : '') : String(value)
}
