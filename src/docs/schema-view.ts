// A JSON Schema as a person reads it: a list of fields with type, limits and meaning, nested where it nests.
import { anchorId, componentName, follow, type OpenApi, type Schema, type SchemaObject } from './document.ts'
import { type Html, html, raw, toText } from './html.ts'
import { prose } from './markdown.ts'

/** How a named schema is shown within another: as a link to its own section, or with all its fields. */
export type Named = 'linked' | 'expanded'

export interface Field {
  name: string
  schema: Schema
  required: boolean
  description?: string | undefined
  deprecated?: boolean | undefined
}

/** The fields of an object, the items of an array, the alternatives of a choice; undefined for a schema without any. `seen` ends recursion. */
export function schemaView(document: OpenApi, schema: Schema, named: Named, seen: readonly string[] = []): Html | undefined {
  const name = componentName('schemas', withoutNull(schema))
  if (name && (seen.includes(name) || (named === 'linked' && seen.length > 0))) return undefined
  const inside = [...seen, name ?? '']
  const body = plain(document, schema)
  if (body.items !== undefined) return schemaView(document, body.items, named, inside)
  const fields = objectFields(body)
  const alternatives = choice(document, body.anyOf ?? [], named, inside)
  return fields.length > 0 ? html`${fieldList(document, fields, named, inside)}${alternatives}` : alternatives
}

/** Fields one below the other. */
export function fieldList(document: OpenApi, fields: Field[], named: Named, seen: readonly string[] = ['']): Html {
  return html`<ul class="fields">${fields.map(field => fieldItem(document, field, named, seen))}</ul>`
}

/** The type in words, e.g. `string (date-time) or null`, `array of Order`, with links to named schemas. */
export function typeLabel(document: OpenApi, schema: Schema): Html {
  const name = componentName('schemas', schema)
  if (name) return html`<a href="#schema-${anchorId(name)}">${name}</a>`
  // Alternatives beside a type only refine it, e.g. by saying which fields go together.
  const alternatives = (typeof schema === 'object' && !schema.type && (schema.anyOf ?? schema.oneOf)) || []
  if (alternatives.length > 0) {
    // Two objects that differ only in their fields get the same label, shown once.
    const labels = new Set(alternatives.map(part => toText(typeLabel(document, part))))
    return raw([...labels].join(' or '))
  }
  const body = plain(document, schema)
  if (body.items !== undefined) return html`array of ${typeLabel(document, body.items)}`
  const value = body.properties ? undefined : mapValue(body)
  return value === undefined ? html`${typeName(body)}` : html`map of ${typeLabel(document, value)}`
}

function fieldItem(document: OpenApi, field: Field, named: Named, seen: readonly string[]): Html {
  const body = plain(document, field.schema)
  const element = body.items === undefined ? undefined : plain(document, body.items)
  const limits = limitsOf(body, element)
  const below = schemaView(document, field.schema, named, seen)
  const marks = [
    field.required && html` <span class="required">required</span>`,
    (field.deprecated || body.deprecated) && html` <span class="deprecated">deprecated</span>`,
  ]
  return html`<li>
<div class="field"><code class="name">${field.name}</code> <span class="type">${typeLabel(document, field.schema)}</span>${marks}</div>
${prose(field.description ?? descriptionOf(field.schema) ?? body.description ?? element?.description)}
${limits.length > 0 && html`<ul class="limits">${limits.map(limit => html`<li>${limit}</li>`)}</ul>`}
${below && html`<details><summary>Fields of <code>${field.name}</code></summary>${below}</details>`}
</li>`
}

