// A schema as it is compiled: what it says for readers is left out, and parts that are written alike are compiled once. Programs that write schemas repeat an
// address, or "a text or null", a hundred times, and compiling is what holds up a process.
import { isJsonObject } from '../json.ts'
import { INNER, SILENT, wordsOf } from './keywords.ts'

type Part = Record<string, unknown>

/** Parts that are written alike. */
interface Group {
  part: Part
  /** The groups of the parts directly in it, one for each place. */
  inner: number[]
  bare: number
}

/** What a reference takes to be compiled … */
const REFERENCE_WORDS = 2
/** … and what a part by itself takes besides. */
const APART_WORDS = 4
/** What nothing fits is compiled into more than what everything does. */
const BARE_WORDS = 2

/** @param schema in which nothing is wrong as far as it was looked through @returns what to compile, and how many words a compiler reads of it, about */
export function sharing(schema: Part): { schema: Part; words: number } {
  const { groups, canShare } = grouped(schema)
  const { apart, words } = weighed(groups, canShare)
  return { schema: apart.size === 0 ? schema : written(groups, apart), words }
}

/** @returns the groups of a schema's parts, those inside before those around them, and the schema itself last */
function grouped(schema: Part): { groups: Group[]; canShare: boolean } {
  const groups: Group[] = []
  const known = new Map<string, number>()
  let canShare = true
  function groupOf(part: Part): number {
    canShare &&= isFree(part)
    const inner: number[] = []
    let bare = 0
    const named = withInner(compiled(part, part === schema), each => {
      if (isJsonObject(each)) return inner[inner.push(groupOf(each)) - 1]
      bare++
      return each
    })
    const key = JSON.stringify(named)
    const group = known.get(key) ?? groups.push({ part, inner, bare }) - 1
    known.set(key, group)
    return group
  }
  groupOf(schema)
  return { groups, canShare }
}

/** @returns the groups that are compiled apart, because that takes fewer words, and the words of all */
function weighed(groups: Group[], canShare: boolean): { apart: Set<number>; words: number } {
  const places = groups.map(() => 0)
  for (const { inner } of groups) for (const each of inner) places[each] = (places[each] as number) + 1
  const words: number[] = []
  const apart = new Set<number>()
  const wordsIn = (each: number): number => (apart.has(each) ? REFERENCE_WORDS : (words[each] as number))
  for (const [n, { part, inner, bare }] of groups.entries()) {
    const own = inner.reduce((sum, each) => sum + wordsIn(each), wordsOf(part) + bare * BARE_WORDS)
    words[n] = own
    const times = places[n] as number
    if (canShare && own * (times - 1) > REFERENCE_WORDS * times + APART_WORDS) apart.add(n)
  }
  return { apart, words: [...apart].reduce((sum, each) => sum + (words[each] as number), words.at(-1) as number) }
}

/** Parts that are known by where they stand, or by what stands around them, stay where they are. */
const isFree = ({ $ref, $anchor, unevaluatedItems, unevaluatedProperties }: Part): boolean =>
  $anchor === undefined &&
  unevaluatedItems === undefined &&
  unevaluatedProperties === undefined &&
  (typeof $ref !== 'string' || /^#(\/(\$defs|definitions)\/[^/]*)?$/.test($ref))

/** Definitions inside of others cannot be referred to. */
const compiled = (part: Part, isRoot: boolean): Part =>
  Object.fromEntries(Object.entries(part).filter(([name]) => !SILENT.has(name) || (isRoot && DEFINITIONS.includes(name))))

const DEFINITIONS = ['$defs', 'definitions']

function withInner(part: Part, change: (inner: unknown) => unknown): Part {
  const changed = ([keyword, value]: [string, unknown]): [string, unknown] => {
    const kind = INNER.get(keyword)
    if (kind === undefined) return [keyword, value]
    if (Array.isArray(value)) return [keyword, value.map(change)]
    if (kind !== 'named' || !isJsonObject(value)) return [keyword, change(value)]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]))]
  }
  return Object.fromEntries(Object.entries(part).map(changed))
}

/** @param apart the groups that become definitions */
function written(groups: Group[], apart: Set<number>): Part {
  const root = groups.length - 1
  const { $defs } = (groups[root] as Group).part
  const taken = isJsonObject($defs) ? $defs : {}
  const names = new Map([...apart].map(n => [n, freeName(`part-${n}`, taken)]))
  const parts: Part[] = []
  for (const [n, { part, inner }] of groups.entries()) {
    const left = inner.values()
    const inPlace = (each: number): Part => (names.has(each) ? { $ref: `#/$defs/${names.get(each)}` } : (parts[each] as Part))
    parts[n] = withInner(compiled(part, n === root), each => (isJsonObject(each) ? inPlace(left.next().value as number) : each))
  }
  const whole = parts[root] as Part
  const shared = Object.fromEntries([...names].map(([n, name]) => [name, parts[n]]))
  return { ...whole, $defs: { ...(whole['$defs'] as Part | undefined), ...shared } }
}

const freeName = (name: string, taken: Part): string => (Object.hasOwn(taken, name) ? freeName(`${name}-`, taken) : name)
