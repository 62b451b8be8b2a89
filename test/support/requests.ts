// Requests made up from an operation of the OpenAPI document: such as fit it, and such as have a single fault with the status that must follow.
import fc from 'fast-check'
import { faults, fitting } from './arbitrary.ts'
import type { Contract, Json, Operation } from './contract.ts'
import { nobody } from './given.ts'

export interface Sent {
  method: string
  /** As in the document; its ids are filled in when it is sent, unless `id` says otherwise. */
  path: string
  id?: string
  query: string
  headers: Record<string, string>
  /** Text, or bytes that are none. */
  body: string | Buffer | undefined
  /** None: as a stranger. */
  keyless?: boolean
}

export interface Faulty extends Sent {
  what: string
  /** What the fault must be answered with. */
  expected: number
  /** It is in one item of a batch, which may be refused alone. */
  inBatch?: boolean
}

/** A request that the document calls valid. */
export function fittingRequest(contract: Contract, operation: Operation): fc.Arbitrary<Sent> {
  const headers = chosen(parametersOf(contract, operation, 'header'), each =>
    fitting(each.schema, contract.resolved).map(value => [each.name, String(value)] as const),
  ).map(pairs => sendable(Object.fromEntries(pairs)))
  return fc
    .tuple(queryOf(contract, operation), headers, contentOf(contract, operation))
    .map(([query, headers, content]) => readable({ ...bare(operation), query, ...content, headers: { ...headers, ...content.headers } }))
}

/** One with a fault, which no answer but a refusal fits. */
export function faultyRequest(contract: Contract, operation: Operation): fc.Arbitrary<Faulty> {
  const kinds = [
    ...strangers(operation),
    ...badIds(operation),
    ...badQueries(contract, operation),
    ...badKeys(contract, operation),
    ...badBodies(contract, operation),
  ]
  return fc.tuple(fc.oneof(...kinds), queryOf(contract, operation), contentOf(contract, operation)).map(([fault, query, content]) => {
    const sound = { ...bare(operation), query, ...content }
    return readable({ ...sound, ...fault, headers: { ...sound.headers, ...fault.headers } })
  })
}

type Fault = Partial<Sent> & { what: string; expected: number }
type Weighted = { weight: number; arbitrary: fc.Arbitrary<Fault> }
const one = (weight: number, ...all: Fault[]): Weighted => ({ weight, arbitrary: fc.constantFrom(...all) })

const bare = ({ method, path }: Operation): Sent => ({ method: method.toUpperCase(), path, query: '', headers: {}, body: undefined })

export const parametersOf = (contract: Contract, { described }: Operation, place: string): Json[] =>
  described.parameters.map(contract.resolved).filter((each: Json) => each.in === place)
export const jsonOf = ({ described }: Operation): Json => described.requestBody?.content['application/json']

type Content = Pick<Sent, 'headers' | 'body'>

function contentOf(contract: Contract, operation: Operation): fc.Arbitrary<Content> {
  const content: Json = operation.described.requestBody?.content ?? {}
  const media = jsonOf(operation)
  if (media) return fittingBody(contract, media).map(value => ({ headers: {}, body: JSON.stringify(value) }))
  // Of a file the document says its type, and an example at most.
  const files = Object.entries(content).map(([type, each]) => ({
    headers: { 'Content-Type': type },
    body: String((each as Json).example ?? ''),
  }))
  return files.length > 0 ? fc.constantFrom<Content>(...files) : fc.constant({ headers: {}, body: undefined })
}

/** Made up, or as a rule the example with a few members made up: the rest of it then makes sense. */
function fittingBody(contract: Contract, { schema, example }: Json): fc.Arbitrary<Json> {
  const made = fitting(schema, contract.resolved)
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

/** What must be given, and a few others. */
function chosen<T>(parameters: Json[], made: (parameter: Json) => fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  const optional = parameters.filter(each => !each.required)
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain(some => fc.tuple(...parameters.filter(each => each.required || some.includes(each)).map(made)))
}

/** Shorter than what Node takes for a request's head. */
const queryOf = (contract: Contract, operation: Operation): fc.Arbitrary<string> =>
  chosen(parametersOf(contract, operation, 'query'), each => pairOf(contract, operation, each))
    .map(pairs => pairs.join('&'))
    .filter(query => query.length < 8_000)

function pairOf(contract: Contract, operation: Operation, { name, schema }: Json): fc.Arbitrary<string> {
  const paths = name === 'fields' ? pathsOf(contract, operation) : []
  const value = paths.length > 0 ? fc.subarray(paths, { minLength: 1, maxLength: 3 }) : fitting(schema, contract.resolved)
  return value
    .filter(each => paths.length > 0 || contract.fits(schema, read(schema, text(each))))
    .map(each => `${name}=${encodeURIComponent(text(each))}`)
}

const text = (value: Json): string => (Array.isArray(value) ? value.join(',') : String(value))

/** What the document takes the text of a parameter for. */
function read(schema: Json, given: string): Json {
  if (schema.type === 'array') return given.split(',').map(each => read(schema.items ?? {}, each.trim()))
  if (schema.type === 'integer' && /^-?(0|[1-9]\d*)$/.test(given)) return Number(given)
  if (schema.type === 'boolean' && /^(true|false)$/.test(given)) return given === 'true'
  return given
}

/** Paths into what the operation answers, as `fields` names them. */
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

// What HTTP itself does not carry in a header is not sent.
const sendable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\x20-\x7e\x80-\xff]*$/.test(value)))

