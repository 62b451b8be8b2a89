// The values of a record: what is given is held against the fields that the app declared, and kept in one spelling.

import type { Field, Resource } from '../apps/manifest/shape.ts'
import { isDate, isDateTime } from '../ingress/validate.ts'
import { ERRORS_MAX } from '../limits/bodies.ts'
import { RECORD_STRING_CHARS } from '../limits/records.ts'
import { meant } from '../nearest.ts'
import { type FieldError, fieldOf } from '../problems.ts'
import { RESERVED } from './schema.ts'

export type Value = string | number | boolean | null
export type Values = Record<string, Value>

/** An error without its place, or the value as it is kept. */
type Read = { fault: Omit<FieldError, 'field'> } | { value: Value }

/**
 * The values that are given, as they are kept.
 * @param given by the names of fields; JSON of any content
 * @returns all that is wrong with them, else the values of those fields that are given
 */
export function readValues({ id, fields }: Resource, given: Record<string, unknown>): { errors: FieldError[]; values: Values } {
  const errors: FieldError[] = []
  const values: [string, Value][] = []
  for (const [name, value] of Object.entries(given)) {
    if (errors.length >= ERRORS_MAX) break
    const field = fields.find(each => each.name === name)
    const read = field ? readValue(field, value) : { fault: unknownField(name, id, fields, errors) }
    if ('fault' in read) errors.push({ field: fieldOf([name]), ...read.fault })
    else values.push([name, read.value])
  }
  return { errors, values: Object.fromEntries(values) }
}

/** What a new record lacks. */
export const missingValues = ({ fields }: Resource, given: Record<string, unknown>): FieldError[] =>
  fields
    .filter(({ name, required }) => required && !Object.hasOwn(given, name))
    .map(({ name }) => ({ field: name, code: 'required', message: 'is required.' }))

const RESERVED_FOR: Record<string, string> = {
  external_id: 'is given when a record is created, and cannot be changed; leave it out.',
  links: 'is written by the service, from what a flow or a conversation is about, and cannot be given here; leave it out.',
}

/** What is said of a name that every record has. */
export const reserved = (name: string): Omit<FieldError, 'field'> => ({
  code: 'reserved_field',
  message: RESERVED_FOR[name] ?? 'is set by the service, and cannot be given here; leave it out.',
})

// What was meant is looked for once: a body may have thousands of names, and each is compared with all fields.
function unknownField(name: string, resource: string, fields: Field[], before: FieldError[]): Omit<FieldError, 'field'> {
  if (RESERVED.includes(name)) return reserved(name)
  if (before.some(each => each.code === 'unknown_field')) return { code: 'unknown_field', message: `is not a field of ${resource} either.` }
  const names = fields.map(each => each.name)
  return { code: 'unknown_field', message: `is not a field of ${resource}${meant(name, names, `; it has ${names.join(', ')}`)}` }
}

/** A value of a field's type, as it is kept; null where the field may be absent. */
export function readValue(field: Field, value: unknown): Read {
  if (value === null) return field.required ? { fault: { code: 'required', message: 'is required, so it cannot be null.' } } : { value }
  return READ[field.type](value, field)
}

const READ: Record<Field['type'], (value: unknown, field: Field) => Read> = {
  string: value => (typeof value === 'string' ? readText(value) : mistyped('must be a string.')),
  number: value => (typeof value === 'number' && Number.isFinite(value) ? { value } : mistyped('must be a number.')),
  boolean: value => (typeof value === 'boolean' ? { value } : mistyped('must be true or false.')),
  date: value => (typeof value === 'string' ? readDate(value) : mistyped(`must be a string: ${DATE}.`)),
  enum: (value, { enumValues = [] }) =>
    enumValues.includes(value as string)
      ? { value: value as string }
      : { fault: { code: 'invalid_choice', message: `must be one of ${listed(enumValues)}.` } },
}

/** A hundred values of two hundred characters would fill an answer. */
function listed(values: string[]): string {
  const text = values.join(', ')
  return text.length > CHOICES_CHARS ? `${text.slice(0, CHOICES_CHARS).toWellFormed()}…` : text
}
const CHOICES_CHARS = 1_000

const DATE = 'a date such as 2026-05-25, or a time with its zone such as 2026-05-25T09:30:00Z'

const mistyped = (message: string): Read => ({ fault: { code: 'invalid_type', message } })

function readText(text: string): Read {
  // A character is one or two units of a string.
  const isLong = text.length > RECORD_STRING_CHARS && (text.length > 2 * RECORD_STRING_CHARS || [...text].length > RECORD_STRING_CHARS)
  return isLong ? { fault: { code: 'too_long', message: `must have at most ${RECORD_STRING_CHARS} characters.` } } : { value: text }
}

function readDate(text: string): Read {
  if (isDate(text)) return { value: text }
  return isDateTime(text) ? { value: new Date(text).toISOString() } : { fault: { code: 'invalid_format', message: `must be ${DATE}.` } }
}

/** When a value of type date is, in milliseconds since 1970: a date alone is its midnight in UTC. */
export const timeOf = (date: string): number => Date.parse(date)
