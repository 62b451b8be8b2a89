// Whatever is sent to whichever operation: never a 5xx, only statuses its operation declares, and always the standard headers.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { type Reply, testApp } from '../support/app.ts'
import { anEstate, anOrder, aProduct, assertStandardHeaders, aWebhook, type Estate, encoded, filled, nobody } from '../support/given.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

/** Printed with the counter-example when a run fails; the same seed makes the same requests. */
const SEED = 20_260_525
const RUNS = 50
/** HEAD is GET without its body. */
const HEAD_RUNS = 10
/** A plan allows 120 writes a minute: a tenant is asked fewer times than that. */
const RUNS_PER_TENANT = 100

const app = await testApp()
const { body: document }: { body: Json } = await app.request('GET', '/api/v1/openapi.json')

let current: Estate | undefined
let asked = 0

/** A tenant with one of everything, and another when its limit comes near. */
async function estate(): Promise<Estate> {
  if (!current || ++asked % RUNS_PER_TENANT === 0) current = await anEstate(app)
  return current
}

const nasty = [
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
  'x'.repeat(5000),
  '{{a}}',
  '2026-02-31T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'SHIRT',
  'SHIRT-M',
  'SHIPPED',
  'shipped',
  'EUR',
  'ada@example.com',
  '+380441234567',
]
const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
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

const rich: Record<string, Json> = {
  createOrder: anOrder({
    items: [
      { sku: 'SHIRT-M', quantity: 1, discount_amount: 1, metadata: { a: 'b' } },
      { name: 'x', unit_amount: 5, quantity: 2 },
    ],
    customer: { email: 'ada@example.com', phone: '+380441234567', name: 'Ada' },
    currency: 'EUR',
    shipping_address: { city: 'Kyiv', country: 'UA', phone: '+380441234567' },
    shipping_amount: 5,
    discount_amount: 1,
    payment: { method: 'card' },
    source: 'api',
    note: 'n',
    tags: ['t'],
    metadata: { a: 'b' },
  }),
  updateOrder: {
    status: 'SHIPPED',
    carrier: 'c',
    waybill_number: 'w',
    tracking_url: 'https://a.example',
    note: 'n',
    tags: ['t'],
    metadata: { a: 'b' },
    shipping_address: { city: 'Kyiv' },
  },
  createProduct: aProduct({
    sku: 'S',
    stock: 5,
    images: [{ url: 'https://a.example' }],
    attributes: { a: 'b' },
    variants: [{ name: 'M', sku: 'S-M', options: { a: 'b' }, price_amount: 1, stock: 1 }],
    currency: 'EUR',
    category: 'C',
    status: 'active',
  }),
  updateProduct: { name: 'n', stock: 3, sku: 'T', variants: [{ name: 'M', stock: 1 }], compare_at_amount: 5, external_id: 'x' },
  createWebhook: aWebhook({ description: 'd', max_parallel: 3 }),
  updateWebhook: { url: 'https://a.example/x', events: ['order.paid'], description: null },
}

/** As a rule of the type that stood there: what is of the wrong type is refused before anything else looks at it. */
const instead = (value: Json) =>
  fc.oneof(
    { weight: 5, arbitrary: typeof value === 'string' ? text : typeof value === 'number' ? number : anything },
    { weight: 1, arbitrary: anything },
  )