function strangers({ described }: Operation): Weighted[] {
  if (described.security.length === 0) return []
  return [
    one(
      1,
      { what: 'no key', keyless: true, expected: 401 },
      { what: 'another scheme', keyless: true, headers: { Authorization: 'Basic YTpi' }, expected: 401 },
      { what: 'a key of nobody', keyless: true, headers: { Authorization: `Bearer sk_${'a'.repeat(40)}` }, expected: 403 },
    ),
  ]
}

function badIds({ path, method }: Operation): Weighted[] {
  if (!path.includes('{') || method === 'options') return []
  const ids = [
    'x',
    '0',
    '%00',
    '%E0%A4%A',
    '..%2f',
    'null',
    '-1',
    nobody('ord').toUpperCase(),
    `${nobody('ord')}0`,
    nobody('ten'),
    'x'.repeat(150),
  ]
  const well = ['ord', 'prod', 'con', 'whk', 'evt', 'rcv', 'imp', 'exp', 'conv'].map(nobody)
  return [one(2, ...[...ids, ...well].map(id => ({ what: `the id ${id}`, id, expected: 404 })))]
}

function badQueries(contract: Contract, operation: Operation): Weighted[] {
  const parameters = parametersOf(contract, operation, 'query')
  if (parameters.length === 0) return []
  const unfit = fc.constantFrom(...parameters).chain(({ name, schema }) =>
    fitting(schema, contract.resolved)
      .chain(value => fc.constantFrom(...faults(schema, value, contract.resolved).map(fault => text(fault.value)), ''))
      .filter(
        given =>
          given.isWellFormed() &&
          encodeURIComponent(given).length < 8_000 &&
          (given.includes('\0') || !contract.fits(schema, read(schema, given))),
      )
      .map(given => ({
        what: `${name} is ${JSON.stringify(given.slice(0, 60))}`,
        query: `${name}=${encodeURIComponent(given)}`,
        expected: 422,
      })),
  )
  const twice = fc
    .constantFrom(...parameters)
    .chain(each => pairOf(contract, operation, each))
    .map(pair => ({ what: 'given twice', query: `${pair}&${pair}`, expected: 422 }))
  return [
    { weight: 6, arbitrary: unfit },
    { weight: 1, arbitrary: twice },
  ]
}

function badKeys(contract: Contract, operation: Operation): Weighted[] {
  if (!parametersOf(contract, operation, 'header').some(each => each.name === 'Idempotency-Key')) return []
  const keys = ['a b', 'é', 'x'.repeat(256), 'a\tb', '']
  return [
    one(1, ...keys.map(key => ({ what: `Idempotency-Key ${JSON.stringify(key)}`, headers: { 'Idempotency-Key': key }, expected: 422 }))),
  ]
}

function badBodies(contract: Contract, operation: Operation): Weighted[] {
  const { requestBody } = operation.described
  if (!requestBody) return []
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'json',
    '',
  ]
  const wrongType = one(
    1,
    ...types.map(type => ({ what: `Content-Type ${type}`, headers: { 'Content-Type': type }, body: '{}', expected: 415 })),
  )
  const media = jsonOf(operation)
  if (!media) return [wrongType]
  const unfit = fittingBody(contract, media)
    .chain(value => fc.constantFrom(...faults(media.schema, value, contract.resolved)))
    .map(fault => ({ what: fault.what, body: JSON.stringify(fault.value), expected: 422, inBatch: '207' in operation.described.responses }))
    .filter(({ body }) => UNKEEPABLE.test(body) || !contract.fits(media.schema, JSON.parse(body)))
  const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
  const texts = [
    '{',
    '[',
    '{}{}',
    'nul',
    "{'a':1}",
    '{"a":1,}',
    '\u0000',
    '[1',
    '{"a":NaN}',
    '{"a":1e999}',
    deep,
    ...(requestBody.required ? ['', ' '] : [' ']),
  ]
  const bytes = [Buffer.from([0xff, 0xfe]), Buffer.from('7b2261223a22c0af227d', 'hex'), Buffer.from('7b2261223a22eda080227d', 'hex')]
  const malformed = [...texts, ...bytes].map(body => ({ what: 'no JSON that can be kept', body, expected: 422 }))
  return [{ weight: 12, arbitrary: unfit }, wrongType, one(2, ...malformed)]
}

/** As JSON.stringify writes what no database keeps. */
const UNKEEPABLE = /\\u0000|\\ud[89a-f][0-9a-f]{2}|"__proto__":/

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
