// A condition against what its path leads to: does the operator fit, and can the value ever be met?
import { isDate, isDateTime } from '../../ingress/validate.ts'
import { meant } from '../../nearest.ts'
import { ANY, type Kind, type Shape, TEXT } from './paths.ts'
import type { Breach } from './rules.ts'
import type { Condition } from './shape.ts'

type Operator = Condition['op']

/** What each operator compares. */
const COMPARES: Record<Operator, readonly Kind[]> = {
  eq: ['text', 'number', 'boolean', 'time'],
  ne: ['text', 'number', 'boolean', 'time'],
  gt: ['number', 'time'],
  gte: ['number', 'time'],
  lt: ['number', 'time'],
  lte: ['number', 'time'],
  in: ['text', 'number', 'boolean', 'time'],
  not_in: ['text', 'number', 'boolean', 'time'],
  contains: ['text', 'list'],
  exists: ['text', 'number', 'boolean', 'time', 'list', 'object'],
}

const NOUNS: Record<Kind, string> = {
  text: 'a text',
  number: 'a number',
  boolean: 'a boolean',
  time: 'a time',
  list: 'a list',
  object: 'an object',
  any: 'any value',
}

/** Values of one `in`. */
const VALUES_MAX = 100

/** @param shape what the field's path leads to */
export function* checkCondition({ field, op, value }: Condition, shape: Shape): Generator<Breach> {
  if (shape.kind !== 'any' && !COMPARES[op].includes(shape.kind)) {
    const fitting = Object.keys(COMPARES).filter(name => COMPARES[name as Operator].includes(shape.kind))
    yield { at: ['op'], code: 'invalid_operator', message: `is ${op}, but ${field} is ${NOUNS[shape.kind]}: use ${fitting.join(', ')}.` }
    return
  }
  if (op === 'exists') {
    if (typeof value !== 'boolean') yield invalid('must be true or false.')
  } else if (op === 'in' || op === 'not_in') {
    if (!Array.isArray(value) || value.length === 0 || value.length > VALUES_MAX)
      yield invalid(`must be a list of 1 to ${VALUES_MAX} values.`)
    else for (const [index, each] of value.entries()) yield* within(checkValue(each, shape), index)
  } else yield* checkValue(value, op === 'contains' ? (shape.kind === 'list' ? (shape.each ?? ANY) : TEXT) : shape)
}

const invalid = (message: string): Breach => ({ at: ['value'], code: 'invalid_value', message })

function* within(breaches: Iterable<Breach>, index: number): Generator<Breach> {
  for (const breach of breaches) yield { ...breach, at: [...breach.at, index] }
}

function* checkValue(value: unknown, { kind, choices }: Shape): Generator<Breach> {
  if (value === null) return yield invalid('is null, which is met by nothing; use "op": "exists" with "value": false.')
  if (typeof value === 'object') return yield invalid('must be a text, a number or a boolean.')
  if (kind === 'any' || kind === 'list' || kind === 'object') return
  if (kind === 'time') {
    if (typeof value !== 'string' || !(isDateTime(value) || isDate(value)))
      yield invalid('must be a time with its zone, such as 2026-05-25T09:30:00Z, or a day, such as 2026-05-25.')
    return
  }
  if (typeof value !== (kind === 'text' ? 'string' : kind)) return yield invalid(`must be ${NOUNS[kind]}.`)
  const known = choices?.some(each => each.toLowerCase() === String(value).toLowerCase())
  if (choices && !known)
    yield { at: ['value'], code: 'invalid_choice', message: `must be one of ${choices.join(', ')}${meant(String(value), choices)}` }
}
