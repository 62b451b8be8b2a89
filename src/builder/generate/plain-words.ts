// What people say in many ways, in the one that the readers know: without idle words, with one word for what has many, and by the verb that is known.
import { MOODS } from './moods.ts'
import { type Rule, VERBS } from './plain-verbs.ts'
import { remembered } from './remembered.ts'
import { WORD_ORDER } from './word-order.ts'

/** Words that add nothing. */
const IDLE: Rule[] = [
  [/^(?:and|but|also|plus|so),? (?=\w)/i, ''],
  [
    /,? ?\b(?:completely|entirely|altogether|actually|simply|really|basically|of course|obviously|ideally|preferably|kindly|please|as usual|if possible|while you're at it|while you are at it|by the way|itself|by itself|on its own|by its own|themselves)\b,?/gi,
    '',
  ],
  [/,? (?:from now on|from today on|from here on|going forward|in (?:the )?future|right now|as of now|for the time being)(?=$|[,.])/gi, ''],
  [/^(?:from today|from tomorrow|from now on|from today on|going forward|in (?:the )?future|now),? /i, ''],
  [/\b(?:any ?more|any longer)(?=$|,)/gi, ''],
]

/** Short forms, and one word for what has many. */
const PLAIN: Rule[] = [
  [/\bcan't\b/gi, 'cannot'],
  [/\bwon't\b/gi, 'will not'],
  [/(?<=[a-z])n't\b/gi, ' not'],
  [/\b(i|we|they|you)'d (?:like|love)\b/gi, '$1 would like'],
  [/\b(i|we|they|you)'d (?=\w)/gi, '$1 would '],
  [/(?<=[a-z])'re\b/gi, ' are'],
  [/(?<=[a-z])'ve\b/gi, ' have'],
  [/(?<=[a-z])'ll\b/gi, ' will'],
  [/\b(it|that|there|he|she|which|who|what)'s\b/gi, '$1 is'],
  [/(?<=\s)'em\b/gi, 'them'],
  [
    /\b(?:do|does|did) (?:not|no longer) (?:have|need) to be (?:set|filled(?: in| out)?|given|entered|provided|there|present|required)\b/gi,
    'is not required',
  ],
  [/\b(?:need|needs) not be (?:set|filled(?: in| out)?|given|entered|provided)\b/gi, 'is not required'],
  [
    /\b(?:ought to|had better|needs? to|ha(?:s|ve) to|(?:is|are) (?:supposed|meant|expected) to|(?:is|are) to(?= be\b)|shall|must)\b/gi,
    'should',
  ],
  [/\bshould (?:always )?be (?:set|filled(?: in| out)?|given|entered|provided|there|present)\b/gi, 'is required'],
  [/\b(?:is|are) (?:a must(?:-have)?|essential|indispensable|needed)\b/gi, 'is required'],
  [
    /\b(?:cannot|can not|may not|should not|must not|should never|is never allowed to) be (?:left )?(?:empty|blank|missing|left out)\b/gi,
    'is required',
  ],
  [/\bcan (?:be )?(?:left )?(?:empty|blank|left out)\b/gi, 'is optional'],
  [/\b(?:web ?shop|online shop|e-shop)\b/gi, 'shop'],
  [/\b(?:clients|buyers|shoppers|purchasers|patrons|end users)\b/gi, 'customers'],
  [/\b(?:client|buyer|shopper|purchaser|patron|end user)\b/gi, 'customer'],
  [
    /\b(?<=\b(?:for|per|to|of|under) (?:each|every|all|any)(?: of our| of the| our)? )(?:student|pupil|learner|patient|guest|visitor|traveller|passenger|diner|donor|parent|player|participant|attendee|rider|reader|tenant|collector)(s?)\b/gi,
    'customer$1',
  ],
  [
    /\b(?:the |our |my |your )?(?:virtual assistant|ai helper|ai agent|ai chat ?bot|smart assistant|chat assistant|llm|agent)\b/gi,
    'the assistant',
  ],
  [
    /\b(?:all of |everyone (?:in|on) |everybody (?:in|on) |the people (?:in|on) |somebody (?:in|on) |someone (?:in|on) )(?:the|our|my) (?:team|staff|crew)\b/gi,
    'the team',
  ],
  [
    /(?<!\b(?:left|leaves?|leaving|out of|in|from|into|at|to) )\b(?:the |our |my )(?:crew|colleagues|folks|guys|people here|employees|workers|operators|support team|shop team|office|warehouse|kitchen|accountant|back office)\b(?! ?(?:number|name|key|code))/gi,
    'the team',
  ],
]

const apply = (text: string, rules: readonly Rule[]): string =>
  rules
    .reduce((said, [pattern, as]) => said.replace(pattern, as), text)
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;:])/g, '$1')
    .replace(/^[\s,]+|[\s,]+$/g, '')

/** One rule makes way for another: a question is an order, and that tells of a place. */
const ROUNDS = 3

/** @returns a clause in the words that the readers know */
export const inPlainWords = remembered((told: string): string => {
  let text = told
    .replace(/^be (?!able)(?=\w+)/i, 'they should be ')
    .replace(/^(?:have|get|need) (?=(?:an? )?(?:tab|page|own)\b)/i, 'they should have ')
  for (let round = 0, before = ''; round < ROUNDS && before !== text; round++) {
    before = text
    text = [IDLE, MOODS, WORD_ORDER, PLAIN, VERBS].reduce(apply, text)
  }
  return text
})
