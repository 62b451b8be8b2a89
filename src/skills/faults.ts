// What is wrong with a value by a schema of an app's, in words for the app's author and for a model.
import type { ErrorObject } from 'ajv'
import { type FieldError, fieldOf } from '../problems.ts'

/** The codes of the keywords that REST's own validator has codes for too; other keywords are `invalid_value`. */
const CODES: Record<string, string> = {
  required: 'required',
  type: 'invalid_type',
  enum: 'invalid_choice',
  const: 'invalid_choice',
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  pattern: 'invalid_format',
  format: 'invalid_format',
}

/** @param value what was held against the schema: its indexes are told from names by it */
export const faultsOf = (errors: ErrorObject[], value: unknown): FieldError[] => errors.map(error => faultOf(error, value))

function faultOf({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject, value: unknown): FieldError {
  const at = stepsOf(instancePath, value)
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<string, unknown>
  const code = CODES[keyword] ?? 'invalid_value'
  if (missingProperty !== undefined) return { field: fieldOf([...at, String(missingProperty)]), code, message: 'is required.' }
  const unknown = additionalProperty ?? unevaluatedProperty
  if (unknown !== undefined) return { field: fieldOf([...at, String(unknown)]), code, message: 'is not known here; leave it out.' }
  if (keyword === 'enum') return { field: fieldOf(at), code, message: `must be one of ${listed(allowedValues as unknown[])}.` }
  if (keyword === 'const') return { field: fieldOf(at), code, message: `must be ${listed([allowedValue])}.` }
  return { field: fieldOf(at), code, message: `${message}.` }
}

const listed = (values: unknown[]): string =>
  values
    .map(each => JSON.stringify(each))
    .join(', ')
    .slice(0, 500)

/** @param path a JSON pointer @param value what it leads through: its indexes are told from names by it */
export function stepsOf(path: string, value: unknown): (string | number)[] {
  let part = value
  return path
    .split('/')
    .slice(1)
    .map(each => {
      const name = each.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(part) ? Number(name) : name
      part = (part as Record<string | number, unknown> | undefined)?.[step]
      return step
    })
}

/** As a sentence. */
export const told = ([first]: FieldError[]): string => (first ? `${first.field || 'The value'} ${first.message}` : '')
