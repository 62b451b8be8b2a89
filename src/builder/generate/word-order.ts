// The order in which things are said, and in which the readers know them: for what it is behind it, the new before the old, "also" behind the verb.
import { DURATION } from './durations.ts'
import type { Rule } from './plain-verbs.ts'
import { QUOTE } from './sentences.ts'

const OF = '(?:product|contact|customer|order|client|buyer)'
const MODAL = '(?:should|must|may|can|could|shall|has to|needs to)'
const VALUE = `(?:${QUOTE}|\\d[\\w.,]*(?: \\w+)?|[\\w-]+)`

export const WORD_ORDER: Rule[] = [
  // "Only when an order is paid should the team be told": as with "when", and nothing else is done.
  [
    /^only (when|if|once|after|as soon as) (.{5,120}?) (should|must|may|shall|can|do|is|are) ((?:the |our |my )?(?:team|staff|customers?|buyers?|clients?)|we|you|i|they|it) /i,
    '$1 $2, $4 $3 ',
  ],
  [/^if,? and only if,? /i, 'if '],
  // "Thank only those who spent more than 150"
  [
    /^(thank|tag|notify|message|warn|call|greet|ask) only (?:those|people|customers|buyers|clients|everyone|orders)(?: of them)? (?:who|that|which) (.{3,100})$/i,
    'only $1 if they $2',
  ],
  // "Put a two-hour wait in front of the notification"
  [
    new RegExp(
      `^(?:put|add|insert|place|have) (?:an? )?(?:(?:wait|pause|delay|break) of (?<one>${DURATION})|(?<two>${DURATION})(?:'s?)? (?:wait|pause|delay|break)) (?:in front of|before|ahead of|prior to) `,
      'i',
    ),
    'wait $<one>$<two> before ',
  ],
  // "Look for the word «stolen» in messages and warn the team then"
  [
    /^(?<also>also )?(?:look|watch|check|listen|scan|search|keep an eye)(?: out)? for (?:the )?(?:words? |phrases? |terms? |mention of )?(?<word>«\d+»|[\w-]+) (?:in|within) (?:(?:the|any|all|every|each|our|incoming|new|customers?'?|their) )*messages?,? and (?:then )?(?<deed>.+?)(?: then| in that case)?$/i,
    'when a message contains $<word>, $<also>$<deed>',
  ],
  // "For every product, there must be a place to store safety sheets."
  [
    new RegExp(
      `^(?:for|on|under|per|with|to) ((?:each|every|any|all(?: the)?) ${OF})s?,? (?:there (?:should|must|has to|is to|can|may) be (?:an? |some )?(?:place|room|space|way|possibility|table|list)s? (?:to|for) (?:store|keep|save|record|note|track)(?:ing)? |(?:i|we)(?:'d| would)? (?:like|want|need) to (?:store|keep|save|record|note|track) )(?=[\\p{L} -]{2,40}$)`,
      'iu',
    ),
    'keep for $1: ',
  ],
  [/^keep for ((?:each|every|any|all(?: the)?) \w+): ([^:]+)$/i, 'keep $2 for $1'],
  // "It also should …" is "it should also …".
  [
    new RegExp(
      `^((?:the |our |its |this |that )?[\\p{L}'-]+(?: (?!also|now|always|still|then)[\\p{L}'-]+){0,2}) (also|now|always|still|then) (${MODAL}) `,
      'iu',
    ),
    '$1 $3 $2 ',
  ],
  // "«patron» and no longer as «client»": what it was stands behind "instead of".
  [
    new RegExp(
      `(?:,? (?:and|but) (?:no longer|not any ?more|not)|, (?:no longer|not any ?more)|,? (?:in place of|as opposed to|in lieu of)) (?:(?:as|with|to|by|from) (?:an? |the )?)?(?=${VALUE}$)`,
      'i',
    ),
    ' instead of ',
  ],
  [new RegExp(`\\b(instead of|rather than) (?:as|with|to|by) (?:an? |the )?(?=${VALUE}$)`, 'i'), '$1 '],
  [
    new RegExp(
      `^instead of (?<was>${VALUE}),? (?=(?:the |our |an? )?[\\p{L}' -]{2,40} (?:is|are|should|must|has|have|needs?) )(?<is>.{5,120})$`,
      'iu',
    ),
    '$<is> instead of $<was>',
  ],
  [
    /^only (?:those|customers|people|clients|buyers|anyone|everyone)(?: of them)? (?:who|that) (.{3,80}?) (?:should|must|may|shall|can|are to|will) be (tagged|notified|messaged|thanked)(?: (?:as|with) .{1,40})?$/i,
    'only $2 if they $1',
  ],
  [/^only (?:tagged) if/i, 'only tag if'],
  // "Only orders of 100 or more should lead to the client tag."
  [
    /^only (orders? [^,]{3,60}?|[\p{L}]+ orders?) (?:should|must|may|shall|can) (?:lead to|get|trigger|cause|receive|result in|give) (?:the |an? )?([^,]{2,60})(?:,? (?:instead of|rather than|not) [^,]{1,30})?$/iu,
    'the $2 should only be given for $1',
  ],
  // "If the order goes to Austria, no route has to be planned."
  [
    /^(?:if|when) (the order [^,]{3,80}), no (?:more )?([\p{L}-]+(?: [\p{L}-]+)?) (?:should|must|has to|have to|needs? to|is to|are to|shall|may) be [\p{L}]+$/iu,
    'no $2 if $1',
  ],
  // "hand over every paid order to ‹0› together with …"
  [/^(hand|pass|send|forward) (over|on|off|along|across) (.{3,100}?) to /i, '$1 $3 to '],
  [/,? (?:together|along) with (?=(?:the|its|their|his|her) )/gi, ' with '],
  [/^(show|put|display|list) (.{2,60}?),? instead$/i, '$1 $2'],
  // "Complaints should not be shown on the contact."
  [
    /^(?:(?:do not|don't|no longer) (?:show|list|display|put)|stop (?:showing|listing|displaying)) (?:the )?(.{2,40}?) (?:any ?more |any longer )?(?:in (?:an? |the )?tab )?(?:on|under|in|with) (?:the |each |every |an? )?(contact|customer|client|product)(?:'s)?(?: page| card| tab)?$/i,
    'remove the $1 tab',
  ],
  [
    /^(?:(?:do not|don't|no longer) (?:show|list|display|put)|stop (?:showing|listing|displaying)) (?:the )?(.{2,40}?) (?:any ?more |any longer )?(?:on|in) (?:the |a |its |their )?(?:own )?(?:dashboard|page)(?: page)?$/i,
    'remove the $1 page',
  ],
]
