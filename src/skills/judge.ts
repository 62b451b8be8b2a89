// Schemas that others wrote, in manifests of apps. They share no compiler with ours: what a schema may hold is bounded before it is compiled, patterns are
// matched in linear time, and what is compiled is kept by content.
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import comparison from 'ajv/dist/runtime/equal.js'
import { isSameJson } from '../json.ts'
import {
  APP_COMPILER_BYTES,
  APP_SCHEMA_BYTES,
  APP_SCHEMA_BYTES_A_CHARACTER,
  APP_SCHEMA_BYTES_A_STATE,
  APP_SCHEMAS_KEPT_BYTES,
  APP_VALIDATOR_BYTES,
  APP_VALIDATOR_BYTES_A_CHARACTER,
  APP_VALIDATORS_KEPT_BYTES,
} from '../limits/skills.ts'
import { memoize } from '../memoize.ts'
import { isTooMuch, isTooMuchInPlace, type Size } from './effort.ts'
import { stepsOf } from './faults.ts'
import { FORMATS } from './formats.ts'
import { inspect, type Remark } from './inspect.ts'
import { compilePattern } from './patterns.ts'

export type { Remark } from './inspect.ts'

// Ajv's own comparison calls the `valueOf` and `toString` of an object, which in JSON of others may be members with these names.
Object.assign(comparison, { default: Object.assign(isSameJson, { code: comparison.default.code }) })

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

type Dialect = '2020-12' | 'draft-07'

function dialectOf(said: unknown): Dialect | undefined {
  if (said === undefined) return '2020-12'
  const address = typeof said === 'string' ? said.replace(/#$/, '') : ''
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/.test(address)) return '2020-12'
  return /^https?:\/\/json-schema\.org\/draft-07\/schema$/.test(address) ? 'draft-07' : undefined
}

const CLASSES = { '2020-12': Ajv2020, 'draft-07': Ajv }

const metaschemas = new Map<Dialect, Ajv>()

// Made when the first schema of its dialect comes: the schemas of schemas cost some milliseconds.
function ofMetaschema(dialect: Dialect): Ajv {
  const made = metaschemas.get(dialect) ?? new CLASSES[dialect](OPTIONS)
  metaschemas.set(dialect, made)
  return made
}

const compilers = new Map<Dialect, { ajv: Ajv; bytes: number }>()

// Ajv forgets a schema that is taken from it, and keeps its patterns and values. Without the schemas of schemas a new one is cheap.
function compilerOf(dialect: Dialect, bytes: number): Ajv {
  let compiler = compilers.get(dialect)
  if (!compiler || compiler.bytes + bytes > APP_COMPILER_BYTES)
    compiler = { ajv: new CLASSES[dialect]({ ...OPTIONS, meta: false, validateSchema: false }), bytes: 0 }
  compiler.bytes += bytes
  compilers.set(dialect, compiler)
  return compiler.ajv
}

// One error is enough to refuse a value, and bounds the work on a hostile one. Ajv wants the text of a regular-expression engine only to write modules.
const OPTIONS: Options = {
  strict: false,
  allErrors: false,
  logger: false,
  addUsedSchema: false,
  // Every object of the language has a `constructor`; a value has one where it was given one.
  ownProperties: true,
  // What is referred to is compiled once, however often that is.
  inlineRefs: false,
  formats: FORMATS,
  // 19.99 is no whole number of 0.01 in binary: what is as near as this counts, which is right up to millions.
  multipleOfPrecision: 7,
  // What is optimised away costs more than it saves where a schema is used a few times.
  code: { optimize: false, regExp: Object.assign((pattern: string) => compilePattern(pattern), { code: '' }) },
}

function malformed({ instancePath, message = 'is not valid' }: ErrorObject, schema: unknown): Remark {
  return { at: stepsOf(instancePath, schema), code: 'invalid_schema', message: `${message}; see JSON Schema.` }
}
