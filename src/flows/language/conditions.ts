// Whether conditions hold. All must; each is told with the value that it met, so that a person sees why a step was skipped.
import { follow, type Shape } from '../../apps/manifest/paths.ts'
import type { Condition } from '../../apps/manifest/shape.ts'
import { isDate, isDateTime } from '../../ingress/validate.ts'
import { lookup, type Surroundings } from './lookup.ts'

/** A condition that was looked at. */
export interface Looked extends Condition {
  met: unknown
  holds: boolean
}

/** @param shape of what paths begin with: it tells enums, which are compared in any case, from texts */
export const looked = (conditions: readonly Condition[] = [], around: Surroundings, shape: Shape): Looked[] =>
  conditions.map(condition => {
    const met = lookup(around, condition.field)
    return { ...condition, met, holds: heldBy(condition, shape)(met) }
  })

/** The first that does not hold. */
export function firstUnmet(conditions: readonly Condition[] = [], around: Surroundings, shape: Shape): Looked | undefined {
  for (const condition of conditions) {
    const met = lookup(around, condition.field)
    if (!heldBy(condition, shape)(met)) return { ...condition, met, holds: false }
  }
  return undefined
}

/** Whether a condition holds where its path leads to this; null: it leads to nothing. */
export type Held = (met: unknown) => boolean

/** The condition, made ready for many values. @param shape as `looked` */
export function heldBy({ field, op, value }: Condition, root: Shape): Held {
  const shape = shapeAt(root, field)
  switch (op) {
    case 'exists':
      return met => (met !== null) === value
    case 'eq':
      return isOneOf([value], shape)
    case 'in':
      return isOneOf(value, shape)
    // null is not equal to anything, and in no list.
    case 'ne':
      return not(isOneOf([value], shape))
    case 'not_in':
      return not(isOneOf(value, shape))
    case 'contains':
      return contains(value, shape.each ?? ANY)
    default:
      return compares(value, ORDER[op])
  }
}

/**
 * What a condition asks of numbers, so that many can be looked at in the order of their bounds.
 * @returns it does not hold below `least`, or above `most`; undefined where it is not of that kind
 */
export function boundOf({ op, value }: Condition): { least: number } | { most: number } | undefined {
  if (typeof value !== 'number') return undefined
  if (op === 'gt' || op === 'gte') return { least: value }
  if (op === 'lt' || op === 'lte') return { most: value }
  return undefined
}

const ANY: Shape = { kind: 'any' }

function shapeAt(shape: Shape, path: string): Shape {
  const found = follow(shape, path)
  return 'shape' in found ? found.shape : ANY
}

const not =
  (held: Held): Held =>
  met =>
    !held(met)

/** Values of an enum are the same in any case, and times that are one moment. */
function isOneOf(values: unknown, { kind, choices }: Shape): Held {
  const fold = (value: unknown): unknown => (choices && typeof value === 'string' ? value.toLowerCase() : value)
  const known = new Set(Array.isArray(values) ? values.map(fold) : [])
  const moments = new Set(kind === 'text' ? [] : [...known].map(momentOf).filter(moment => !Number.isNaN(moment)))
  return met => met !== null && (known.has(fold(met)) || (moments.size > 0 && moments.has(momentOf(met))))
}

function contains(value: unknown, each: Shape): Held {
  const isIt = isOneOf([value], each)
  const text = String(value)
  return met => (Array.isArray(met) ? met.some(isIt) : typeof met === 'string' && met.includes(text))
}

const ORDER = {
  gt: (one: number, other: number) => one > other,
  gte: (one: number, other: number) => one >= other,
  lt: (one: number, other: number) => one < other,
  lte: (one: number, other: number) => one <= other,
}

/** What cannot be compared is neither less nor more. */
function compares(value: unknown, fits: (one: number, other: number) => boolean): Held {
  const [bound, type] = [asNumber(value), typeof value]
  return met => typeof met === type && fits(asNumber(met), bound)
}

const asNumber = (value: unknown): number => (typeof value === 'number' ? value : momentOf(value))

/** A day alone, as fields of records may be, is its midnight in UTC. */
const momentOf = (value: unknown): number =>
  typeof value === 'string' && (isDateTime(value) || isDate(value)) ? Date.parse(value) : Number.NaN
