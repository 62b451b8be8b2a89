// Events as people speak of them, and what of an event they make a condition of.
import type { Condition } from '../../apps/manifest/shape.ts'
import { type Description, QUOTE } from './sentences.ts'

export interface Occasion {
  event: string
  conditions: Condition[]
  /** What of the words was not understood; empty where all was. */
  left: string
}

const ORDER = "(?:an? |the |my |our |any )?(?:new )?(?:customer's )?orders?"
const CONTACT = '(?:an? |the )?(?:new )?(?:contact|customer|client|buyer|person|user)s?'
const PRODUCT = '(?:an? |the )?(?:new )?(?:product|item|article)s?'
const MESSAGE = '(?:an? |the )?(?:new )?messages?'
const TALK = '(?:an? |the )?(?:new )?(?:conversation|chat)s?'
const AI = '(?:the )?(?:assistant|ai|bot)'
/** Whatever stands between a thing and what happens to it: "an order over 500 is paid". */
const GAP = '.{0,80}?'
const IS = '(?:is|are|was|were|gets|get|got|has been|have been|becomes)'

interface Trigger {
  pattern: RegExp
  event: string
  conditions?: Condition[]
}

const told = (pattern: string, event: string, conditions?: Condition[]): Trigger => ({
  pattern: new RegExp(`^${pattern}`, 'i'),
  event,
  ...(conditions && { conditions }),
})
const became = (status: string): Condition[] => [{ field: 'event.to', op: 'eq', value: status }]

/** The first that fits counts. */
const TRIGGERS: Trigger[] = [
  told(
    `(?:an? |the )?payments?\\b${GAP} (?:${IS} )?(?:disputed|charged back)|(?:an? )?(?:customer|buyer) disputes\\b(?: an? payment)?|(?:an? )?chargeback`,
    'payment.disputed',
  ),
  told(
    `(?:an? |the )?payments?\\b${GAP} (?:does not|doesn't|do not) (?:match|fit)|(?:an? |the )?payments?\\b${GAP} ${IS} (?:wrong|mismatched)`,
    'payment.mismatched',
  ),
  told(
    `${ORDER}\\b(${GAP}) ?(?:${IS} )?(?:paid|paid for)\\b|(?:an? )?payment (?:for ${ORDER} )?(?:${IS} received|comes in|arrives|is confirmed)|${CONTACT} pays(?: for)?(?: ${ORDER})?`,
    'order.paid',
  ),
  told(
    `${ORDER}\\b(${GAP}) ?${IS} (?:shipped|sent out|dispatched|sent)|${ORDER}\\b(${GAP}) ships\\b|(?:we|i) ship ${ORDER}`,
    'order.shipped',
  ),
  told(`${ORDER}\\b(${GAP}) ?(?:${IS} )?cancel(?:led|ed)|${CONTACT} cancels(?: ${ORDER})?`, 'order.cancelled'),
  told(
    `${ORDER}\\b(${GAP}) ?(?:${IS} )?refunded|(?:we|i) refund ${ORDER}|(?:a )?refund (?:is )?(?:completes|completed|made)`,
    'order.refunded',
  ),
  told(`${ORDER}\\b(${GAP}) ?${IS} delivered|${ORDER} arrives at ${CONTACT}`, 'order.status_changed', became('DELIVERED')),
  told(`${ORDER}\\b(${GAP}) ?${IS} returned|${CONTACT} returns ${ORDER}`, 'order.status_changed', became('RETURNED')),
  told(`${ORDER}\\b(${GAP}) ?${IS} confirmed`, 'order.status_changed', became('confirmed')),
  told(
    `${ORDER}\\b(${GAP}) ?(?:changes|moves|change)(?: its)?(?: status)?|(?:the )?status of ${ORDER} changes|${ORDER}(?:'s)? status changes`,
    'order.status_changed',
  ),
  told(
    `${ORDER}\\b(${GAP}) ?(?:${IS} )?(?:placed|created|made|received|comes in|come in|arrives)|${CONTACT} (?:places|makes) ${ORDER}|(?:someone|somebody) (?:orders|buys)(?: something)?|(?:there is |we get |we receive )${ORDER}|(?:a )?new order`,
    'order.created',
  ),
  told(
    `(?:the )?(?:stock|inventory)\\b${GAP} (?:${IS} |runs? |falls? |gets? )(?:too )?low|${PRODUCT}\\b${GAP} (?:runs?|${IS}|running) (?:low|short)(?: (?:on|in|of) stock)?|${PRODUCT}\\b${GAP} ${IS} (?:low|almost out)(?: (?:on|in|of) stock)?|(?:low|little) stock|(?:we )?run low on ${PRODUCT}|there is little left of ${PRODUCT}`,
    'product.low_stock',
  ),
  told(`${PRODUCT}\\b${GAP} ?${IS} (?:updated|changed|edited|archived)|${PRODUCT} changes`, 'product.updated'),
  told(`${PRODUCT}\\b${GAP} ?${IS} (?:created|added|new)|(?:we|i) add ${PRODUCT}|(?:a )?new product`, 'product.created'),
  told(`${CONTACT}\\b${GAP} ?${IS} tagged`, 'contact.tagged'),
  told(`${CONTACT}\\b${GAP} ?${IS} merged|(?:two )?contacts ${IS} merged`, 'contact.merged'),
  told(
    `${CONTACT} (?:writes|sends)(?: (?:to )?us)?(?: ${MESSAGE})?|${MESSAGE}\\b${GAP} ?(?:${IS} received|arrives|comes in|come in|contains|mentions)|(?:we|i) (?:get|receive) ${MESSAGE}`,
    'message.received',
  ),
  told(
    `${MESSAGE}\\b${GAP} ?(?:fails|cannot be sent|can't be sent|could not be sent|couldn't be sent|${IS} not sent|fails to send)|sending ${MESSAGE} fails`,
    'message.failed',
  ),
  told(`${MESSAGE}\\b${GAP} ?${IS} sent`, 'message.sent'),
  told(
    `${CONTACT}\\b${GAP} ?(?:${IS} (?:created|added|made|new)|signs up|registers|appears|joins)|(?:a )?new (?:contact|customer)`,
    'contact.created',
  ),
  told(`${TALK}\\b${GAP} ?(?:${IS} reopened|reopens|goes on again)`, 'conversation.reopened'),
  told(`${TALK}\\b${GAP} ?(?:${IS} (?:closed|ended|over|finished)|ends|closes)`, 'conversation.closed'),
  told(
    `${TALK}\\b${GAP} ?(?:${IS} (?:started|opened|begun|created)|starts|begins|opens)|${CONTACT} (?:starts|begins|opens) ${TALK}|(?:a )?new conversation`,
    'conversation.started',
  ),
  told(
    `${AI} (?:asks for|needs|calls for|wants|requests) (?:an? |the )?(?:person|human|help|operator|colleague|somebody|someone)|${AI} (?:escalates|hands over|gives up|cannot answer|can't answer)(?: ${TALK})?|(?:an? )?escalation(?: is requested)?|${TALK} ${IS} escalated`,
    'ai.escalation_requested',
  ),
  told(`${AI} (?:${IS} )?(?:paused|stopped|stops|pauses)`, 'ai.paused'),
  told(`${AI} (?:${IS} )?(?:resumed|resumes|back|answers again|goes on)`, 'ai.resumed'),
  told(`(?:an? |the )?proposal\\b${GAP} ?${IS} (?:decided|approved|denied)`, 'proposal.decided'),
  told(`(?:an? |the )?proposal\\b${GAP} ?${IS} (?:created|made)|${AI} proposes something`, 'proposal.created'),
  told(`(?:an? |the )?channel\\b${GAP} ?(?:fails|${IS} failing|stops working|stops sending|breaks|is down|cannot send)`, 'channel.failing'),
  told(`(?:an? |the )?webhook\\b${GAP} ?(?:${IS} disabled|fails|stops)`, 'webhook.disabled'),
]

