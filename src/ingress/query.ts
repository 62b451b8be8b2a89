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

/**
 * The parameters whose names begin with `filter[`, by their whole names. @throws {Problem} 422 for one that is repeated, or holds what no text may
 * @param url as it came: of escapes that are none, `raw` holds what was written, and a filter by that would find nothing
 */
export function readFilters(raw: Record<string, string | string[] | undefined>, url: string): Record<string, string> {
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
  if (url.includes('%')) refuseEscapes(url)
  return filters
}

/** @throws {Problem} 422 for a filter whose escapes are no UTF-8 */
function refuseEscapes(url: string): void {
  const parameters = url.slice(url.indexOf('?') + 1).split('&')
  for (const parameter of parameters.filter(each => /^filter(\[|%5b)/i.test(each))) {
    const broken = parameter.split('=').find(part => !isEncoded(part))
    if (broken === undefined) continue
    const [name = ''] = parameter.split('=')
    const field = isEncoded(name) ? decodeURIComponent(name) : 'filter'
    throw invalid({ field, code: 'invalid_format', message: 'is not valid percent-encoding; write a percent sign as %25.' })
  }
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

// A text without the form of its type stays text, and the schema refuses it by name.
function interpret({ type, items }: { type?: string; items?: { type?: string } }, text: string): unknown {
  if (type === 'integer' && /^-?(0|[1-9]\d{0,15})$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'array') return text.split(',').map(part => interpret(items ?? {}, part.trim()))
  return text
}
