// What it may take to hold a value against a schema of an app's, judged before it is done. Most are weighed as if each value met each part of the schema;
// what is too much then is followed through the schema: a list of a thousand objects meets each part of theirs a thousand times, and not sixteen thousand.
import { isJsonObject } from '../json.ts'
import { APP_CHECK_STEPS } from '../limits/skills.ts'
import { compilePattern } from './patterns.ts'

type Part = Record<string, unknown>

/** How much there is to a schema. */
export interface Size {
  /** With every reference written out in its place, and so are the next two. */
  parts: number
  /** Steps for each value, about: a part is one … */
  effort: number
  /** … and for each character. */
  reading: number
  /** The states of all its patterns together, each counted once. */
  states: number
}

// Measured, by what takes as long as a part that fails: of choices fifty characters, of items that are compared each with each twenty-five, …
const CHOICE_CHARS = 50
const COMPARED_ITEMS = 25
/** … a pattern for names thrice, … */
const NAME_PATTERN = 2
/** … of a pattern’s states, for each character, sixty, … */
const STATES = 60
/** … a hundred characters that are counted, or of a format, … */
const READ_CHARS = 100
/** … and twenty members that are not there. */
const ABSENT = 1 / 20

/** The effort of one part, without those inside. */
export function effortOf(part: Part): number {
  const { uniqueItems, maxItems, patternProperties } = part
  const compared = uniqueItems === true && typeof maxItems === 'number' ? maxItems / COMPARED_ITEMS : 0
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties).length * NAME_PATTERN : 0
  return 1 + choosing(part) + compared + names
}

const choosing = ({ enum: choices, const: only }: Part): number =>
  [choices, only].map(each => (each === undefined ? 0 : JSON.stringify(each).length)).reduce((sum, each) => sum + each) / CHOICE_CHARS

/** Steps of one part for each character of a text, or of a name. */
export function readingOf({ pattern, patternProperties, minLength, maxLength, format }: Part): number {
  const patterns = [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isJsonObject(patternProperties) ? Object.keys(patternProperties) : []),
  ]
  const states = patterns.reduce((sum, each) => sum + compilePattern(each).programSize(), 0)
  const counted = minLength === undefined && maxLength === undefined ? 0 : 1
  return states / STATES + counted / READ_CHARS + (format === undefined ? 0 : 1 / READ_CHARS)
}

/** @param value JSON */
export function isTooMuch({ effort, reading }: Size, value: unknown): boolean {
  const { values, characters } = amountOf(value)
  return values * effort + characters * reading > APP_CHECK_STEPS
}

function amountOf(value: unknown): { values: number; characters: number } {
  const left = [value]
  let [values, characters] = [0, 0]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    values++
    if (typeof each === 'string') characters += each.length
    else if (Array.isArray(each)) for (const inner of each) left.push(inner)
    else if (isJsonObject(each))
      for (const [name, inner] of Object.entries(each)) {
        characters += name.length
        left.push(inner)
      }
  }
  return { values, characters }
}

/**
 * The same, by following the value through the schema; it ends at the limit, and a step of it takes a part of what one of the check takes.
 * @param value JSON @param referred what a reference of the schema leads to
 */
