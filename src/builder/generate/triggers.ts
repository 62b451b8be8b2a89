// Events as people speak of them, and what of an event they make a condition of.
import type { Condition } from '../../apps/manifest/shape.ts'
import { type Conditions, conditionsOf } from './conditions.ts'
import { happeningsIn } from './happenings.ts'
import { asOccasion } from './occasions.ts'
import { remembered } from './remembered.ts'
import { type Description, QUOTE } from './sentences.ts'
import { TRIGGERS } from './trigger-table.ts'

export interface Occasion {
  event: string
  conditions: Condition[]
  /** What of the words was not understood; empty where all was. */
  left: string
  /** Where one or the other has to hold, both of them. */
  either?: Conditions['either']
}

/** Words that make one of many of it: they are a condition, and none that a flow has. */
const NARROWER =
  /\b(?:first|second|third|next|last|another|again|repeat|big|large|small|huge|expensive|cheap|returning|regular|existing|international|domestic|wholesale)\b|(?:\bnew (?=contact|customer|client|buyer|person|user))/i
const isNegative = (text: string): boolean =>
  /\b(?:not|never|no|nothing|without(?! (?:an? |any )?(?:e-?mail|phone|note|comment|discount)\b))\b|n't\b/i.test(text)

/** "A customer writes «cancel»": the words of the message. */
const WRITTEN = new RegExp(`^[ ,:]*${QUOTE}`)

/** The reader of each description: words are read with its quotes. */
const readers = new WeakMap<Description, (words: string) => { occasion: Occasion | undefined }>()

/** @returns undefined where no event is spoken of */
export function occasionOf(words: string, said: Description): Occasion | undefined {
  const reader = readers.get(said) ?? remembered(text => ({ occasion: read(text, said) }))
  readers.set(said, reader)
  const { occasion } = reader(words)
  // Conditions become those of a flow, which are changed.
  return occasion && { ...occasion, conditions: occasion.conditions.map(each => ({ ...each })) }
}

function read(words: string, said: Description): Occasion | undefined {
  const [, named] = /^(?:(?:the )?(?:flow|event|trigger|on|when)[: ]+)*([a-z]+\.[a-z_]+)$/i.exec(words.trim()) ?? []
  if (named && TRIGGERS.some(({ event }) => event === named)) return { event: named, conditions: [], left: '' }
  const text = asOccasion(words)
  const told = triggered(text, words, said)
  if (told?.left === '') return told
  // Said in another way than the table has it. What is said not to happen is what fails, or what the assistant cannot do.
  const plain = words.trim().replace(/^(?:(?:whenever|when|if|once|as soon as|that) )+/i, '')
  for (const way of new Set([plain, text]))
    for (const happening of happeningsIn(way)) {
      const read = triggered(happening, words, said)
      if (read?.left === '' && (!isNegative(words) || /^(?:message\.failed|ai\.|product\.low)/.test(read.event))) return read
    }
  return told ?? narrowed(plain, words, said)
}

/** "A customer who has ordered three times before places an order": what is said of them is told, and that they do it is read. */
const RELATIVE =
  /^((?:an? |the |any |every |each |all |our )?(?:new )?(?:customers?|clients?|contacts?|buyers?|persons?|people|orders?|products?|messages?|payments?|conversations?)),? ((?:who|that|which|whose|with|without|in|on) .{3,80}?),? (?=(?:places?|makes?|orders|buys?|pays?|writes?|messages|sends?|cancels?|returns|starts?|asks?|contacts|gets?|receives?|signs?|is|are|has|comes?|arrives?|ships?|runs?|fails?)\b)/i

function narrowed(text: string, words: string, said: Description): Occasion | undefined {
  const [all, thing = '', relative = ''] = RELATIVE.exec(text) ?? []
  if (all === undefined || isNegative(text.slice(all.length))) return undefined
  const read = triggered(asOccasion(`${thing} ${text.slice(all.length)}`), words, said)
  return read?.left === '' ? { ...read, left: relative } : undefined
}

/** The first of the table that fits, or else a later one of which nothing is left: "a customer with more than 5 orders writes". */
function triggered(text: string, words: string, said: Description): Occasion | undefined {
  let first: Occasion | undefined
  for (const read of fitting(text, words, said)) {
    if (read === undefined || read.left === '') return first && read?.conditions.length === 0 ? first : read
    first ??= read
  }
  return first
}

function* fitting(text: string, words: string, said: Description): Generator<Occasion | undefined> {
  let isDenied = false
  for (const { pattern, event, conditions = [] } of TRIGGERS) {
    const found = pattern.exec(text)
    if (!found) continue
    // What stands between a thing and what happens to it, and what follows.
    const between = found.slice(1).filter(Boolean).join(' ').trim()
    const read = conditionsOf(
      `${between} ${text.slice(found[0].length)}`,
      event,
      said,
      /\b(?:contains?|mentions?|says?)$/i.test(found[0]) ||
        (/^(?:message|conversation)\./.test(event) && WRITTEN.test(text.slice(found[0].length)))
        ? 'mentions'
        : '',
    )
    // "An order is not paid" is no order that is paid; one "that is not paid by card" is one.
    if (isNegative(between) && (read.left !== '' || read.conditions.length === 0)) isDenied = true
    if (isDenied && (read.left !== '' || !isNegative(between))) continue
    if (
      event === 'order.refunded' &&
      /\brefund(?:s|ed)? (?:is |for |of |by |with )?(?:of |over|above|below|under|worth|exceed|more|less|at least|at most)/i.test(words)
    )
      for (const each of read.conditions)
        each.field = each.field
          .replace('event.order.total_amount', 'event.refund.amount')
          .replace('event.order.currency', 'event.refund.currency')
    const narrower = event === 'contact.created' ? undefined : NARROWER.exec(between === '' ? found[0] : found[0].replace(between, ''))?.[0]
    yield {
      event,
      conditions: [...conditions, ...read.conditions],
      left: [narrower, read.left].filter(Boolean).join(' '),
      ...(read.either && !narrower && { either: read.either }),
    }
  }
  if (isDenied) yield undefined
}
