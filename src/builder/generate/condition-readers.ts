// What of an event a person makes a condition of, each kind by a reader of its own: words in a message, where an order goes, how it is paid.
import { amount, between, counted, currencyOf, type Reader } from './amounts.ts'
import { countryIn } from './countries.ts'
import { pathFor } from './event-values.ts'
import { carrier, fact } from './facts.ts'
import { nameOf } from './names.ts'
import { QUOTE } from './sentences.ts'

const isOrder = (event: string): boolean => event.startsWith('order.')

/** "paid in dollars": in which money, where no amount is said. */
const currency: Reader = (text, event) => {
  const [matched, name = ''] = isOrder(event)
    ? (/\b(?:in|with) (euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|zlotys?|pln|hryvnias?|uah)\b/i.exec(text) ?? [])
    : []
  const code = currencyOf(name)
  return matched && code ? { matched, conditions: [{ field: 'event.order.currency', op: 'eq', value: code }] } : undefined
}

const contained: Reader = (text, event, said) => {
  const field = event.startsWith('message.')
    ? 'event.message.text'
    : event === 'conversation.started'
      ? 'event.first_message.text'
      : undefined
  const [there, quote = ''] =
    new RegExp(
      `(?:\\bthe (?:word|words|phrase|term) )?(${QUOTE}) (?:is|are|appears?|occurs?|stands?|comes up|shows up|can be found|is (?:found|mentioned|used|contained))(?: (?:in|within|inside) (?:it|(?:the |their |its )?(?:text|message|words)(?: of the message)?))?`,
      'i',
    ).exec(text) ?? []
  if (field && there && quote) return { matched: there, conditions: [{ field, op: 'contains', value: said.quote(quote) }] }
  const found = new RegExp(
    `(?:^ *for|\\b(?:contains|containing|writes? (?:of|about)|ask(?:s|ing)? (?:about|for)|speaks? of|containing|mentions|mentioning|includes|with|about|saying|says|the words?|the phrase))(?: (?:the (?:word|text|words|phrase)|an?|the|our|my|their))? (?!(?:us|me|it|him|her|them)\\b)(${QUOTE}|[\\w-]{2,40}(?: (?!(?:or|and|on|via|over|through|from|by|in) )[\\w-]{2,40}){0,2}(?=\\s*$)|[\\w-]{2,40})`,
    'i',
  ).exec(text)
  if (!field || !found) return undefined
  const [matched, value = ''] = found
  return { matched, conditions: [{ field, op: 'contains', value: value.startsWith('«') ? said.quote(value) : value }] }
}

const PLATFORMS = ['web', 'telegram', 'whatsapp', 'instagram', 'facebook', 'viber', 'email']

const platform: Reader = (text, event) => {
  if (!/^(?:message\.|conversation\.|ai\.)/.test(event)) return undefined
  const [matched, name] =
    new RegExp(
      `(?:\\b(?:is |was |are |has been |came |comes )?(?:sent |written |received |made |coming )?(?:on|over|through|via|by|from|in|using)|\\b(?:channel|platform|medium|app)(?: (?:is|was|used is|being)|:)?) (?:the )?(${PLATFORMS.join('|')})\\b`,
      'i',
    ).exec(text) ?? []
  return matched && name
    ? { matched, conditions: [{ field: 'event.conversation.platform', op: 'eq', value: name.toLowerCase() }] }
    : undefined
}

const tagged: Reader = (text, event, said) => {
  if (event !== 'contact.tagged') return undefined
  const [matched, value] =
    new RegExp(
      `^\\s*(?:as |with |by )?(?:the tag )?(?!(?:has|have|had|is|are|was|who|that|which|and|or|but|if|when|they|he|she|it|we|you|i)\\b)(${QUOTE}|[\\w-]{1,60})`,
      'i',
    ).exec(text) ?? []
  return matched && value
    ? { matched, conditions: [{ field: 'event.added', op: 'contains', value: value.startsWith('«') ? said.quote(value) : value }] }
    : undefined
}

const REASONS: [RegExp, string][] = [
  [/\bfraud\b/i, 'fraud'],
  [
    /\b(?:(?:(?:we|they|you|it|the (?:item|product)) )?(?:(?:ran|run|are|were|is|was|has|had) )?(?:out[ _]of[ _](?:stock|it|them)|sold out|unavailable|not (?:in stock|available)))\b/i,
    'out_of_stock',
  ],
  [/\bdeclined\b/i, 'declined'],
  [/\bby (?:the|a) (?:customer|buyer)\b/i, 'customer'],
]

const reason: Reader = (text, event) => {
  if (event !== 'order.cancelled') return undefined
  for (const [pattern, value] of REASONS) {
    const [matched] =
      new RegExp(
        `(?:\\b(?:because of|due to|for|because it is|because it was|because|because (?:we|they|you) (?:are|were)|because (?:something|an? (?:item|product)|the (?:item|product)|one of them) (?:is|was)|since it is|as it is|being)\\s+)?${pattern.source}`,
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

const COUNTRY_BEFORE =
  /\b(?:(?:(?:(?:is|are|was|gets?|has) )?(?:shipped|shipping|ships?|sent|delivered|going|go(?:es)?|bound|destined|headed|addressed|comes?|coming|lives?|living|based|located|resides?|with|has|having|the|an?|whose|customer|buyer|(?:shipping |delivery |postal )?address|destination) )*(?:in|to|from|within|into|for)|(?:(?:whose|the|its|with|their) )?(?:(?:shipping|delivery|destination) )?(?:country|destination)(?: (?:is|of|being)|:)?) (?:the )?(?=[A-Z])/g

/** Where an order goes: "to Germany", "from the United Kingdom". */
const country: Reader = (text, event) => {
  if (!isOrder(event)) return undefined
  for (const found of text.matchAll(COUNTRY_BEFORE)) {
    const named = countryIn(text.slice(found.index + found[0].length))
    if (!named) continue
    const matched = text.slice(found.index, found.index + found[0].length + named.length)
    return { matched, conditions: [{ field: 'event.order.shipping_address.country', op: 'eq', value: named.code }] }
  }
  return undefined
}

/** "if it's paid by card" */
const PAID =
  "(?:(?:(?:is|are|was|were|be|been|get|gets|they|it|it's|he|she|(?:the|an?) (?:order|customer)) )*(?:paid|pays?|paying|payments?) (?:for )?)?"
const METHODS: [RegExp, string][] = [
  [
    /\b(?:by|with|via|through|using|on|is|was|chose|chosen|selected|used) (?:an? |the |their )?(?:credit |debit )?cards?\b|\b(?:credit |debit )?card payments?\b/i,
    'card',
  ],
  [/\b(?:by|with|via|through|using|is|was|chose|chosen|selected) (?:an? |the )?(?:bank|wire) transfer\b/i, 'bank_transfer'],
  [/\b(?:(?:by|with|via|through|using|as|is|was|chose|chosen|selected) )?(?:cash on delivery|cod)\b/i, 'cod'],
  [/\b(?:by|with|via|through|using|is|was|chose) (?:an? |the )?payment link\b/i, 'payment_link'],
]

const method: Reader = (text, event) => {
  if (!isOrder(event)) return undefined
  for (const [pattern, value] of METHODS) {
    const [matched] = new RegExp(`${PAID}${pattern.source}`, 'i').exec(text) ?? []
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

/** "if the reason is out_of_stock", "the source is crm": whatever the event has by that name. */
const equal: Reader = (text, event, said) => {
  for (const found of text.matchAll(
    new RegExp(
      `\\b(?:(?:the|its|their|an?) )?((?:[a-z]+ ){0,2}?[a-z]+) (?:is|was|equals|being|reads|=)(?: (?:exactly|equal to|set to))? (not )?(${QUOTE}|[\\w-]+)`,
      'gi',
    ),
  )) {
    const [matched, name = '', not, value = ''] = found
    const path = /^(?:not|the|an?|over|above|under|below|more|less|at|in|from)$/i.test(value) ? undefined : pathFor(nameOf(name), event)
    if (
      !path?.startsWith('event.') ||
      (/\.(?:name|email|phone)$/.test(path) && !value.startsWith('«')) ||
      /(?:_id|amount|number|available|\.text|items)$/.test(path)
    )
      continue
    return { matched, conditions: [{ field: path, op: not ? 'ne' : 'eq', value: value.startsWith('«') ? said.quote(value) : value }] }
  }
  return undefined
}

/** In the order in which they read. */
export const READERS: readonly Reader[] = [
  carrier,
  fact,
  between,
  amount,
  // "at least 100 and less than 500"
  amount,
  counted,
  currency,
  country,
  method,
  labelled,
  platform,
  contained,
  tagged,
  reason,
  status,
  equal,
]
