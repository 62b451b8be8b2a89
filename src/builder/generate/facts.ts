// What stands in an event, or does not: a note, a discount, a refund that is due; whence an order comes.
import type { Condition } from '../../apps/manifest/shape.ts'
import type { Reader } from './amounts.ts'
import { ASSISTANT } from './names.ts'
import { QUOTE } from './sentences.ts'

/** What of a product is changed, as people call it and as the event does. */
const CHANGES: [string, string][] = [
  ['price', 'price_amount'],
  ['stock', 'stock'],
  ['(?:name|title)', 'name'],
  ['category', 'category'],
  ['description', 'description'],
  ['sku', 'sku'],
  ['status', 'status'],
  ['(?:images?|pictures?)', 'images'],
  ['tags?', 'tags'],
]

/** What stands in an order, or does not: a note, a discount, a tag; whence it comes. */
const FACTS: [RegExp, RegExp, Condition][] = [
  [
    /^order\./,
    /\b(?:(?:with|has|having|contains?|carries|includes?|there is|leaves?|left|bears) )?(?:an? |some |the )?(?:customer )?(?:note|comment|remark)s?(?: (?:on|in|to) it)?\b/i,
    { field: 'event.order.note', op: 'exists', value: true },
  ],
  [
    /^order\./,
    /\b(?:(?:with|has|having|used|using|uses|gets?|got|there is|includes?|contains?|had|after) (?:an? |some |the |any )?(?:discount|rebate|reduction|reduced price|lower price|coupon|voucher|promo(?:tion)? code)(?: code| applied| on it)?|(?:(?:is|are|was|were|that|which) )*discounted)\b/i,
    { field: 'event.order.discount_amount', op: 'gt', value: 0 },
  ],
  ...(['crm', 'api', 'dashboard'] as const).map((source): [RegExp, RegExp, Condition] => [
    /^order\./,
    new RegExp(
      `\\b(?:(?:which|that) )?(?:(?:come|comes|came|coming|is|are|was|were|placed|created|made|entered|arrive|arrives)? ?(?:in )?(?:from|by|via|through|in|over|with|out of) )(?:the |our )?${source}\\b`,
      'i',
    ),
    { field: 'event.order.source', op: 'eq', value: source },
  ]),
  [
    /^order\./,
    new RegExp(`\\b(?:(?:placed|made|created|taken|entered) )?(?:by|from|via|through|with) ${ASSISTANT}\\b`, 'i'),
    { field: 'event.order.source', op: 'eq', value: 'ai_agent' },
  ],
  [
    /^order\.refunded$/,
    /\b(?:in full|fully|full(?: refund)?|completely|complete refund|the (?:whole|entire|full) (?:order|amount|sum|total))(?: (?:is|was|has been))?(?: refunded| paid back)?\b/i,
    { field: 'event.refund.full', op: 'eq', value: true },
  ],
  [/^order\.refunded$/, /\b(?:in part|partly|partially|partial)\b/i, { field: 'event.refund.full', op: 'eq', value: false }],
  [
    /^order\.cancelled$/,
    /\b(?:an? |the |its |their )?refunds? (?:(?:is|are|has|that|which) )*(?:still )?(?:pending|outstanding|due|open|to be (?:made|done)|owed|not (?:yet )?done|waiting)\b/i,
    { field: 'event.refund_pending', op: 'eq', value: true },
  ],
  [
    /^order\./,
    /\b(?:(?:with|has|having|goes to|is sent to|uses|to) )?(?:an? |the )?(?:pick-?up|parcel|collection) (?:point|locker|box|station)\b/i,
    { field: 'event.order.shipping_address.pickup_point', op: 'exists', value: true },
  ],
  ...CHANGES.map(([words, field]): [RegExp, RegExp, Condition] => [
    /^product\.updated$/,
    new RegExp(`\\b(?:with a new|in|of|whose) (?:its |the )?${words}\\b(?: (?:is|was|has) changed)?`, 'i'),
    { field: 'event.changed', op: 'contains', value: field },
  ]),
  [/^proposal\.decided$/, /\b(?:approved|accepted)\b/i, { field: 'event.decision', op: 'eq', value: 'approved' }],
  [/^proposal\.decided$/, /\b(?:denied|rejected|declined|refused)\b/i, { field: 'event.decision', op: 'eq', value: 'denied' }],
  [
    /^contact\.(?:created|merged|tagged)$/,
    /\b(?:with|has|have|having|gives?|gave|left|leaves?) (?:an? |their )?e-?mail(?: address)?\b/i,
    { field: 'event.contact.email', op: 'exists', value: true },
  ],
  [
    /^contact\.(?:created|merged|tagged)$/,
    /\bwithout (?:an? |their )?e-?mail(?: address)?\b/i,
    { field: 'event.contact.email', op: 'exists', value: false },
  ],
  [
    /^contact\.(?:created|merged|tagged)$/,
    /\b(?:with|has|have|having|gives?|gave|left|leaves?) (?:an? |their )?(?:tele)?phone(?: number)?\b/i,
    { field: 'event.contact.phone', op: 'exists', value: true },
  ],
]

const WORD = `(${QUOTE}|(?!(?:an?|the|it|its)\\b)[\\w-]+)`
/** "with express in the note", "the note says express" */
const NOTED = [
  new RegExp(
    `\\b(?:(?:with|has|having|contains?|mentions?|writes?|puts?|there is|says?) )?(?:the word )?${WORD} in (?:the|its|their|an?) (?:order )?(?:note|comment|remark)s?\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:(?:and|if|the|whose|its|their|with|an?|order|customer's) )*(?:note|comment|remark)s?(?: that| which)? (?:contains?|mentions?|says?|includes?|has|saying|containing|mentioning)(?: the words?)? ${WORD}`,
    'i',
  ),
]

export const fact: Reader = (text, event, said) => {
  for (const pattern of event.startsWith('order.') ? NOTED : []) {
    const [matched, word = ''] = pattern.exec(text) ?? []
    if (matched)
      return { matched, conditions: [{ field: 'event.order.note', op: 'contains', value: word.startsWith('«') ? said.quote(word) : word }] }
  }
  for (const [events, pattern, condition] of FACTS) {
    const [matched] = events.test(event) ? (pattern.exec(text) ?? []) : []
    if (matched !== undefined && matched !== '') return { matched, conditions: [condition] }
  }
  return undefined
}

/** "shipped with DHL": by whom a parcel goes. */
export const carrier: Reader = (text, event, said) => {
  if (event !== 'order.shipped') return undefined
  const [matched, name = ''] =
    new RegExp(
      `\\b(?:(?:with|via|by|through|using) (?:the (?:carrier|courier) )?|(?:the )?(?:carrier|courier) (?:is|was) )(${QUOTE}|\\p{Lu}[\\p{L}\\d]+(?: \\p{Lu}[\\p{L}\\d]+){0,2})(?=$|[ ,.])`,
      'u',
    ).exec(text) ?? []
  return matched && name
    ? { matched, conditions: [{ field: 'event.fulfillment.carrier', op: 'eq', value: name.startsWith('«') ? said.quote(name) : name }] }
    : undefined
}
