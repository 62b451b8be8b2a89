// How people speak of what happens, put into the words of the table of triggers: "somebody", "delivery of an order", "paid orders".
import { remembered } from './remembered.ts'

const DETERMINER = '(?:an? |the |every |each |any |all |all the |our |my |some |their |his |her )?'
const SOMEBODY =
  /^(?:(?:any|some|every)(?:one|body)|people|whoever|who|they|he|she|(?:an? |the |our |any |every |each )?(?:new )?(?:shopper|visitor|purchaser|guest|patron|patient|subscriber|member|lead|consumer|end customer|student|pupil|learner|traveller|passenger|diner|donor|parent|player|participant|attendee|rider|reader|tenant|collector|fan)s?)\b/i
const NOUNS: [RegExp, string][] = [
  [new RegExp(`^${DETERMINER}(?:parcel|package|delivery) (?:has arrived|arrives|arrived)\\b`, 'i'), 'an order is delivered'],
  [new RegExp(`^${DETERMINER}(?:charge-?backs?)(?= (?:comes|is|happens|arrives)|$)`, 'i'), 'a payment is disputed'],
  [new RegExp(`^${DETERMINER}(new )?(?:purchase|sale|parcel|package|shipment|delivery|web order|online order)s?\\b`, 'i'), 'an $1order'],
  [new RegExp(`^${DETERMINER}(new )?(?:enquir(?:y|ies)|inquir(?:y|ies)|question|dm|request)s?\\b`, 'i'), 'a $1message'],
  [/^(?:something|anything) (?=(?:is|runs?|gets?|goes|falls)\b.*\b(?:low|short|out|stock)\b)/i, 'a product '],
  [new RegExp(`^${DETERMINER}(new )?(?:items?|articles?|goods|skus?) (?=(?:is|are|runs?|gets?|has|have)\\b)`, 'i'), 'a $1product '],
]
const DONE = 'paid|shipped|dispatched|delivered|cancell?ed|refunded|returned|confirmed|disputed'
/** "the delivery of an order" */
const DEEDS: [RegExp, string][] = [
  [/^(?:deliver(?:y|ies))$/i, 'delivered'],
  [/^(?:shipping|shipments?|dispatch|sending)$/i, 'shipped'],
  [/^(?:payments?|paying)$/i, 'paid'],
  [/^cancell?ations?$/i, 'cancelled'],
  [/^refunds?$/i, 'refunded'],
  [/^returns?$/i, 'returned'],
  [/^confirmations?$/i, 'confirmed'],
  [/^(?:receipt|placement|placing|creation)$/i, 'placed'],
]
const DEED =
  'delivery|deliveries|shipping|shipment|dispatch|payment|cancell?ation|refund|return|confirmation|receipt|placement|placing|creation'

