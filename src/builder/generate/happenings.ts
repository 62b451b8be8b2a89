// What happens to what, whichever way it is said: "an order is paid", "a customer has settled an order", "payment of an order", "paid orders", "the money comes in".
// One grammar of voices is laid over one list of deeds; what is read is put as "an order … is paid", which the table of triggers knows.
import { inDigits } from './counts.ts'
import { OTHERS, type Reading } from './other-happenings.ts'

interface Deed {
  /** What it is done to. */
  thing: keyof typeof THINGS
  /** Its verb in the forms that stand behind "we" and "a customer". */
  verb: string
  /** Its participle: "is paid", "paid orders". */
  done: string
  /** What the thing does by itself: "an order ships". */
  itself?: string
  /** Its noun: "payment". */
  noun?: string
  /** As the table of triggers knows it. */
  as: string
}

/** What they are called. */
const THINGS = {
  order: '(?:orders?|purchases?|sales?|parcels?|packages?|shipments?|deliver(?:y|ies)|bookings?)',
  payment: 'payments?',
  product: '(?:products?|items?|articles?|goods|skus?|things?)',
  contact: '(?:contacts?|customers?|clients?|buyers?|people|persons?|users?|shoppers?|visitors?|members?|guests?)',
  message: '(?:messages?|enquir(?:y|ies)|inquir(?:y|ies)|questions?|dms?|texts?)',
  conversation: '(?:conversations?|chats?|talks?)',
}
const DEEDS: Deed[] = [
  {
    thing: 'order',
    verb: '(?:pays?|paid|settles?|settled|completes? payment|completed payment|(?:get|gets|got) paid|receives? (?:the )?(?:payment|money))(?: for| of)?',
    done: '(?:paid(?: for)?|settled|paid up)',
    noun: '(?:(?:completed |successful )?payments?|(?:the )?money)',
    itself: '(?:goes|went|gone) through payment',
    as: 'paid',
  },
  {
    thing: 'order',
    verb: '(?:ships?|shipped|dispatch(?:es|ed)?|sends?(?: out| off)?|sent(?: out| off)?|posts?|posted|hands? over|handed over)',
    done: '(?:shipped|dispatched|sent(?: out| off| away)?|posted|on (?:its|the|their) way|underway|handed (?:over )?to (?:the |a )?(?:carrier|courier|post|post office|delivery service|driver)|out for delivery)',
    itself:
      '(?:ships?|leaves?|left|(?:goes|go|gone|went) out|departs?|departed)(?: (?:the|our) (?:warehouse|shop|house|store|building|door)| us)?(?: the door)?',
    noun: '(?:shipments?|shipping|dispatch(?:es)?)',
    as: 'shipped',
  },
  {
    thing: 'order',
    verb: '(?:receives?|received|gets?|got|takes? delivery of)',
    done: '(?:delivered)',
    noun: 'deliver(?:y|ies)',
    as: 'delivered',
  },
  {
    thing: 'order',
    verb: '(?:cancels?|cancell?ed|calls? off|called off)',
    done: '(?:cancell?ed|called off)',
    noun: 'cancell?ations?',
    as: 'cancelled',
  },
  {
    thing: 'order',
    verb: '(?:refunds?|refunded|pays? back|paid back|reimburses?|reimbursed)',
    done: '(?:refunded|paid back|reimbursed)',
    noun: '(?:full |partial )?(?:refunds?|reimbursements?)',
    as: 'refunded',
  },
  {
    thing: 'order',
    verb: '(?:returns?|returned|sends? back|sent back)',
    done: '(?:returned|sent back)',
    noun: 'returns?',
    itself: '(?:comes?|came) back',
    as: 'returned',
  },
  { thing: 'order', verb: '(?:confirms?|confirmed)', done: 'confirmed', noun: 'confirmations?', as: 'confirmed' },
  {
    thing: 'order',
    verb: '(?:plac(?:es?|ed)|puts? in|makes?|made|submits?|submitted|creates?|created|enters?|entered)',
    done: '(?:placed|put in|made|submitted|created|entered|received)',
    itself: '(?:comes?|came|come) in|arrives?|arrived|lands?|landed|happens?|happened',
    as: 'placed',
  },
  {
    thing: 'product',
    verb: '(?:adds?|added|creates?|created|lists?|listed|launch(?:es|ed)?|introduces?|introduced|publish(?:es|ed)?|uploads?|uploaded|puts? (?:up|in|on sale))',
    done: '(?:added|created|listed|launched|introduced|published|uploaded|put (?:up|on sale|online|into the (?:shop|store|catalogue))|new)',
    itself: '(?:appears?|appeared|arrives?|arrived|comes? in)',
    as: 'created',
  },
  {
    thing: 'product',
    verb: '(?:updates?|updated|changes?|changed|edits?|edited|archives?|archived)',
    done: '(?:updated|changed|edited|archived)',
    as: 'updated',
  },
  {
    thing: 'contact',
    verb: '(?:adds?|added|creates?|created|saves?|saved|registers?|registered|gets? a new|wins?|gains?)',
    done: '(?:added|created|saved|registered|signed up|entered|new)',
    itself:
      '(?:signs?|signed) up|registers?|registered|joins?|joined|(?:creates?|opens?|makes?) an account|appears?|(?:comes?|came) in|arrives?',
    noun: '(?:new )?(?:registrations?|sign-?ups?)',
    as: 'created',
  },
  { thing: 'contact', verb: '(?:tags?|tagged|labels?|labell?ed)', done: '(?:tagged|labell?ed)', as: 'tagged' },
  {
    thing: 'conversation',
    verb: '(?:starts?|started|opens?|opened|begins?|began|begun)',
    done: '(?:started|opened|begun|new)',
    itself: 'starts?|started|begins?|began|opens?|(?:comes?|came) in|arrives?',
    as: 'started',
  },
  {
    thing: 'conversation',
    verb: '(?:closes?|closed|ends?|ended|finish(?:es|ed)?)',
    done: '(?:closed|ended|finished|over|done)',
    itself: 'closes?|ends?|ended|finish(?:es|ed)?|comes? to an end',
    noun: 'end',
    as: 'closed',
  },
  { thing: 'conversation', verb: '(?:reopens?|reopened)', done: 'reopened', itself: 'reopens?|continues|goes on', as: 'reopened' },
  {
    thing: 'payment',
    verb: '(?:disputes?|disputed|contests?|contested|charges? back)',
    done: '(?:disputed|contested|charged back)',
    noun: '(?:(?:payment )?disputes?|charge-?backs?)',
    as: 'disputed',
  },
]

