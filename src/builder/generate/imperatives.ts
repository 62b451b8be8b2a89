// What is asked of a thing, as an order to do it: "the customer is to be tagged as patron" is "tag them patron". Orders are what the readers of steps know.
import { DURATION } from './durations.ts'
import { remembered } from './remembered.ts'
import { PEOPLE, TEAM } from './sayings.ts'
import { QUOTE, URL_MARK } from './sentences.ts'

const ADVERB = '(?: (?:also|always|then|automatically|immediately|please|just|simply|only|directly|promptly|at once))*'
const MODAL = `(?:(?:should|must|shall|will|would|can|could|may|ought to|needs? to|has to|have to|is to|are to|is supposed to|are supposed to|wants? to|to)${ADVERB} )`
/** "be", "get", "is", with or without a modal verb before it. */
const BE = `(?:${MODAL}?(?:be|get|been|is|are|was|were|gets|being)${ADVERB} )`
const A = '(?:an? |the |one |another |some |our )?(?:new |short |quick |little |friendly |internal )*'
const NOTICE = '(?:notification|notice|note|alert|message|heads[- ]up|e-?mail|mail|ping|word|info)'
const THEM = `(?:${PEOPLE}|they|he|she|customers|clients|buyers)`
const SUBJECT = `(?:${PEOPLE}|they|he|she|customers|clients|buyers)(?:'s)?`
const US = `(?:${TEAM}|we|i|somebody on the team|someone on the team|someone (?:from|in|of) (?:the|our) team)`
const SOMETHING = "[\\p{L}](?:(?! (?:an?|the|is|are) )[\\p{L}\\d' -]){1,40}?(?: (?:with|of|for) [^.;]{1,120}?)?"

const order = (pattern: string, order: string): [RegExp, string] => [new RegExp(`^${pattern}`, 'iu'), order]

const TAG = '(?:tag|label)'
const VALUE = `(${QUOTE}|(?!(?:and|to|on|as|for|the|a|an|tag|label)\\b)[\\w-]+)`
const PUT = '(?:add|put|set|apply|attach|assign|stick|give|place|pin)'
const PLACED = '(?:put|added|set|applied|attached|given|assigned|placed|stuck)'
const ON_THEM = `(?: (?:to|on|onto|for) ${THEM}(?:'s? (?:contact|profile|card|record))?)`
const ENDS = '(?=$|[,. ])'
const TAGS: [RegExp, string][] = [
  // "give them the tag vip", "add a vip tag to the customer", "put vip on the customer's tags"
  order(`${PUT}(?: ${THEM})? (?:the |an? )?(?:new )?${TAG}:? (?:called |named )?${VALUE}${ON_THEM}?${ENDS}`, 'tag them $1'),
  order(`${PUT}(?: ${THEM})? (?:the |an? )?${VALUE} ${TAG}${ON_THEM}?${ENDS}`, 'tag them $1'),
  order(`${PUT} ${VALUE} as (?:an? |the )?${TAG}${ON_THEM}?${ENDS}`, 'tag them $1'),
  order(`${PUT} ${VALUE} (?:to|on|among) (?:${THEM}'?s? ${TAG}s|the ${TAG}s(?: of ${THEM})?)${ENDS}`, 'tag them $1'),
  // "the customer should get tagged as vip", "have them labelled vip"
  order(
    `(?:have |get |make sure (?:that )?|see that )?${SUBJECT} (?:(?:${MODAL})?(?:be|get|gets|is|are|been)${ADVERB} )?(?:tagged|labell?ed|marked|flagged)(?: (?:as|with))?(?: the ${TAG})?(?: an?)? `,
    'tag them ',
  ),
  order(
    `(?:have |make sure (?:that )?)?${THEM} ${MODAL}?(?:gets?|receives?|be given|is given|are given|have|has|carr(?:y|ies)|bears?)(?: an?| the) ${TAG}(?: called| named| of)? `,
    'tag them ',
  ),
  order(
    `(?:have |make sure (?:that )?)?${THEM} ${MODAL}?(?:gets?|receives?|be given|is given|are given|have|has)(?: an?| the)? ${VALUE} ${TAG}${ENDS}`,
    'tag them $1',
  ),
  order(`(?:the |an? )?${TAG} (?:called |named )?${VALUE} (?:${BE}|gets )?${PLACED}${ON_THEM}?${ENDS}`, 'tag them $1'),
  order(`(?:mark|put|note|label) ${THEM} down as (?:an? )?`, 'tag them '),
  order(`${THEM} (?:${MODAL}become|becomes?)(?: an?)? (?=«)`, 'tag them '),
  order(`(?:assign|add|set) (?:to )?${THEM} (?=«\\d+»(?:$|[,. ]))`, 'tag them '),
  order(`${TAG}: ?(?=${VALUE})`, 'tag them '),
  order(`the ${TAG} ${VALUE}$`, 'tag them $1'),
]

const ORDERS: [RegExp, string][] = [
  // The team is told: "the team is warned", "have the team warned".
  order(`(?:have|get) ${US} (?:warned|alerted as a warning)\\b`, 'warn the team'),
  order(`(?:have|get) ${US} (?:told|notified|informed|alerted|pinged|messaged|e-?mailed)\\b`, 'notify the team'),
  order(`${US} ${BE}(?:warned|alerted as a warning)\\b`, 'warn the team'),
  order(`${US} ${BE}(?:told|notified|informed|alerted|pinged|messaged|e-?mailed|made aware)\\b`, 'notify the team'),
  order(
    `${US} ${MODAL}?(?:gets?|receives?|hears?|sees?|know|knows|be aware|find out|finds out|learns?)(?: (?:about|of) (?:it|this|that))?(?: an?| the)?(?: ${NOTICE})?\\b(?! «)`,
    'notify the team',
  ),
  order(`${US} ${MODAL}?(?:gets?|receives?)(?: an?| the)? warning\\b`, 'warn the team'),
  order(
    `(?:send|raise|create|trigger|show|give|issue|make|post)(?: ${TEAM})? ${A}(?:warning|warning notification)(?: (?:to|for) ${TEAM})?\\b`,
    'warn the team',
  ),
  order(
    `(?:(?:raise|create|trigger|give|issue|make|post)(?: (?:to |for )?${TEAM})?|(?:drop|shoot) (?:to |for )?${TEAM}) ${A}(?:line|${NOTICE})(?: (?:to|for) ${TEAM})?\\b(?! «)`,
    'notify the team',
  ),
  order(`(?:send) ${A}${NOTICE} (?:to|for) ${TEAM}\\b`, 'notify the team'),
  order(`(?:send) ${TEAM} ${A}${NOTICE}\\b`, 'notify the team'),
  order(`${A}(?:warning)(?: (?:${BE}|${MODAL})?(?:goes|go|sent|shown|given|raised)(?: out)?)? (?:to|for) ${TEAM}\\b`, 'warn the team'),
  order(
    `${A}${NOTICE}(?: ${MODAL}?(?:goes|go|comes|be sent|be shown|is sent|gets sent)(?: out)?)? (?:to|for) ${TEAM}\\b`,
    'notify the team',
  ),
  order(
    `(?:show|report|forward|pass|tell|give|send) ((?:the|its|their|his|her) (?!(?:team|customer|buyer|client|contact)s?\\b|(?:${NOTICE})\\b|«)[\\p{L}' ,-]{2,60}?)(?: on)? to ${TEAM}(?=$|[,.])`,
    'notify the team with $1',
  ),
  order(`(?:show|display|put up) (?:${TEAM} )?${A}${NOTICE} (?:to|for) ${TEAM}\\b`, 'notify the team'),
  order(`(?:send|give) out ${A}warning(?: (?:to|for) ${TEAM})?\\b`, 'warn the team'),
  order(`(?:send|give) out ${A}${NOTICE} (?:to|for) ${TEAM}\\b`, 'notify the team'),
  order(
    `${US} (?:${MODAL}?(?:want|need|expect|require|would like|get|receive)s?) (?:an? |to (?:get|have|see) an? )warning\\b`,
    'warn the team',
  ),
  order(
    `${US} (?:${MODAL}?(?:want|need|expect|require|would like|get|receive)s?) (?:an? |to (?:get|have|see) an? )${NOTICE}\\b`,
    'notify the team',
  ),
  order(`${US} ${BE}reminded\\b`, 'notify the team'),
  order(`(?:report|forward|escalate|announce|flag|pass|show) (?:it|this|that|them)(?: on| up)? to ${TEAM}\\b`, 'notify the team'),
  order(`(?:make|keep) ${TEAM} (?:aware|informed|posted|in the loop|up to date)(?: (?:of|about) (?:it|this|that))?\\b`, 'notify the team'),
  ...TAGS,
  // A customer is written to.
  order(
    `${THEM} ${MODAL}?(?:gets?|receives?|hears?|reads?|be (?:sent|told|asked|messaged|shown|greeted with|thanked with|reminded with)|(?:is|are) (?:sent|told|asked|messaged))(?: (?:an?|the|our))?(?: [\\p{L}-]+){0,3}:? (?=«)`,
    'send them ',
  ),
  order(
    `(?:the |an? )?(?:message|text|words|reply|greeting|reminder|note)(?: [\\p{L}-]+)?:? («\\d+») (?:${BE}|${MODAL})?(?:goes|go|sent)(?: out| back)?(?: to ${THEM})?(?=$|[,. ])`,
    'send them $1',
  ),
  order(
    `(?:the |an? )?(?:[\\p{L}-]+ )?(?:message|text|reply|greeting|reminder|note) (?:${BE}|${MODAL})?(?:goes|go|sent)(?: out| back)? to ${THEM}[:,]?(?: (?:that |which )?(?:says|saying|reads|reading))?:? (?=«)`,
    'send them ',
  ),
  order(`(«\\d+») ${BE}(?:answered|replied|said|written|shown|returned)(?: back)?(?: to ${THEM})?(?=$|[,. ])`, 'send them $1'),
  order(`(«\\d+») (?:${BE}|${MODAL})(?:go|sent)(?: out| back)? to ${THEM}(?=$|[,. ])`, 'send them $1'),
  order(`(?:drop|shoot|post|ping) ${THEM} (?:an? |the )?(?:line|note|message)?:? ?(?=«)`, 'send them '),
  order(
    `(?:have|let|get) («\\d+»|(?:the |an? |our )?(?:message|text) «\\d+») (?:be )?(?:sent|written|go(?: out)?)(?: out| back)? to ${THEM}(?=$|[,. ])`,
    'send them $1',
  ),
  order(`send ${THEM} (?:this|the following|that) (?:message|text|note|reply)[:,]? ?(?=«)`, 'send them '),
  // An address is called.
  order(`(?:tell|inform|give|let|pass|notify) (${URL_MARK})(?: know)?(?: about| of| with)? (?=the |its |their )`, 'call $1 with '),
  order(
    `(?:our |the )?(service|server|system|api|backend|shop system|\\w+)(?: at)? (${URL_MARK}) ${MODAL}?(?:gets?|receives?|be (?:told|given|sent)|is (?:told|given|sent)|are sent|learns?|hears?)(?: about| of| with)? (?=the |its |their )`,
    'call the $1 at $2 with ',
  ),
  order(
    `(?:push|submit|transmit|deliver|upload|export|sync|pass|hand|report|forward|relay|feed) ((?:the |its |their |order |our )[\\p{L}' ,-]{2,80}?)(?: on| over| off| along)? to (?=(?:our |the )?(?:[\\w-]+ )?(?:at )?${URL_MARK})`,
    'post $1 to ',
  ),
  order(
    `(?:trigger|invoke|query|use|contact|fetch|load|run|make a call to|reach) (?=(?:our |the )?(?:[\\w-]+ )?(?:at )?${URL_MARK})`,
    'call ',
  ),
  order(
    `(?:call|post to|ping|hit|contact|use) ((?:our |the )?(?:[\\w-]+ )?(?:at )?${URL_MARK}),? and (?:pass|give|send|tell|hand|provide)(?: it| along)? `,
    'call $1 with ',
  ),
  order(
    `(?:call|post to|ping|hit|contact|use) ((?:our |the )?(?:[\\w-]+ )?(?:at )?${URL_MARK}),? (?:passing|giving|sending|including|handing over|providing)(?: it| along)? `,
    'call $1 with ',
  ),
  order(
    `(?:(?:the|our|my) (?:[\\w-]+ )?(?:service|address|url|endpoint|system|api|server) (?:at )?)?(${URL_MARK}) ${BE}(?:called|pinged|notified|hit|invoked|requested|told)\\b`,
    'call $1',
  ),
  order(
    `(?:it|this|that|they|everything|the order|the event|the message|the refund|the product) ${BE}(?:sent|posted|forwarded|pushed|reported|passed|handed|exported|submitted)(?: on| over)? to (?:our \\w+ (?:at )?)?(?=${URL_MARK})`,
    'call ',
  ),
  order(
    `((?:the |its |their )[\\p{L}' ,-]{2,80}?) ${BE}(?:sent|posted|forwarded|pushed|reported|passed|handed|exported|submitted)(?: on| over)? to (?=(?:our \\w+ (?:at )?)?${URL_MARK})`,
    'post $1 to ',
  ),
  order(
    `(?:make|do|send|issue|fire)(?: off)? (?:an? |the )?(?:post |http |web ?hook )?(?:request|call|post|web ?hook) to (?=${URL_MARK})`,
    'call ',
  ),
  // "our translation service should be called at ‹0›, giving it the id"
  order(
    `(?:the |our |my |an? )?((?:[\\p{L}-]+ ){0,3}(?:service|server|system|api|backend|script|endpoint|tool|crm|erp|software)) ${BE}(?:called|notified|informed|told|pinged|asked|contacted|hit|invoked|triggered)(?: at| under| via| on)? (${URL_MARK})(?:,? (?:(?:by |and )?(?:giving|sending|passing|telling|handing)(?: it)?|with|about|of) )?`,
    'call the $1 at $2 with ',
  ),
  order(
    `(?:i |we |you )?(?:would like |want |need )?(?:the |our |my |an? )?(?:[\\p{L}-]+ ){1,3}?(?:to |should |must )?(?:get|gets|receive|receives) (?:an? |the )?(?:call|request|ping|post|hook|web ?hook)(?: at| under| via| on)? (?=${URL_MARK})`,
    'call ',
  ),
  // Something is waited for.
  order('(?:there (?:should|must|shall) be |with |after )?(?:an? )?(?:pause|delay|break|wait) of ', 'wait '),
  order(
    `(?:hold on|hold off|hold|sleep|delay|pause|let it rest|leave it|give it|give them)(?: for| by)? (?=(?:about |another )?${DURATION})`,
    'wait ',
  ),
  order('we (?:then )?wait ', 'wait '),
  // Something is kept.
  order(
    `((?:an? |the |one |another |\\d+ )${SOMETHING}) (?:${BE})(?:created|added|saved|stored|recorded|opened|logged|written|registered|made|kept|put down|filed|set up)(?: down| for (?:it|them|him|her|this|that))?(?=$|[,.: ])`,
    'create $1',
  ),
  order(
    `((?:an? |one |another )${SOMETHING}) (?:created|added|saved|stored|recorded|opened|logged|registered|made|kept|filed)(?: for (?:it|them|him|her|this|that))?(?=$|[,.: ])`,
    'create $1',
  ),
]

