// Values that fit a JSON Schema but for a single fault, made from one that fits.
import type { Json } from './contract.ts'
import { extended, type Resolve } from './schema-arbitraries.ts'

export interface Fault {
  /** What is wrong and where, for the reader of the counterexample. */
  what: string
  value: Json
}

/** Variants of `value`, which fits the schema, each with one fault. The judge drops those that fit after all. */
export function invalidValues(schema: Json, value: Json, resolved: Resolve, at = ''): Fault[] {
  const whole = resolved(schema)
  const branch = (whole.anyOf ?? whole.oneOf) as Json[] | undefined
  const own: Json[] = [...mistyped(whole), ...beyond(whole, value), ...(typeof value === 'string' ? UNKEEPABLE : [])]
  const here = own.map(wrong => ({ what: `${at || 'the value'} is ${JSON.stringify(wrong)?.slice(0, 60)}`, value: wrong }))
  if (branch && !whole.type) return [...here, ...branch.flatMap(each => invalidValues(each, value, resolved, at))]
  const inside = value?.constructor === Object && branch?.length ? branch.map(each => extended(whole, resolved(each))) : [whole]
  if (Array.isArray(value)) return [...here, ...inItems(whole, value, resolved, at)]
  if (value !== null && typeof value === 'object') return [...here, ...inside.flatMap(each => inMembers(each, value, resolved, at))]
  return here
}

const mistyped = ({ type, enum: values }: Json): Json[] =>
  type === undefined && !values ? [] : [null, 'text', '', '1', 1, 1.5, -1, true, [], {}, [null], { a: 1 }]

const UNKEEPABLE = ['\u0000', 'a\u0000b', '\ud800', '\udfff x']

// Values just beyond each limit, and values whose form is almost right.
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
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
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
      invalidValues(items, item, resolved, `${at}[${index}]`).map(fault => ({ ...fault, value: value.with(index, fault.value) })),
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
    return invalidValues(shape, member, resolved, path(name)).map(fault => ({ ...fault, value: { ...value, [name]: fault.value } }))
  })
  return [
    ...required.map((name: string) => missing([name])),
    ...(alternatives.length > 0 ? [missing(alternatives)] : []),
    ...stray,
    ...badNames,
    ...inner,
  ]
}