function choice(document: OpenApi, alternatives: Schema[], named: Named, seen: readonly string[]): Html | undefined {
  const parts = alternatives.map(part => ({ part, below: schemaView(document, part, named, seen) }))
  if (parts.every(({ below }) => below === undefined)) return undefined
  return html`<ol class="choice">${parts.map(
    ({ part, below }, index) => html`<li><p>Alternative ${index + 1}: ${typeLabel(document, part)}</p>${below}</li>`,
  )}</ol>`
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
function withoutNull(schema: Schema): Schema {
  const alternatives = typeof schema === 'object' ? (schema.anyOf ?? schema.oneOf ?? []).filter(part => !isNull(part)) : []
  return alternatives.length === 1 ? (alternatives[0] as Schema) : schema
}

const descriptionOf = (schema: Schema): string | undefined => (typeof schema === 'object' ? schema.description : undefined)
const isNull = (schema: Schema): boolean => typeof schema === 'object' && (schema.type === 'null' || schema.const === null)

function merged(document: OpenApi, schema: SchemaObject): SchemaObject {
  if (!schema.allOf) return schema
  const { allOf, ...own } = schema
  const parts = [...allOf.map(part => plain(document, part)), own]
  const required = parts.flatMap(part => part.required ?? [])
  const properties = Object.assign({}, ...parts.map(part => part.properties ?? {})) as Record<string, Schema>
  return { ...Object.assign({}, ...parts), properties, required }
}

function objectFields(schema: SchemaObject): Field[] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: schema.required?.includes(name) ?? false,
  }))
  const value = mapValue(schema)
  return value === undefined || fields.length > 0 ? fields : [{ name: 'any key', schema: value, required: false }]
}

function mapValue(schema: SchemaObject): Schema | undefined {
  const value = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  return typeof value === 'object' ? value : undefined
}

function typeName(schema: SchemaObject): string {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  const first = schema.const ?? schema.enum?.find(value => value !== null)
  const name = types.join(' or ') || (schema.properties ? 'object' : first === undefined ? 'any' : typeof first)
  return schema.format ? `${name} (${schema.format})` : name
}

// Each limit in words. A pattern or an enumeration is shown as code.
function limitsOf(schema: SchemaObject, element: SchemaObject | undefined): Html[] {
  const values = schema.enum ?? element?.enum
  const limits = [
    values && html`${element ? 'each ' : ''}one of ${values.map((value, index) => html`${index > 0 && ', '}${code(value)}`)}`,
    (schema['x-any-case'] ?? element?.['x-any-case']) && html`in any case`,
    schema.const !== undefined && html`always ${code(schema.const)}`,
    schema.default !== undefined && html`default ${code(schema.default)}`,
    range(schema.minimum, schema.maximum, ''),
    schema.exclusiveMinimum !== undefined && html`more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && html`less than ${schema.exclusiveMaximum}`,
    schema.multipleOf !== undefined && html`a multiple of ${schema.multipleOf}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    schema.pattern !== undefined && html`matches <code>${schema.pattern}</code>`,
    range(schema.minItems, schema.maxItems, ' items'),
    schema.uniqueItems && html`no item twice`,
    range(schema.minProperties, schema.maxProperties, ' keys'),
    requiredTogether(schema),
    element && requiredTogether(element),
    schema.readOnly && html`set by the service`,
    schema.examples?.[0] !== undefined && html`for example ${code(schema.examples[0])}`,
  ]
  return limits.filter(limit => typeof limit === 'object')
}

// An `anyOf` of nothing but `required`: at least one of the fields must be there.
function requiredTogether({ anyOf = [] }: SchemaObject): Html | false {
  const names = anyOf.map(part => (typeof part === 'object' && !part.properties ? (part.required ?? []) : []).join(' and '))
  return (
    anyOf.length > 0 && names.every(Boolean) && html`needs ${names.map((name, index) => html`${index > 0 && ' or '}<code>${name}</code>`)}`
  )
}

function range(least: number | undefined, most: number | undefined, unit: string): Html | false {
  const named = most === 1 || (most === undefined && least === 1) ? unit.replace(/s$/, '') : unit
  if (least !== undefined && least === most) return html`${number(least)}${named}`
  if (least !== undefined && most !== undefined) return html`${number(least)} to ${number(most)}${named}`
  if (least !== undefined && (least > 0 || unit === '')) return html`at least ${number(least)}${named}`
  return most !== undefined && html`at most ${number(most)}${named}`
}

// 9 000 000 000 with narrow spaces: digits in groups, in no country's notation.
const number = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f')
const code = (value: unknown): Html =>
  html`<code>${typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '')}</code>`
