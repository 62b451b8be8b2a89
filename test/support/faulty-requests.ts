// Requests made up from an operation of the OpenAPI document that fit it but for a single fault, with the status that must follow.
import fc from 'fast-check'
import { BULK_BODY_BYTES, JSON_BODY_BYTES } from '../../src/limits/bodies.ts'
import type { Contract, Operation } from './contract.ts'
import { nobody } from './given.ts'
import { invalidValues } from './invalid-values.ts'
import { bare, contentOf, fittingBody, jsonOf, pairOf, parametersOf, queryOf, read, readable, type Sent, text } from './requests.ts'
import { validValues } from './schema-arbitraries.ts'

export interface Faulty extends Sent {
  what: string
  /** The status that must answer the fault. */
  expected: number
  /** The fault is in one item of a batch, which may be refused alone. */
  inBatch?: boolean
}

/** A request with a fault, which must be refused. */
export function faultyRequest(contract: Contract, operation: Operation): fc.Arbitrary<Faulty> {
  const kinds = [
    ...withoutAccess(operation),
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

function withoutAccess({ described }: Operation): Weighted[] {
  if (described.security.length === 0) return []
  return [
    one(
      1,
      { what: 'no key', keyless: true, expected: 401 },
      { what: 'another scheme', keyless: true, headers: { Authorization: 'Basic YTpi' }, expected: 401 },
      { what: 'an unknown key', keyless: true, headers: { Authorization: `Bearer sk_${'a'.repeat(40)}` }, expected: 403 },
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
    validValues(schema, contract.resolved)
      .chain(value => fc.constantFrom(...invalidValues(schema, value, contract.resolved).map(fault => text(fault.value)), ''))
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
  const form = 'multipart/form-data; boundary=x'
  const others = ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'json', '']
  // Where a file of any type is taken, a form is still none.
  const types = '*/*' in requestBody.content ? [form] : [form, ...others]
  const wrongType = one(
    1,
    ...types.map(type => ({ what: `Content-Type ${type}`, headers: { 'Content-Type': type }, body: '{}', expected: 415 })),
  )
  const media = jsonOf(operation)
  if (!media) return [wrongType]
  const unfit = fittingBody(contract, media)
    .chain(value => fc.constantFrom(...invalidValues(media.schema, value, contract.resolved)))
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
  const limit = '207' in operation.described.responses ? BULK_BODY_BYTES : JSON_BODY_BYTES
  const huge = one(1, { what: 'a body beyond the limit', body: JSON.stringify('x'.repeat(limit)), expected: 413 })
  return [{ weight: 12, arbitrary: unfit }, wrongType, one(2, ...malformed), huge]
}

/** Characters that no database keeps, as JSON.stringify writes them. */
const UNKEEPABLE = /\\u0000|\\ud[89a-f][0-9a-f]{2}|"__proto__":/
