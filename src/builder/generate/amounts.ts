// Amounts of money and counts of things, as conditions.
import type { Condition } from '../../apps/manifest/shape.ts'
import type { Description } from './sentences.ts'

/** @returns the conditions that it finds in some words, and which of them it read */
export type Reader = (text: string, event: string, said: Description) => { conditions: Condition[]; matched: string } | undefined

const isOrder = (event: string): boolean => event.startsWith('order.')

const AMOUNTS: [RegExp, Condition['op']][] = [
  [
    /\b(?:not less than|no less than|at least|no smaller than|not smaller than|no lower than|from|starting (?:at|from|with)|(?:a )?minimum(?: of)?|minimally|or more than)$/i,
    'gte',
  ],
  [/\b(?:not more than|no more than|no bigger than|no larger than|at most|up to|(?:a )?maximum(?: of)?|maximally)$/i, 'lte'],
  [
    /\b(?:over|above|more than|greater than|totalling more than|totaling more than|totalling over|bigger than|larger than|higher than|exceeding|exceeds|exceed|beyond|upwards of|north of|in excess of|>)$/i,
    'gt',
  ],
  [/\b(?:under|below|less than|smaller than|lower than|cheaper than|fewer than|not even|<)$/i, 'lt'],
]
const CURRENCIES: [RegExp, string][] = [
  [/^(?:eur|euros?|€)$/i, 'EUR'],
  [/^(?:usd|dollars?|bucks|\$)$/i, 'USD'],
  [/^(?:gbp|pounds?|quid|£)$/i, 'GBP'],
  [/^(?:chf|francs?)$/i, 'CHF'],
  [/^(?:pln|zlotys?|zł)$/i, 'PLN'],
  [/^(?:uah|hryvnias?|hryvnas?|₴)$/i, 'UAH'],
]
/** @returns the code of a currency by what people call it */
export const currencyOf = (name: string): string | undefined => CURRENCIES.find(([pattern]) => pattern.test(name))?.[1]

/** @returns how an amount is compared: "at least 50" */
export function comparisonIn(text: string): Condition['op'] | undefined {
  const [, words] = new RegExp(`(${MORE}) ${SIGN}? ?\\d`, 'i').exec(text) ?? []
  return words === undefined ? undefined : AMOUNTS.find(([pattern]) => pattern.test(words))?.[1]
}

/** Amounts are kept in the smallest unit of their currency. */
const UNITS = 100

const MORE = AMOUNTS.map(([pattern]) => pattern.source.replace('$', '')).join('|')
const MONEY = 'eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|bucks|quid|pln|zlotys?|uah|hryvnias?|hryvnas?'
/** What may follow an amount of money; "more than 3 items" is none. */
const BEHIND =
  '(?=\\s*$|[\\s]*[,.:;)]|\\s+(?:is|are|was|were|gets?|has|have|been|comes?|arrives?|in|on|by|from|to|for|of|and|with|at|via|that|which|when|altogether|paid|placed|shipped|or|then|also|total|going|goes|ships?|shipping|sent|delivered|bound|headed|but|only|unless|if|who|whose|worth|should|must)\\b)'
const AMOUNT = new RegExp(
  `(?:(${MORE}) )?([€$£₴]|\\b(?:eur|usd|gbp|chf|pln|uah) )?\\s?(\\d{1,3}(?:[.,]\\d{3}){1,2}(?:\\.\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,2})?)(?: ?(${MONEY}|€|\\$|£|₴|zł)(?!\\w))?( (?:(?:or|and) (?:more|above|over|up|less|below|under|upwards|higher)|upwards|up))?${BEHIND}`,
  'i',
)

const DIGITS = '\\d{1,9}(?:[.,]\\d{1,2})?'
const SIGN = '[€$£₴]'
const UNIT = `(?:${MONEY}|€|\\$|£|₴|zł)(?!\\w)`
/** "between 50 and 100 dollars (both included)" */
const BETWEEN = new RegExp(
  `(?<of>(?:total|value|amount|sum|worth|costs?|costing)(?: is| of)? )?(?:\\bis )?\\b(?:between|from) (?<sign>${SIGN})?(?<low>${DIGITS})(?: ?(?<unit>${UNIT}))? (?:and|to) ${SIGN}?(?<high>${DIGITS})(?: ?(?<unit2>${UNIT}))?(?: ?[(,]? ?(?:both )?(?:included|inclusive|including both)\\)?)?${BEHIND}`,
  'i',
)

