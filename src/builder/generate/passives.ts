// What is done to a subject, as what is done with it: "orders over 50 must be flagged to the team".
import { URL_MARK } from './sentences.ts'

const MUST = '(?: (?:should|must|shall|will|ought to|needs? to|has to|have to|is to|are to|can|always|also|automatically))*'
/** What is done to a subject, as what is done with it. */
export const PASSIVES: readonly [RegExp, string][] = [
  // "Denied proposals should alert the team", "a low stock has to trigger a warning"
  [
    / (?:(?:(?:should|must|shall|will|has to|have to|needs? to|ought to)(?: always| also| automatically)* )?(?:trigger|cause|raise|lead to|result in|produce|give)s?|means?)(?: an?)? (?=(?:warning|alert|notification|notice|message|note|heads-up)\b(?! (?:«|to |for )))/i,
    'send the team a ',
  ],
  // "An order from Norway triggers a note to the team"
  [
    / (?:(?:should|must|shall|will|has to|have to|needs? to|ought to)(?: always| also| automatically)* )?(?:triggers?|causes?|leads? to|results? in|sets? off) (?=an? |the )/i,
    '',
  ],
  [
    / (?:should|must|shall|has to|have to|needs? to|ought to)(?: always| also| automatically)* (?=(?:alert|notify|warn|inform|ping|tell) (?:the |our |my )?(?:team|staff|admins?|us|me|owner|support|manager)\b)/i,
    '',
  ],
  [new RegExp(`${MUST} (?:be |gets? )?(?:tagged|labell?ed|marked|flagged)(?! to\\b)(?: as| with)? `, 'i'), 'tag them '],
  [new RegExp(`${MUST} (?:get|gets|receive|receives|be given|are given)(?: an?| the)? tag `, 'i'), 'tag them '],
  [
    new RegExp(
      `${MUST} (?:be |are |is )?(?:flagged|reported|announced|shown|escalated|passed on|forwarded|notified|mentioned|signalled|signaled|made known|brought to the attention of) (?:to )?(?=(?:the |our |my )?(?:team|staff|admins?|us|me|owner|support)\\b)`,
      'i',
    ),
    'notify ',
  ],
  [new RegExp(`${MUST} (?:go|goes) to (?=(?:the |our |my )?(?:team|staff|admins?|us|me|owner|support|manager)\\b)`, 'i'), 'notify '],
  [new RegExp(`${MUST} (?:be |are |is )?(?:sent|posted|forwarded|pushed|reported|exported) to (?=${URL_MARK})`, 'i'), 'call '],
  [
    new RegExp(`${MUST} (?:get|gets|receive|receives|be sent|are sent|be shown|hear)(?: an?| the| our)?(?: \\w+){0,3} (?=«)`, 'i'),
    'send them ',
  ],
  [new RegExp(`${MUST} (?:get|gets|receive|receives|be sent|are sent) (?=«)`, 'i'), 'send them '],
  [
    new RegExp(
      `${MUST} (?:be |are |get )(?:greeted|welcomed|thanked|answered|messaged|written to|told|asked|reminded|sent)(?: with| by| as follows)?:? (?=«)`,
      'i',
    ),
    'send them ',
  ],
]
