// Bodies made to cost as much as a route lets them: each place of its shape filled up to the limit of the body with wrong, empty or right
// values, and the whole shape at its fullest. A new route is covered by being in the catalog, for a test and a benchmark alike.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type BodyRoute, bodyBytesOf, bodyValuesOf } from '../../src/ingress/body.ts'
import { excessOf } from '../../src/ingress/json.ts'
import type { Json } from './contract.ts'
import { FILLINGS, type Fill, kindOf, type Limits } from './fillings.ts'
import { filled, nobody } from './given.ts'
import { forms, members, sample } from './samples.ts'

export interface Hostile {
  what: string
  body: Buffer
  /** It has nothing to do with the shape: routes of the same limits refuse it alike. */
  shapeless?: true
}

/** Over a connection of its own: making the next body may take longer than a connection is kept. */
export async function sendTo(address: string, { method, path, idPrefix = '' }: BodyRoute, key: string, body: Buffer) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': body.length }
  const request = httpRequest(address + filled(path, () => nobody(idPrefix)), { method, headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode as number, text: await text(response) }
}

/**
 * Generated one by one, for together they are gigabytes.
 * @param fillings of each place: all there are, or one, each in turn; then the single values in a bulk request, which are those of its items
 * sent alone, are left out
 */
export function* hostileBodies(route: BodyRoute, fillings: 'all' | 'one'): Generator<Hostile> {
  const limits = limitsOf(route)
  for (const [what, text] of wholes(limits.bytes))
    yield { what: `the body: ${what}`, body: Buffer.from(text.slice(0, limits.bytes)), shapeless: true }
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
export function* fullestBodies(route: BodyRoute, leaf: Leaf): Generator<Hostile> {
  for (const form of forms(route.body))
    yield { what: `every place of ${form.title ?? 'the shape'} filled, each value ${leaf}`, body: fullest(form, leaf, limitsOf(route)) }
}

const limitsOf = (route: BodyRoute): Limits => ({ bytes: bodyBytesOf(route), values: bodyValuesOf(route) })

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

// ── places of a shape, and the smallest body that has one

export interface Place {
  node: Json
  at: string
  /** From the outside in: each holder, and the name in it. */
  path: { holder: Json; name: string }[]
}

/** Each list, object, dictionary and value of its body. */
export const placesOf = (route: BodyRoute): Generator<Place> => places(route.body)

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

// ── the whole shape at its fullest

type Leaf = 'wrong' | 'empty' | 'long' | 'right'

/** Each list as long as it may be, each member given; dictionaries as full, and texts as long, as there is room for all of them. */
function fullest(form: Json, leaf: Leaf, { bytes, values }: Limits): Buffer {
  for (const names of [100, 1]) {
    const measure = { names, chars: 1, number: 0 }
    const text = JSON.stringify(whole(form, leaf, measure))
    if (text.length > bytes || excessOf(text, values)) continue
    if (measure.number === 0) return Buffer.from(text)
    const chars = Math.floor((bytes - text.length) / (measure.number + 1))
    return Buffer.from(JSON.stringify(whole(form, leaf, { names, chars: Math.max(chars, 1), number: 0 })))
  }
  return assert.fail(form)
}

/** The amounts; `number` counts the texts, and makes them differ. */
interface Measure {
  names: number
  chars: number
  number: number
}

function whole(node: Json, leaf: Leaf, measure: Measure): Json {
  const [form] = forms(node) as [Json]
  const within = (inner: Json): Json => whole(inner, leaf, measure)
  if (form.properties) {
    const all = Object.entries(form.properties as Json).map(([name, each]) => [name, within(each)])
    return Object.fromEntries(leaf === 'wrong' ? [...all, ['unknown', 0], ['other', 0]] : all)
  }
  if (form.items) {
    const { number } = measure
    const first = within(form.items)
    // Without texts that differ, all items are as the first.
    return Array.from({ length: form.maxItems }, (_, i) => (i === 0 || measure.number === number ? first : within(form.items)))
  }
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
