// Fillings for one place of a body, up to the limit of the body: wrong, empty or right values.
import { JSON_BREADTH } from '../../src/limits/bodies.ts'
import type { Json } from './contract.ts'
import { sample } from './samples.ts'

/** The limits of a body. */
export interface Limits {
  bytes: number
  values: number
}

export type Fill = (node: Json, limits: Limits) => string
type Kind = 'list' | 'members' | 'names' | 'value'

export const kindOf = ({ type, additionalProperties, items, properties }: Json): Kind =>
  items || [type].flat().includes('array') ? 'list' : properties ? 'members' : typeof additionalProperties === 'object' ? 'names' : 'value'

/** So many that they are not refused for their number, or as many as there is room for. A value that is not empty counts once. */
const mostOf = ({ bytes, values }: Limits, length: number, weight = 1): number =>
  Math.min(JSON_BREADTH, Math.floor((values - 100) / weight), Math.floor((bytes - 2) / (length + 1)))

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

/** As many values as there may be: where one list or object may not have them, several do. */
const full: [string, Fill] = [
  'a list of objects as full as they may be',
  (node, { bytes, values }) => {
    const count = Math.floor(values / (JSON_BREADTH + 10))
    const room = { values, bytes: Math.floor(bytes / count) - 2 }
    return `[${Array.from({ length: count }, (_, index) => names(() => '0', 1, `k${index}-`)(node, room)).join()}]`
  },
]

export const FILLINGS: Record<Kind, [string, Fill][]> = {
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
    full,
  ],
  members: [
    ['unknown names', names(() => '0')],
    ['unknown names of empty objects', names(() => '{}', 2)],
    ['unknown names with quotation marks', names(() => '0', 1, '\\"'.repeat(200))],
    ['a long name', longName('k')],
    manyObjects,
    full,
  ],
  names: [
    ['numbers by names', names(() => '0')],
    ['what fits by names', names(node => JSON.stringify(sample(node.additionalProperties)))],
    ['a long name', longName('k')],
    ['a long name of slashes', longName('/~')],
    manyObjects,
    full,
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