/** What stands before an order: "I would like", "please have". */
const ASKED =
  /^(?:(?:and|also|then|but|so),? )*(?:(?:please|kindly|automatically)[, ]+)?(?:(?:i|we)(?:'d| would| do)?(?: also| really| just)? (?:want|like|need|love|wish)(?: to (?:have|see|get)| for)? |(?:please )?(?:have|get|see to it that|make sure(?: that)?) (?=(?:an?|the|them|him|her|customer)\b)|let (?=(?:an? \w+|the \w+) be ))(?!to\b)/i
const TO_BE =
  /^(?:(?:i|we)(?:'d| would)?(?: also)? (?:want|like|need|love|wish) to (?:be (?=told|notified|informed|alerted|warned)|(?=know|hear|learn|find out|get (?:an? )?(?:notification|alert|message|warning))))/i

/** "the customer shall receive after 3 days the message …" */
const AFTER_A_WHILE = new RegExp(
  `^(.{2,50}? (?:receives?|gets?|be sent|be told|be asked|send them|message them)) (after ${DURATION}),? (.+)$`,
  'i',
)

/** "a message saying «…»" */
const SAYING =
  /\b(message|text|note|reply|reminder|greeting|notification|notice)(?:,? (?:saying|(?:that|which) (?:says|reads|is)|reading|with the (?:text|words|content|wording)|containing))(?: the words)?:? (?=«)/i

/** @returns the words as an order, or as they are */
export const asImperative = remembered((text: string): string => {
  const words = text
    .replace(SAYING, '$1 ')
    .replace(TO_BE, 'we should be ')
    .replace(/^we should be (?=know|hear|learn|find|get)/i, 'we should ')
  const plain = words.replace(ASKED, '').replace(AFTER_A_WHILE, '$1 $3 $2')
  for (const candidate of plain === words ? [words] : [plain, words])
    for (const [pattern, as] of ORDERS) if (pattern.test(candidate)) return candidate.replace(pattern, as)
  return plain
})