/** Words that say nothing more. */
const FILLERS =
  /\b(?:and|or|if|that|which|who|the|a|an|is|are|was|by|of|to|for|from|it|its|it's|has|have|had|total|value|amount|worth|order|orders|in|on|with|us|customer|contact|text|message|product|something|new|been|gets|our|my|any|then|there|only|euros?|dollars?|pounds?|when|as|its)\b|[,:']/gi

/** @returns undefined where no event is spoken of */
export function occasionOf(words: string, said: Description): Occasion | undefined {
  const text = words.trim()
  for (const { pattern, event, conditions = [] } of TRIGGERS) {
    const found = pattern.exec(text)
    if (!found) continue
    // What stands between a thing and what happens to it, and what follows.
    const rest = `${between(found)} ${text.slice(found[0].length)}`
    const read = conditionsOf(rest, event, said, /\b(?:contains|mentions)$/i.exec(found[0])?.[0])
    return { event, conditions: [...conditions, ...read.conditions], left: read.left }
  }
  return undefined
}

const between = (found: RegExpExecArray): string =>
  found
    .slice(1)
    .filter(each => each !== undefined)
    .join(' ') || gapOf(found[0])

// A pattern that does not take its gap apart: whatever is no word of its own is looked through again.
const gapOf = (text: string): string =>
  /\b(?:over|above|below|under|at least|at most|more than|less than|on|in|about)\b.*$/i.exec(text)?.[0] ?? ''

type Reader = (text: string, event: string, said: Description) => { conditions: Condition[]; matched: string } | undefined

/** @returns the conditions in some words, and what is left of the words */
export function conditionsOf(words: string, event: string, said: Description, before = ''): { conditions: Condition[]; left: string } {
  const conditions: Condition[] = []
  let left = `${before} ${words}`.replaceAll(/\s+/g, ' ')
  for (const read of READERS) {
    const found = read(left, event, said)
    if (!found) continue
    conditions.push(...found.conditions)
    left = left.replace(found.matched, ' ')
  }
  const rest = left.replaceAll(FILLERS, ' ').replaceAll(/\s+/g, ' ').trim()
  return { conditions, left: rest === '' ? '' : left.replaceAll(/\s+/g, ' ').trim() }
}

