// Bodies made to cost as much as a route lets them: each place of its shape filled up to the limit of the body with what is wrong, empty or
// right there, and the whole shape at its fullest. A new route is covered by being in the catalog, for a test and a benchmark alike.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { bodyBytesOf, bodyValuesOf } from '../../src/ingress/body.ts'
import { excessOf } from '../../src/ingress/json.ts'
import type { Route, WriteRoute } from '../../src/ingress/route.ts'
import type { Json } from './contract.ts'
import { extended, fitting } from './fitting.ts'
import { filled, nobody } from './given.ts'

export interface Hostile {
  what: string
  body: Buffer
}

export const takesJson = (route: Route): route is WriteRoute => route.method !== 'GET' && route.body !== undefined

/** Over a connection of its own: to make the next body may take longer than a connection is kept. */
export async function sendTo(address: string, { method, path, idPrefix = '' }: WriteRoute, key: string, body: Buffer) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': body.length }
  const request = httpRequest(address + filled(path, () => nobody(idPrefix)), { method, headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode as number, text: await text(response) }
}

/**
 * Made one by one, for together they are gigabytes.
 * @param fillings of each place: all there are, or one, each in turn; then the single values in a bulk request, which are those of its items
 * sent alone, are left out
 */
export function* hostileBodies(route: WriteRoute, fillings: 'all' | 'one'): Generator<Hostile> {
  const limits = limitsOf(route)
  for (const [what, text] of wholes(limits.bytes)) yield { what: `the body: ${what}`, body: Buffer.from(text.slice(0, limits.bytes)) }
  let turn = 0
  for (const place of placesOf(route)) {
    const kind = kindOf(place.node)
    const fitted = FILLINGS[kind]
    if (fillings === 'one' && route.bulk && kind === 'value') continue
    const chosen = fillings === 'all' ? fitted : [fitted[turn++ % fitted.length] as [string, Fill]]
    const [before, after] = around(place)
    for (const [what, fill] of chosen) {
      const room = { ...limits, bytes: limits.bytes - Buffer.byteLength(before + after) }
      yield { what: `${place.at || 'the body'}: ${what}`, body: Buffer.from(before + fill(place.node, room) + after) }
    }
  }
  for (const leaf of ['wrong', 'empty', 'long', 'right'] as const) yield* fullestBodies(route, leaf)
}

/** Its whole shape filled, in each of its forms. */
export function* fullestBodies(route: WriteRoute, leaf: Leaf): Generator<Hostile> {
  for (const form of forms(route.body))
    yield { what: `every place of ${form.title ?? 'the shape'} filled, each value ${leaf}`, body: fullest(form, leaf, limitsOf(route)) }
}

const limitsOf = (route: WriteRoute): Limits => ({ bytes: bodyBytesOf(route), values: bodyValuesOf(route) })

/** What a body may have. */
interface Limits {
  bytes: number
  values: number
}

// ── bodies that have nothing to do with the shape

