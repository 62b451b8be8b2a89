// A JSON Schema without the detours that a document takes: references followed, alternatives and parts joined.
import { follow, type OpenApi, type Schema, type SchemaObject } from './document.ts'

export interface Field {
  name: string
  schema: Schema
  required: boolean
  description?: string | undefined
  deprecated?: boolean | undefined
}

/** A schema without its reference, its `null` alternative and its `allOf`; the remaining alternatives are in `anyOf`. */
export function plain(document: OpenApi, schema: Schema): SchemaObject {
  if (typeof schema === 'boolean') return {}
  const { anyOf, oneOf, ...outside } = merged(document, follow<SchemaObject>(document, schema as SchemaObject))
  const alternatives = (anyOf ?? oneOf ?? []).filter(part => !isNull(part))
  const [only] = alternatives
  if (only === undefined) return outside
  return alternatives.length > 1 ? { ...outside, anyOf: alternatives } : { ...plain(document, only), ...outside }
}

/** `X or null` is X, with its name. */
export function withoutNull(schema: Schema): Schema {
  const alternatives = typeof schema === 'object' ? (schema.anyOf ?? schema.oneOf ?? []).filter(part => !isNull(part)) : []
  return alternatives.length === 1 ? (alternatives[0] as Schema) : schema
}

export const descriptionOf = (schema: Schema): string | undefined => (typeof schema === 'object' ? schema.description : undefined)
const isNull = (schema: Schema): boolean => typeof schema === 'object' && (schema.type === 'null' || schema.const === null)

function merged(document: OpenApi, schema: SchemaObject): SchemaObject {
  if (!schema.allOf) return schema
  const { allOf, ...own } = schema
  const parts = [...allOf.map(part => plain(document, part)), own]
  const required = parts.flatMap(part => part.required ?? [])
  const properties = Object.assign({}, ...parts.map(part => part.properties ?? {})) as Record<string, Schema>
  return { ...Object.assign({}, ...parts), properties, required }
}

export function objectFields(schema: SchemaObject): Field[] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: schema.required?.includes(name) ?? false,
  }))
  const value = mapValue(schema)
  return value === undefined || fields.length > 0 ? fields : [{ name: 'any key', schema: value, required: false }]
}

export function mapValue(schema: SchemaObject): Schema | undefined {
  const value = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  return typeof value === 'object' ? value : undefined
}

export function typeName(schema: SchemaObject): string {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const first = schema.const ?? schema.enum?.find(value => value !== null)
  const name = types.join(' or ') || (schema.properties ? 'object' : first === undefined ? 'any' : typeof first)
  return schema.format ? `${name} (${schema.format})` : name
}
