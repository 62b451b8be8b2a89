// Values made up from a JSON Schema with fast-check: those that fit it, and those that fit but for a single fault.
import fc from 'fast-check'
import type { Json } from './contract.ts'
import { nobody } from './given.ts'

export interface Fault {
  /** What is wrong and where, for whoever reads the counterexample. */
  what: string
  value: Json
}

/** What a `$ref` points at. */
export type Resolve = (schema: Json) => Json

/**
 * Values that fit the schema, as far as it can be followed; whoever needs certainty filters. Ids are as a rule stand-ins for such as name
 * something: see `standIn`.
 */
export function fitting(schema: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const whole = resolved(schema)
  if (whole.examples)
    return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...whole.examples) }, fitting({ ...whole, examples: undefined }, resolved))
  if ('const' in whole) return fc.constant(whole.const)
  if (whole.enum) return fc.constantFrom(...whole.enum)
  const branches: Json[] | undefined = whole.anyOf ?? whole.oneOf
  if (branches && !whole.type) return fc.oneof(...branches.map(branch => fitting(branch, resolved)))
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

const extended = (schema: Json, branch: Json): Json => ({
  ...schema,
  ...branch,
  properties: { ...schema.properties, ...branch.properties },
  required: [...new Set([...(schema.required ?? []), ...(branch.required ?? [])])],
})

function membersOf(schema: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const { properties, required, additionalProperties, propertyNames = {}, maxProperties = 4 } = schema
  const members = Object.fromEntries(Object.entries(properties as Json).map(([name, each]) => [name, fitting(each, resolved)]))
  const optional = Object.keys(members).filter(name => !required.includes(name))
  const all = fc.record(members, { requiredKeys: required.filter((name: string) => name in members) })
  // As a rule few are given, so that what they say together is seldom a contradiction.
  const few = fc.subarray(optional, { maxLength: Math.min(2, optional.length) }).chain(names => {
    const chosen = Object.entries(members).filter(([name]) => required.includes(name) || names.includes(name))
    return fc.record(Object.fromEntries(chosen))
  })
  const named = fc.oneof({ weight: 2, arbitrary: few }, { weight: 1, arbitrary: all })
  if (typeof additionalProperties !== 'object') return named
  const names = fitting({ type: 'string', ...propertyNames }, resolved).filter(name => name !== '__proto__')
  const more = fc.dictionary(names, fitting(additionalProperties, resolved), { maxKeys: Math.min(maxProperties, 4) })
  return fc.tuple(more, named).map(([others, own]) => ({ ...others, ...own }))
}

function arrayOf({ items = {}, minItems = 0, maxItems = 100, uniqueItems }: Json, resolved: Resolve): fc.Arbitrary<Json> {
  const limits = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }
  return uniqueItems
    ? fc.uniqueArray(fitting(items, resolved), { ...limits, selector: item => JSON.stringify(item) })
    : fc.array(fitting(items, resolved), limits)
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

/** Ids made up here for any that a test knows: which one is decided when the request is sent, so that the same seed makes the same requests. */
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
  uri: fc.oneof(fc.webUrl({ size: '-1' }), fc.constantFrom('https://a.example/p?q=1')),
  currency: fc.constantFrom('EUR', 'USD', 'UAH', 'JPY'),
}

/** What is wrong with `value`, which fits the schema, one fault at a time. Those that the judge finds fit after all are its to drop. */
export function faults(schema: Json, value: Json, resolved: Resolve, at = ''): Fault[] {
  const whole = resolved(schema)
  const branch = (whole.anyOf ?? whole.oneOf) as Json[] | undefined
  const own: Json[] = [...mistyped(whole), ...beyond(whole, value), ...(typeof value === 'string' ? UNKEEPABLE : [])]
  const here = own.map(wrong => ({ what: `${at || 'the value'} is ${JSON.stringify(wrong)?.slice(0, 60)}`, value: wrong }))
  if (branch && !whole.type) return [...here, ...branch.flatMap(each => faults(each, value, resolved, at))]
  const inside = value?.constructor === Object && branch?.length ? branch.map(each => extended(whole, resolved(each))) : [whole]
  if (Array.isArray(value)) return [...here, ...inItems(whole, value, resolved, at)]
  if (value !== null && typeof value === 'object') return [...here, ...inside.flatMap(each => inMembers(each, value, resolved, at))]
  return here
}

