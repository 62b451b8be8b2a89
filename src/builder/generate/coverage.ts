// No word is lost: what a clause changed holds each word of it that tells anything, or the part with the word is told as not understood. The readers look for
// what they know, and this looks at what they have left.
import { isJsonObject } from '../../json.ts'
import { countryIn } from './countries.ts'
import type { Draft } from './draft.ts'
import { KNOWN, stemOf } from './lexicon.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { unheeded } from './signals.ts'

/** The entries of a manifest as they were, by the list that they are in. */
export type Snapshot = Map<string, string[]>

const LISTS = ['resources', 'skills', 'views', 'knowledge', 'config', 'flows'] as const

export const snapshotOf = ({ manifest }: Draft): Snapshot =>
  new Map<string, string[]>([
    [
      'rest',
      [JSON.stringify({ name: manifest.name, author: manifest.author, version: manifest.version, description: manifest.description })],
    ],
    ...LISTS.map(list => [list, manifest[list].map(entry => JSON.stringify(entry))] as const),
  ])

/** @returns the parts of a clause that are neither in what it changed nor in the notes */
export function unreadOf(draft: Draft, clause: string, before: Snapshot, notes: readonly string[]): string[] {
  const changes = changesOf(before, snapshotOf(draft))
  const held = new Set(changes.flatMap(change => [...textsOf(change)].flatMap(wordsOf)))
  // What changed nothing is told by its reader, or changes nothing by being said.
  if (held.size === 0) return []
  const names = namesIn(draft)
  const hasCountry = held.has('country')
  const told = new Set([...draft.notes.filter(note => !notes.includes(note)), ...draft.heard].flatMap(wordsOf))
  const isRead = (word: string): boolean => KNOWN.has(word) || held.has(word) || names.has(word) || told.has(word) || /^\d/.test(word)
  const unread: string[] = []
  for (const part of clause.split(/[,;:()]\s*|\s+(?:and|but|plus)\s+/)) {
    const marked = part.replaceAll(new RegExp(URL_MARK, 'g'), ' ').replaceAll(new RegExp(QUOTE, 'g'), mark => ` ${draft.said.quote(mark)} `)
    // "our translation service": what is called by its address needs no name.
    const plain = (hasCountry ? withoutCountry(marked) : marked).replace(
      /\b(?:our|the|my) (?:[\p{L}-]+ ){1,2}(?=(?:service|server|system|api|backend)\b)/iu,
      ' ',
    )
    if (!wordsOf(plain).every(isRead)) unread.push(part.trim())
  }
  const lost = unheeded(clause.replaceAll(new RegExp(QUOTE, 'g'), ' '), JSON.stringify([changes, draft.heard]), mark =>
    draft.said.url(mark),
  )
  for (const part of lost)
    if (!unread.some(each => each.includes(part)) && !draft.notes.some(note => note.includes(part))) unread.push(part)
  return unread
}

function withoutCountry(text: string): string {
  for (const { index } of text.matchAll(/(?<= )(?=[A-Z])/g)) {
    const found = countryIn(text.slice(index))
    if (found) return text.slice(0, index) + text.slice(index + found.length)
  }
  return text
}

const MARKS = /\p{M}/gu
const WORD = /[\p{L}\d]+/gu

/** Words by their stems, so that "notifies" is "notify". */
function wordsOf(text: string): string[] {
  const plain = text
    .replaceAll(/https?:\S+/g, ' ')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase()
    .replaceAll(/['’](?:s|re|ve|d|ll|t)\b/g, ' ')
  return (plain.match(WORD) ?? []).filter(word => word.length > 2).map(stemOf)
}

/** All that is not as it was, and what it belongs to is called. */
function changesOf(before: Snapshot, after: Snapshot): unknown[] {
  const changes: unknown[] = []
  for (const [list, now] of after) {
    const was = before.get(list) ?? []
    const [kept, left] = [new Set(was), new Set(now)]
    const [fresh, gone] = [now.filter(each => !kept.has(each)), was.filter(each => !left.has(each))].map(entries =>
      entries.map(each => JSON.parse(each) as unknown),
    ) as [unknown[], unknown[]]
    for (const [at, entry] of fresh.entries()) changes.push(...changedParts(gone[at], entry))
    if (fresh.length !== gone.length) changes.push(...gone.slice(fresh.length))
  }
  return changes
}

/** The parts in which two entries of one kind differ. It looks into lists, for a field that stays tells nothing of one that went. */
function* changedParts(was: unknown, now: unknown): Generator<unknown> {
  if (!isJsonObject(was) || !isJsonObject(now)) return yield now
  for (const key of new Set([...Object.keys(was), ...Object.keys(now)])) {
    const [one, other] = [was[key], now[key]]
    const isList = Array.isArray(one) && Array.isArray(other)
    if (!isList) {
      if (typeof other !== 'object' || JSON.stringify(one) !== JSON.stringify(other)) yield [key, one, other]
      continue
    }
    const [then, since] = [one.map(each => JSON.stringify(each)), other.map(each => JSON.stringify(each))]
    if (then.join() !== since.join()) yield key
    for (const each of [...since.filter(text => !then.includes(text)), ...then.filter(text => !since.includes(text))])
      yield JSON.parse(each)
  }
}

/** What there is goes by its name, also where nothing of it changes. */
function namesIn({ manifest: { resources, skills, views, flows, knowledge } }: Draft): Set<string> {
  const names = [...resources, ...skills, ...views, ...flows].flatMap(({ id, name }) => [id, name])
  const tags = flows.flatMap(({ steps }) => steps.flatMap(step => (step.type === 'tag_contact' ? [step.tag] : [])))
  return new Set([...names, ...tags, ...knowledge.flatMap(({ id, title }) => [id, title])].flatMap(wordsOf))
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (Array.isArray(value)) for (const each of value) yield* textsOf(each)
  else if (isJsonObject(value))
    for (const [key, each] of Object.entries(value)) {
      yield key
      yield* textsOf(each)
    }
}