const isOrder = (event: string): boolean => event.startsWith('order.')

const AMOUNTS: [RegExp, Condition['op']][] = [
  [/\b(?:not less than|no less than|at least|from|minimum of|or more than)$/i, 'gte'],
  [/\b(?:not more than|no more than|at most|up to|maximum of)$/i, 'lte'],
  [/\b(?:over|above|more than|greater than|bigger than|larger than|higher than|exceeding|exceeds|beyond)$/i, 'gt'],
  [/\b(?:under|below|less than|smaller than|lower than|cheaper than)$/i, 'lt'],
]
const CURRENCIES: [RegExp, string][] = [
  [/^(?:eur|euros?|€)$/i, 'EUR'],
  [/^(?:usd|dollars?|\$)$/i, 'USD'],
  [/^(?:gbp|pounds?|£)$/i, 'GBP'],
  [/^(?:chf|francs?)$/i, 'CHF'],
]
/** Amounts are kept in the smallest unit of their currency. */
const UNITS = 100

const amount: Reader = (text, event) => {
  if (!isOrder(event)) return undefined
  const found = new RegExp(
    `(${AMOUNTS.map(([pattern]) => pattern.source.replace('$', '')).join('|')}) ([€$£])?\\s?(\\d{1,9}(?:[.,]\\d{1,2})?)(?: ?(eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|€|\\$|£)(?!\\w))?`,
    'i',
  ).exec(text)
  if (!found) return undefined
  const [matched, words = '', sign, digits = '', unit] = found
  const op = AMOUNTS.find(([pattern]) => pattern.test(words))?.[1] ?? 'gt'
  const currency = CURRENCIES.find(([pattern]) => pattern.test(sign ?? unit ?? ''))?.[1]
  const value = Math.round(Number(digits.replace(',', '.')) * UNITS)
  return {
    matched,
    conditions: [
      { field: 'event.order.total_amount', op, value },
      ...(currency ? [{ field: 'event.order.currency', op: 'eq' as const, value: currency }] : []),
    ],
  }
}

const contained: Reader = (text, event, said) => {
  const field = event.startsWith('message.')
    ? 'event.message.text'
    : event === 'conversation.started'
      ? 'event.first_message.text'
      : undefined
  const found = new RegExp(
    `\\b(?:contains|containing|mentions|mentioning|includes|with|about|saying|says)(?: the (?:word|text|words))? (${QUOTE}|[\\w-]{2,40})`,
    'i',
  ).exec(text)
  if (!field || !found) return undefined
  const [matched, value = ''] = found
  return { matched, conditions: [{ field, op: 'contains', value: value.startsWith('«') ? said.quote(value) : value }] }
}

const PLATFORMS = ['web', 'telegram', 'whatsapp', 'instagram', 'facebook', 'viber', 'email']

const platform: Reader = (text, event) => {
  if (!/^(?:message\.|conversation\.|ai\.)/.test(event)) return undefined
  const [matched, name] = new RegExp(`\\b(?:on|over|through|via|by|from|in) (${PLATFORMS.join('|')})\\b`, 'i').exec(text) ?? []
  return matched && name
    ? { matched, conditions: [{ field: 'event.conversation.platform', op: 'eq', value: name.toLowerCase() }] }
    : undefined
}

const tagged: Reader = (text, event, said) => {
  if (event !== 'contact.tagged') return undefined
  const [matched, value] = new RegExp(`^\\s*(?:as |with |by )?(?:the tag )?(${QUOTE}|[\\w-]{1,60})`, 'i').exec(text) ?? []
  return matched && value
    ? { matched, conditions: [{ field: 'event.added', op: 'contains', value: value.startsWith('«') ? said.quote(value) : value }] }
    : undefined
}

const REASONS: [RegExp, string][] = [
  [/\bfraud\b/i, 'fraud'],
  [/\bout of stock\b/i, 'out_of_stock'],
  [/\bdeclined\b/i, 'declined'],
  [/\bby (?:the|a) (?:customer|buyer)\b/i, 'customer'],
]

const reason: Reader = (text, event) => {
  if (event !== 'order.cancelled') return undefined
  for (const [pattern, value] of REASONS) {
    const [matched] =
      new RegExp(`(?:\\b(?:because of|due to|for|because it is|because it was|since it is)\\s+)?${pattern.source}`, 'i').exec(text) ?? []
    if (matched) return { matched, conditions: [{ field: 'event.reason', op: 'eq', value }] }
  }
  return undefined
}

const STATUSES = ['pending', 'confirmed', 'processing', 'SHIPPED', 'DELIVERED', 'RETURNED', 'CANCELLED', 'REFUNDED']

const status: Reader = (text, event) => {
  if (event !== 'order.status_changed') return undefined
  const [matched, name = ''] = new RegExp(`\\bto (${STATUSES.join('|')})\\b`, 'i').exec(text) ?? []
  const value = STATUSES.find(each => each.toLowerCase() === name.toLowerCase())
  return matched && value ? { matched, conditions: [{ field: 'event.to', op: 'eq', value }] } : undefined
}

const READERS: Reader[] = [amount, contained, platform, tagged, reason, status]
