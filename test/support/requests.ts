// Requests made up from an operation of the OpenAPI document, such that they fit it.
import fc from 'fast-check'
import type { Contract, Json, Operation } from './contract.ts'
import { validValues } from './schema-arbitraries.ts'

export interface Sent {
  method: string
  /** As in the document; its ids are filled in when it is sent, unless `id` says otherwise. */
  path: string
  id?: string
  query: string
  headers: Record<string, string>
  /** Text, or bytes that are none. */
  body: string | Buffer | undefined
  /** Without a key: an anonymous request. */
  keyless?: boolean
}

/** A request that the document calls valid. */
export function fittingRequest(contract: Contract, operation: Operation): fc.Arbitrary<Sent> {
  const headers = chosen(parametersOf(contract, operation, 'header'), each =>
    validValues(each.schema, contract.resolved).map(value => [each.name, String(value)] as const),
  ).map(pairs => sendable(Object.fromEntries(pairs)))
  return fc
    .tuple(queryOf(contract, operation), headers, contentOf(contract, operation))
    .map(([query, headers, content]) => readable({ ...bare(operation), query, ...content, headers: { ...headers, ...content.headers } }))
}

export const bare = ({ method, path }: Operation): Sent => ({ method: method.toUpperCase(), path, query: '', headers: {}, body: undefined })

export const parametersOf = (contract: Contract, { described }: Operation, place: string): Json[] =>
  described.parameters.map(contract.resolved).filter((each: Json) => each.in === place)
export const jsonOf = ({ described }: Operation): Json => described.requestBody?.content['application/json']

type Content = Pick<Sent, 'headers' | 'body'>

export function contentOf(contract: Contract, operation: Operation): fc.Arbitrary<Content> {
  const content: Json = operation.described.requestBody?.content ?? {}
  const media = jsonOf(operation)
  if (media) return fittingBody(contract, media).map(value => ({ headers: {}, body: JSON.stringify(value) }))
  // For a file the document has only its type, and perhaps an example.
  const files = Object.entries(content).map(([type, each]) => ({
    headers: { 'Content-Type': type },
    body: String((each as Json).example ?? ''),
  }))
  return files.length > 0 ? fc.constantFrom<Content>(...files) : fc.constant({ headers: {}, body: undefined })
}

/** Generated, or as a rule the example with a few generated members: the rest of it then makes sense. */
export function fittingBody(contract: Contract, { schema, example }: Json): fc.Arbitrary<Json> {
  const made = validValues(schema, contract.resolved)
  const near = made.chain(value => {
    if (!isObject(value) || !isObject(example)) return fc.constant(example)
    const names = Object.keys(value)
    return fc
      .subarray(names, { maxLength: Math.min(2, names.length) })
      .map(taken => ({ ...example, ...Object.fromEntries(taken.map(name => [name, value[name]])) }))
  })
  return fc.oneof(made, near).filter(value => contract.fits(schema, value))
}

const isObject = (value: Json): boolean => value?.constructor === Object

/** The required members, and a few others. */
function chosen<T>(parameters: Json[], made: (parameter: Json) => fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  const optional = parameters.filter(each => !each.required)
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain(some => fc.tuple(...parameters.filter(each => each.required || some.includes(each)).map(made)))
}

/** Shorter than what Node takes for a request's head. */
export const queryOf = (contract: Contract, operation: Operation): fc.Arbitrary<string> =>
  chosen(parametersOf(contract, operation, 'query'), each => pairOf(contract, operation, each))
    .map(pairs => pairs.join('&'))
    .filter(query => query.length < 8_000)

export function pairOf(contract: Contract, operation: Operation, { name, schema }: Json): fc.Arbitrary<string> {
  // Names in brackets, of what the document has as an example.
  if (schema.type === 'object')
    return fc
      .constantFrom(...Object.entries(schema.examples[0] as Json))
      .map(([inner, value]) => `${name}[${inner}]=${encodeURIComponent(text(value))}`)
  const paths = name === 'fields' ? pathsOf(contract, operation) : []
  const value = paths.length > 0 ? fc.subarray(paths, { minLength: 1, maxLength: 3 }) : validValues(schema, contract.resolved)
  return value
    .filter(each => paths.length > 0 || contract.fits(schema, read(schema, text(each))))
    .map(each => `${name}=${encodeURIComponent(text(each))}`)
}

export const text = (value: Json): string => (Array.isArray(value) ? value.join(',') : String(value))

/** The value that the document reads from the text of a parameter. */
export function read(schema: Json, given: string): Json {
  if (schema.type === 'array') return given.split(',').map(each => read(schema.items ?? {}, each.trim()))
  if (schema.type === 'integer' && /^-?(0|[1-9]\d*)$/.test(given)) return Number(given)
  if (schema.type === 'boolean' && /^(true|false)$/.test(given)) return given === 'true'
  return given
}

/** Paths into the operation's answer, as `fields` names them. */
function pathsOf({ resolved }: Contract, { described }: Operation): string[] {
  const answer = Object.values(resolved(described.responses['200'])?.content ?? {})[0] as Json
  const inside = (schema: Json, depth = 0): string[] => {
    const { properties = {}, items } = resolved(schema)
    if (items) return inside(items, depth)
    const all = Object.entries(properties as Json)
    return all.flatMap(([name, each]) => [name, ...(depth < 2 ? inside(each, depth + 1).map(path => `${name}.${path}`) : [])])
  }
  const whole = resolved(answer?.schema ?? {})
  return inside(whole.properties?.data && whole.properties?.has_more ? whole.properties.data : whole)
}

// Characters that HTTP itself does not carry in a header are not sent.
const sendable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\x20-\x7e\x80-\xff]*$/.test(value)))

/** Printed by fast-check as one would write it down. */
export function readable<T extends Sent>(request: T): T {
  const lines = () => [
    ...('what' in request ? [`# ${request.what}`] : []),
    `${request.method} ${request.id === undefined ? request.path : request.path.replace(/\{\w+\}/, request.id)}${request.query && `?${request.query}`}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
    ...(request.body === undefined ? [] : ['', request.body.toString().slice(0, 2_000)]),
  ]
  return Object.defineProperty(request, fc.toStringMethod, { value: () => `\n${lines().join('\n')}\n` })
}
