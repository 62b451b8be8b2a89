// The validator's errors in the interface's words: each names the field and says the way out, and none contradicts another.
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { prefixesOf } from '../ids.ts'
import { ERRORS_MAX } from '../limits/bodies.ts'
import { meant } from '../nearest.ts'
import { type FieldError, fieldOf } from '../problems.ts'

/** @param value in which they were found @returns the first ERRORS_MAX errors */
export function fieldErrors(schema: TSchema, errors: ErrorObject[], value: unknown): FieldError[] {
  // An anyOf is told as one error: those of its branches would contradict each other.
  const branches = [...new Set(errors.filter(error => error.keyword === 'anyOf').map(error => `${error.schemaPath}/`))]
  // A value of the wrong type is told for its type alone, not for being none of the choices too.
  const mistyped = new Set(errors.filter(error => error.keyword === 'type').map(error => error.instancePath))
  // An empty text is told as empty alone, not for lacking a form too.
  const empty = new Set(
    errors.filter(({ keyword, params }) => keyword === 'minLength' && params['limit'] === 1).map(error => error.instancePath),
  )
  // A form that is told by a member is told to lack it, not for being none of the forms too.
  const missing = new Set(
    errors.filter(error => error.keyword === 'required').map(error => `${error.instancePath}/${error.params['missingProperty']}`),
  )
  // A name that is not allowed is told once, under the name itself: by its length, or else as one of the wrong form.
  const measured = new Set(errors.filter(({ keyword, propertyName }) => propertyName !== undefined && keyword !== 'pattern').map(nameOf))
  const spoken = errors.filter(
    ({ schemaPath, keyword, instancePath, propertyName, params }) =>
      !(keyword === 'pattern' && propertyName !== undefined) &&
      !(keyword === 'propertyNames' && measured.has(nameOf({ instancePath, propertyName: params['propertyName'] }))) &&
      !branches.some(branch => schemaPath.startsWith(branch)) &&
      keyword !== 'if' &&
      !(keyword === 'discriminator' && missing.has(`${instancePath}/${params['tag']}`)) &&
      !(keyword === 'enum' && mistyped.has(instancePath)) &&
      !((keyword === 'pattern' || keyword === 'x-filled') && empty.has(instancePath)),
  )
  return spoken.slice(0, ERRORS_MAX).map(error => describe(error, holderOf(schema, error), value))
}

const nameOf = ({ instancePath, propertyName }: Pick<ErrorObject, 'instancePath' | 'propertyName'>): string =>
  `${instancePath}/${propertyName}`

/** The part of a schema that an error's keyword stands in. */
interface Holder {
  description?: string
  properties?: object
  propertyNames?: { description?: string }
  oneOf?: { properties?: Record<string, { const?: unknown }> }[]
}

// Looked up here: the validator would hand it on with every error, and most errors are never told.
function holderOf(schema: TSchema, { schemaPath }: ErrorObject): Holder {
  const steps = schemaPath.split('/').slice(1, -1)
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[unescaped(decodeURIComponent(step))], schema) as Holder
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')

function describe(error: ErrorObject, holder: Holder, value: unknown): FieldError {
  const { propertyName, ...ofName } = error
  if (propertyName !== undefined) {
    const { code, message } = describe(ofName, holder, value)
    return { field: fieldOf([...stepsOf(error.instancePath), propertyName]), code, message: `its name ${message}` }
  }
  const params = error.params as Record<string, unknown>
  const steps = stepsOf(error.instancePath)
  const field = fieldOf(steps)
  const inner = (name: unknown): string => fieldOf([...steps, String(name)])
  switch (error.keyword) {
    case 'required':
      return { field: inner(params['missingProperty']), code: 'required', message: 'is required.' }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = params['additionalProperty'] ?? params['unevaluatedProperty']
      const known = Object.keys(holder.properties ?? {})
      return {
        field: inner(name),
        code: 'unknown_field',
        message: known.length === 0 ? 'is not a field here.' : unknownName(String(name), known),
      }
    }
    case 'type':
      return { field, code: 'invalid_type', message: `must be ${typeName(params['type'])}.` }
    case 'enum':
    case 'const':
      return {
        field,
        code: 'invalid_choice',
        message: oneOf(([params['allowedValues'] ?? params['allowedValue']].flat() as unknown[]).map(String), valueAt(value, steps)),
      }
    case 'discriminator': {
      const { tag, tagValue } = params
      const known = (holder.oneOf ?? []).map(form => String(form.properties?.[String(tag)]?.const))
      return tagValue === undefined
        ? { field: inner(tag), code: 'required', message: 'is required.' }
        : { field: inner(tag), code: 'invalid_choice', message: oneOf(known, tagValue) }
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
      return {
        field,
        code: 'too_few',
        message: params['limit'] === 1 ? 'must not be empty.' : `must have at least ${params['limit']} items.`,
      }
    case 'minProperties':
      return { field, code: 'too_few', message: `must name at least ${params['limit']} of its fields.` }
    case 'maxItems':
    case 'maxProperties':
      return { field, code: 'too_many', message: `must have at most ${params['limit']}.` }
    case 'uniqueItems':
      return { field, code: 'duplicate', message: 'must not hold the same value twice.' }
    case 'format':
    case 'pattern':
      return { field, code: 'invalid_format', message: formatMessage(error, holder) }
    case 'x-filled':
      return { field, code: 'blank', message: 'holds nothing that can be seen.' }
    case 'propertyNames':
      return { field: inner(params['propertyName']), code: 'invalid_name', message: nameMessage(holder) }
    case 'anyOf':
      return { field, code: 'required', message: holder.description ?? 'does not fit any allowed form.' }
    default:
      return { field, code: 'invalid', message: 'is not valid.' }
  }
}

function unknownName(name: string, known: string[]): string {
  const near = meant(name, known)
  return near.startsWith(';')
    ? `is not a field here${near} Known are ${known.join(', ')}.`
    : `is not a field here; known are ${known.join(', ')}.`
}

const oneOf = (choices: string[], value: unknown): string =>
  `must be ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}${typeof value === 'string' ? meant(value, choices) : '.'}`

const valueAt = (value: unknown, steps: (string | number)[]): unknown =>
  steps.reduce<unknown>(
    (part, step) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[step] : undefined),
    value,
  )

function formatMessage(error: ErrorObject, { description: said }: Holder): string {
  const { format, pattern = '' } = error.params as { format?: string; pattern?: string }
  const prefixes = prefixesOf(pattern)
  if (prefixes.length > 0) return `must be an id: ${prefixes.map(each => `${each}_`).join(' or ')} and 26 characters.`
  if (format === 'date-time') return 'must be an ISO 8601 time with its zone, such as 2026-05-25T09:30:00.000Z.'
  if (format === 'email') return 'must be an e-mail address.'
  if (format === 'uri') return 'must be an http or https address.'
  if (format === 'language') return 'must be a language tag (BCP 47), such as uk or pt-BR.'
  if (format === 'currency') return 'must be an ISO 4217 code in upper case, such as EUR.'
  return said ? `does not have the right form: ${said}` : 'does not have the right form.'
}

function nameMessage({ propertyNames }: Holder): string {
  const said = propertyNames?.description
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
const stepsOf = (pointer: string): (string | number)[] =>
  pointer
    .split('/')
    .slice(1)
    .map(step => (/^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : unescaped(step)))
