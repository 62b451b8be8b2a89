// What a flow writes into a record, against the fields that the resource declares.
import { isDate, isDateTime } from '../../ingress/validate.ts'
import { RECORD_STRING_CHARS } from '../../limits/records.ts'
import { meant } from '../../nearest.ts'
import type { Kind } from './paths.ts'
import type { Breach } from './rules.ts'
import type { Field, Resource } from './shape.ts'
import { parseTemplate } from './templates.ts'

/** What of a lone template fits a field of each type. */
const FITS: Record<Field['type'], readonly Kind[]> = {
  string: ['text', 'time', 'any'],
  number: ['number', 'any'],
  boolean: ['boolean', 'any'],
  date: ['time', 'text', 'any'],
  enum: ['text', 'any'],
}

export interface Written {
  values: Record<string, unknown>
  resource: Resource
  /** All required fields must be there. */
  isNew: boolean
  /** What a path leads to; undefined where that is not known, or told elsewhere. */
  kindOf(path: string): Kind | undefined
}

export function* checkValues({ values, resource, isNew, kindOf }: Written): Generator<Breach> {
  const names = resource.fields.map(({ name }) => name)
  for (const [name, value] of Object.entries(values)) {
    const field = resource.fields.find(each => each.name === name)
    if (field) yield* checkValue(field, value, kindOf)
    else
      yield {
        at: [name],
        code: 'unknown_field',
        message: `is not a field of ${resource.id}${meant(name, names, `; it has ${names.join(', ')}`)}`,
      }
  }
  if (!isNew) return
  for (const { name, required } of resource.fields)
    if (required && !Object.hasOwn(values, name))
      yield { at: [name], code: 'required', message: `is required of each record of ${resource.id}.` }
}

function* checkValue(field: Field, value: unknown, kindOf: Written['kindOf']): Generator<Breach> {
  const at = [field.name]
  if (value === null) {
    if (field.required) yield { at, code: 'required', message: 'is required, so it cannot become null.' }
    return
  }
  const template = typeof value === 'string' ? parseTemplate(value) : undefined
  if (template?.isLone) {
    const kind = kindOf(template.paths[0] as string)
    if (kind && !FITS[field.type].includes(kind))
      yield {
        at,
        code: 'invalid_type',
        message: `must be ${named(field)}, and the path leads to ${kind === 'object' ? 'an' : 'a'} ${kind}.`,
      }
    return
  }
  if (template && template.paths.length > 0) {
    if (field.type === 'number' || field.type === 'boolean')
      yield { at, code: 'invalid_type', message: `must be ${named(field)}; a template with text around it is a text.` }
    return
  }
  if (!isOfType(field, value))
    yield { at, code: field.type === 'enum' ? 'invalid_choice' : 'invalid_type', message: `must be ${named(field)}.` }
}

function isOfType({ type, enumValues = [] }: Field, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value.length <= RECORD_STRING_CHARS
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && (isDateTime(value) || isDate(value))
    case 'enum':
      return enumValues.includes(value as string)
  }
}

function named({ type, enumValues = [] }: Field): string {
  switch (type) {
    case 'string':
      return `a text of at most ${RECORD_STRING_CHARS} characters`
    case 'date':
      return 'a date such as 2026-05-25, or a time with its zone'
    case 'enum':
      return `one of ${enumValues.join(', ')}`
    default:
      return `a ${type}`
  }
}