export function isTooMuchInPlace(schema: Part, value: unknown, referred: (ref: string) => Part | undefined): boolean {
  const nodes = new Map<unknown, Node>()
  const nodeOf = (part: unknown): Node => {
    const known = nodes.get(part)
    if (known) return known
    const node: Node = isJsonObject(part) ? readNode(part) : { ...BARE }
    nodes.set(part, node)
    // Behind itself, for a part may stand in more places than one.
    if (isJsonObject(part)) link(node, part)
    return node
  }
  const link = (node: Node, part: Part): void => {
    const { $ref, properties, propertyNames, patternProperties } = part
    const inner = (keywords: string[]) => keywords.flatMap(keyword => part[keyword] ?? []).map(nodeOf)
    node.here = [...inner(HERE), ...(typeof $ref === 'string' ? [nodeOf(referred($ref))] : [])]
    node.items = ITEMS.filter(keyword => part[keyword] !== undefined).map(keyword =>
      Array.isArray(part[keyword]) ? part[keyword].map(nodeOf) : nodeOf(part[keyword]),
    )
    node.members = Object.entries((properties ?? {}) as Part).map(([name, each]) => [name, nodeOf(each)])
    node.dependent = DEPENDENT.flatMap(keyword =>
      Object.entries((part[keyword] ?? {}) as Part).map(([name, each]): Named => [name, nodeOf(each)]),
    )
    node.patterns = Object.entries((patternProperties ?? {}) as Part).map(([pattern, each]) => ({
      node: nodeOf(each),
      reading: readingOf({ pattern }),
    }))
    if (propertyNames !== undefined) node.names = nodeOf(propertyNames)
    node.others = inner(OTHERS)
    node.named = (properties ?? {}) as Part
    node.isLeaf =
      [node.here, node.items, node.members, node.dependent, node.patterns, node.others].every(each => each.length === 0) &&
      !node.names &&
      !node.isUnique
  }
  return left(nodeOf(schema), value, APP_CHECK_STEPS) < 0
}

type Named = [name: string, node: Node]

/** A part of a schema, ready to be met by values. */
interface Node {
  own: number
  reading: number
  isUnique: boolean
  isLeaf: boolean
  /** Parts that meet the same value. */
  here: Node[]
  /** For each keyword about items, the part for all, or those by their place. */
  items: (Node | Node[])[]
  members: Named[]
  /** They meet the same value, where it has the member. */
  dependent: Named[]
  patterns: { node: Node; reading: number }[]
  names?: Node
  /** For members that are not named. */
  others: Node[]
  named: Part
}

const BARE: Node = {
  own: 1,
  reading: 0,
  isUnique: false,
  isLeaf: true,
  here: [],
  items: [],
  members: [],
  dependent: [],
  patterns: [],
  others: [],
  named: {},
}

const readNode = ({ patternProperties: _apart, ...part }: Part): Node => ({
  ...BARE,
  own: 1 + choosing(part),
  reading: readingOf(part),
  isUnique: part['uniqueItems'] === true,
})

/** @returns what is left of the steps; below zero, not all was followed */
function left(node: Node, met: unknown, steps: number): number {
  let rest = steps - node.own
  if (typeof met === 'string') rest -= met.length * node.reading
  if (node.isLeaf || rest < 0) return rest
  for (const each of node.here) if (rest >= 0) rest = left(each, met, rest)
  if (Array.isArray(met)) return leftOfItems(node, met, rest)
  return isJsonObject(met) ? leftOfMembers(node, met, rest) : rest
}

function leftOfItems({ isUnique, items }: Node, met: unknown[], steps: number): number {
  let rest = steps - (isUnique ? (amountOf(met).values * met.length) / COMPARED_ITEMS : 0)
  for (const each of items)
    for (let at = 0; at < met.length && rest >= 0; at++) {
      const node = Array.isArray(each) ? each[at] : each
      if (node) rest = left(node, met[at], rest)
    }
  return rest
}

function leftOfMembers({ members, dependent, patterns, names, others, named }: Node, met: Part, steps: number): number {
  let rest = steps
  for (const [name, node] of members) rest = rest >= 0 && Object.hasOwn(met, name) ? left(node, met[name], rest) : rest - ABSENT
  for (const [name, node] of dependent) rest = rest >= 0 && Object.hasOwn(met, name) ? left(node, met, rest) : rest - ABSENT
  if (patterns.length + others.length === 0 && !names) return rest
  for (const [name, inner] of Object.entries(met)) {
    if (rest < 0) return rest
    for (const { node, reading } of patterns) rest = left(node, inner, rest - NAME_PATTERN - name.length * reading)
    if (names) rest = left(names, name, rest)
    if (!Object.hasOwn(named, name)) for (const other of others) rest = left(other, inner, rest)
  }
  return rest
}

/** Keywords whose schemas meet the same value, … */
const HERE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']
/** … the items of a list, … */
const ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains']
/** … the value where it has a member of their name, … */
const DEPENDENT = ['dependentSchemas', 'dependencies']
/** … and members that `properties` does not name. */
const OTHERS = ['additionalProperties', 'unevaluatedProperties']
