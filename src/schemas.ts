// Schemas that several nouns share: times, money, metadata, addresses. TypeBox in, JSON Schema and types out.
import { type Static, type TSchema, Type } from 'typebox'
import { AMOUNT_MAX, EXTERNAL_ID_CHARS, METADATA_KEYS, METADATA_VALUE_CHARS, TAG_CHARS, TAGS_MAX } from './limits/fields.ts'

/** One of a few strings. */
export const choice = <const V extends readonly string[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
/** As `choice`, accepted in any case; the value takes the spelling of the interface. */
export const anyCase = <const V extends readonly string[]>(values: V, options: object = {}) =>
  choice(values, { 'x-any-case': true, ...options })
/** A text of which a person sees something. `or-empty`: an empty one has a meaning of its own. */
export const filled = (maxLength: number, options: object = {}) => Type.String({ minLength: 1, maxLength, 'x-filled': true, ...options })
/** A comma list of choices. */
export const choices = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Array(anyCase(values), { minItems: 1, maxItems: 20, description })

/** The value, or null. One schema rather than a union: its errors then tell what is wrong with the value. */
export function nullable<T extends TSchema>(schema: T, options: object = {}) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }), ...options })
}

/** Names chosen by the tenant, with texts as their values. */
export const dictionary = (max: { entries: number; name: number; value: number }, options: object = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    // Without a backslash: see json.ts.
    propertyNames: { minLength: 1, maxLength: max.name, pattern: '^[^\\\\]*$' },
    additionalProperties: { type: 'string', maxLength: max.value },
    maxProperties: max.entries,
    ...options,
  })

export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' })
export const Currency = Type.String({
  format: 'currency',
  minLength: 3,
  maxLength: 3,
  description: 'An ISO 4217 code in upper case, such as EUR.',
})
export const Amount = Type.Integer({ minimum: 0, maximum: AMOUNT_MAX, description: 'In minor units, such as cents.' })
/** An amount that the server added up: it may exceed what one line may cost. */
export const Total = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'In minor units, such as cents.' })
export const Metadata = dictionary(
  { entries: METADATA_KEYS, name: 40, value: METADATA_VALUE_CHARS },
  { description: 'Names and values of your own; handed back, never interpreted. A PATCH replaces it whole.' },
)
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_CHARS }), { maxItems: TAGS_MAX, uniqueItems: true })
/** As they are given: some that cannot be seen were stored before they were refused. */
export const GivenTags = Type.Array(filled(TAG_CHARS), { maxItems: TAGS_MAX, uniqueItems: true })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'E.164: a plus sign, the country code and the number, such as +380441234567.',
})
export const ExternalId = Type.String({
  minLength: 1,
  maxLength: EXTERNAL_ID_CHARS,
  description: 'The id this has in a system of yours; unique.',
})
export const Sku = Type.String({ minLength: 1, maxLength: 100 })
export const Name = Type.String({ minLength: 1, maxLength: 300 })
export const Url = Type.String({ format: 'uri', maxLength: 2048 })

/** An object that refuses fields it does not know. */
export const strict = <P extends Record<string, TSchema>>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })
