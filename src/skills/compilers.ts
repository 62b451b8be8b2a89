// The compilers of schemas that others wrote: Ajv, for each dialect of JSON Schema, without what it does that only suits schemas and values of one's own.
import { setImmediate as immediate } from 'node:timers/promises'
import { _, Ajv, type CodeKeywordDefinition, type KeywordCxt, Name, type Options } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import comparison from 'ajv/dist/runtime/equal.js'
import patternProperties from 'ajv/dist/vocabularies/applicator/patternProperties.js'
import unevaluatedItems from 'ajv/dist/vocabularies/unevaluated/unevaluatedItems.js'
import unevaluatedProperties from 'ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js'
import { isSameJson } from '../json.ts'
import { APP_COMPILER_BYTES } from '../limits/skills.ts'
import { FORMATS } from './formats.ts'
import { compilePattern } from './patterns.ts'

export type Dialect = '2020-12' | 'draft-07'

/** @param said by `$schema` @returns undefined: it is none of these */
export function dialectOf(said: unknown): Dialect | undefined {
  if (said === undefined) return '2020-12'
  const address = typeof said === 'string' ? said.replace(/#$/, '') : ''
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/.test(address)) return '2020-12'
  return /^https?:\/\/json-schema\.org\/draft-07\/schema$/.test(address) ? 'draft-07' : undefined
}

const CLASSES = { '2020-12': Ajv2020, 'draft-07': Ajv }

const metaschemas = new Map<Dialect, Ajv>()

/**
 * Compiles the schema of schemas of the usual dialect, which takes a process as long as the largest schema of an app. So both are done in turns of their
 * own, and others are served between them.
 */
export async function ready(): Promise<void> {
  if (isReady()) return
  void ofMetaschema('2020-12').validateSchema({})
  await immediate()
}

export const isReady = (): boolean => metaschemas.has('2020-12')

/** Made when the first schema of its dialect comes. */
export function ofMetaschema(dialect: Dialect): Ajv {
  const made = metaschemas.get(dialect) ?? newCompiler(dialect, OPTIONS)
  metaschemas.set(dialect, made)
  return made
}

const compilers = new Map<Dialect, { ajv: Ajv; bytes: number }>()

// Ajv forgets a schema that is taken from it, and keeps its patterns and values. Without the schemas of schemas a new one is cheap.
export function compilerOf(dialect: Dialect, bytes: number): Ajv {
  let compiler = compilers.get(dialect)
  if (!compiler || compiler.bytes + bytes > APP_COMPILER_BYTES)
    compiler = { ajv: newCompiler(dialect, { ...OPTIONS, meta: false, validateSchema: false }), bytes: 0 }
  compiler.bytes += bytes
  compilers.set(dialect, compiler)
  return compiler.ajv
}

function newCompiler(dialect: Dialect, options: Options): Ajv {
  const ajv = new CLASSES[dialect](options)
  compareAsJson(ajv)
  // In this order, for what is unevaluated is known last.
  if (dialect === '2020-12') for (const each of MENDED) ajv.removeKeyword(each.keyword).addKeyword(each)
  return ajv
}

/** Ajv's own comparison calls the `valueOf` and `toString` of an object, which in JSON of others may be members with these names. */
function compareAsJson({ scope }: Ajv): void {
  const value = scope.value.bind(scope)
  scope.value = (name, given) => value(name, given.ref === comparison.default ? { ...given, ref: isSameJson } : given)
}

// By way of unknown: beside the clients under test, which bring an Ajv of their own, the compiler takes the types of one of the two for the other's.
type Definition = CodeKeywordDefinition & { keyword: string }

const mended = (keyword: { default: unknown }, prepare: (cxt: KeywordCxt) => void): Definition => {
  const definition = keyword.default as Definition
  return {
    ...definition,
    code(cxt) {
      prepare(cxt)
      definition.code(cxt)
    },
  }
}

/** Keywords as Ajv has them, but that each takes what was noted of a value as it is. What a choice of schemas noted is known only as a value is held against it. */
const MENDED = [
  // Ajv adds to a note that may not have been begun.
  mended(patternProperties, ({ gen, it: { props } }) => {
    if (props instanceof Name) gen.if(_`${props} === undefined`, () => gen.assign(props, _`{}`))
  }),
  // Ajv looks members up in an object, and every object of the language has a `constructor`.
  mended(unevaluatedProperties, ({ gen, it }) => {
    const { props } = it
    if (props instanceof Name) it.props = gen.const('met', _`${props} === true || Object.assign(Object.create(null), ${props})`)
  }),
  // Ajv takes the note for a number of items. It is true where all were met, and then each value of two items was refused; where none is noted, all were let through.
  mended(unevaluatedItems, ({ gen, data, it }) => {
    const { items } = it
    if (items instanceof Name) it.items = gen.const('met', _`${items} === true ? ${data}.length : ${items} || 0`)
  }),
]

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
