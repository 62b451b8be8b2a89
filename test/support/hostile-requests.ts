// Requests that no document foresees: arbitrary texts, numbers, bytes and headers, in all the places of a request.
import fc from 'fast-check'
import type { Contract, Json, Operation } from './contract.ts'
import { encoded, nobody } from './given.ts'
import { jsonOf, parametersOf, readable, type Sent } from './requests.ts'
import { validValues } from './schema-arbitraries.ts'

/** Anything at all for this operation, though as a rule near to what it understands. */
export function anyRequest(contract: Contract, operation: Operation): fc.Arbitrary<Sent> {
  const { method, path, described } = operation
  const parameters = parametersOf(contract, operation, 'query')
  return fc
    .record({
      id: seldom(6, text.map(pathText)),
      query: method === 'get' ? queryOf(parameters) : fc.constant(''),
      headers,
      body: described.requestBody
        ? bodyOf(contract, jsonOf(operation)?.schema ?? {})
        : method === 'get'
          ? fc.constant(null)
          : seldom(6, bytes),
      wrong: seldom(12, fc.tuple(fc.constantFrom('Authorization', 'Content-Type'), headerText)),
    })
    .map(({ id, query, headers, body, wrong }) =>
      readable({
        method: method.toUpperCase(),
        path,
        ...(id !== null && { id }),
        query,
        headers: { ...headers, ...(wrong && { [wrong[0]]: wrong[1] }) },
        body: body ?? undefined,
        ...(wrong?.[0] === 'Authorization' && { keyless: true }),
      }),
    )
}

const hostileTexts = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e400',
    'null',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    "' or 1=1 --",
    '%',
    '%00',
    '\\',
    '"',
    '😀',
    '{{a}}',
  ],
  ...[
    'x'.repeat(5000),
    '2026-02-31T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    'SHIRT',
    'SHIRT-M',
    'SHIPPED',
    'shipped',
  ],
  ...['EUR', 'ada@example.com', '+380441234567'],
]
const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  // As strings of fast-check's unit `binary`, whose making takes a second of the processor, and with halves of pairs.
  fc.array(fc.nat({ max: 0x10ffff }), { maxLength: 10 }).map(points => String.fromCodePoint(...points)),
)
const number = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 1.5, 1e300, 2 ** 53, 2 ** 31, 2 ** 63, 9_000_000_000, 9_000_000_001, 1e-7),
  fc.integer(),
  fc.double(),
)
/** Null, but once in so many times. */
const seldom = <T>(times: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const anything = fc.letrec(tie => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(text, tie('value'), { maxKeys: 4 })),
})).value

/** Where a value sits in a body, for a change to strike there. */
function places(value: Json, at: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [at]
  return [at, ...Object.entries(value).flatMap(([name, inner]) => places(inner, [...at, name]))]
}
function replaced(value: Json, [name, ...rest]: (string | number)[], by: unknown): Json {
  if (name === undefined) return by
  const copy = Array.isArray(value) ? [...value] : { ...value }
  copy[name] = replaced(copy[name], rest, by)
  return copy
}

/** As a rule of the type that stood there: a value of the wrong type is refused before any other check. */
const instead = (value: Json) =>
  fc.oneof(
    { weight: 5, arbitrary: typeof value === 'string' ? text : typeof value === 'number' ? number : anything },
    { weight: 1, arbitrary: anything },
  )

const bytes = fc.uint8Array({ maxLength: 50 }).map(each => Buffer.from(each))

/** A body that fits with up to two parts struck, or anything at all. */
function bodyOf(contract: Contract, schema: Json) {
  const struck = validValues(schema, contract.resolved).chain(sound =>
    fc
      .array(
        fc.constantFrom(...places(sound)).chain(place => instead(place.reduce((at, name) => at[name], sound)).map(by => ({ place, by }))),
        { maxLength: 2 },
      )
      .map(strikes => strikes.reduce((body, { place, by }) => strike(body, place, by), sound)),
  )
  const json = fc
    .oneof({ weight: 9, arbitrary: struck }, { weight: 1, arbitrary: anything })
    .map(value => Buffer.from(JSON.stringify(value) ?? ''))
  return fc.oneof({ weight: 19, arbitrary: json }, { weight: 1, arbitrary: bytes })
}
// An earlier strike may have taken away what this one aims at.
function strike(body: Json, place: (string | number)[], by: unknown): Json {
  try {
    return replaced(body, place, by)
  } catch {
    return body
  }
}

