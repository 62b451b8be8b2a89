// One validator for every shape: JSON Schema in, our field errors out. Nothing is coerced, clamped or dropped.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import { JSON_DEPTH } from '../limits.ts'
import { type FieldError, invalid, Problem } from '../problems.ts'
import { explain } from './explain.ts'

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
