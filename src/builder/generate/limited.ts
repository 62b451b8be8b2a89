// Sentences and clauses that say in which cases alone something is done: of what they say it, and which the cases are.

/** All that the flow does: "do it all", "both", "this rule". */
export const ALL =
  '(?:(?:do|run|perform|use|start) )?(?:it all|all (?:of )?(?:it|this|that|these|them|the above)|both(?: of (?:them|these))?|everything|it|this|that|these|they|the (?:whole |entire )?(?:flow|thing|lot|rule|automation)|(?:(?:the|these|both|all|two|three) )+(?:steps|actions|things|rules))'
const DEED =
  '(?:the |this |that |any |an? )?(?:[\\w-]+ )?(?:tag|tagging|label|notification|notice|warning|alert|message|text|e-?mail|reminder|thanks|call|request|record|heads-up)s?'
const DOES =
  '(?:do|run|perform|use|start|tag|label|notify|warn|alert|tell|inform|message|send|thank|write to|ask|remind|greet|call|create|save|record|make|wait)(?: (?!only\\b|if\\b|when\\b|for\\b|to\\b)[\\w-]+){0,4}?'
const VERBS =
  '(?:(?:is|are|should|must|shall|may|can|has to|have to|needs? to|ought to|will|be|being|do|does|done|get|gets|happen|happens|run|runs|apply|applies|hold|holds|count|counts|sent|given|made|shown|meant|intended|used|valid|go|goes|out|take place|takes place|come|comes|executed|also) )*'
/** Before a case; some of the words belong to it: "to Norway", "over 50". */
const BEFORE =
  '(?:(?:for|if|when|where|in case|provided(?: that)?|as long as|on condition that|once) |(?=(?:to|with|on|from|in|via|by|over|above|under|below|between|at|up) ))'
const CASE = `${BEFORE}(?<words>.{3,150})`

const so = (pattern: string): RegExp => new RegExp(`^(?:(?:but|and|please),? )*${pattern}$`, 'i')
const MET: RegExp[] = [
  so(`(?:(?<of>${ALL}|${DEED}) )?${VERBS}(?:only|just|exclusively) ${VERBS}${CASE}`),
  so(`only (?<of>${ALL}|${DOES}) ${CASE}`),
  so(`(?<of>${DOES}) (?:only|just) ${CASE}`),
  so(`(?<of>${ALL}|${DEED}) ${VERBS}${BEFORE}(?<words>.{3,150}?),? (?:only|alone|exclusively)`),
  so(`(?:limit|restrict|confine) (?<of>${ALL}|${DEED}) to (?<words>.{3,150})`),
  so('only (?<words>orders? .{3,120}?) (?:counts?|qualify|qualifies|matters?|(?:is|are) (?:meant|concerned|relevant))'),
  so(
    'the (?<words>(?:order|refund|message|total|amount|product|customer)(?: (?:amount|total|value))? (?:must|has to|should|needs to) (?:be |have |go |contain |come )?.{3,120})',
  ),
  so('(?:provided(?: that)?|as long as|on condition that|given that) (?<words>.{3,150})'),
]
const UNMET: RegExp[] = [
  so(`(?:do not|never|no(?! )?|skip|omit) (?:ever )?(?<of>${ALL}|${DEED}|${DOES}) ${CASE}`),
  so(`(?<of>${ALL}|${DEED}) ${VERBS}(?:not|never) ${VERBS}${CASE.replace('(?<within>to', '(?<within>(?!to\\b)to')}`),
]

export interface Limit {
  /** The case, in its words. */
  words: string
  /** It is done in all but this case. */
  isNot: boolean
  /** Of what of the flow; all of it where nothing or all is said. */
  of: string
}

/** @returns the ways in which a sentence may be one that limits what is done */
export function* limitsIn(sentence: string): Generator<Limit> {
  const text = sentence.replaceAll(/n't\b/gi, ' not').replaceAll(/\bcannot\b/gi, 'can not')
  for (const [patterns, isNot] of [
    [UNMET, true],
    [MET, false],
  ] as const)
    for (const pattern of patterns) {
      const { words = '', of = '' } = pattern.exec(text)?.groups ?? {}
      if (words !== '') yield { words, isNot, of: new RegExp(`^${ALL}$`, 'i').test(of) ? '' : of }
    }
}