function* wholes(bytes: number): Generator<[string, string]> {
  yield ['nested lists', '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)]
  yield ['nested objects', `${'{"a":'.repeat(bytes / 6 - 1)}0${'}'.repeat(bytes / 6 - 1)}`]
  yield ['nested lists, never closed', '['.repeat(bytes)]
  yield ['commas', ','.repeat(bytes)]
  yield ['blanks', ' '.repeat(bytes)]
  yield ['one text of escapes', `"${'\\u0001'.repeat(bytes / 6 - 1)}"`]
  yield ['one text of quotation marks', `"${'\\"'.repeat(bytes / 2 - 2)}"`]
  yield ['one number', '9'.repeat(bytes)]
  yield [
    'one name again and again',
    `{${Array(Math.floor(bytes / 7) - 1)
      .fill('"a":{}')
      .join()}}`,
  ]
}

// ── fillings of one place

type Fill = (node: Json, limits: Limits) => string
type Kind = 'list' | 'members' | 'names' | 'value'

const kindOf = ({ type, additionalProperties, items, properties }: Json): Kind =>
  items || [type].flat().includes('array') ? 'list' : properties ? 'members' : typeof additionalProperties === 'object' ? 'names' : 'value'

/** So many that they are not refused for their number, or as many as there is room for. A value that is not empty counts once. */
const mostOf = ({ bytes, values }: Limits, length: number, weight = 1): number =>
  Math.min(Math.floor((values - 100) / weight), Math.floor((bytes - 2) / (length + 1)))

/** As many items as there may be, all of them together as long as may be. */
const list =
  (item: (node: Json) => string, weight = 1): Fill =>
  (node, limits) => {
    const text = item(node)
    const count = mostOf(limits, text.length, weight)
    return `[${Array(count)
      .fill(text.padEnd(Math.floor((limits.bytes - 2) / count) - 1))
      .join()}]`
  }

/** As many members as there may be, likewise. */
const names =
  (value: (node: Json) => string, weight = 1, name = 'k'): Fill =>
  (node, limits) => {
    const text = value(node)
    const count = mostOf(limits, `"${name}00000":${text}`.length, weight)
    const length = Math.floor((limits.bytes - 2) / count) - text.length - 4
    const members = Array.from({ length: count }, (_, i) => `"${(name + i).padEnd(length, '-')}":${text}`)
    return `{${members.join()}}`
  }

const longName =
  (part: string): Fill =>
  (_node, { bytes }) =>
    `{"${part.repeat((bytes - 8) / part.length)}":0}`

const rightItem = (node: Json): string => JSON.stringify(sample(node.items ?? {}))
const manyObjects: [string, Fill] = ['a list of empty objects', list(() => '{}', 2)]

const FILLINGS: Record<Kind, [string, Fill][]> = {
  list: [
    [
      'more empty objects than there may be values',
      (_node, { bytes }) =>
        `[${Array(Math.floor(bytes / 3) - 1)
          .fill('{}')
          .join()}]`,
    ],
    ['empty objects', list(() => '{}', 2)],
    ['numbers', list(() => '0')],
    ['empty lists', list(() => '[]', 2)],
    ['texts, all the same', list(() => '"x"')],
    ['what fits', list(rightItem, 20)],
    ['an object', names(() => '0')],
  ],
  members: [
    ['unknown names', names(() => '0')],
    ['unknown names of empty objects', names(() => '{}', 2)],
    ['unknown names with quotation marks', names(() => '0', 1, '\\"'.repeat(200))],
    ['a long name', longName('k')],
    manyObjects,
  ],
  names: [
    ['numbers by names', names(() => '0')],
    ['what fits by names', names(node => JSON.stringify(sample(node.additionalProperties)))],
    ['a long name', longName('k')],
    ['a long name of slashes', longName('/~')],
    manyObjects,
  ],
  value: [
    ['a long text', (_node, { bytes }) => `"${'a'.repeat(bytes - 2)}"`],
    ['a long text that nearly fits', (node, { bytes }) => `"${nearly(node, bytes - 3)}!"`],
    ['an object that pretends to be a text', () => '{"toString":1,"valueOf":1,"length":1e9}'],
    manyObjects,
  ],
}

/** The beginning of what fits, made long: a pattern tries it to its end. */
function nearly(node: Json, length: number): string {
  const text = String(sample(node)).replaceAll(/[^ !#-[\]-~]/g, 'a') || 'a'
  return text.slice(0, -1).padEnd(length, text.at(-1))
}

// ── places of a shape, and the smallest body that has one

export interface Place {
  node: Json
  at: string
  /** From the outside in: what holds it, and where. */
  path: { holder: Json; name: string }[]
}

/** Each list, object, dictionary and value of its body. */
export const placesOf = (route: WriteRoute): Generator<Place> => places(route.body)

function* places(node: Json, path: Place['path'] = []): Generator<Place> {
  if (!node.anyOf || node.properties) yield { node, path, at: path.map(({ name }) => name).join('.') }
  const [first, ...others] = forms(node)
  // The same without the name, and what a change has as a creation: one of each is enough.
  for (const form of [first, ...others.filter(each => each.properties?.id === undefined && each.items === undefined)]) {
    for (const [name, inner] of Object.entries((form.properties ?? {}) as Json)) yield* places(inner, [...path, { holder: form, name }])
    if (form.items) yield* places(form.items, [...path, { holder: form, name: '0' }])
    if (typeof form.additionalProperties === 'object') yield* places(form.additionalProperties, [...path, { holder: form, name: 'k' }])
  }
}

/** What a value may be: the choices of a schema that says nothing but them. */
function forms(node: Json): Json[] {
  const choices: Json[] | undefined = node.oneOf ?? (node.properties ? undefined : node.anyOf)
  return choices?.flatMap(forms) ?? [node]
}

function around({ path }: Place): [string, string] {
  const layers = path.map(({ holder, name }): [string, string] => {
    if (holder.items) return ['[', ']']
    const { [name]: _itself, ...others } = members(holder) as Json
    const rest = JSON.stringify(others).slice(1, -1)
    return [`{${rest}${rest && ','}${JSON.stringify(name)}:`, '}']
  })
  return [
    layers.map(([before]) => before).join(''),
    layers
      .reverse()
      .map(([, after]) => after)
      .join(''),
  ]
}

// ── values that fit

const WHATEVER: (schema: Json) => Json = schema => schema

/** The smallest there is. */
function sample(node: Json): Json {
  const known = samples.get(node)
  if (known !== undefined) return known
  const made = sampleOf(node)
  samples.set(node, made)
  return made
}

const samples = new WeakMap<object, Json>()

function sampleOf(node: Json): Json {
  const [form] = forms(node) as [Json]
  if (form.properties) return members(form)
  if (form.items) return Array.from({ length: form.minItems ?? 0 }, () => sample(form.items))
  if (typeof form.additionalProperties === 'object') return {}
  return fc.sample(fitting({ ...form, type: [form.type].flat()[0], maxLength: Math.min(form.maxLength ?? 20, 60) }, WHATEVER), {
    seed: 1,
    numRuns: 1,
  })[0]
}

function members(holder: Json): Json {
  const { required = [] } = extended(holder, holder.anyOf?.[0] ?? {}) as Json
  const given = Object.entries((holder.properties ?? {}) as Json).filter(([name]) => required.includes(name))
  return Object.fromEntries(given.map(([name, each]) => [name, sample(each)]))
}

// ── the whole shape at its fullest

type Leaf = 'wrong' | 'empty' | 'long' | 'right'

/** Each list as long as it may be, each member given; dictionaries as full, and texts as long, as there is room for all of them. */
function fullest(form: Json, leaf: Leaf, { bytes, values }: Limits): Buffer {
  const measured = [100, 1].map(names => {
    const measure = { names, chars: 1, number: 0 }
    return { names, text: JSON.stringify(full(form, leaf, measure)), texts: measure.number }
  })
  const { names, text, texts } = measured.find(each => each.text.length <= bytes && !excessOf(each.text, values)) ?? assert.fail(form)
  const chars = Math.floor((bytes - text.length) / (texts + 1))
  return Buffer.from(JSON.stringify(full(form, leaf, { names, chars: Math.max(chars, 1), number: 0 })))
}

/** How much of everything; `number` counts the texts, and makes them differ. */
interface Measure {
  names: number
  chars: number
  number: number
}

function full(node: Json, leaf: Leaf, measure: Measure): Json {
  const [form] = forms(node) as [Json]
  const within = (inner: Json): Json => full(inner, leaf, measure)
  if (form.properties) {
    const all = Object.entries(form.properties as Json).map(([name, each]) => [name, within(each)])
    return Object.fromEntries(leaf === 'wrong' ? [...all, ['unknown', 0], ['other', 0]] : all)
  }
  if (form.items) return Array.from({ length: form.maxItems }, () => within(form.items))
  if (typeof form.additionalProperties === 'object')
    return Object.fromEntries(
      Array.from({ length: Math.min(form.maxProperties, measure.names) }, (_, i) => [`k${i}`, within(form.additionalProperties)]),
    )
  const isText = [form.type].flat().includes('string') && !form.enum && !('const' in form)
  if (leaf === 'wrong') return isText ? 0 : 'x'
  if (leaf === 'empty') return isText ? '' : null
  if (!isText || (leaf === 'right' && (form.pattern || form.format))) return sample(form)
  const chars = Math.min(form.maxLength ?? 100, measure.chars)
  return `${measure.number++}`.padEnd(leaf === 'long' ? chars + 1 : chars, 'x')
}
