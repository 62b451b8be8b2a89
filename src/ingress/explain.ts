// What the validator found, in words of ours: each error names the field and says the way out, and none contradicts another.
import type { ErrorObject } from 'ajv/dist/2020.js'
import { prefixOf } from '../ids.ts'
import type { FieldError } from '../problems.ts'

/** More would bury the first ones. */
const ERRORS_MAX = 100

/** @param at the prefix of each error's field ('' for a body) */
export function explain(errors: ErrorObject[], at: string): FieldError[] {
  // An anyOf speaks for itself: the errors of its branches would contradict each other.
  const branches = errors.filter(error => error.keyword === 'anyOf').map(error => `${error.schemaPath}/`)
  // And what is of the wrong type is none of the choices either.
  const mistyped = new Set(errors.filter(error => error.keyword === 'type').map(error => error.instancePath))
  // A name of the wrong form is told under itself, and not also as its object’s fault.
  const spoken = errors.filter(
    ({ schemaPath, keyword, instancePath, propertyName }) =>
      !(keyword === 'pattern' && propertyName !== undefined) &&
      !branches.some(branch => schemaPath.startsWith(branch)) &&
      keyword !== 'if' &&
      !(keyword === 'enum' && mistyped.has(instancePath)),
  )
  return spoken.slice(0, ERRORS_MAX).map(error => describe(error, at))
}

function describe(error: ErrorObject, at: string): FieldError {
  const params = error.params as Record<string, unknown>
  const field = fieldPath(at, error.instancePath)
  const inner = (name: unknown): string => (field ? `${field}.${name}` : String(name))
  switch (error.keyword) {
    case 'required':
      return { field: inner(params['missingProperty']), code: 'required', message: 'is required.' }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params['additionalProperty'] ?? params['unevaluatedProperty']
      const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {})
      return {
        field: inner(name),
        code: 'unknown_field',
        message: `is not a field here${known.length ? `; known are ${known.join(', ')}` : ''}.`,
      }
    }
    case 'type':
      return { field, code: 'invalid_type', message: `must be ${typeName(params['type'])}.` }
    case 'enum':
    case 'const':
      return {
        field,
        code: 'invalid_choice',
        message: `must be one of ${([params['allowedValues'] ?? params['allowedValue']].flat() as unknown[]).map(String).join(', ')}.`,
      }
    case 'discriminator': {
      const { tag, tagValue } = params
      const known = ((error.parentSchema as { oneOf?: { properties?: Record<string, { const?: unknown }> }[] }).oneOf ?? []).map(
        form => form.properties?.[String(tag)]?.const,
      )
      return tagValue === undefined
        ? { field: inner(tag), code: 'required', message: 'is required.' }
        : { field: inner(tag), code: 'invalid_choice', message: `must be one of ${known.join(', ')}.` }
    }
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { field, code: 'out_of_range', message: `must be ${params['comparison']} ${params['limit']}.` }
    case 'minLength':
      return {
        field,
        code: 'too_short',
        message: params['limit'] === 1 ? 'must not be empty.' : `must have at least ${params['limit']} characters.`,
      }
    case 'maxLength':
      return { field, code: 'too_long', message: `must have at most ${params['limit']} characters.` }
    case 'minItems':
      return { field, code: 'too_few', message: `must have at least ${params['limit']}.` }
    case 'minProperties':
      return { field, code: 'too_few', message: `must name at least ${params['limit']} of its fields.` }
    case 'maxItems':
    case 'maxProperties':
      return { field, code: 'too_many', message: `must have at most ${params['limit']}.` }
    case 'uniqueItems':
      return { field, code: 'duplicate', message: 'must not hold the same value twice.' }
    case 'format':
    case 'pattern':
      return { field, code: 'invalid_format', message: formatMessage(error) }
    case 'propertyNames':
      return { field: inner(params['propertyName']), code: 'invalid_name', message: nameMessage(error) }
    case 'anyOf':
      return {
        field,
        code: 'required',
        message: String((error.parentSchema as { description?: string }).description ?? 'does not fit any allowed form.'),
      }
    default:
      return { field, code: 'invalid', message: `${error.message ?? 'is not valid'}.` }
  }
}

function formatMessage(error: ErrorObject): string {
  const { format, pattern = '' } = error.params as { format?: string; pattern?: string }
  const prefix = prefixOf(pattern)
  if (prefix !== undefined) return `must be an id: ${prefix}_ and 26 characters.`
  if (format === 'date-time') return 'must be an ISO 8601 time with its zone, such as 2026-05-25T09:30:00.000Z.'
  if (format === 'email') return 'must be an e-mail address.'
  if (format === 'uri') return 'must be an http or https address.'
  if (format === 'currency') return 'must be an ISO 4217 code in upper case, such as EUR.'
  const said = (error.parentSchema as { description?: string }).description
  return said ? `does not have the right form: ${said}` : 'does not have the right form.'
}

function nameMessage(error: ErrorObject): string {
  const said = (error.parentSchema as { propertyNames?: { description?: string } }).propertyNames?.description
  return said ? `is not a name allowed here: ${said}` : 'is not a name allowed here.'
}

function typeName(type: unknown): string {
  const names = [type]
    .flat()
    .map(name =>
      name === 'integer' ? 'a whole number' : name === 'null' ? 'null' : `${name === 'object' || name === 'array' ? 'an' : 'a'} ${name}`,
    )
  return names.join(' or ')
}

// `/items/0/product_id` is written `items[0].product_id`.
function fieldPath(at: string, pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), at)
}
