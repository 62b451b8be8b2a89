// Shapes that several nouns share: times, money, metadata, addresses. TypeBox in, JSON Schema and types out.
import { type TSchema, Type } from 'typebox'
import { AMOUNT_MAX, METADATA_KEYS, METADATA_VALUE_CHARS } from './limits.ts'

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds.' })
export const Currency = Type.String({ format: 'currency', minLength: 3, maxLength: 3, description: 'An ISO 4217 code in upper case, such as EUR.' })
export const Amount = Type.Integer({ minimum: 0, maximum: AMOUNT_MAX, description: 'In minor units, such as cents.' })
/** An amount that the server added up: it may exceed what one line may cost. */
export const Total = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'In minor units, such as cents.' })
export const Metadata = Type.Record(Type.String({ minLength: 1, maxLength: 40 }), Type.String({ maxLength: METADATA_VALUE_CHARS }), {
  maxProperties: METADATA_KEYS,
  description: 'Names and values of your own; handed back, never interpreted. A PATCH replaces it whole.',
})
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50, uniqueItems: true })
export const Email = Type.String({ format: 'email', maxLength: 254 })
export const Phone = Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', description: 'E.164: a plus sign, the country code and the number, such as +380441234567.' })
export const ExternalId = Type.String({ minLength: 1, maxLength: 200, description: 'The id this has in a system of yours; unique.' })
export const Sku = Type.String({ minLength: 1, maxLength: 100 })
export const Name = Type.String({ minLength: 1, maxLength: 300 })
export const Url = Type.String({ format: 'uri', maxLength: 2048 })

/** An object that refuses fields it does not know. */
export const strict = <P extends Record<string, TSchema>>(properties: P, options: object = {}) => Type.Object(properties, { additionalProperties: false, ...options })
