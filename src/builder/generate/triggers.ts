// Events as people speak of them, and what of an event they make a condition of.
import type { Condition } from '../../apps/manifest/shape.ts'
import { conditionsOf } from './conditions.ts'
import { happeningsIn } from './happenings.ts'
import { ASSISTANT } from './names.ts'
import { asOccasion } from './occasions.ts'
import { remembered } from './remembered.ts'
import { type Description, QUOTE } from './sentences.ts'

export interface Occasion {
  event: string
  conditions: Condition[]
  /** What of the words was not understood; empty where all was. */
  left: string
}

const ORDER =
  "(?:an? |the |my |our |any |their |his |her )?(?:new |first |second |next |another |big |large |small |expensive )*(?:customer's )?(?:new |first |second )?orders?"
const CONTACT = '(?:an? |the |our )?(?:new |returning |regular |existing |wholesale )*(?:contact|customer|client|buyer|person|user)s?'
/** What is said of a customer before what they do: "a customer from Germany orders". */
const WHO = `${CONTACT}( (?:tagged|labell?ed|with|from|in|on|using|having|has the tag|carrying|spent|ordered|bought) .{1,60}?)?`
const PRODUCT = '(?:an? |the )?(?:new )?(?:product|item|article)s?'
const MESSAGE = '(?:an? |the )?(?:new )?messages?'
const TALK = '(?:an? |the )?(?:new )?(?:conversation|chat)s?'
/** Whatever stands between a thing and what happens to it: "an order over 500 is paid". */
const GAP = '(.{0,80}?)'
const IS = '(?:is|are|was|were|gets|get|got|has been|have been|has just been|is being|has|have|has just|becomes|(?:could|can|should) be)'
const NOT_DONE =
  "(?:fails|failed|fails to (?:send|arrive|be delivered)|(?:is|was|are|were) not (?:sent|delivered)|(?:does|did|do) not (?:arrive|go out|get through|reach .{1,30})|(?:cannot|can not|could not|can't|couldn't|has not been|have not been|hasn't been|was not|wasn't|is not|isn't) (?:be )?(?:sent|delivered)|bounces|undeliverable)"

interface Trigger {
  pattern: RegExp
  event: string
  conditions?: Condition[]
}

const told = (pattern: string, event: string, conditions?: Condition[]): Trigger => ({
  pattern: new RegExp(`^(?:${pattern})`, 'i'),
  event,
  ...(conditions && { conditions }),
})
const became = (status: string): Condition[] => [{ field: 'event.to', op: 'eq', value: status }]