/** A valid body with up to three parts struck, or anything at all. */
const bodyOf = (operationId: string, example: Json) => {
  const valid = rich[operationId] ?? example
  const strikes = fc.array(
    fc.constantFrom(...places(valid)).chain(place => instead(place.reduce((at, name) => at[name], valid)).map(by => ({ place, by }))),
    { maxLength: 2 },
  )
  const mutated = strikes.map(all => all.reduce((body, { place, by }) => strike(body, place, by), valid))
  const json = fc
    .oneof({ weight: 9, arbitrary: mutated }, { weight: 1, arbitrary: anything })
    .map(value => Buffer.from(JSON.stringify(value) ?? ''))
  return fc.oneof(
    { weight: 19, arbitrary: json },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }).map(bytes => Buffer.from(bytes)) },
  )
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
      id: fc.constantFrom(nobody('ord'), nobody('prod'), nobody('whk'), nobody('evt'), 'x'),
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
/** What its schema lets one expect, as a rule. */
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
const queryOf = (parameters: Json[]) => {
  const pairs = parameters.map(each => plausibly(each).map(value => `${each.name}=${encode(value)}`))
  const stray = fc.oneof(
    fc.tuple(text, text).map(pair => pair.map(encode).join('=')),
    fc.constantFrom(
      '&&&',
      '=',
      '?',
      'limit',
      'limit=%zz',
      '%00=%00',
      'limit[]=1',
      'limit=1&limit=1',
      'a'.repeat(4000),
      'fields=%ff',
      'q=%ed%a0%80',
    ),
  )
  const some = fc.subarray(pairs, { maxLength: Math.min(3, pairs.length) }).chain(chosen => fc.tuple(...chosen))
  return fc.tuple(some, seldom(6, stray)).map(([known, extra]) => [...known, ...(extra === null ? [] : [extra])].join('&'))
}
// What HTTP itself refuses to carry in a header is not sent.
const headerText = fc.oneof(
  fc.constantFrom('*', '"x"', 'W/"x"', '', 'x', 'Sat, 01 Jan 2000 00:00:00 GMT', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  fc
    .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(code => String.fromCharCode(code)), maxLength: 60 })
    .map(each => each.replaceAll('\x7f', '')),
)
const headers = fc.dictionary(
  fc.constantFrom(
    'If-Match',
    'If-None-Match',
    'If-Unmodified-Since',
    'Idempotency-Key',
    'traceparent',
    'Accept',
    'X-Forwarded-For',
    'Range',
    'Origin',
    'Cookie',
  ),
  headerText,
  { maxKeys: 3 },
)

suite('whatever is sent', () => {
  for (const [path, item] of Object.entries(document.paths as Json))
    for (const [method, operation] of Object.entries(item as Json) as [string, Json][]) {
      const parameters = operation.parameters.filter((each: Json) => each.in === 'query')
      const content = operation.requestBody?.content['application/json']
      const reads = method === 'get' || method === 'head'
      const request = fc.record({
        id: seldom(6, text),
        query: reads ? queryOf(parameters) : fc.constant(''),
        headers,
        body: content ? bodyOf(operation.operationId, content.example) : fc.constant(undefined),
        wrong: seldom(12, fc.tuple(fc.constantFrom('Authorization', ...(content ? ['Content-Type'] : [])), headerText)),
      })

      test(`to ${method.toUpperCase()} ${path}: one of ${declared(operation).join(', ')}`, async () => {
        const property = fc.asyncProperty(request, async ({ id, query, headers, body, wrong }) => {
          const { shop, ids } = await estate()
          const at = filled(path, before => (id === null ? ids[before] : pathText(id)))
          const reply = await app.request(method.toUpperCase(), query ? `${at}?${query}` : at, {
            ...(wrong?.[0] !== 'Authorization' && { key: shop.key }),
            ...(body && { raw: body }),
            headers: { ...headers, ...(wrong && { [wrong[0]]: wrong[1] }) },
          })
          assertExpected(operation, reply)
        })
        await fc.assert(property, { seed: SEED, numRuns: method === 'head' ? HEAD_RUNS : RUNS, endOnFailure: true })
      })
    }
})

function declared(operation: Json): string[] {
  return Object.keys(operation.responses).filter(status => status < '500')
}

// A part of a path: neither empty nor dots, which address other paths.
const pathText = (id: string): string => encodeURIComponent(id.toWellFormed()).replace(/^\.*$/, 'x')

function assertExpected(operation: Json, reply: Reply): void {
  assert.ok(reply.status < 500, reply.text)
  assert.ok(operation.responses[reply.status], `${reply.status} is not declared: ${reply.text}`)
  assertStandardHeaders(reply.headers)
  if (reply.status >= 400 && reply.text) {
    assert.equal(reply.headers.get('content-type'), 'application/problem+json')
    assert.equal(reply.body.trace_id, reply.headers.get('x-trace-id'))
  }
}
