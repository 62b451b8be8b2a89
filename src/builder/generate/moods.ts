// Who wishes, allows or demands something, and whether it is told as done or as being done, says nothing of what is wanted: "we would like the price to be
// required", "it should be possible to …", "the deposit is to be removed" are one sentence each with "should", "may", "must not" or an order.
import { ASSISTANT } from './names.ts'
import type { Rule } from './plain-verbs.ts'

const THING = '(?!(?:you|it|to|the app|this app|an app|somewhere|something|a place|a way)\\b)[^,:;«‹]{2,60}?'
const ALLOWED = '(?:able|allowed|permitted|entitled|free|enabled|authori[sz]ed)'
const NOT = "(?:n't| not| no longer| never)"
const TEAM = '(?:the |our |my )?(?:team|staff|admins?|colleagues)'
const CUSTOMER = '(?:the |our |each |every )?(?:customer|client|buyer|contact)s?'
const TOLD = '(?:told|notified|informed|alerted|warned|pinged|messaged)'

/** What may be, and what need not. */
const MODALS: Rule[] = [
  [
    new RegExp(
      `^(?:(?:it )?(?:should|must|shall|would|could|can|may|might|has to|needs to|is to|will) (?:also |now |then )?be possible|(?:make|it is) (?:it )?possible|(?:would|could|is|will) it be possible) for (${THING}) to (?=\\w)`,
      'i',
    ),
    '$1 may ',
  ],
  [
    new RegExp(`^it (?:should|must|shall|may|can|is|will)${NOT} (?:any more )?(?:be )?possible for (${THING}) to (?=\\w)`, 'i'),
    '$1 must not ',
  ],
  [new RegExp(`^(?:do not|don't|never) (?:let|allow) (${ASSISTANT}) (?:to )?(?=\\w)`, 'i'), '$1 must not '],
  [
    new RegExp(
      `^(?:the following|this|it) (?:should|must|has to|is to|needs to) (?:also )?be (?:known|told|clear) (?:to|by) ${ASSISTANT}(?::| that) `,
      'i',
    ),
    'the assistant should know that ',
  ],
  [
    new RegExp(
      `\\b(?:(?:should|must|may|can|could|shall|is|are|will|ought)${NOT}|cannot|can ?not|(?:may|must|should|is|are) no longer)(?: to)?(?: be)? ${ALLOWED} to (?=\\w)`,
      'gi',
    ),
    'must not ',
  ],
  [
    new RegExp(
      `\\b(?:(?:should|must|shall|may|can|could|will|needs? to|has to|have to|ought to|is to|are to) (?:also )?be|is|are) ${ALLOWED} to (?=\\w)`,
      'gi',
    ),
    'may ',
  ],
  [new RegExp(`\\b(?:do|does)${NOT} (?:need|have) to be (?:required|mandatory|compulsory|obligatory)\\b`, 'gi'), 'is not required'],
  [
    /\b(?:should|must|shall|may|will|need)(?:n't| not| no longer| never)(?: any ?more)? be (?:required|mandatory|compulsory|obligatory|needed)\b/gi,
    'is not required',
  ],
  [/\bneed(?:s|n't| not|s not)? be (?:required|mandatory|compulsory|obligatory)\b/gi, 'is not required'],
]

/** Who wishes it. */
const WISHES: Rule[] = [
  [/^(?:i|we)(?: would|'d)?(?: also| really)? (?:like|want|wish|prefer|need|love) (?:it )?(?:that|if) (?=\w)/i, ''],
  [
    new RegExp(
      `^(?:i|we|the team|our team|the shop|our shop)(?: would|'d)?(?: also| really| now| just)? (?:like|love|want|wants|need|needs|prefer|wish|expect) (?:for )?(${THING})(?: also)? (?:to (?=\\w)|(?=(?:required|mandatory|optional|shown|listed|displayed|hidden|removed|deleted|renamed|kept|stored)\\b))`,
      'i',
    ),
    '$1 should ',
  ],
  [/^(?:let|have|make) ((?:the |our |an? |each |every |all )?[^,:;«‹]{2,60}?) be (?=\S)/i, '$1 should be '],
  [
    /^(?:our|the|my) (?:shop|store|company|business|app|system) (?:needs to|has to|should|must|wants to|would like to|is to|ought to|shall|will) (?!be\b|have\b|get\b|know\b)(?=\w)/i,
    '',
  ],
]

/** What is not done to them any longer, as an order not to do it. */
const UNDONE: Rule[] = [
  [
    new RegExp(
      `^(${TEAM}) (?:(?:should|must|shall|may|is to|need|does|do|has to)${NOT}|needs? not|no longer needs?|no longer has)(?: (?:have|need))?(?: to)? be ${TOLD}\\b`,
      'i',
    ),
    'do not notify $1',
  ],
  [
    new RegExp(
      `^(?<who>${CUSTOMER}) (?:(?:should|must|shall|may|are to|is to|need|do|does)${NOT}|no longer needs?)(?: (?:have|need))?(?: to)? be (?:tagged|labell?ed)\\b`,
      'i',
    ),
    'do not tag $<who>',
  ],
  [
    /^no (?<what>message|notification|notice|tag|warning|reminder) (?:should|must|shall|is to|has to|needs to|may) be (?:sent|given|added|shown|made|set)\b(?: (?:any ?more|any longer))?/i,
    'do not send a $<what>',
  ],
]

/** "Paid orders should not notify the team": of the flow that does. */
const UNDONE_BY: Rule[] = [
  [
    new RegExp(
      `^(?<flow>[\\p{L} -]{3,40}?) (?:should|must|shall|may|need)${NOT} (?<deed>notify|warn|tell|inform|message|tag) (?<whom>${TEAM}|us|${CUSTOMER}|them)(?: any ?more| any longer)?$`,
      'iu',
    ),
    'do not $<deed> $<whom> about $<flow>',
  ],
]

const WILL_BE =
  '(?:(?:should|must|shall|may|can|could|has to|have to|needs? to|is to|are to|ought to|will)(?: now| also| then| rather)* be|(?:is|are) to be)'
const WILL_NOT_BE = `(?:(?:should|must|shall|may|can|could|need|is|are|do|does)${NOT}(?: (?:have|need))?(?: to)?(?: be)?)`
/** Participles of what is done with the parts of an app, and the orders for it. */
const DONE: [string, string][] = [
  ['(?:removed|deleted|dropped|erased|scrapped|thrown out|thrown away|taken out|taken away)', 'remove'],
  ['(?:renamed|re-?named)(?= (?:to|into|as)\\b)', 'rename'],
  ['(?:shown|displayed|listed|visible|put|placed)(?= (?:in|on|under|as|below|at)\\b)', 'show'],
  ['(?:moved|shifted)(?= to\\b)', 'move'],
  ['(?:linked|connected|tied|attached)(?= (?:to|with)\\b)', 'link'],
  ['(?:disabled|deactivated|paused|switched off|turned off)', 'disable'],
  ['(?:enabled|activated|switched on|turned on)', 'enable'],
  ['(?:replaced|swapped|exchanged)(?= (?:by|with|for)\\b)', 'replace'],
  ['(?:changed)(?= (?:to|into|from)\\b)', 'change'],
  ['(?:added)(?= to\\b)', 'add'],
  ['(?:taken|left) out(?= of\\b)', 'remove'],
  ['(?:shortened|cut)(?= to\\b)', 'shorten'],
  ['(?:extended|prolonged)(?= to\\b)', 'extend'],
  ['(?:raised|increased)(?= (?:to|from)\\b)', 'raise'],
  ['(?:lowered|reduced|decreased)(?= (?:to|from)\\b)', 'lower'],
]
const PASSIVES: Rule[] = DONE.flatMap(([done, verb]): Rule[] => [
  [
    new RegExp(`^((?:the |an? |our |all |each )?(?:[^,:;‹()]|\\([^()]*\\)){2,120}?) ${WILL_NOT_BE} ${done}(.*)$`, 'i'),
    `do not ${verb} $1$2`,
  ],
  [new RegExp(`^((?:the |an? |our |all |each )?(?:[^,:;‹()]|\\([^()]*\\)){2,120}?) ${WILL_BE} ${done}(.*)$`, 'i'), `${verb} $1$2`],
])

/** "… should be spelled «called off»" */
const CALLED: Rule[] = [
  [
    new RegExp(`^((?:the |an? |our )?[^,:;‹]{2,80}?) ${WILL_BE} (?:spelled|spelt|written|worded|called|named|labelled) (?=«)`, 'i'),
    'rename $1 to ',
  ],
]

/** "Points are kept per customer" */
const KEPT: Rule[] = [
  // "Lessons with a date and a teacher should be kept for each customer"
  [
    new RegExp(
      `^((?:the |our |all )?[\\p{L}][\\p{L} -]{1,40}?)((?:,? with| \\(|: )[^«‹]{3,300}?),? ${WILL_BE} (?:kept|stored|recorded|saved|tracked|collected|logged)((?: (?:for|per|with|under) (?:each|every|all|any|the|our) [^,:]{3,40})?)$`,
      'iu',
    ),
    'keep $1$3$2',
  ],
  [
    new RegExp(
      `^((?:the |our |all |an? )?[\\p{L}][\\p{L} -]{1,40}?) (?:are|is|${WILL_BE}) (?:kept|stored|recorded|saved|tracked|collected|logged) (?=(?:for|per|with|under) |\\()`,
      'iu',
    ),
    'keep $1 ',
  ],
]

export const MOODS: Rule[] = [...MODALS, ...WISHES, ...UNDONE, ...UNDONE_BY, ...CALLED, ...KEPT, ...PASSIVES]
