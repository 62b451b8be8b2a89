// What of an event people make a condition of: amounts, words in a message, where an order goes.
import type { Condition } from '../../apps/manifest/shape.ts'
import type { Reader } from './amounts.ts'
import { READERS } from './condition-readers.ts'
import { inDigits } from './counts.ts'
import type { Description } from './sentences.ts'

/** Words that say nothing more. */
const FILLERS =
  /\b(?:and|or|if|that|which|who|the|a|an|is|are|was|by|of|to|for|from|it|its|it's|has|have|had|total|value|amount|worth|order|orders|in|on|with|us|customer|contact|text|message|product|something|anything|new|been|gets|get|got|our|my|any|then|there|only|cost|costs|sum|sums|price|buyer|client|shopper|contacts?|customers|clients|somebody|someone|sends?|writes?|wrote|came|come|comes|placed|made|done|just|they|he|she|we|left|going|goes|going to|shipping|destined|bound|available|remain|remaining|stock|still|pieces|units|(?:in )?(?:one|a single) (?:order|purchase|go)|go|total|altogether|if|refund|reason|amounts?|also|be|should|than|at once|customer's|purchase|purchases|payment|their|have|product's|item|items'|i|where|whose|euros?|dollars?|pounds?|when|as|its|method|way|lives?|lived|address|destination|spent|spend|spends|ordered|bought|chose|remains?|units?|there are|are there|country|channel|platform|chat|those|these|ones?)\b|[,:']/gi

/** What the event says already: "paid by card". */
const SAID_ALREADY: [RegExp, RegExp][] = [
  [/^order\.paid/, /\b(?:paid|pays?|arrives?|arrived|received|comes in|came in)\b/gi],
  [/^order\.refunded/, /\b(?:refunded|paid back)\b/gi],
  [/^order\.cancelled/, /\b(?:cancell?ed|cancell?ation)\b/gi],
  [/^order\.shipped/, /\b(?:shipped|sent|dispatched)\b/gi],
  [/^message\./, /\b(?:received|sent|arrived?)\b/gi],
]

/** Between what happens and what has to hold then. */
const CONNECTORS =
  /\b(?:(?:but|and) )?(?:only (?:when|if|for|where)|provided(?: that)?|as long as|assuming(?: that)?|on condition that|given that|in (?:the )?case(?: that)?|which means|that is|namely)\b/gi

export interface Conditions {
  conditions: Condition[]
  /** What of the words was not understood; empty where all was. */
  left: string
  /** Where one or the other has to hold, both of them: no flow can ask for that, so it is not understood unless two are made. */
  either?: [Condition[], Condition[]]
}

/** @returns the conditions in some words, and what is left of the words */
export function conditionsOf(words: string, event: string, said: Description, before = ''): Conditions {
  const conditions: Condition[] = []
  const { digits, spoken } = inDigits(`${before} ${words}`.replaceAll(/(?<=[a-z])n't\b/gi, ' not'))
  let left = digits.replaceAll(/\s+/g, ' ')
  const spans: string[] = []
  for (const read of READERS) {
    const found = anyOf(read, left, event, said)
    if (!found) continue
    spans.push(found.matched)
    const at = left.indexOf(found.matched)
    const [not = ''] = NOT_SO.exec(left.slice(0, at)) ?? []
    const so = not === '' ? found.conditions : opposite(found.conditions)
    // What is denied and cannot be said so stays unread.
    if (!so) continue
    left = left.slice(0, at - not.length) + left.slice(at)
    found.conditions = so
    conditions.push(...found.conditions.filter(each => !conditions.some(other => JSON.stringify(other) === JSON.stringify(each))))
    left = left.replace(found.matched, ' ').replaceAll(/\s+/g, ' ')
  }
  const rest = left
    .replaceAll(CONNECTORS, ' ')
    .replaceAll(FILLERS, ' ')
    .replaceAll(SAID_ALREADY.find(([pattern]) => pattern.test(event))?.[1] ?? /(?!)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const at = alternativeIn(digits, spans)
  if (at !== undefined) {
    const [one, other] = [digits.slice(0, at), digits.slice(at + 'or'.length)].map(part => conditionsOf(part, event, said))
    const isEither = one?.left === '' && other?.left === '' && one.conditions.length > 0 && other.conditions.length > 0
    return { conditions: [], left: spoken(digits.trim()), ...(isEither && { either: [one.conditions, other.conditions] }) }
  }
  // "…, if the product is new": nothing was made of it, though each of its words says nothing by itself.
  const idle = words
    .split(SUBORDINATE)
    .slice(1)
    .find(clause => conditions.length === 0 || !READERS.some(read => read(inDigits(clause).digits, event, said)))
  if (rest === '' && idle !== undefined && /\p{L}{3}/u.test(idle)) return { conditions, left: idle.trim() }
  return { conditions, left: rest === '' ? '' : spoken(left.replaceAll(/\s+/g, ' ').trim()) }
}

/** "… is not paid by card", "… isn't going to Germany" */
const NOT_SO = /(?:\b(?:is|are|was|were|does|do|did|has|have) )?\b(?:not|never)(?: (?:been|be|being))? $/i
const NEXT_VALUE = /^\s*(?:,\s*(?:or|and|nor)?|or|and|nor|\/)\s+/i
const LINKS = ['', 'to ', 'by ', 'on ', 'from ', 'in ', 'via ', 'with ']

/** What a reader finds, and where other values of the same stand behind it, one of them: "to France, Spain or Italy". */
function anyOf(read: Reader, text: string, event: string, said: Description): ReturnType<Reader> {
  const first = read(text, event, said)
  const [condition, ...others] = first?.conditions ?? []
  if (!first || condition?.op !== 'eq' || others.length > 0) return first
  const values = [condition.value]
  let end = text.indexOf(first.matched) + first.matched.length
  for (;;) {
    const rest = text.slice(end)
    const [between] = NEXT_VALUE.exec(rest) ?? []
    if (between === undefined) break
    const behind = rest.slice(between.length)
    const next = LINKS.map(link => ({ link, found: read(link + behind, event, said) })).find(
      ({ link, found }) =>
        found?.conditions.length === 1 &&
        found.conditions[0]?.field === condition.field &&
        found.conditions[0].op === 'eq' &&
        (link + behind).startsWith(found.matched.trim()) &&
        found.matched.length > link.length,
    )
    if (!next?.found) break
    values.push(next.found.conditions[0]?.value as never)
    end += between.length + next.found.matched.trim().length - next.link.length
  }
  const matched = text.slice(text.indexOf(first.matched), end)
  return values.length === 1 ? first : { matched, conditions: [{ ...condition, op: 'in', value: values as never }] }
}

/** Conditions hold together, so of "over 100 or from Norway" neither can be asked for beside the other. @returns where the "or" stands */
function alternativeIn(text: string, spans: readonly string[]): number | undefined {
  const places = spans
    .map(span => ({ from: text.indexOf(span.trim()), to: text.indexOf(span.trim()) + span.trim().length }))
    .filter(({ from }) => from >= 0)
  return [...text.matchAll(/\bor\b/gi)].find(
    ({ index }) =>
      !places.some(({ from, to }) => index >= from && index < to) &&
      places.some(({ to }) => to <= index) &&
      places.some(({ from }) => from > index),
  )?.index
}

/** What begins a clause that has to hold. */
const SUBORDINATE = /\b(?:if|whose|provided(?: that)?|as long as|on condition that|only when)\b/i

/** Conditions of which none holds; undefined where that takes more than one to say. */
export function opposite(conditions: readonly Condition[]): Condition[] | undefined {
  const [one, ...others] = conditions.filter(({ field }) => !field.endsWith('.currency') || conditions.length === 1)
  const op = one && OPPOSITES[one.op]
  if (!one || !op || others.length > 0) return undefined
  return [one.op === 'exists' ? { ...one, value: one.value !== true } : { ...one, op }]
}

const OPPOSITES: Partial<Record<Condition['op'], Condition['op']>> = {
  eq: 'ne',
  ne: 'eq',
  gt: 'lte',
  lte: 'gt',
  lt: 'gte',
  gte: 'lt',
  in: 'not_in',
  not_in: 'in',
  exists: 'exists',
}
