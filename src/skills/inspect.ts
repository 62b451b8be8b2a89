// Looks through a schema that others wrote, before a compiler does: what it refers to, how large it is with every reference written out, and what it says
// that nothing here understands. Nothing is run, and each part is looked at once.
import { isJsonObject } from '../json.ts'
import {
  APP_SCHEMA_PARTS,
  APP_SCHEMA_PATTERN_STATES,
  APP_SCHEMA_PLAIN_PARTS,
  APP_SCHEMA_UNEVALUATED_PARTS,
  APP_SCHEMA_UNIQUE_ITEMS,
  APP_SCHEMA_WORDS,
} from '../limits/skills.ts'
import { type Dialect, dialectOf } from './compilers.ts'
import { effortOf, readingOf, type Size } from './effort.ts'
import { FORMATS } from './formats.ts'
import { INNER, isKnown, PLAIN } from './keywords.ts'
import { compilePattern, statesOf } from './patterns.ts'
import { sharing } from './sharing.ts'

/** Something about a schema. */
export interface Remark {
  /** Where, from the outside in. */
  at: (string | number)[]
  code: string
  /** What follows the place: the reason, and the way out. */
  message: string
}

export interface Inspected {
  errors: Remark[]
  warnings: Remark[]
  /** The schema as it counts: without its own name, and without patterns that were left out. */
  cleaned: Record<string, unknown>
  /** The same as it is compiled. */
  compiled: Record<string, unknown>
  /** What a reference in it leads to. */
  referred: (ref: string) => Record<string, unknown> | undefined
  size: Size
  /** It is small, and holds nothing but keywords that compile wherever JSON Schema itself has nothing against them. */
  isPlain: boolean
}

type Part = Record<string, unknown>

/** More of them are not told. */
const REMARKS_MAX = 50

interface Inspection extends Inspected {
  /** Where parts stand, by the part itself. */
  places: Map<Part, Remark['at']>
  anchors: Map<string, Part>
  dialect: Dialect
}

export function inspect(schema: Part): Inspected {
  const cleaned = structuredClone(schema)
  // Its own name would be one among the names of all schemas that were ever compiled. Its dialect has been read.
  delete cleaned['$id']
  delete cleaned['$schema']
  const inspection: Inspection = {
    errors: [],
    warnings: [],
    cleaned,
    compiled: cleaned,
    referred: ref => target(inspection, ref),
    isPlain: true,
    size: { parts: 0, effort: 0, reading: 0, states: 0 },
    places: new Map(),
    anchors: new Map(),
    dialect: dialectOf(schema['$schema']) ?? '2020-12',
  }
  look(inspection, cleaned, [])
  for (const [part, at] of inspection.places) resolve(inspection, part, at)
  if (inspection.errors.length === 0) measure(inspection)
  if (inspection.errors.length === 0) share(inspection)
  const { errors, warnings, size, referred, compiled } = inspection
  const isPlain = inspection.isPlain && size.parts <= APP_SCHEMA_PLAIN_PARTS
  return { errors: errors.slice(0, REMARKS_MAX), warnings: warnings.slice(0, REMARKS_MAX), cleaned, compiled, referred, size, isPlain }
}

function look(inspection: Inspection, part: Part, at: Remark['at']): void {
  if (inspection.places.size > APP_SCHEMA_PARTS) return
  inspection.places.set(part, at)
  lookAtKeywords(inspection, part, at)
  for (const [name, inner, where] of innerOf(part)) {
    if (name === 'patternProperties') lookAtPattern(inspection, String(where.at(-1)), [...at, ...where])
    if (isJsonObject(inner)) look(inspection, inner, [...at, ...where])
  }
}

/** The schemas directly in a part: the keyword, the schema, and where it is. */
function* innerOf(part: Part): Generator<[keyword: string, inner: unknown, where: Remark['at']]> {
  for (const [keyword, value] of Object.entries(part)) {
    const kind = INNER.get(keyword)
    if (kind === undefined || value === undefined) continue
    if (Array.isArray(value)) for (const [index, inner] of value.entries()) yield [keyword, inner, [keyword, index]]
    else if (kind === 'named' && isJsonObject(value))
      for (const [name, inner] of Object.entries(value)) yield [keyword, inner, [keyword, name]]
    else yield [keyword, value, [keyword]]
  }
}

function lookAtKeywords(inspection: Inspection, part: Part, at: Remark['at']): void {
  const { errors, warnings, anchors, dialect } = inspection
  for (const name of Object.keys(part)) {
    // The compiler knows words of its own: `$async` would make its answer a promise, which counts as no error and rejects where nothing waits for it.
    if (!isKnown(name, dialect)) delete part[name]
    // JSON Schema lets an enum be empty, and the compiler does not.
    if (!PLAIN.has(name) || (name === 'enum' && [part['enum']].flat().length === 0)) inspection.isPlain = false
    if (name === '$dynamicRef' || name === '$recursiveRef')
      errors.push({ at: [...at, name], code: 'invalid_ref', message: `is not allowed; write $ref with an address in this schema.` })
    else if (!isKnown(name, dialect) && !name.startsWith('x-'))
      warnings.push({
        at: [...at, name],
        code: 'unknown_keyword',
        message: `is no keyword of JSON Schema ${dialect}, so it has no effect.`,
      })
  }
  const { $anchor: anchor, $id: id, format, pattern, uniqueItems, maxItems } = part
  if (id !== undefined) errors.push({ at: [...at, '$id'], code: 'invalid_ref', message: 'may stand at the top alone; use $defs.' })
  if (typeof anchor === 'string') anchors.set(anchor, part)
  if (typeof format === 'string' && !Object.hasOwn(FORMATS, format)) {
    const known = Object.keys(FORMATS).join(', ')
    warnings.push({ at: [...at, 'format'], code: 'unknown_format', message: `is not known, so it has no effect; known are ${known}.` })
  }
  if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= APP_SCHEMA_UNIQUE_ITEMS)) {
    const message = `needs "maxItems" of at most ${APP_SCHEMA_UNIQUE_ITEMS} beside it, for each item is compared with each.`
    errors.push({ at: [...at, 'uniqueItems'], code: 'unbounded_unique_items', message })
  }
  if (typeof pattern === 'string') lookAtPattern(inspection, pattern, [...at, 'pattern'], part)
}