const CONTRACTIONS: [RegExp, string][] = [
  [/(?<=\w)'s (?=been\b)/gi, ' has '],
  [/\bcan't\b/gi, 'cannot'],
  [/\bwon't\b/gi, 'will not'],
  [/(?<=\w)n't\b/gi, ' not'],
  [/\b(it|he|she|there|that|who|bot|assistant|stock|product|order)'s (?=\w+(?:ed|en|ing|id)\b|low|out|new|running|not)/gi, '$1 is'],
  [/(?<=\w)'ve\b/gi, ' have'],
  [/(?<=\w)'re\b/gi, ' are'],
]

export const asOccasion = remembered((words: string): string => {
  let text = words
    .trim()
    .replace(/^(?:(?:whenever|when|if|once|as soon as|that|there (?:is|are|comes|was)|we (?:get|receive|have)|i (?:get|receive)) )+/i, '')
    .replace(/^us (?=\w)/i, '')
    .replace(/,? (?:too|as well)$/i, '')
    .replace(/^(?:its|their) (?=status (?:changes|becomes|is|turns|goes)\b)/i, 'an order ')
    .replace(/\b((?:order|purchase|message|payment|parcel)s?) of (?:theirs|his|hers|ours|mine)\b/i, '$1')
  for (const [pattern, full] of CONTRACTIONS) text = text.replace(pattern, full)
  text = text
    .replace(
      /^(?:an? |the |every |all |any )?(?:customers?|people|buyers?|clients?|contacts?|anyone|everyone|everybody) whose ((?:paid |shipped |new |cancelled |refunded |delivered )?(?:order|message|payment|conversation|chat))s? /i,
      'an $1 ',
    )
    .replace(SOMEBODY, 'a customer')
    .replace(DOING_TO, (all, verb: string, rest: string) => {
      const done = DONE_TO.find(([pattern]) => pattern.test(verb))?.[1]
      return done === undefined ? all : `an order${rest} is ${done}`
    })
    .replace(DOING, (_all, who: string, verb: string) => `${who} ${finite(verb)}`)
    .replace(ON_PLATFORM, '$<a>$<noun> on $<platform>')
    // "a customer who is tagged vip writes", "an order that costs more than 80 is paid"
    .replace(
      /^((?:an? |the |every |each |any |all )?(?:customers?|clients?|buyers?|contacts?) (?:tagged|labell?ed|with|from) [^,]{1,40}?),? (?:who|that|which) /i,
      '$1 ',
    )
    .replace(
      /^((?:an? |the |every |each |any |all )?(?:new )?(?:customers?|clients?|buyers?|contacts?|orders?)),? (?:who|that|which) (?:is|are|was|were|has been|have been) (?=tagged|labell?ed)/i,
      '$1 ',
    )
    .replace(/^((?:an? |the |each |every |any |all )?(?:new )?\S+) (?:who|that|which) (?=\S)/i, '$1 ')
  text = text
    .replace(
      /^(?:an? |the |our |any )?(?:new )?(?:customer|client|buyer|shopper)s?'s? (?=message|order|chat|conversation|payment|parcel)/i,
      'a ',
    )
    .replace(
      new RegExp(`^${DETERMINER}orders? (${DONE})(?=$| (?:to|in|from|by|with|via|over|above|under|below|of|for|through)\\b)`, 'i'),
      'an order is $1',
    )
    // "paid orders over 50" are orders over 50 that are paid
    .replace(new RegExp(`^${DETERMINER}(?:newly |just )?(${DONE}) (order|payment)s?\\b`, 'i'), 'an $2 is $1')
    .replace(
      new RegExp(`^${DETERMINER}(${DEED})s?(?: (?:of|for|on) ${DETERMINER}(?:orders?|purchases?|parcels?|packages?))(?![\\w'])`, 'i'),
      (all, deed: string) => orderDone(deed) ?? all,
    )
    .replace(new RegExp(`^${DETERMINER}orders?(?:'s)? (${DEED})\\b`, 'i'), (all, deed: string) => orderDone(deed) ?? all)
    .replace(
      /^(?:every |each |any |all )?(?:new )?(refund|return|cancell?ation)s?(?=$| (?:over|above|of|below|under|to|in|from|because)\b)/i,
      (all, deed: string) => orderDone(deed) ?? all,
    )
  text = text.replace(/^(?:an? |the |any )?(?:product|item|article)s?'s? stock\b/i, 'the stock')
  text = text.replace(
    /^(?:the )?(?:total|value|amount|sum)(?: amount| value)? of (?:an? |the |any |each |every )?(?:new |placed )?orders?\b/i,
    'an order total',
  )
  text = text.replace(new RegExp(`^(?:the |full )?(${DEED})$`, 'i'), (all, deed: string) => orderDone(deed) ?? all)
  for (const [pattern, noun] of NOUNS) text = text.replace(pattern, noun)
  return text
    .replace(/^(?:every|each|any|all(?: the)?|some) (?=\w)/i, 'a ')
    .replace(/\s+/g, ' ')
    .trim()
})

/** "after refunding an order over 50": a deed that is done to an order. */
const DOING_TO =
  /^(?:having )?((?:refund|reimburs|cancel|ship|dispatch|send|deliver|confirm|return|plac|pay|receiv)\w*ing)(?: out| for)? (?:an? |the |any |every |each |their |our )?(?:order|purchase|parcel)s?((?: (?:of|over|above|under|below|to|from|with) .{1,60})?)$/i
const DONE_TO: [RegExp, string][] = [
  [/^(?:refund|reimburs)/i, 'refunded'],
  [/^cancel/i, 'cancelled'],
  [/^(?:ship|dispatch|send)/i, 'shipped'],
  [/^deliver/i, 'delivered'],
  [/^confirm/i, 'confirmed'],
  [/^return/i, 'returned'],
  [/^(?:plac|receiv)/i, 'placed'],
  [/^pay/i, 'paid'],
]

/** "a customer writing …", "people asking for …" */
const DOING =
  /^((?:an? |the |every |each |any |all )?(?:new )?(?:customer|client|buyer|contact)s?) (writ|ask|buy|pay|order|spend|mention|messag|say|cancel|return|start|complain|join|sign|purchas|contact)l?ing\b/i
const finite = (stem: string): string => (/^(?:writ|messag|purchas)$/i.test(stem) ? `${stem}es` : `${stem}s`)
/** "a WhatsApp message": by which channel it comes is said of it. */
const ON_PLATFORM =
  /^(?<a>(?:an? |the |every |each |any |all )?(?:new )?)(?<platform>web|telegram|whatsapp|instagram|facebook|viber|e-?mail) (?<noun>(?:message|chat|conversation|dm|text)s?)\b/i

/** "payment" → "paid" */
export const asDone = (deed: string): string | undefined => DEEDS.find(([pattern]) => pattern.test(deed))?.[1]

function orderDone(deed: string): string | undefined {
  const done = asDone(deed)
  return done && `an order is ${done}`
}
