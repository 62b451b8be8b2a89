// Values made up from a JSON Schema with fast-check, such that they fit it.
import fc from 'fast-check'
import type { Json } from './contract.ts'
import { nobody } from './given.ts'

/** The target of a `$ref`. */
export type Resolve = (schema: Json) => Json

/**
 * Values that fit the schema, as far as it can be followed; callers that need certainty filter. Ids are as a rule stand-ins for such as name
 * something: see `standIn`.
 */
export function validValues(schema: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const whole = resolved(schema)
  if (whole.examples)
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...whole.examples) }, validValues({ ...whole, examples: undefined }, resolved))
  if ('const' in whole) return fc.constant(whole.const)
  if (whole.enum) return fc.constantFrom(...whole.enum)
  const branches: Json[] | undefined = whole.anyOf ?? whole.oneOf
  if (branches && !whole.type) return fc.oneof(...branches.map(branch => validValues(branch, resolved)))
  const types: string[] = [whole.type ?? ANY].flat()
  const [first, ...others] = types.filter(type => type !== 'null').map(type => ofType(type, whole, resolved))
  const some = others.length > 0 ? fc.oneof(first as fc.Arbitrary<Json>, ...others) : (first as fc.Arbitrary<Json>)
  return types.includes('null') ? fc.oneof({ weight: 5, arbitrary: some }, { weight: 1, arbitrary: fc.constant(null) }) : some
}

const ANY = ['string', 'integer', 'boolean', 'null']

function ofType(type: string, schema: Json, resolved: Resolve): fc.Arbitrary<Json> {
  if (type === 'object') return objectOf(schema, resolved)
  if (type === 'array') return arrayOf(schema, resolved)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return numberOf(type, schema)
  return stringOf(schema)
}

// A branch of `anyOf` or `oneOf` beside the members says more of them, e.g. which are required together.
function objectOf(schema: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const { anyOf, oneOf, ...common } = schema
  const branches: Json[] = anyOf ?? oneOf ?? [{}]
  return fc.oneof(...branches.map(branch => membersOf(extended(common, resolved(branch)), resolved)))
}

/** The schema with the additions of one of its branches. */
export const extended = (schema: Json, branch: Json): Json => ({
  ...schema,
  ...branch,
  properties: { ...schema.properties, ...branch.properties },
  required: [...new Set([...(schema.required ?? []), ...(branch.required ?? [])])],
})

function membersOf(schema: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const { properties, required, additionalProperties, propertyNames = {}, maxProperties = 4 } = schema
  const members = Object.fromEntries(Object.entries(properties as Json).map(([name, each]) => [name, validValues(each, resolved)]))
  const optional = Object.keys(members).filter(name => !required.includes(name))
  const all = fc.record(members, { requiredKeys: required.filter((name: string) => name in members) })
  // As a rule few are given, so that they seldom contradict each other.
  const few = fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain(names => {
    const chosen = Object.entries(members).filter(([name]) => required.includes(name) || names.includes(name))
    return fc.record(Object.fromEntries(chosen))
  })
  const named = fc.oneof({ weight: 2, arbitrary: few }, { weight: 1, arbitrary: all })
  if (typeof additionalProperties !== 'object') return named
  const names = validValues({ type: 'string', ...propertyNames }, resolved).filter(name => name !== '__proto__')
  const more = fc.dictionary(names, validValues(additionalProperties, resolved), { maxKeys: Math.min(maxProperties, 4) })
  return fc.tuple(more, named).map(([others, own]) => ({ ...others, ...own }))
}

function arrayOf({ items = {}, minItems = 0, maxItems = 100, uniqueItems }: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const limits = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }
  return uniqueItems
    ? fc.uniqueArray(validValues(items, resolved), { ...limits, selector: item => JSON.stringify(item) })
    : fc.array(validValues(items, resolved), limits)
}

function numberOf(type: string, { minimum = -(2 ** 53) + 1, maximum = 2 ** 53 - 1 }: Json): fc.Arbitrary<number> {
  const near = [minimum, minimum + 1, maximum, maximum - 1, 0, 1].filter(each => each >= minimum && each <= maximum)
  const small = fc.integer({ min: minimum, max: Math.max(minimum, Math.min(maximum, minimum + 1000)) })
  const any = type === 'integer' ? fc.integer({ min: minimum, max: maximum }) : fc.double({ min: minimum, max: maximum, noNaN: true })
  return fc.oneof({ weight: 4, arbitrary: small }, any, fc.constantFrom(...near))
}

function stringOf({ format, pattern, minLength = 0, maxLength = 10_000 }: Json): fc.Arbitrary<string> {
  const made = FORMATS[format as keyof typeof FORMATS]
  if (made) return made
  const prefix = /^\^([a-z]+)_\[0-7\]/.exec(pattern ?? '')?.[1]
  if (prefix !== undefined) return idOf(prefix)
  if (pattern !== undefined) {
    const matching = fc.stringMatching(new RegExp(pattern, 'u')).filter(text => !UNSTORABLE.test(text))
    return matching.filter(text => text.length >= minLength && text.length <= maxLength)
  }
  const short = fc.string({ unit: character, minLength, maxLength: Math.min(maxLength, minLength + 12) })
  const longest = Math.min(maxLength, 2_000)
  return fc.oneof({ weight: 8, arbitrary: short }, { weight: 1, arbitrary: fc.constantFrom('x'.repeat(longest), '😀'.repeat(longest)) })
}

const idOf = (prefix: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.nat({ max: 9 }).map(number => `${prefix}_${'0'.repeat(25)}${number}`) }, fc.constant(nobody(prefix)))

/** Stand-ins for ids that a test knows: the real id is chosen when the request is sent, so that the same seed makes the same requests. */
export const standIn = /\b([a-z]+)_0{25}(\d)\b/g

/** Every character that a string may hold: no NUL, no half of a pair. */
const character = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u0001',
      '\t',
      '\n',
      '"',
      "'",
      '\\',
      '%',
      '_',
      ',',
      '\u00a0',
      '\u200f',
      '\u2028',
      '\ufeff',
      '\uffff',
      '\u{10ffff}',
      'ẞ',
      'ﬁ',
      'İ',
    ),
  },
)
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what cannot be stored
const UNSTORABLE = /\u0000|\p{Surrogate}/u

// As `fc.webUrl`, which takes a second of the processor to begin with, to learn what it could shrink to.
const segment = fc
  .array(fc.constantFrom(...'abcxyzABC019-._~!$&+,;=:@', '%20', '%25', '%C3%A9', '%F0%9F%98%80'), { maxLength: 6 })
  .map(characters => characters.join(''))
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain({ size: '-1' }), fc.array(segment, { maxLength: 3 }), fc.option(segment))
  .map(
    ([scheme, domain, path, query]) => `${scheme}://${domain}${path.map(each => `/${each}`).join('')}${query === null ? '' : `?${query}`}`,
  )

const FORMATS = {
  'date-time': fc.oneof(
    fc
      .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
      .map(date => date.toISOString()),
    fc.constantFrom(
      '2026-05-25T09:30:00Z',
      '2026-05-25T09:30:00+02:00',
      '2024-02-29T23:59:59.999999-11:30',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
    ),
  ),
  email: fc
    .oneof(fc.emailAddress({ size: '-1' }), fc.constantFrom('ada@example.com', 'a@b.cd', 'Ann+tag@shop.example'))
    .filter(text => text.length <= 254),
  uri: fc.oneof(url, fc.constantFrom('https://a.example/p?q=1')),
  currency: fc.constantFrom('EUR', 'USD', 'UAH', 'JPY'),
}