export const between: Reader = (text, event) => {
  const found = isOrder(event) || event.startsWith('payment.') ? BETWEEN.exec(text) : null
  const { of, sign, low = '', unit, high = '', unit2 } = found?.groups ?? {}
  const money = sign ?? unit ?? unit2
  const path = amountOf(text, event)
  // "between 9 and 5" is of the clock.
  if (!found || !path || (money === undefined && of === undefined)) return undefined
  const [least, most] = [low, high].map(each => Math.round(Number(each.replace(',', '.')) * UNITS))
  const currency = currencyOf(money?.trim() ?? '')
  const field = `${path.path}.${path.amount}`
  return {
    matched: found[0],
    conditions: [
      { field, op: 'gte', value: least as number },
      { field, op: 'lte', value: most as number },
      ...(currency ? [{ field: `${path.path}.currency`, op: 'eq' as const, value: currency }] : []),
    ],
  }
}

export const amount: Reader = (text, event) => {
  const found =
    isOrder(event) || event.startsWith('payment.') || /^(?:contact|message|conversation)\./.test(event) ? AMOUNT.exec(text) : null
  if (!found) return undefined
  const [matched, words = '', sign, digits = '', unit, behind = ''] = found
  const op = behind ? (/less|below|under/i.test(behind) ? 'lte' : 'gte') : AMOUNTS.find(([pattern]) => pattern.test(words))?.[1]
  if (!op) return undefined
  const of = amountOf(text, event)
  if (!of) return undefined
  const currency = currencyOf((sign ?? unit ?? '').trim())
  const plain = /[.,]\d{3}(?!\d)/.test(digits) ? digits.replaceAll(/[.,](?=\d{3})/g, '') : digits.replace(',', '.')
  return {
    matched,
    conditions: [
      { field: `${of.path}.${of.amount}`, op, value: Math.round(Number(plain) * UNITS) },
      ...(currency ? [{ field: `${of.path}.currency`, op: 'eq' as const, value: currency }] : []),
    ],
  }
}

/** What an amount belongs to: the order, unless something else is named. */
function amountOf(text: string, event: string): { path: string; amount: string } | undefined {
  if (event.startsWith('payment.')) return { path: 'event.payment', amount: 'amount' }
  if (!isOrder(event))
    return /\bspent\b|\bhas (?:bought|ordered) for\b|\btotal (?:spend|spending)\b/i.test(text)
      ? { path: 'event.contact', amount: 'total_spent_amount' }
      : undefined
  if (event === 'order.refunded' && /\brefund(?! order)|\bamount\b|\bit\b|^ *(?:over|above|more|at|of|below|under|less)\b/i.test(text))
    return { path: 'event.refund', amount: 'amount' }
  if (/\bdiscount\b/i.test(text)) return { path: 'event.order', amount: 'discount_amount' }
  if (/\b(?:shipping|delivery) (?:costs?|fee|amount)\b/i.test(text)) return { path: 'event.order', amount: 'shipping_amount' }
  return { path: 'event.order', amount: 'total_amount' }
}

/** Counts of things: what is left of a product, how often a customer ordered. */
export const counted: Reader = (text, event) => {
  const isLow = event === 'product.low_stock'
  const isContact = /^(?:contact|message|conversation)\./.test(event)
  const [matched, words = '', count = '', behind = ''] =
    new RegExp(
      `(?:(${MORE}) )?\\b(\\d{1,6})( or (?:more|fewer|less))?(?: (?:pieces|units|items|of (?:it|them)|orders|times|purchases))?\\b`,
      'i',
    ).exec(text) ?? []
  if (matched === undefined || !(isLow || (isContact && /\b(?:orders|ordered|times|purchases|bought)\b/i.test(text)))) return undefined
  const op = behind ? (/more/i.test(behind) ? 'gte' : 'lte') : (AMOUNTS.find(([pattern]) => pattern.test(words))?.[1] ?? 'eq')
  return { matched, conditions: [{ field: isLow ? 'event.available' : 'event.contact.orders_count', op, value: Number(count) }] }
}
