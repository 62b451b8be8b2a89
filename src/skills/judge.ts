// Schemas that others wrote, in manifests of apps. They share no compiler with ours: what a schema may hold is bounded before it is compiled, patterns are
// matched in linear time, and what is compiled is kept by content.
import type { ErrorObject, ValidateFunction } from 'ajv'
import {
  APP_SCHEMA_BYTES,
  APP_SCHEMA_BYTES_A_CHARACTER,
  APP_SCHEMA_BYTES_A_STATE,
  APP_SCHEMAS_KEPT_BYTES,
  APP_VALIDATOR_BYTES,
  APP_VALIDATOR_BYTES_A_CHARACTER,
  APP_VALIDATORS_KEPT_BYTES,
} from '../limits/skills.ts'
import { memoize } from '../memoize.ts'
import { meant } from '../nearest.ts'
import { compilerOf, type Dialect, dialectOf, ofMetaschema } from './compilers.ts'
import { isTooMuch, isTooMuchInPlace, type Size } from './effort.ts'
import { stepsOf } from './faults.ts'
import { inspect, type Remark } from './inspect.ts'

export type { Remark } from './inspect.ts'

export interface Judgement {
  errors: Remark[]
  warnings: Remark[]
  /** Undefined where it was not looked through. */
  size?: Size
  /** Holds a value against the schema, and says what is wrong with it. Undefined where the schema has errors. */
  check: ((value: unknown) => ErrorObject[]) | undefined
}

/** What is wrong with a schema, and its compiled form. @param schema JSON, of any content */
export function judge(schema: Record<string, unknown>): Judgement {
  const text = JSON.stringify(schema)
  const bytes = Buffer.byteLength(text)
  if (bytes > APP_SCHEMA_BYTES) {
    const message = `has ${bytes} bytes; a schema may have ${APP_SCHEMA_BYTES}: leave out descriptions, or describe less of it.`
    return { errors: [{ at: [], code: 'schema_too_large', message }], warnings: [], check: undefined }
  }
  return judged(text).judgement
}

// Both by their size: any caller may send schemas as large as they may be, each one different.
const judged = memoize(
  APP_SCHEMAS_KEPT_BYTES,
  text => ({ judgement: judgeAnew(text), length: text.length }),
  ({ length }) => (length * APP_SCHEMA_BYTES_A_CHARACTER) / 2,
)
// Compiling takes ten times what looking through takes, and many schemas are judged whose skill this process never calls.
const validatorOf = memoize(APP_VALIDATORS_KEPT_BYTES, compile, ({ bytes }) => bytes / 2)

function judgeAnew(text: string): Judgement {
  const schema = JSON.parse(text) as Record<string, unknown>
  const dialect = dialectOf(schema['$schema'])
  if (!dialect) {
    const message = 'must be https://json-schema.org/draft/2020-12/schema or http://json-schema.org/draft-07/schema#, or left out.'
    return { errors: [{ at: ['$schema'], code: 'unknown_dialect', message }], warnings: [], check: undefined }
  }
  const { errors, warnings, cleaned, isPlain, size } = inspect(schema)
  if (errors.length > 0) return { errors, warnings, size, check: undefined }
  const ajv = ofMetaschema(dialect)
  if (!ajv.validateSchema(cleaned))
    return { errors: (ajv.errors ?? []).map(each => malformed(each, cleaned)), warnings, size, check: undefined }
  try {
    // What is compiled is read by the engine when it first runs, and may be too deep for it.
    if (!isPlain) validatorOf(text).validate(null)
    return { errors, warnings, size, check: value => errorsOf(text, size, value) }
  } catch (error) {
    return { errors: [uncompiled(error as Error)], warnings, size, check: undefined }
  }
}

const uncompiled = (error: Error): Remark =>
  error instanceof RangeError
    ? { at: [], code: 'schema_too_large', message: 'has too many parts beside and inside of each other; describe less of it.' }
    : { at: [], code: 'invalid_schema', message: `cannot be compiled: ${error.message}.` }

/** @param text of a schema in which nothing is wrong */
function compile(text: string): { validate: ValidateFunction; bytes: number } {
  const schema = JSON.parse(text) as Record<string, unknown>
  const { compiled, size } = inspect(schema)
  const bytes = APP_VALIDATOR_BYTES + text.length * APP_VALIDATOR_BYTES_A_CHARACTER + size.states * APP_SCHEMA_BYTES_A_STATE
  const ajv = compilerOf(dialectOf(schema['$schema']) as Dialect, bytes)
  try {
    return { validate: ajv.compile(compiled), bytes }
  } finally {
    ajv.removeSchema(compiled)
  }
}

function errorsOf(text: string, size: Size, value: unknown): ErrorObject[] {
  if (isTooMuch(size, value) && isTooMuchAnew(text, value)) return [TOO_MUCH]
  const { validate } = validatorOf(text)
  return validate(value) ? [] : (validate.errors ?? [])
}

// Few values come here, so what it needs of the schema is not kept.
function isTooMuchAnew(text: string, value: unknown): boolean {
  const { cleaned, referred } = inspect(JSON.parse(text) as Record<string, unknown>)
  return isTooMuchInPlace(cleaned, value, referred)
}

const TOO_MUCH: ErrorObject = {
  instancePath: '',
  schemaPath: '',
  keyword: 'size',
  params: {},
  message: 'is too large to be held against so large a schema; send less at once, or describe less of it',
}

function malformed({ instancePath, params, message = 'is not valid' }: ErrorObject, schema: unknown): Remark {
  const at = stepsOf(instancePath, schema)
  const { allowedValues } = params as { allowedValues?: string[] }
  return { at, code: 'invalid_schema', message: allowedValues ? oneOf(allowedValues, at, schema) : `${message}; see JSON Schema.` }
}

function oneOf(names: string[], at: Remark['at'], schema: unknown): string {
  const given = at.reduce((part, step) => (part as Record<string | number, unknown>)[step], schema)
  return `must be one of ${names.join(', ')}${typeof given === 'string' ? meant(given, names) : '.'}`
}