/** @param holder where a known format can stand in for the pattern */
function lookAtPattern(inspection: Inspection, pattern: string, at: Remark['at'], holder?: Part): void {
  const { errors, warnings, size } = inspection
  try {
    // Once they are too large together no more of them is compiled: a schema of the largest size could keep a process busy for ten seconds.
    const isSmall = size.states + statesOf(pattern) <= APP_SCHEMA_PATTERN_STATES
    size.states += isSmall ? compilePattern(pattern).programSize() : APP_SCHEMA_PATTERN_STATES
    if (size.states <= APP_SCHEMA_PATTERN_STATES) return
    errors.push({ at, code: 'invalid_pattern', message: 'makes the patterns of this schema too large together; repeat less in them.' })
  } catch (error) {
    const reason = (error as Error).message.replace('error parsing regexp: ', '')
    const { format } = holder ?? {}
    if (typeof format === 'string' && Object.hasOwn(FORMATS, format)) {
      warnings.push({ at, code: 'pattern_left_out', message: `is left out (${reason}); the format ${format} beside it counts.` })
      delete holder?.['pattern']
    } else
      errors.push({
        at,
        code: 'invalid_pattern',
        message: `cannot be matched in linear time (${reason}); write it in RE2’s syntax, without look-around and back-references.`,
      })
  }
}

function resolve(inspection: Inspection, part: Part, at: Remark['at']): void {
  const { $ref } = part
  if (typeof $ref !== 'string' || target(inspection, $ref)) return
  const message = $ref.startsWith('#')
    ? `is ${JSON.stringify($ref.slice(0, 100))}, which names no part of this schema.`
    : 'must begin with #: nothing is fetched, so what it names must be in this schema.'
  inspection.errors.push({ at: [...at, '$ref'], code: 'invalid_ref', message })
}

function target({ cleaned, anchors, places }: Inspection, ref: string): Part | undefined {
  if (!ref.startsWith('#')) return undefined
  const fragment = decoded(ref.slice(1))
  if (fragment === '') return cleaned
  if (!fragment.startsWith('/')) return anchors.get(fragment)
  let found: unknown = cleaned
  for (const step of fragment.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Part)[name]
  }
  // A place where no schema stands, such as an example, was not looked at.
  return isJsonObject(found) && places.has(found) ? found : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Counts the parts of the schema with each reference written out, and finds circles on the way. */
function measure(inspection: Inspection): void {
  const sizes = new Map<Part, Size>()
  const open = new Set<Part>()
  function sizeOf(part: Part): Size {
    const known = sizes.get(part)
    if (known !== undefined) return known
    if (open.has(part)) throw new Circle(inspection.places.get(part) ?? [])
    open.add(part)
    const inner = [...innerOf(part)].map(([, each]) => each)
    if (typeof part['$ref'] === 'string') inner.push(target(inspection, part['$ref']))
    const size = { parts: 1, effort: effortOf(part), reading: readingOf(part), states: 0 }
    for (const { parts, effort, reading } of inner.map(each => (isJsonObject(each) ? sizeOf(each) : BARE))) {
      size.parts += parts
      size.effort += effort
      size.reading += reading
    }
    open.delete(part)
    sizes.set(part, size)
    return size
  }
  try {
    const { parts, effort, reading } = sizeOf(inspection.cleaned)
    inspection.size = { ...inspection.size, parts, effort, reading }
    const ofUnevaluated = [...inspection.places.keys()].some(each => 'unevaluatedProperties' in each || 'unevaluatedItems' in each)
    const most = ofUnevaluated ? APP_SCHEMA_UNEVALUATED_PARTS : APP_SCHEMA_PARTS
    if (parts <= most) return
    const where = ofUnevaluated ? ' beside unevaluatedProperties or unevaluatedItems' : ''
    const message = `has ${parts.toLocaleString('en')} parts with every $ref written out in its place; at most ${most} are allowed${where}.`
    inspection.errors.push({ at: [], code: 'schema_too_large', message })
  } catch (error) {
    if (!(error instanceof Circle)) throw error
    const message = 'leads back to itself by a $ref; write its levels out as far as you need them.'
    inspection.errors.push({ at: error.at, code: 'circular_ref', message })
  }
}

/** `true` or `false` in a part's place. */
const BARE: Size = { parts: 1, effort: 1, reading: 0, states: 0 }

function share(inspection: Inspection): void {
  const { schema, words } = sharing(inspection.cleaned)
  inspection.compiled = schema
  if (words <= APP_SCHEMA_WORDS) return
  const message = `takes ${Math.round(words).toLocaleString('en')} steps to compile; ${APP_SCHEMA_WORDS.toLocaleString('en')} are allowed, and parts that are alike count once: describe less of it.`
  inspection.errors.push({ at: [], code: 'schema_too_large', message })
}

class Circle extends Error {
  readonly at: Remark['at']
  constructor(at: Remark['at']) {
    super('a circle')
    this.at = at
  }
}
