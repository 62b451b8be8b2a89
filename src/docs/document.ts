// The parts of an OpenAPI 3.1 document that the reference reads.

export interface OpenApi {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths?: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components?: { schemas?: Record<string, Schema>; headers?: Record<string, Header> }
}

export type Ref = { $ref: string }
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options'
type PathItem = { parameters?: (Parameter | Ref)[] } & { [method in Method]?: Operation }

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  /** Empty: open to callers without a key. Else the scopes that the key needs, by the name of its scheme. */
  security?: Record<string, string[]>[]
  tags?: string[]
  parameters?: (Parameter | Ref)[]
  requestBody?: RequestBody | Ref
  responses?: Record<string, Response | Ref>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  description?: string
  required?: boolean
  deprecated?: boolean
  schema?: Schema
  example?: unknown
}

export interface RequestBody {
  description?: string
  required?: boolean
  content?: Record<string, Media>
}

export interface Response {
  description?: string
  headers?: Record<string, Header | Ref>
  content?: Record<string, Media>
}

export interface Header {
  description?: string
  schema?: Schema
}

export interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value?: unknown } | Ref>
}

export interface SchemaObject {
  $ref?: string
  type?: string | string[]
  format?: string
  title?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  deprecated?: boolean
  readOnly?: boolean
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  /** Ours: an enumeration that accepts its values in any case. */
  'x-any-case'?: boolean
  /** Ours: a text of which something can be seen. */
  'x-filled'?: boolean
  minProperties?: number
  maxProperties?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}
export type Schema = boolean | SchemaObject

export interface Endpoint {
  /** Unique in the document and safe in an address. */
  id: string
  method: Method
  path: string
  operation: Operation
  parameters: Parameter[]
}

/** Every operation, in the document's order, with the parameters of its path. OPTIONS, and HEAD beside GET, say nothing new and are left out. */
export function endpoints(document: OpenApi): Endpoint[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter(method => item[method] && method !== 'options' && !(method === 'head' && item.get)).map(method => {
      const operation = item[method] as Operation
      const given = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      const parameters = given.map(parameter => follow(document, parameter)).filter(parameter => parameter.name !== undefined)
      return { id: anchorId(operation.operationId ?? `${method} ${path}`), method, path, operation, parameters }
    }),
  )
}

/** The object itself, or the target of its `$ref`; an empty object where that points nowhere, so that one mistake does not cost the page. */
export function follow<T extends object>(document: OpenApi, thing: T | Ref): T {
  let found: unknown = thing
  for (let hops = 0; hops < 16 && isRef(found); hops++) found = lookUp(document, found.$ref)
  return (typeof found === 'object' && found !== null && !isRef(found) ? found : {}) as T
}

/** The name of the component that a `$ref` points at. */
export function componentName(kind: 'schemas' | 'headers', thing: object | boolean): string | undefined {
  const start = `#/components/${kind}/`
  return isRef(thing) && thing.$ref.startsWith(start) ? unescapePointer(thing.$ref.slice(start.length)) : undefined
}

export const isOpen = ({ security }: Operation): boolean => security?.length === 0

/** An id for HTML made of any text. */
export const anchorId = (text: string): string => text.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+|-+$/g, '')

const METHODS: Method[] = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

function isRef(thing: unknown): thing is Ref {
  return typeof thing === 'object' && thing !== null && '$ref' in thing && typeof thing.$ref === 'string'
}

function lookUp(document: OpenApi, pointer: string): unknown {
  if (!pointer.startsWith('#/')) return undefined
  const own = (node: unknown, key: string) =>
    typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? (node as Record<string, unknown>)[key] : undefined
  return pointer.slice(2).split('/').map(unescapePointer).reduce(own, document)
}

function unescapePointer(part: string): string {
  return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
}