/** The first that fits counts. */
const TRIGGERS: Trigger[] = [
  told(
    `(?:an? |the )?payments?\\b${GAP} (?:${IS} )?(?:disputed|charged back|contested)|(?:an? )?(?:customer|buyer) disputes\\b(?: an? payment)?|(?:an? )?chargeback`,
    'payment.disputed',
  ),
  told(
    `(?:an? |the )?payments?\\b${GAP} (?:does not|doesn't|do not|fails to|fail to) (?:match|fit)|(?:an? |the )?payments?\\b${GAP} ${IS} (?:wrong|mismatched)`,
    'payment.mismatched',
  ),
  told(
    `${ORDER}\\b${GAP} ?(?:${IS} )?(?:paid|paid for)\\b|(?:an? |the )?payment (?:(?:for|of) ${ORDER} )?(?:${IS} received|comes in|arrives|is confirmed)|${WHO} (?:pays?|(?:has|have) paid|paid)(?: for)?(?: ${ORDER})?\\b`,
    'order.paid',
  ),
  told(
    `${ORDER}\\b${GAP} ?${IS} (?:shipped|sent out|dispatched|sent|handed to the carrier|on (?:its|the) way|left (?:us|the (?:warehouse|shop|house)))|${ORDER}\\b${GAP} (?:ships|leaves (?:us|the (?:warehouse|shop|house))|goes out|go out)\\b|(?:we|i) (?:ship|dispatch|send out) (?:${ORDER}|something|anything)`,
    'order.shipped',
  ),
  told(`${ORDER}\\b${GAP} ?(?:${IS} )?cancel(?:led|ed)|${WHO} cancels?(?: ${ORDER})?\\b`, 'order.cancelled'),
  told(
    `${ORDER}\\b${GAP} ?(?:${IS} )?refunded|(?:we|i) refund ${ORDER}|(?:a )?refund (?:is )?(?:completes|completed|made)`,
    'order.refunded',
  ),
  told(
    `${ORDER}\\b${GAP} ?${IS} delivered|${WHO} (?:gets|receives|has received|have received|has got) ${ORDER}|${ORDER}(?:'s)? status (?:becomes|changes to|is|turns) delivered`,
    'order.status_changed',
    became('DELIVERED'),
  ),
  told(
    `${ORDER}\\b${GAP} ?${IS} returned|${WHO} (?:returns|sends back) (?:${ORDER}|something)|${ORDER}(?:'s)? status (?:becomes|changes to|is|turns) returned`,
    'order.status_changed',
    became('RETURNED'),
  ),
  told(`${ORDER}\\b${GAP} ?${IS} confirmed|(?:we|i) confirm ${ORDER}`, 'order.status_changed', became('confirmed')),
  told(
    `${ORDER}(?:'s)? (?:status|state) (?:is )?chang(?:es|ed)|(?:the )?(?:status|state) of ${ORDER} (?:is )?(?:chang(?:es|ed)|becomes|turns|goes|is)|${ORDER}(?:'s)? (?:status|state) (?:becomes|turns|goes|is)|${ORDER}\\b${GAP} ?(?:changes|moves|change)(?: its)?(?: status)?`,
    'order.status_changed',
  ),
  told(
    `${ORDER}\\b${GAP} ?(?:${IS} )?(?:placed|created|made|received|submitted|entered|taken|comes in|come in|came in|comes through|arrives|arrive)|${WHO} (?:places?|makes?|submits?) ${ORDER}|${WHO} (?:orders?|buys?|purchases?|shops?|checks out|spends?)(?: something| anything| from us| with us| in our shop)*\\b|(?:there is |we get |we receive )${ORDER}|(?:a )?new orders?\\b`,
    'order.created',
  ),
  told(
    `(?:the )?(?:stock|inventory)\\b${GAP} ?(?:${IS} |runs? |falls? |gets? |goes )(?:too |running )?low|${PRODUCT}\\b${GAP} (?:(?:nearly|almost) )?(?:runs?|${IS}) (?:out|out of stock|sold out|nearly gone)(?: of stock)?|${PRODUCT}\\b${GAP} (?:sells? out|goes? out of stock)|${PRODUCT}\\b${GAP} (?:runs?|${IS}|running) (?:low|short)(?: (?:on|in|of) stock)?|${PRODUCT}\\b${GAP} ${IS} (?:low|almost out)(?: (?:on|in|of) stock)?|(?:an? |the )?(?:low|little) (?:in |on )?stock|(?:we )?(?:are|run|get) (?:running )?(?:low|short) (?:on|of) ${PRODUCT}|(?:we )?run low on ${PRODUCT}|there is little left of ${PRODUCT}`,
    'product.low_stock',
  ),
  told(`${PRODUCT}\\b${GAP} ?${IS} (?:updated|changed|edited|archived)|${PRODUCT} changes`, 'product.updated'),
  told(
    `(?:${PRODUCT}\\b${GAP} ?${IS} (?:created|added|new|listed|put (?:in|into|on|up))|(?:we|i) (?:add|create|list|put) ${PRODUCT}|(?:a )?new products?\\b)(?: (?:to|in|into|on|up in) (?:the |our )?(?:catalogue?|shop|store|range|inventory|assortment|site|list|system))?`,
    'product.created',
  ),
  told(
    `${CONTACT}\\b${GAP} ?(?:${IS} (?:tagged|labell?ed|given(?: the| a)? tag)|(?:gets|receives)(?: the| a)? tag)|(?:the |a )?tag(?= .{1,60} (?:is|gets) (?:added|put|given))`,
    'contact.tagged',
  ),
  told(`${CONTACT}\\b${GAP} ?${IS} merged|(?:two )?contacts ${IS} merged`, 'contact.merged'),
  told(`${MESSAGE}\\b${GAP} ?${NOT_DONE}|sending ${MESSAGE} fails|${MESSAGE} delivery fails`, 'message.failed'),
  told(
    `${WHO} (?:writes?|messages?|texts?|contacts?|sends?)(?: (?:in|to us|us|to the shop|to the bot))?(?: ${MESSAGE})?\\b|${WHO} (?:asks?|enquires?|inquires?|mentions?|says?|complains?)(?= |$)|${MESSAGE}\\b${GAP} ?(?:${IS} received|arrives|arrive|comes in|come in|came in|contains?|mentions?|includes?|ha(?:s|ve) the word)|(?:we|i) (?:get|receive) ${MESSAGE}`,
    'message.received',
  ),
  told(`${MESSAGE}\\b${GAP} ?${IS} sent`, 'message.sent'),
  told(
    `${CONTACT}\\b${GAP} ?(?:${IS} (?:created|added|made|new|registered|signed up)|signs up|registers|appears|joins|is in the system)|(?:an? )?new (?:contact|customer|client|buyer|user)s?$`,
    'contact.created',
  ),
  told(`${TALK}\\b${GAP} ?(?:${IS} reopened|reopens|goes on again)`, 'conversation.reopened'),
  told(`${TALK}\\b${GAP} ?(?:${IS} (?:closed|ended|over|finished)|ends|closes)`, 'conversation.closed'),
  told(
    `${TALK}\\b${GAP} ?(?:${IS} (?:started|opened|begun|created)|starts|begins|opens)|${WHO} (?:starts|begins|opens) ${TALK}|(?:a )?new conversations?\\b`,
    'conversation.started',
  ),
  told(
    `${ASSISTANT} (?:asks for|asks|needs|calls for|wants|requests|calls in|hands (?:it )?over to|passes (?:it )?(?:on )?to|escalates to) (?:an? |the |one of )?(?:human|person|help|operator|colleague|somebody|someone|us|team|staff)(?: (?:for help|being|to take over|to help|to step in))?|${ASSISTANT} (?:escalates|hands over|gives up|(?:cannot|does not know how to|is unable to|fails to) (?:answer|help|reply)(?: (?:it|them|him|her|(?:a |the )?(?:customer|question|message)s?))?|is stuck|does not know(?: (?:what|how) to (?:say|do|answer|reply|respond|help)| the answer| (?:what|how))?)(?: ${TALK})?|(?:an? )?escalations?(?: is requested| (?:from|by|of) (?:the |our )?(?:ai|bot|assistant|chat ?bot))?|${TALK} ${IS} escalated`,
    'ai.escalation_requested',
  ),
  told(`${ASSISTANT} (?:${IS} )?(?:paused|stopped|stops|pauses)`, 'ai.paused'),
  told(`${ASSISTANT} (?:${IS} )?(?:resumed|resumes|back|answers again|goes on)`, 'ai.resumed'),
  told(`(?:an? |the )?proposals?\\b(?: (?:from|by|of) ${ASSISTANT}\\b)?${GAP} ?${IS} (?:approved|accepted)`, 'proposal.decided', [
    { field: 'event.decision', op: 'eq', value: 'approved' },
  ]),
  told(
    `(?:an? |the )?proposals?\\b(?: (?:from|by|of) ${ASSISTANT}\\b)?${GAP} ?${IS} (?:denied|rejected|declined|refused)`,
    'proposal.decided',
    [{ field: 'event.decision', op: 'eq', value: 'denied' }],
  ),
  told(`(?:an? |the )?proposals?\\b(?: (?:from|by|of) ${ASSISTANT}\\b)?${GAP} ?${IS} decided`, 'proposal.decided'),
  told(
    `(?:an? |the )?proposals?\\b(?: (?:from|by|of) ${ASSISTANT}\\b)?${GAP} ?${IS} (?:created|made)|${ASSISTANT} proposes something`,
    'proposal.created',
  ),
  told(
    `(?:an? |the |one of (?:the|our|my) |any of our )?channels?\\b${GAP} ?(?:fails|${IS} failing|stops working|stops sending|breaks|is down|cannot send)`,
    'channel.failing',
  ),
  told(
    `(?:an? |the |one of (?:the|our|my) |any of our )?webhooks?\\b${GAP} ?(?:${IS} (?:disabled|switched off|turned off)|fails|stops)`,
    'webhook.disabled',
  ),
  told(`${MESSAGE}(?=$| (?:about|containing|mentioning|saying|from|via|on) )`, 'message.received'),
  // Orders of which nothing is said but what they are like.
  told(
    `${ORDER} (?:(?:is|are|was|were|has|have|totals?|comes? to|costs?|amounts? to|is for|is worth)(?= (?:over|above|under|below|between|worth|more than|less than|at least|at most|a (?:total|value) (?:over|above|of)) )|(?=exceeds? ))`,
    'order.created',
  ),
  told(`${ORDER}(?:'s)?(?= (?:total|value|amount)\\b)`, 'order.created'),
  told(
    `${ORDER}(?= (?:over|above|under|below|exceeding|worth|of (?:at least|at most|exactly|\\d|more|less|over)|for (?:more|over|at least)|more than|less than|from|to|via|through|with|without|by|(?:comes?|came|coming)(?: in)? (?:from|via|through|with|over|by)|contains?|includes?|has|have|going to|goes to|bound for|destined) )`,
    'order.created',
  ),
]

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
  for (const { pattern, event, conditions = [] } of TRIGGERS) {
    const found = pattern.exec(text)
    if (!found) continue
    // What stands between a thing and what happens to it, and what follows.
    const between = found.slice(1).filter(Boolean).join(' ').trim()
    // "An order is not paid" is no order that is paid.
    if (isNegative(between)) {
      yield undefined
      return
    }
    const read = conditionsOf(
      `${between} ${text.slice(found[0].length)}`,
      event,
      said,
      /\b(?:contains?|mentions?|says?)$/i.test(found[0]) ||
        (/^(?:message|conversation)\./.test(event) && WRITTEN.test(text.slice(found[0].length)))
        ? 'mentions'
        : '',
    )
    if (
      event === 'order.refunded' &&
      /\brefund(?:s|ed)? (?:is |for |of |by |with )?(?:of |over|above|below|under|worth|exceed|more|less|at least|at most)/i.test(words)
    )
      for (const each of read.conditions)
        each.field = each.field
          .replace('event.order.total_amount', 'event.refund.amount')
          .replace('event.order.currency', 'event.refund.currency')
    const narrower = event === 'contact.created' ? undefined : NARROWER.exec(between === '' ? found[0] : found[0].replace(between, ''))?.[0]
    yield { event, conditions: [...conditions, ...read.conditions], left: [narrower, read.left].filter(Boolean).join(' ') }
  }
}
