// Whether conditions hold. All must; each is told with the value that it met, so that a person sees why a step was skipped.
import { follow, type Shape } from '../../apps/manifest/paths.ts'
import type { Condition } from '../../apps/manifest/shape.ts'
import { isDateTime } from '../../ingress/validate.ts'
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
    return { ...condition, met, holds: holds(condition, met, shapeAt(shape, condition.field)) }
  })

/** The first that does not hold. */
export function firstUnmet(conditions: readonly Condition[] = [], around: Surroundings, shape: Shape): Looked | undefined {
  for (const condition of conditions) {
    const met = lookup(around, condition.field)
    if (!holds(condition, met, shapeAt(shape, condition.field))) return { ...condition, met, holds: false }
  }
  return undefined
}

function shapeAt(shape: Shape, path: string): Shape {
  const found = follow(shape, path)
  return 'shape' in found ? found.shape : { kind: 'any' }
}

function holds({ op, value }: Condition, met: unknown, shape: Shape): boolean {
  if (op === 'exists') return (met !== null) === value
  // null is not equal to anything, and in no list.
  if (met === null) return op === 'ne' || op === 'not_in'
  switch (op) {
    case 'eq':
      return isSame(met, value, shape)
    case 'ne':
      return !isSame(met, value, shape)
    case 'in':
      return listed(met, value, shape)
    case 'not_in':
      return !listed(met, value, shape)
    case 'contains':
      if (Array.isArray(met)) return met.some(each => isSame(each, value, shape.each ?? { kind: 'any' }))
      return typeof met === 'string' && met.includes(String(value))
    default:
      return ORDER[op](compare(met, value))
  }
}

const listed = (met: unknown, values: unknown, shape: Shape): boolean =>
  Array.isArray(values) && values.some(each => isSame(met, each, shape))

/** NaN, for what cannot be compared, fits none. */
const ORDER = {
  gt: (difference: number) => difference > 0,
  gte: (difference: number) => difference >= 0,
  lt: (difference: number) => difference < 0,
  lte: (difference: number) => difference <= 0,
}

function isSame(met: unknown, value: unknown, { kind, choices }: Shape): boolean {
  if (typeof met !== 'string' || typeof value !== 'string') return met === value
  if (choices) return met.toLowerCase() === value.toLowerCase()
  return met === value || (kind !== 'text' && compare(met, value) === 0)
}

function compare(met: unknown, value: unknown): number {
  const [one, other] = [asNumber(met), asNumber(value)]
  return typeof met === typeof value ? one - other : Number.NaN
}

const asNumber = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && isDateTime(value) ? Date.parse(value) : Number.NaN
}
