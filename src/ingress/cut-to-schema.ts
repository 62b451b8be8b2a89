// Cuts what is beyond a limit to just beyond it, before the validator looks at the value. The value is refused all the same and in the same
// words, but the validator has no more to look at than in a value that fits.
import type { TSchema } from 'typebox'
import { ERRORS_MAX, FIELD_CHARS } from '../limits/bodies.ts'

/** The part of a JSON Schema that limits the size of a value. */
interface SizedSchema {
  'x-trimmed'?: boolean
  maxLength?: number
  maxItems?: number
  items?: SizedSchema
  maxProperties?: number
  propertyNames?: SizedSchema
  properties?: Record<string, SizedSchema>
  additionalProperties?: SizedSchema | boolean
  discriminator?: { propertyName: string }
  oneOf?: { properties?: Record<string, SizedSchema & { const?: unknown }> }[]
}

/**
 * Nothing is cut by an `anyOf`, for one of its choices may allow what another refuses.
 * @returns the value, itself where nothing had to be cut. Its inner lists and members are replaced in place
 */
export function cut(schema: TSchema, value: unknown): unknown {
  return cutTo(schema as SizedSchema, value, { unknown: ERRORS_MAX })
}

/** How many more unknown members are told as errors. */
interface Left {
  unknown: number
}

function cutTo(schema: SizedSchema, value: unknown, left: Left): unknown {
  if (typeof value === 'string') return cutText(schema, value)
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? cutList(schema, value, left) : cutMembers(schema, value as Record<string, unknown>, left)
}

// A character is one or two units of a string.
// What counts of one that is trimmed is not known yet.
const cutText = ({ maxLength = Number.POSITIVE_INFINITY, 'x-trimmed': isTrimmed }: SizedSchema, text: string): string =>
  !isTrimmed && text.length > 2 * (maxLength + 1) ? text.slice(0, 2 * (maxLength + 1)) : text

function cutList({ maxItems = Number.POSITIVE_INFINITY, items }: SizedSchema, list: unknown[], left: Left): unknown[] {
  if (list.length > maxItems) list.length = maxItems + 1
  if (items) for (let index = 0; index < list.length; index++) replace(list as never, index, items, left)
  return list
}

function cutMembers(schema: SizedSchema, value: Record<string, unknown>, left: Left): Record<string, unknown> {
  const { properties = {}, additionalProperties } = chosen(schema, value)
  const members = additionalProperties === false ? withFewUnknown(value, properties, left) : firstOf(value, schema)
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined
  for (const name of Object.keys(others ? members : properties)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : others
    if (inner && Object.hasOwn(members, name)) replace(members, name, inner, left)
  }
  return members
}

// The alternative that the value's discriminator names.
function chosen(schema: SizedSchema, value: Record<string, unknown>): SizedSchema {
  const { discriminator, oneOf } = schema
  const tag = discriminator?.propertyName
  return (tag !== undefined && (oneOf?.find(form => form.properties?.[tag]?.const === value[tag]) as SizedSchema | undefined)) || schema
}

// All known members stay, for one left out would be told as missing. Unknown ones stay as far as they are told as errors.
function withFewUnknown(value: Record<string, unknown>, properties: object, left: Left): Record<string, unknown> {
  const names = Object.keys(value)
  const kept = names.filter(name => Object.hasOwn(properties, name) || left.unknown-- > 0)
  return kept.length === names.length ? value : Object.fromEntries(kept.map(name => [name, value[name]]))
}

function firstOf(value: Record<string, unknown>, { maxProperties, propertyNames = {} }: SizedSchema) {
  // No limit holds for the names.
  if (maxProperties === undefined) return value
  const names = Object.keys(value)
  // Errors show names up to FIELD_CHARS.
  const name = { maxLength: Math.max(propertyNames.maxLength ?? Number.POSITIVE_INFINITY, FIELD_CHARS) }
  if (names.length <= maxProperties && names.every(each => each.length <= name.maxLength)) return value
  return Object.fromEntries(names.slice(0, maxProperties + 1).map(each => [cutText(name, each), value[each]]))
}

function replace(holder: Record<string | number, unknown>, at: string | number, schema: SizedSchema, left: Left): void {
  const [whole, part] = [holder[at], cutTo(schema, holder[at], left)]
  if (part !== whole) holder[at] = part
}
