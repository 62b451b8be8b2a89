// The keywords of JSON Schema, as far as schemas that others wrote are looked through for them.

import { isJsonObject } from '../json.ts'
import type { Dialect } from './compilers.ts'

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const INNER_KINDS: Record<string, 'one' | 'list' | 'named' | 'one or list'> = {
  $defs: 'named',
  definitions: 'named',
  properties: 'named',
  patternProperties: 'named',
  dependentSchemas: 'named',
  dependencies: 'named',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  items: 'one or list',
  additionalItems: 'one',
  additionalProperties: 'one',
  unevaluatedItems: 'one',
  unevaluatedProperties: 'one',
  propertyNames: 'one',
  contains: 'one',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: 'one',
  else: 'one',
  contentSchema: 'one',
}

export const INNER = new Map(Object.entries(INNER_KINDS))

const KNOWN = new Set([
  ...INNER.keys(),
  ...'$schema $id $anchor $ref $comment $vocabulary type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum'.split(
    ' ',
  ),
  ...'maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required'.split(' '),
  ...'dependentRequired format contentEncoding contentMediaType title description default deprecated readOnly writeOnly examples'.split(
    ' ',
  ),
])

const WITHOUT: Record<Dialect, Set<string>> = {
  '2020-12': new Set(['additionalItems']),
  'draft-07': new Set(
    'prefixItems unevaluatedItems unevaluatedProperties dependentSchemas dependentRequired maxContains minContains'.split(' '),
  ),
}

/** What a compiler of the dialect reads. */
export const isKnown = (name: string, dialect: Dialect): boolean => KNOWN.has(name) && !WITHOUT[dialect].has(name)

/** Keywords that stand for themselves: they name no other part, and no two of them can contradict each other in a way that a compiler minds. */
export const PLAIN = new Set([
  ...'type properties required items enum const additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(
    ' ',
  ),
  ...'minLength maxLength pattern minItems maxItems minProperties maxProperties title description default examples deprecated'.split(' '),
  ...'$comment readOnly writeOnly format'.split(' '),
])

/** Keywords of which nothing is compiled. */
export const SILENT = new Set([
  ...'$schema $id $anchor $comment $vocabulary $defs definitions title description default deprecated readOnly writeOnly examples'.split(
    ' ',
  ),
  ...'contentEncoding contentMediaType contentSchema'.split(' '),
])
/** Up to so many names that are required, or values to choose from, are compiled one by one; more are a loop. */
const ONE_BY_ONE = 200
// Measured, by what takes as long as a keyword: names, each compiled into what the ones before it became, by their square, …
const NAMES_SQUARED = 50
/** … and values to choose from. */
const CHOICES = 6
/** A list of names that are required beside another takes two. */
const LIST = 2

/** What a part takes to be compiled, without those inside, in keywords of the usual kind. */
export function wordsOf(part: Record<string, unknown>): number {
  const { required, dependentRequired, dependencies, enum: choices, oneOf, patternProperties, type } = part
  const said = Object.keys(part).filter(name => !SILENT.has(name)).length
  const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties).length : 0
  const lists = [dependentRequired, dependencies].filter(isJsonObject).flatMap(each => Object.values(each).filter(Array.isArray))
  const all = oneByOne(required) > 0 ? [...lists, required as unknown[]] : lists
  const names = all.reduce((sum, { length }) => sum + length ** 2 / NAMES_SQUARED, lists.length * LIST)
  // Of these each is compared with those before.
  const exclusive = Array.isArray(oneOf) ? oneOf.length : 0
  return 1 + said + patterns + names + exclusive + oneByOne(choices) / CHOICES + oneByOne(type)
}

const oneByOne = (list: unknown): number => (Array.isArray(list) && list.length <= ONE_BY_ONE ? list.length : 0)
