// One validator for every schema: JSON Schema in, our field errors out. Nothing is coerced, clamped or dropped.
import { createRequire } from 'node:module'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { Static, TSchema } from 'typebox'
import { isBlank } from '../blank.ts'
import { isLanguageTag } from '../language-tag.ts'
import { type FieldError, invalid } from '../problems.ts'
import { cut } from './cut-to-schema.ts'
import { fieldErrors } from './field-errors.ts'

const EMAIL = /^[^\s@"<>(),;:\\[\]]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

const require = createRequire(import.meta.url)

// Ajv is loaded when it is first asked: most commands, and a process of web that only serves pages, check nothing by a schema.
const made: { ajv?: Ajv2020; brief?: Ajv2020 } = {}

function ajv(): Ajv2020 {
  // allErrors is safe: `cut` bounds their number.
  made.ajv ??= validator({ allErrors: true })
  return made.ajv
}

/** Says only whether a value fits. */
function brief(): Ajv2020 {
  made.brief ??= validator({ allErrors: false })
  return made.brief
}

function validator(options: { allErrors: boolean }): Ajv2020 {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  // The schemas are ours: that they are sound is for a test to say. Ajv would compile the schema of schemas for it, which holds up the first request.
  const sound = { strict: true, strictTypes: false, strictRequired: false, validateSchema: false }
  // Ajv's own optimising takes half of the time to compile, and checks are no faster for it: V8 does the same when they run.
  const plain = { code: { optimize: false } }
  const made = new Ajv2020({ ...options, ...sound, ...plain, messages: false, discriminator: true })
  made.addFormat('date-time', isDateTime)
  made.addFormat('email', EMAIL)
  made.addFormat('uri', (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text))
  made.addFormat('currency', (text: string) => CURRENCIES.has(text))
  made.addFormat('language', isLanguageTag)
  // Enumerations accept any case. The value takes the spelling of the interface before `enum` compares.
  made.addKeyword({
    keyword: 'x-any-case',
    schemaType: 'boolean',
    before: 'enum',
    modifying: true,
    compile: (_on, parent) => {
      const spelled = new Map((parent['enum'] as string[]).map(value => [value.toLowerCase(), value]))
      return (value, context) => {
        const known = typeof value === 'string' ? spelled.get(value.toLowerCase()) : undefined
        if (known !== undefined && context) context.parentData[context.parentDataProperty] = known
        return true
      }
    },
  })
  // Spaces around a text do not count, neither for its length nor for what is kept.
  made.addKeyword({
    keyword: 'x-trimmed',
    type: 'string',
    schemaType: 'boolean',
    before: 'maxLength',
    modifying: true,
    compile: () => (value, context) => {
      if (context) context.parentData[context.parentDataProperty] = (value as string).trim()
      return true
    },
  })
  // A person sees something of it; or it is empty, where that has a meaning.
  made.addKeyword({
    keyword: 'x-filled',
    type: 'string',
    schemaType: ['boolean', 'string'],
    compile: (how: true | 'or-empty') => value => (how === 'or-empty' && value === '') || !isBlank(value as string),
  })
  // Annotations without a say in validity.
  for (const keyword of ['example', 'x-refused']) made.addKeyword({ keyword })
  return made
}

const compiled = new WeakMap<object, ValidateFunction>()

/**
 * Returns `value`, now known to fit `schema`.
 * @throws {Problem} 422 with the first ERRORS_MAX errors
 */
export function validate<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const errors = check(schema, value)
  if (errors.length > 0) throw invalid(errors)
  return value as Static<T>
}

/** @returns the errors of `value`; where there are any, a part of it may have been cut away (see cut-to-schema.ts) */
export function check(schema: TSchema, value: unknown): FieldError[] {
  const run = prepare(schema)
  if (run(cut(schema, value))) return []
  return fieldErrors(schema, run.errors ?? [], value)
}

const compiledBriefly = new WeakMap<object, ValidateFunction>()

/** Whether a value fits: where most do, and checks are frequent, this takes half the time of `check`. */
export function fits(schema: TSchema, value: unknown): boolean {
  let run = compiledBriefly.get(schema)
  if (!run) {
    run = brief().compile(schema)
    compiledBriefly.set(schema, run)
  }
  return run(value)
}

/** Makes the validator of a schema, once. A large schema takes up to 50 ms, in which nothing else is served. */
export function prepare(schema: TSchema): ValidateFunction {
  let run = compiled.get(schema)
  if (!run) {
    run = ajv().compile(schema)
    compiled.set(schema, run)
  }
  return run
}

// PostgreSQL has no year 0, and no zone 16 hours away.
const DATE_TIME =
  /^((?!0000)\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/

export function isDateTime(text: string): boolean {
  const [, year, month, day] = DATE_TIME.exec(text) ?? []
  if (day === undefined || Number(day) > daysOf(Number(year), Number(month))) return false
  return (year !== '0001' && year !== '9999') || staysInCalendar(text)
}

/** A day alone, such as 2026-05-25. */
export const isDate = (text: string): boolean => isDateTime(`${text}T00:00:00Z`)

// Times are kept in UTC, and the zone of one at either end of the calendar may carry it into a year that has no four digits, or is 0.
const staysInCalendar = (text: string): boolean => /^(?!0000)\d{4}-/.test(new Date(text).toISOString())

// Counted rather than asked of Date, which takes longer than all the rest of a short body.
function daysOf(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
