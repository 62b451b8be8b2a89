// The table of events, each by the ways in which people speak of it.
import type { Condition } from '../../apps/manifest/shape.ts'
import { ASSISTANT } from './names.ts'

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

export interface Trigger {
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
export const TRIGGERS: readonly Trigger[] = [
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
    `${ORDER}\\b${GAP} ?(?:${IS} )?(?:placed|created|made|received|submitted|entered|taken|comes in|come in|came in|comes through|arrives|arrive)|${WHO} (?:places?|makes?|submits?) ${ORDER}|${WHO} (?:orders?|buys?|purchases?|shops?|checks out|spends?)(?: something| anything| from us| with us| in our shop)*\\b|${WHO} (?:(?:has|have) (?:just |already |ever )?)?(?:ordered|bought|purchased|shopped|checked out)(?: something| anything| from us| with us| in our shop)*\\b|(?:there is |we get |we receive )${ORDER}|(?:a )?new orders?\\b`,
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
  told(`${CONTACT} (?:who (?:is|are) )?(?:tagged|labell?ed)(?= )`, 'contact.tagged'),
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