const cursors = fc
  .record(
    {
      v: fc.constantFrom(1, 2, '1'),
      sort: fc.constantFrom('created_at', 'updated_at', 'total_amount', 'name', 'price_amount', 'stock', 'commit', 'x'),
      dir: fc.constantFrom('asc', 'desc', 'x'),
      last: fc.oneof(leaf, fc.constantFrom('2026-05-25T09:30:00.000Z', '9999-12-31T23:59:59.999Z', '1.1', '99999999999999999999.1')),
      id: fc.constantFrom(nobody('ord'), nobody('prod'), nobody('con'), nobody('whk'), nobody('evt'), 'x'),
    },
    { requiredKeys: ['v', 'sort', 'dir', 'last'] },
  )
  .map(encoded)
const times = fc.oneof(
  fc.constantFrom(
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+15:59',
    '9999-12-31T23:59:59.999999999-15:59',
    '2026-05-25T09:30:00+23:59',
    '2026-02-31T00:00:00Z',
  ),
  fc.date({ min: new Date(-1e14), max: new Date(1e15), noInvalidDate: true }).map(date => date.toISOString()),
)
/** As a rule a value that its schema allows. */
const plausibly = ({ name, schema }: Json) => {
  const choices = schema.enum ?? schema.items?.enum
  const plausible = choices
    ? fc.constantFrom(...choices)
    : schema.format === 'date-time'
      ? times
      : schema.type === 'integer'
        ? number.map(String)
        : /^(cursor|after)$/.test(name)
          ? cursors
          : name === 'fields'
            ? fc.constantFrom('id', 'id,customer.email', 'object,data.order.items.sku', 'id,', 'metadata.x', 'variants.options.a')
            : text
  return fc.oneof({ weight: 5, arbitrary: plausible }, { weight: 1, arbitrary: text })
}
const encode = (part: string): string => encodeURIComponent(part.toWellFormed())
const STRAY = [
  ...['&&&', '=', '?', 'limit', 'limit=%zz', '%00=%00', 'limit[]=1', 'limit=1&limit=1', 'a'.repeat(4000), 'fields=%ff', 'q=%ed%a0%80'],
]
function queryOf(parameters: Json[]) {
  const pairs = parameters.map(each => plausibly(each).map(value => `${each.name}=${encode(value)}`))
  const stray = fc.oneof(
    fc.tuple(text, text).map(pair => pair.map(encode).join('=')),
    fc.constantFrom(...STRAY),
  )
  const some = fc.subarray(pairs, { maxLength: Math.min(3, pairs.length) }).chain(chosen => fc.tuple(...chosen))
  return fc.tuple(some, seldom(6, stray)).map(([known, extra]) => [...known, ...(extra === null ? [] : [extra])].join('&'))
}

// Characters that HTTP itself refuses in a header are not sent.
const headerText = fc.oneof(
  fc.constantFrom('*', '"x"', 'W/"x"', '', 'x', 'Sat, 01 Jan 2000 00:00:00 GMT', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  fc
    .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code)), maxLength: 60 })
    .map(each => each.replaceAll('\x7f', '')),
)
const HEADERS = [
  ...[
    'If-Match',
    'If-None-Match',
    'If-Unmodified-Since',
    'If-Modified-Since',
    'Idempotency-Key',
    'traceparent',
    'Accept',
    'Accept-Encoding',
  ],
  ...['X-Forwarded-For', 'X-HTTP-Method-Override', 'Range', 'Origin', 'Cookie', 'Content-Encoding', 'User-Agent'],
]
const headers = fc.dictionary(fc.constantFrom(...HEADERS), headerText, { maxKeys: 3 })

// A part of a path: neither empty nor dots, which address other paths.
const pathText = (id: string): string => encodeURIComponent(id.toWellFormed()).replace(/^\.*$/, 'x')
