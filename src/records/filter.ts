// Filters on the fields of a resource: `filter[tier]=gold` and `filter[points][gte]=100` in a query, `{ tier: 'gold', points: { gte: 100 } }` from a verb's
// caller.

import type { Field, Resource } from '../apps/manifest/shape.ts'
import { isJsonObject } from '../json.ts'
import { RECORD_FILTERS_MAX } from '../limits/records.ts'
import { meant } from '../nearest.ts'
import { type FieldError, fieldOf, invalid } from '../problems.ts'
import type { SlottedField } from './slots.ts'
import { readValue, type Value } from './values.ts'

const COMPARISONS = ['gt', 'gte', 'lt', 'lte'] as const
export type Operator = 'eq' | (typeof COMPARISONS)[number]

/** A condition on one field. */
export interface Asked {
  field: SlottedField
  op: Operator
  value: NonNullable<Value>
}

/** A condition as it was given. */
interface Given {
  /** How errors name it. */
  at: string
  name: string | undefined
  op?: string | undefined
  value(field: Field): unknown
}

/** @param parameters those named `filter[…]`, by their whole names @throws {Problem} 422 with everything that is wrong with them */
export const filtersOfQuery = (resource: Resource, fields: SlottedField[], parameters: Record<string, string>): Asked[] =>
  read(
    resource,
    fields,
    Object.entries(parameters).map(([parameter, text]) => {
      const [, name, op] = /^filter\[([^[\]]*)\](?:\[([^[\]]*)\])?$/.exec(parameter) ?? []
      return { at: fieldOf([parameter]), name, op, value: field => valueOfText(field, text) }
    }),
  )

/** @param filter by field: a value, or values by comparison @throws {Problem} 422 with everything that is wrong with it */
export function filtersOf(resource: Resource, fields: SlottedField[], filter: Record<string, unknown>): Asked[] {
  const given = Object.entries(filter).flatMap(([name, asked]): Given[] =>
    isJsonObject(asked)
      ? Object.entries(asked).map(([op, value]) => ({ at: `filter.${name}.${op}`, name, op, value: () => value }))
      : [{ at: `filter.${name}`, name, value: () => asked }],
  )
  return read(resource, fields, given)
}

function read(resource: Resource, fields: SlottedField[], given: Given[]): Asked[] {
  if (given.length > RECORD_FILTERS_MAX)
    throw invalid({ field: 'filter', code: 'too_many', message: `holds ${given.length} conditions; give at most ${RECORD_FILTERS_MAX}.` })
  const found = given.map(each => readOne(resource, fields, each))
  const errors = found.filter(each => 'code' in each)
  if (errors.length > 0) throw invalid(errors)
  return found as Asked[]
}

function readOne({ id, fields: declared }: Resource, fields: SlottedField[], { at, name, op, value }: Given): Asked | FieldError {
  if (!name) return { field: at, code: 'invalid_name', message: 'is no filter; write filter[<field>] or filter[<field>][gte].' }
  const names = declared.map(each => each.name)
  const [field, slotted] = [declared.find(each => each.name === name), fields.find(each => each.name === name)]
  if (!field || !slotted)
    return {
      field: at,
      code: 'unknown_field',
      message: WITHOUT.get(name) ?? `names no field of ${id}${meant(name, names, `; it has ${names.join(', ')}`)}`,
    }
  if (op !== undefined && !isComparison(op))
    return {
      field: at,
      code: 'unknown_operator',
      message: `compares in a way there is not; there are ${COMPARISONS.join(', ')}, and filter[${field.name}] alone for a value itself.`,
    }
  if (op !== undefined && field.type !== 'number' && field.type !== 'date')
    return {
      field: at,
      code: 'unknown_operator',
      message: `compares ${field.type === 'enum' ? 'an' : 'a'} ${field.type}, which has no order; filter by the value itself.`,
    }
  const read = readValue({ ...field, required: true }, value(field))
  if ('fault' in read) return { field: at, ...read.fault }
  return { field: slotted, op: op ?? 'eq', value: read.value as NonNullable<Value> }
}

/** What every record has is asked for by parameters of their own. */
const WITHOUT = new Map([
  ['id', 'names no field: one record is read at …/{id}.'],
  ['external_id', 'names no field: ask by external_id=… instead.'],
  ['created_at', 'names no field: ask by created_after=… and created_before=… instead.'],
  ['updated_at', 'names no field: ask by updated_after=… and updated_before=… instead.'],
  ['links', 'names no field: ask by linked_to=<id> instead.'],
])

const isComparison = (op: string): op is (typeof COMPARISONS)[number] => (COMPARISONS as readonly string[]).includes(op)

/** A text without the form of its type stays text, and is refused by name. */
function valueOfText({ type }: Field, text: string): Value {
  if (type === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
