// One validator for every shape: JSON Schema in, our field errors out. Nothing is coerced, clamped or dropped.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import { prefixOf } from '../ids.ts'
import { JSON_DEPTH } from '../limits.ts'
import { type FieldError, invalid, Problem } from '../problems.ts'

/** More would bury the first ones. */
const ERRORS_MAX = 100

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false, verbose: true, discriminator: true })
ajv.addFormat('date-time', isDateTime)
ajv.addFormat(
  'email',
  /^[^\s@"<>(),;:\\[\]]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
)
ajv.addFormat('uri', (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text))
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
ajv.addFormat('currency', (text: string) => CURRENCIES.has(text))

// Enumerations accept any case (design §3) and are handed on as the interface writes them: spelled right before `enum` compares.
ajv.addKeyword({
  keyword: 'x-any-case',
  schemaType: 'boolean',
  before: 'enum',
  modifying: true,
  compile: (_on, parent) => {
    const spelled = new Map((parent['enum'] as string[]).map(value => [value.toLowerCase(), value]))
    return (value, context) => {
      const known = spelled.get(String(value).toLowerCase())
      if (known !== undefined && typeof value === 'string' && context) context.parentData[context.parentDataProperty] = known
      return true
    }
  },
})
// Annotations of ours and of OpenAPI that say nothing about validity.
for (const keyword of ['example', 'x-refused']) ajv.addKeyword({ keyword })

const compiled = new WeakMap<object, ValidateFunction>()

/**
 * Returns `value`, now known to fit `schema`.
 * @param at what the value is to the caller: the prefix of each error's field ('' for a body)
 * @throws {Problem} 422 with every error
 */
export function validate<T extends TSchema>(schema: T, value: unknown, at = ''): Static<T> {
  const errors = check(schema, value, at)
  if (errors.length > 0) throw invalid(...(errors as [FieldError]))
  return value as Static<T>
}

export function check(schema: TSchema, value: unknown, at = ''): FieldError[] {
  let run = compiled.get(schema)
  if (!run) {
    run = ajv.compile(schema)
    compiled.set(schema, run)
  }
  if (run(value)) return []
  return explain(run.errors ?? [], at)
}

function explain(errors: ErrorObject[], at: string): FieldError[] {
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

// PostgreSQL has no year 0, and no zone 16 hours away.
const DATE_TIME = /^((?!0000)\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/

export function isDateTime(text: string): boolean {
  const day = DATE_TIME.exec(text)?.[1]
  // The second half refuses days such as 31 February, which Date would move into March.
  return day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day && !Number.isNaN(Date.parse(text))
}

/**
 * JSON that a database can keep and every client can read: valid UTF-8, no NUL, no lone surrogate, no number beyond a double,
 * no `__proto__`, no depth that would exhaust a parser.
 * @throws {Problem} 422 naming the place
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (error) {
    const reason =
      error instanceof SyntaxError
        ? error.message.replaceAll(/"[\s\S]*" is not valid JSON/g, 'the text is not valid JSON')
        : 'the bytes are not valid UTF-8'
    throw invalid({ field: '', code: 'malformed_json', message: `The body is not JSON: ${reason.slice(0, 200)}.` })
  }
  refuseUnstorable(value, '', 0)
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function refuseUnstorable(value: unknown, at: string, depth: number): void {
  if (typeof value === 'string') refuseText(value, at)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalid({ field: at, code: 'out_of_range', message: 'is a number beyond every range.' })
  if (typeof value !== 'object' || value === null) return
  if (depth >= JSON_DEPTH) throw invalid({ field: at, code: 'too_deep', message: `lies deeper than ${JSON_DEPTH} levels.` })
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnstorable(item, `${at}[${index}]`, depth + 1)
    return
  }
  for (const [name, item] of Object.entries(value)) {
    const path = at ? `${at}.${name}` : name
    if (name === '__proto__') throw invalid({ field: path, code: 'unknown_field', message: 'is not a name allowed anywhere.' })
    refuseText(name, at)
    refuseUnstorable(item, path, depth + 1)
  }
}

/** As `parseJson` would find it: what of a value cannot be kept. */
export function unstorable(value: unknown): FieldError[] {
  try {
    refuseUnstorable(value, '', 0)
    return []
  } catch (error) {
    if (error instanceof Problem) return error.members['errors'] as FieldError[]
    throw error
  }
}

export function refuseText(text: string, at: string): void {
  if (text.includes('\0'))
    throw invalid({ field: at, code: 'invalid_characters', message: 'holds a NUL character, which cannot be stored.' })
  if (!text.isWellFormed())
    throw invalid({ field: at, code: 'invalid_characters', message: 'holds half of a surrogate pair, which is not text.' })
}
