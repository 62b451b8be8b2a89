// What of an event people make a condition of: amounts, words in a message, where an order goes.
import type { Condition } from '../../apps/manifest/shape.ts'
import { countryIn } from './countries.ts'
import { type Description, QUOTE } from './sentences.ts'

/** Words that say nothing more. */
const FILLERS =
  /\b(?:and|or|if|that|which|who|the|a|an|is|are|was|by|of|to|for|from|it|its|it's|has|have|had|total|value|amount|worth|order|orders|in|on|with|us|customer|contact|text|message|product|something|anything|new|been|gets|our|my|any|then|there|only|euros?|dollars?|pounds?|when|as|its)\b|[,:']/gi
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
  // "paid by card": that the order is paid is said already.
  const rest = left
    .replaceAll(FILLERS, ' ')
    .replaceAll(event === 'order.paid' ? /\bpaid\b/gi : /(?!)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
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
  [/^(?:usd|dollars?|bucks|\$)$/i, 'USD'],
  [/^(?:gbp|pounds?|quid|£)$/i, 'GBP'],
  [/^(?:chf|francs?)$/i, 'CHF'],
]
/** Amounts are kept in the smallest unit of their currency. */
const UNITS = 100

const MORE = AMOUNTS.map(([pattern]) => pattern.source.replace('$', '')).join('|')
const MONEY = 'eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|bucks|quid'
/** What may follow an amount of money; "more than 3 items" is none. */
const BEHIND =
  '(?=\\s*$|[\\s]*[,.:;)]|\\s+(?:is|are|was|were|gets?|has|have|been|comes?|arrives?|in|on|by|from|to|for|of|and|with|at|via|that|which|when|altogether|paid|placed|shipped|or)\\b)'
const AMOUNT = new RegExp(
  `(?:(${MORE}) )?([€$£]|\\b(?:eur|usd|gbp|chf) )?\\s?(\\d{1,3}(?:[.,]\\d{3}){1,2}(?:\\.\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,2})?)(?: ?(${MONEY}|€|\\$|£)(?!\\w))?( (?:or|and) (?:more|above|over|up|less|below|under))?${BEHIND}`,
  'i',
)

const amount: Reader = (text, event) => {
  const found = isOrder(event) ? AMOUNT.exec(text) : null
  if (!found) return undefined
  const [matched, words = '', sign, digits = '', unit, behind = ''] = found
  const op = behind ? (/less|below|under/i.test(behind) ? 'lte' : 'gte') : AMOUNTS.find(([pattern]) => pattern.test(words))?.[1]
  if (!op) return undefined
  const currency = CURRENCIES.find(([pattern]) => pattern.test((sign ?? unit ?? '').trim()))?.[1]
  const plain = /[.,]\d{3}(?!\d)/.test(digits) ? digits.replaceAll(/[.,](?=\d{3})/g, '') : digits.replace(',', '.')
  return {
    matched,
    conditions: [
      { field: 'event.order.total_amount', op, value: Math.round(Number(plain) * UNITS) },
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
    `\\b(?:contains|containing|mentions|mentioning|includes|with|about|saying|says)(?: (?:the (?:word|text|words|phrase)|an?|the|our|my|their))? (${QUOTE}|[\\w-]{2,40}(?: (?!(?:or|and) )[\\w-]{2,40}){0,2}(?=\\s*$)|[\\w-]{2,40})`,
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
      new RegExp(
        `(?:\\b(?:because of|due to|for|because it is|because it was|since it is|as it is|being)\\s+)?${pattern.source}`,
        'i',
      ).exec(text) ?? []
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

/** Where an order goes: "to Germany", "from the United Kingdom". */
const country: Reader = (text, event) => {
  if (!isOrder(event)) return undefined
  for (const found of text.matchAll(/\b(?:in|to|from|within|into|for) (?:the )?(?=[A-Z])/g)) {
    const named = countryIn(text.slice(found.index + found[0].length))
    if (!named) continue
    const matched = text.slice(found.index, found.index + found[0].length + named.length)
    return { matched, conditions: [{ field: 'event.order.shipping_address.country', op: 'eq', value: named.code }] }
  }
  return undefined
}

const METHODS: [RegExp, string][] = [
  [/\b(?:by|with|via|through|using|on) (?:an? |the |their )?(?:credit |debit )?cards?\b/i, 'card'],
  [/\b(?:by|with|via|through|using) (?:an? |the )?(?:bank|wire) transfer\b/i, 'bank_transfer'],
  [/\b(?:(?:by|with|via|through|using|as) )?(?:cash on delivery|cod)\b/i, 'cod'],
  [/\b(?:by|with|via|through|using) (?:an? |the )?payment link\b/i, 'payment_link'],
]

const method: Reader = (text, event) => {
  if (!isOrder(event)) return undefined
  for (const [pattern, value] of METHODS) {
    const [matched] = pattern.exec(text) ?? []
    if (matched) return { matched, conditions: [{ field: 'event.order.payment.method', op: 'eq', value }] }
  }
  return undefined
}

/** What the customer who writes is tagged with; an order's event does not tell. */
const labelled: Reader = (text, event, said) => {
  if (!/^(?:message\.|conversation\.|contact\.(?:created|merged))/.test(event)) return undefined
  const [matched, value] =
    new RegExp(`\\b(?:tagged|labell?ed|marked|with (?:the )?tag)(?: as| with)?(?: an?)? (${QUOTE}|[\\w-]{1,60})`, 'i').exec(text) ?? []
  return matched && value
    ? { matched, conditions: [{ field: 'event.contact.tags', op: 'contains', value: value.startsWith('«') ? said.quote(value) : value }] }
    : undefined
}

const READERS: Reader[] = [amount, country, method, labelled, contained, platform, tagged, reason, status]
