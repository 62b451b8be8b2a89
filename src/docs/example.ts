// Examples of requests: the document's own, else a body with every required field, and the curl line that sends it.
import { type Endpoint, follow, isOpen, type Media, type OpenApi, type Schema } from './document.ts'
import { plain } from './plain-schema.ts'

/** An example of a body, from the document where it gives one. Undefined for a body that is not JSON. */
export function exampleBody(document: OpenApi, content: Record<string, Media> | undefined): unknown {
  const media = jsonMedia(content)
  return media && (givenExample(document, media) ?? (media.schema === undefined ? undefined : sample(document, media.schema, 0)))
}

/** The example that the document itself gives. */
export function givenExample(document: OpenApi, media: Media): unknown {
  if (media.example !== undefined) return media.example
  const first = Object.values(media.examples ?? {})[0]
  return first === undefined ? undefined : follow<{ value?: unknown }>(document, first).value
}

export function jsonMedia(content: Record<string, Media> | undefined): Media | undefined {
  return Object.entries(content ?? {}).find(([type]) => /[/+]json$/.test(type))?.[1]
}

export interface FileExample {
  /** Its media type. */
  type: string
  text: string
}

/** An example of a body that is a file. */
export function fileExample(content: Record<string, Media> | undefined): FileExample | undefined {
  const [first] = Object.entries(content ?? {})
  if (first === undefined || jsonMedia(content)) return undefined
  const [type, { example = '' }] = first
  return { type, text: String(example) }
}

/** A command for a shell, with the API key in `$API_KEY`. */
export function curl(baseUrl: string, { method, path, parameters, operation }: Endpoint, body: unknown, file?: FileExample): string {
  const query = parameters
    .filter(parameter => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${(typeof schema === 'object' && schema.enum?.[0]) || '…'}`)
  const address = `${baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const keyed = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
  const verb = method === 'get' ? '' : ` ${method === 'head' ? '-I' : `-X ${method.toUpperCase()}`}`
  const lines = [
    `curl${verb} ${quote(address)}`,
    !isOpen(operation) && '-H "Authorization: Bearer $API_KEY"',
    keyed && '-H "Idempotency-Key: $(date +%s)"',
    file && `-H 'Content-Type: ${file.type}'`,
    file && '--data-binary @file',
    body !== undefined && `-H 'Content-Type: application/json'`,
    body !== undefined && `-d ${quote(JSON.stringify(body, null, 2))}`,
  ]
  return lines.filter(line => typeof line === 'string').join(' \\\n  ')
}

const quote = (text: string): string => (/^[\w:/.,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

function sample(document: OpenApi, schema: Schema, depth: number): unknown {
  const body = plain(document, schema)
  const given = body.examples?.[0] ?? body.const ?? body.default ?? body.enum?.[0]
  if (given !== undefined || depth > 5) return given
  if (body.items !== undefined) return [sample(document, body.items, depth + 1)]
  const first = body.anyOf?.[0]
  if (body.properties) {
    const required = [...(body.required ?? []), ...((typeof first === 'object' && first.required) || [])]
    const needed = Object.entries(body.properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(needed.map(([name, property]) => [name, sample(document, property, depth + 1)]))
  }
  if (first !== undefined) return sample(document, first, depth + 1)
  const least = body.minimum ?? 1
  return { string: 'text', integer: least, number: least, boolean: true, object: {} }[String(body.type)] ?? null
}
