// The words in which people say edits: where one begins, and as the readers of edits know it.
import { QUOTE } from './sentences.ts'

export const VERBS =
  'rename|remove|delete|drop|add|make|change|set|turn|switch|disable|enable|replace|move|insert|put|use|get rid of|give|hide|let|allow|stop|no longer|expose|mark|require|raise|lower|increase|reduce|shorten|extend|swap|bump|show|display|scrap|ditch|erase|take out|call'
/** Where another edit begins: "rename stars to rating and make the text mandatory". */
export const NEXT = new RegExp(
  `(?:,? (?:and|but) (?:then |also |please )?|, (?:then |also )?)(?=(?:${VERBS})\\b(?! (?:and|or)\\b|,|$)(?! (?:it|them|these|those)(?: (?:in|on|under|as|there|at)\\b|$))|(?:don't|do not)\\b|(?:it|they|its \\w+|the (?:(?! and | whether )[\\w' -]){2,40}?|(?!(?:which|that|who|it)\\b)[\\w-]+) (?:should|must|may|can|needs? to|has to|is no longer|isn't|is not needed|can go|may go|are no longer)\\b|(?:the )?(?:rest|others) (?:is|are)\\b|[\\w-]+ (?:goes|becomes)\\b|wait (?=\\w)|be (?:required|mandatory|optional)\\b)`,
  'i',
)

/** "Two addresses have changed: …" */
const OPENING = /^[^:«‹]{3,60}\b(?:chang|edit|wish|update|thing)\w*[^:«‹]{0,20}:\s*/i

/** The words that the edits know for what people say. */
const PLAIN: [RegExp, string][] = [
  [
    /^((?:i|we) (?:no longer|don't|do not) (?:need|want|use) .{2,60}?)(?: any ?more| any longer)?,? (?:and |so )?(?:please )?(?:(?:remove|delete|drop|scrap|get rid of|throw (?:out|away)|take (?:out|away)) (?:it|them|this|these)|(?:take|throw|leave) (?:it|them|this|these) (?:out|away)|(?:it|they) (?:can|may|should|must) (?:go|be (?:removed|deleted|dropped)))(?: altogether| completely| entirely)?$/i,
    '$1',
  ],
  [
    new RegExp(
      `^(?:our |the |my )?(.{2,60}?) (?:has|have) changed[,:]? (?:and |so )?(?:the |its |their )?(?:new )?(?:text|wording|content|it|they) (?:must|should|shall|has to|is|are)(?: now)?(?: be| say| read)?:? (${QUOTE})$`,
      'i',
    ),
    'change the text of $1 to $2',
  ],
  [/^(?:(?:please|and|now|also|then|but|so|instead),? (?!of\b))/i, ''],
  [/,? (?:too|as well|now|from now on|for now)$/i, ''],
  [OPENING, ''],
  // "a field for the tip, a number" is one field.
  [
    /^(add (?:an? |another )?(?:new )?field) (?:for|called|named) (?:the |an? )?([\w -]{2,40}), (?:which is )?an? (number|text|date|boolean|yes\/no)$/i,
    '$1 called $2 ($3)',
  ],
  [/^(?:i|we) (?:no longer|don't|do not) (?:need|want|use)(?: to have)? (.+?)(?: any ?more| any longer)?$/i, 'remove $1'],
  [
    /^(.{2,60}?) (?:is|are|was|were)(?:n't| not| no longer)(?: really)? (?:needed|necessary|used|wanted|of use|relevant)(?: any ?more| any longer)?(?:[,;]? (?:and |so )?(?:please )?(?:remove|delete|drop) (?:it|them|this|that|these)(?: altogether| completely| entirely)?)?$/i,
    'remove $1',
  ],
  [
    /^(.{2,60}?) (?:can|may|should|must|has to|have to|needs to) (?:go|be (?:removed|deleted|dropped|thrown (?:out|away)|scrapped))(?: away)?$/i,
    'remove $1',
  ],
  [
    /^(?:no more|away with|throw (?:out|away)|scrap|ditch|lose|erase|get rid of|do away with|take away|take out|leave out|cut|kill) /i,
    'remove ',
  ],
  [/^take (.{2,60}?) (?:out|away)$/i, 'remove $1'],
  [/^be (required|mandatory|optional)$/i, 'it should be $1'],
  [/^([^,]{2,60}?) (?:goes|go|is going|are going) (?:away|out)$/i, 'remove $1'],
  [/^([^:«‹]{3,40}): (?:please )?(change|rename|remove|make|set) (?:it|them)\b/i, '$2 $1'],
]

/** Without what stands before an edit, or behind the last one. */
export const begun = (sentence: string): string =>
  PLAIN.slice(0, 6).reduce((text, [pattern, as]) => text.replace(pattern, as), sentence.trim())

export const plainly = (sentence: string): string => PLAIN.reduce((text, [pattern, as]) => text.replace(pattern, as), sentence.trim())