const US = '(?:we|i|someone|somebody|staff|an? (?:operator|colleague|admin|employee)|the (?:team|shop|staff|admin)|an? order)'
const ANYBODY = `(?:${US}|(?:an? |the |any |every |each |our |some )?(?:${THINGS.contact})|anyone|anybody|everyone|everybody|they|he|she|whoever)`
const DET = '(?:an? |the |our |my |your |their |his |her |its |any |every |each |all |all the |some )?'
const HAVE = '(?:(?:has|have|had|will|just|also|successfully|finally|newly|already) )*'
const BE = '(?:(?:is|are|was|were|be|been|being|gets?|got|has|have|had|becomes?|just|newly|successfully|finally) )+'
/** What a noun of a deed does: "a refund is made", "a cancellation comes in". */
const TAKES_PLACE =
  '(?: (?:(?:has|have|is|are|was|were|gets?|been|being|just|successfully) )*(?:made|issued|given|done|completed?|completes|received|requested|opened|filed|raised|happens?|happened|comes? in|came in|come in|arrives?|arrived|goes (?:out|through)|gone (?:out|through)|go (?:out|through)|succeeds?|succeeded|clears?|cleared|takes? place|registered|confirmed|processed))?'

/** The voices in which a deed is told; $q is what is said of the thing, and $r what follows. */
const readingsOf = ({ thing: of, verb, done, itself, noun, as }: Deed): Reading[] => {
  const thing = THINGS[of]
  const is = `${of} $q is ${as} $r`
  return [
    // "a customer has paid for their big order"
    [new RegExp(`^${ANYBODY} ${HAVE}${verb} ${DET}(?<n>new |big |large |first )*${thing}(?<r>(?: .*)?)$`, 'i'), is],
    [
      new RegExp(
        `^${DET}(?<n>new |big |large |first )*${thing}(?<q>(?: (?:of|over|above|under|below|to|from|with|that|which|who|via|worth)\\b.{0,70}?)?) ${BE}${done}(?: by ${ANYBODY})?(?<r>(?: .*)?)$`,
        'i',
      ),
      is,
    ],
    [new RegExp(`^${DET}(?:new(?:ly)? )?(?:${done}|${as}) (?:new )?${thing}(?<r>(?: .*)?)$`, 'i'), is],
    ...(itself
      ? ([
          [
            new RegExp(
              `^${DET}(?<n>new |big |large |first )*${thing}(?<q>(?: (?:of|over|above|under|below|to|from|with|worth)\\b.{0,70}?)?) (?:(?:that|which|who) )?${HAVE}(?:${itself})(?<r>(?: .*)?)$`,
              'i',
            ),
            is,
          ],
        ] as Reading[])
      : []),
    ...(noun
      ? ([
          [
            new RegExp(
              `^${DET}(?:new )?${noun}(?: (?:of|for|on|by|to) ${DET}(?:${thing}|${THINGS.contact}))?(?<q>)${TAKES_PLACE}(?<r>(?: .*)?)$`,
              'i',
            ),
            is,
          ],
          [new RegExp(`^${DET}(?:${thing}|${THINGS.contact})(?:'s|s')? ${noun}${TAKES_PLACE}(?<r>(?: .*)?)$`, 'i'), is],
          [
            new RegExp(
              `^${ANYBODY} ${HAVE}(?:gets?|got|receives?|received|makes?|made|issues?|issued|gives?|gave|given|have|has|requests?|requested|complet(?:es?|ed)|files?|opens?) (?:${ANYBODY} )?${DET}${noun}(?: (?:of|for|on|from|to|by) ${DET}(?:${thing}|${THINGS.contact}))?(?<r>(?: .*)?)$`,
              'i',
            ),
            is,
          ],
        ] as Reading[])
      : []),
  ]
}

const READINGS: Reading[] = [...OTHERS, ...DEEDS.flatMap(readingsOf)]

/** @returns the words as the table of triggers knows them, for each way in which they may be meant */
export function* happeningsIn(words: string): Generator<string> {
  const text = inDigits(words)
    .digits.replace(/\b(?:one of )?(?:our|their|his|her|its) (?=(?:orders?|purchases?)\b)/i, 'the ')
    .replace(/\s+/g, ' ')
    .trim()
  for (const [pattern, as] of READINGS) {
    const found = pattern.exec(text)
    if (!found) continue
    const { q = '', r = '', n = '' } = found.groups ?? {}
    // "the first order" is narrower, and told so.
    yield `a ${/^new ?$/i.test(n) ? '' : n}${as}`
      .replace(/^a (?=an? |the )/, '')
      .replace('$q', q.trim())
      .replace('$r', r.trim())
      .replace(/\s+/g, ' ')
      .trim()
  }
}
