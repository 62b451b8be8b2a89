// TypeScript types from the OpenAPI document, in the form that openapi-fetch reads: `paths` by path and method, `components` by name.
import {
  follow,
  type OpenApi,
  type Operation,
  type Parameter,
  type Ref,
  type RequestBody,
  type Response,
  type Schema,
  type SchemaObject,
} from './document.ts'

/** @returns the text of a .d.ts file. Types of problems fit any installation: `${string}/errors/…`. */
export function typesOf(document: OpenApi): string {
  const schemas = Object.entries(document.components?.schemas ?? {})
  const calls = Object.values(document.webhooks ?? {}).map(({ post }) => typeOf(bodySchema(document, post), 0))
  return `// Made from the OpenAPI document: do not edit. See docs/api/client.md.

export interface paths {
${Object.entries(document.paths ?? {})
  .map(([path, item]) => pathType(document, path, item as Record<string, Operation>))
  .join('\n')}
}

export interface components {
  schemas: {
${schemas.map(([name, schema]) => member(name, schema, true, 4)).join('\n')}
  }
}

${calls.length > 0 ? `/** What a webhook's receiver is sent. */\nexport type WebhookEvent = ${calls.join(' | ')}\n\n` : ''}${schemas.map(([name]) => `export type ${name} = components['schemas']['${name}']`).join('\n')}
`
}

function bodySchema(document: OpenApi, operation: Operation | undefined): Schema {
  const body = operation?.requestBody && follow<RequestBody>(document, operation.requestBody)
  return Object.values(body?.content ?? {})[0]?.schema ?? {}
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options', 'trace'] as const
/** HEAD and OPTIONS add nothing. */
const CALLED = ['get', 'post', 'put', 'patch', 'delete']

function pathType(document: OpenApi, path: string, item: Record<string, Operation>): string {
  const operations = METHODS.map(method => {
    const operation = CALLED.includes(method) ? item[method] : undefined
    return operation ? `${doc(operation, 4)}    ${method}: ${operationType(document, operation)}` : `    ${method}?: never`
  })
  return `  '${path}': {\n${operations.join('\n')}\n  }`
}

function operationType(document: OpenApi, { parameters = [], requestBody, responses = {} }: Operation): string {
  const all = parameters.map(each => follow<Parameter>(document, each))
  const places = (['query', 'header', 'path', 'cookie'] as const).map(place =>
    placeType(
      all.filter(each => each.in === place),
      place,
    ),
  )
  const body = requestBody && follow<RequestBody>(document, requestBody)
  const answers = Object.entries(responses).map(([status, response]) => `        ${status}: ${answerType(document, response)}`)
  return `{
      parameters: {
${places.join('\n')}
      }
      requestBody${body?.required ? '' : '?'}: ${body?.content ? `{ content: ${contentType(body.content, 8)} }` : 'never'}
      responses: {
${answers.join('\n')}
      }
    }`
}

function placeType(parameters: Parameter[], place: string): string {
  if (parameters.length === 0) return `        ${place}?: never`
  const needed = parameters.some(each => each.required)
  const members = parameters.map(({ name, schema = {}, required = false, description, deprecated }) => {
    const said = typeof schema === 'object' ? { ...schema, ...(description && { description }), ...(deprecated && { deprecated }) } : schema
    return member(name, said, required, 10)
  })
  return `        ${place}${needed ? '' : '?'}: {\n${members.join('\n')}\n        }`
}

function answerType(document: OpenApi, response: Response | Ref): string {
  const { content } = follow<Response>(document, response)
  return `{ headers: Record<string, unknown>; content${content ? `: ${contentType(content, 8)}` : '?: never'} }`
}

const contentType = (content: Record<string, { schema?: Schema }>, indent: number): string =>
  `{ ${Object.entries(content)
    .map(([type, { schema = {} }]) => `'${type}': ${typeOf(schema, indent)}`)
    .join('; ')} }`

/** A schema as a type. */
function typeOf(schema: Schema, indent: number): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  if (schema.$ref) return `components['schemas']['${schema.$ref.split('/').at(-1)}']`
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  // Alternatives that only say which members go together are not types of their own.
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).filter(
    each => typeof each === 'object' && (each.$ref || each.type || each.properties),
  )
  const own = ownType(schema, indent)
  if (alternatives.length === 0) return own
  const union = alternatives.map(each => typeOf(each, indent)).join(' | ')
  return schema.properties ? `${own} & (${union})` : union
}

function ownType(schema: SchemaObject, indent: number): string {
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat()
  return types.length === 0 ? 'unknown' : types.map(type => ofType(type, schema, indent)).join(' | ')
}

function ofType(type: string, schema: SchemaObject, indent: number): string {
  if (type === 'object') return objectType(schema, indent)
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`
  return type === 'integer' ? 'number' : type
}

function objectType({ properties = {}, required = [], additionalProperties }: SchemaObject, indent: number): string {
  const members = Object.entries(properties).map(([name, each]) => member(name, each, required.includes(name), indent + 2))
  // Other members may have any type: it has to fit the named ones as well.
  if (additionalProperties && members.length > 0) members.push(`${' '.repeat(indent + 2)}[name: string]: unknown`)
  if (additionalProperties && members.length === 0) return `{ [name: string]: ${typeOf(additionalProperties, indent)} }`
  return members.length > 0 ? `{\n${members.join('\n')}\n${' '.repeat(indent)}}` : 'Record<string, never>'
}

function member(name: string, schema: Schema, required: boolean, indent: number): string {
  return `${doc(schema, indent)}${' '.repeat(indent)}${quoted(name)}${required ? '' : '?'}: ${typeOf(schema, indent)}`
}

function doc(said: Schema | Operation, indent: number): string {
  if (typeof said === 'boolean') return ''
  const { summary } = said as Operation
  const words = [said.deprecated && '@deprecated', summary && `${summary}.`, said.description].filter(Boolean).join(' ')
  return words ? `${' '.repeat(indent)}/** ${words.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n` : ''
}

function literal(value: unknown): string {
  const page = typeof value === 'string' && /^https?:\/\/.*(\/errors\/[a-z-]+)$/.exec(value)?.[1]
  return page ? `\`\${string}${page}\`` : JSON.stringify(value)
}

const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