const mistyped = ({ type, enum: values }: Json): Json[] =>
  type === undefined && !values ? [] : [null, 'text', '', '1', 1, 1.5, -1, true, [], {}, [null], { a: 1 }]

const UNKEEPABLE = ['\u0000', 'a\u0000b', '\ud800', '\udfff x']

// What lies just beyond each limit, and what has a form that is almost right.
function beyond(
  {
    minimum,
    maximum,
    minLength,
    maxLength,
    format,
    pattern,
    enum: values,
    minItems,
    maxItems,
    uniqueItems,
    minProperties,
    maxProperties,
  }: Json,
  value: Json,
): Json[] {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
  return [
    ...(minimum !== undefined ? [minimum - 1, minimum - 0.5] : []),
    ...(maximum !== undefined ? [maximum + 1, 1e300, 2 ** 63] : []),
    ...(minLength ? [''] : []),
    ...(maxLength !== undefined ? ['x'.repeat(maxLength + 1), '😀'.repeat(maxLength + 1)] : []),
    ...(pattern !== undefined ? ['', ' ', `${value}\n`, ` ${value}`, `${value}x`, String(value).toUpperCase()] : []),
    ...(ALMOST[format as keyof typeof ALMOST] ?? []),
    ...(values ? ['no_such_value', `${value} `, 0] : []),
    ...(minItems ? [[]] : []),
    ...(maxItems !== undefined && Array.isArray(value) && value.length > 0 ? [Array.from({ length: maxItems + 1 }, () => value[0])] : []),
    ...(uniqueItems && value?.length > 0 ? [[...value, value[0]]] : []),
    ...(minProperties ? [{}] : []),
    ...(maxProperties !== undefined ? [many(maxProperties + 1)] : []),
  ]
}

const ALMOST = {
  'date-time': [
    '',
    '2026-02-31T00:00:00Z',
    '2026-05-25',
    '2026-05-25T09:30:00',
    '2026-05-25T25:00:00Z',
    '2026-05-25T09:30:00+0200',
    'yesterday',
    '1779700000',
  ],
  email: ['', 'ada', '@example.com', 'ada@', 'ada@example', 'a b@example.com', 'ada@@example.com', 'ada@example..com'],
  uri: ['', 'example', '//a.example', 'javascript:alert(1)', 'ftp://a.example', 'https://', 'file:///etc/passwd'],
  currency: ['', 'eur', 'EU', 'EURO', 'E1R', 'ZZZ'],
}

function inItems({ items = {} }: Json, value: Json[], resolved: Resolve, at: string): Fault[] {
  return value
    .slice(0, 2)
    .flatMap((item, index) =>
      faults(items, item, resolved, `${at}[${index}]`).map(fault => ({ ...fault, value: value.with(index, fault.value) })),
    )
}

function inMembers(schema: Json, value: Json, resolved: Resolve, at: string): Fault[] {
  const { properties = {}, required = [], anyOf = [], additionalProperties, propertyNames } = schema
  const path = (name: string) => (at ? `${at}.${name}` : name)
  const without = (names: string[]) => Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
  const missing = (names: string[]): Fault => ({ what: `${names.map(path).join(', ')} missing`, value: without(names) })
  const alternatives: string[] = anyOf.flatMap((branch: Json) => branch.required ?? [])
  const stray = ['unknown', '__proto__', 'constructor', ''].map(name => ({
    what: `${path(name)} is no member`,
    value: Object.defineProperty({ ...value }, name, { value: 'x', enumerable: true }),
  }))
  const badNames: Fault[] = propertyNames?.maxLength
    ? [{ what: 'a long name', value: { ...value, ['x'.repeat(propertyNames.maxLength + 1)]: 'v' } }]
    : []
  const inner = Object.entries(value as Json).flatMap(([name, member]) => {
    const shape = properties[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    if (shape === undefined) return []
    return faults(shape, member, resolved, path(name)).map(fault => ({ ...fault, value: { ...value, [name]: fault.value } }))
  })
  return [
    ...required.map((name: string) => missing([name])),
    ...(alternatives.length > 0 ? [missing(alternatives)] : []),
    ...stray,
    ...badNames,
    ...inner,
  ]
}
