// Query parameters are text, read by their schema. Strictly: `1.0`, ` 5`, `0x10` and a repeated parameter are refused.
import type { Static, TObject, TSchema } from 'typebox'
import { type FieldError, invalid } from '../problems.ts'
import { refuseText } from './json.ts'
import { check } from './validate.ts'

/**
 * Reads the parameters that `schema` names; others are ignored.
 * Arrays are comma lists. @throws {Problem} 422 with every error
 */
export function readQuery<T extends TObject>(schema: T, raw: Record<string, string | string[] | undefined>): Static<T> {
  const query: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const [name, parameter] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const text = raw[name]
    if (text === undefined) continue
    if (Array.isArray(text)) errors.push({ field: name, code: 'repeated', message: 'is given more than once.' })
    else {
      refuseText(text, name)
      query[name] = interpret(parameter as { type?: string; items?: { type?: string } }, text)
    }
  }
  errors.push(...check(schema, query))
  if (errors.length > 0) throw invalid(errors)
  return query as Static<T>
}

/** The parameters whose names begin with `filter[`, by their whole names. @throws {Problem} 422 for one that is repeated, or holds what no text may */
export function readFilters(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  if (raw['filter'] !== undefined)
    throw invalid({ field: 'filter', code: 'invalid_format', message: 'names no field; write filter[<field>]=<value>.' })
  const filters: Record<string, string> = {}
  for (const [name, text] of Object.entries(raw)) {
    if (!name.startsWith('filter[') || text === undefined) continue
    if (Array.isArray(text)) throw invalid({ field: name, code: 'repeated', message: 'is given more than once.' })
    refuseText(name, 'filter')
    refuseText(text, name)
    filters[name] = text
  }
  return filters
}

// A text without the form of its type stays text, and the schema refuses it by name.
function interpret({ type, items }: { type?: string; items?: { type?: string } }, text: string): unknown {
  if (type === 'integer' && /^-?(0|[1-9]\d{0,15})$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'array') return text.split(',').map(part => interpret(items ?? {}, part.trim()))
  return text
}
