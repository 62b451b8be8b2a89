// What a path in a flow leads to, as far as it is known before the flow runs: `event.order.total_amount` is a number.
import { nearest } from '../../nearest.ts'

export type Kind = 'text' | 'number' | 'boolean' | 'time' | 'list' | 'object' | 'any'

/** What a value at the end of a path may be. */
export interface Shape {
  kind: Kind
  /** The texts of which it is one. */
  choices?: readonly string[]
  /** What the members of an object may be. */
  members?: Record<string, Shape>
  /** What each entry of a list may be, and in an object members of any name. */
  each?: Shape
  /** It may go into the input of a skill, and nowhere else. */
  secret?: true
}

export const ANY: Shape = { kind: 'any' }
export const TEXT: Shape = { kind: 'text' }
export const TIME: Shape = { kind: 'time' }
export const BOOLEAN: Shape = { kind: 'boolean' }
export const NUMBER: Shape = { kind: 'number' }
export const object = (members: Record<string, Shape>): Shape => ({ kind: 'object', members })
export const choiceOf = (choices: readonly string[]): Shape => ({ kind: 'text', choices })

interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  items?: Schema | boolean
  enum?: unknown[]
  const?: unknown
  format?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** @param schema a JSON Schema, ours or an author's; what it says in other ways than these is any value */
export function shapeOf(schema: unknown): Shape {
  const { type, properties, additionalProperties, items, enum: values, const: value, format, anyOf, oneOf } = (schema ?? {}) as Schema
  const types = [type].flat().filter(each => each !== 'null' && each !== undefined)
  const forms = (anyOf ?? oneOf)?.filter(form => form.type !== 'null')
  if (forms) return forms.length === 1 ? shapeOf(forms[0]) : ANY
  if (types.length !== 1) return typeof value === 'string' ? choiceOf([value]) : ANY
  switch (types[0]) {
    case 'string': {
      const choices = (values ?? (value === undefined ? [] : [value])).filter(each => typeof each === 'string')
      return choices.length > 0 ? choiceOf(choices) : format === 'date-time' || format === 'date' ? TIME : TEXT
    }
    case 'number':
    case 'integer':
      return NUMBER
    case 'boolean':
      return BOOLEAN
    case 'array':
      return { kind: 'list', each: shapeOf(items) }
    default: {
      const each = typeof additionalProperties === 'object' ? shapeOf(additionalProperties) : undefined
      if (!properties) return { kind: 'object', each: each ?? ANY }
      const members = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, shapeOf(inner)]))
      return { kind: 'object', members, ...(each && { each }) }
    }
  }
}

export type Found = { shape: Shape } | { why: string }

/** Follows a path. @returns what it leads to, or the reason why it leads nowhere, as the end of a sentence */
export function follow(root: Shape, path: string): Found {
  const steps = path.split('.')
  let shape = root
  for (const [index, step] of steps.entries()) {
    const inner = memberOf(shape, step)
    if (!inner) return { why: reasonOf(shape, steps, index) }
    shape = inner
  }
  return { shape }
}

function memberOf({ kind, members, each }: Shape, name: string): Shape | undefined {
  if (kind === 'any') return name === '' ? undefined : ANY
  if (kind === 'list') return /^\d{1,4}$/.test(name) ? (each ?? ANY) : undefined
  return members && Object.hasOwn(members, name) ? members[name] : name === '' ? undefined : each
}

/** Names that a reason lists. */
const NAMED_MAX = 30

function reasonOf({ kind, members }: Shape, steps: string[], index: number): string {
  const before = steps.slice(0, index).join('.')
  const name = steps[index] as string
  if (kind === 'list') return `but ${before} is a list: name an entry by its number, such as ${before}.0.`
  if (kind !== 'object') return `but ${before} has no members.`
  const known = Object.keys(members ?? {})
  const near = nearest(name, known)
  if (near) return `but there is no ${name}; did you mean ${before ? `${before}.` : ''}${near}?`
  const there = known.length > 0 ? known.slice(0, NAMED_MAX).join(', ') : 'nothing here'
  return `but there is no ${name || 'empty name'}; ${before || 'a path'} has ${there}.`
}
