// One clause in other words, for where the readers did not know those it was said in. What people say in many ways is put in the one that the readers know, and
// what hangs together by commas is cut apart. Only where the clause as it stands leaves something unread is it tried.
import { ASSISTANT } from './names.ts'
import { isOccasion } from './tellings.ts'

type Rule = [RegExp, string]

/** Words that add nothing. */
const IDLE: Rule[] = [
  [
    /,? ?\b(?:completely|entirely|altogether|actually|simply|really|basically|of course|obviously|ideally|preferably|kindly|please|as usual|if possible|while you're at it|while you are at it|by the way)\b,?/gi,
    '',
  ],
  [/,? (?:from now on|from today on|from here on|going forward|in (?:the )?future|right now|as of now|for the time being)(?=$|[,.])/gi, ''],
  [/^(?:from now on|from today on|going forward|in (?:the )?future|now),? /i, ''],
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
    /\b(?:the |our |my |your )?(?:virtual assistant|ai helper|ai agent|ai chat ?bot|smart assistant|chat assistant|llm|agent)\b/gi,
    'the assistant',
  ],
  [
    /\b(?:all of |everyone (?:in|on) |everybody (?:in|on) |the people (?:in|on) |somebody (?:in|on) |someone (?:in|on) )(?:the|our|my) (?:team|staff|crew)\b/gi,
    'the team',
  ],
  [
    /\b(?:the |our |my )(?:crew|colleagues|folks|guys|people here|employees|workers|operators|support team|shop team|office|warehouse|kitchen|accountant|back office)\b(?! ?(?:number|name|key|code))/gi,
    'the team',
  ],
]

/** What is done, by the verb that the readers know. */
const VERBS: Rule[] = [
  [/^(?:get rid of|throw (?:out|away)|do away with|scrap|ditch|bin|kill|lose|take out|strip|cut|erase) /i, 'remove '],
  [/^take (.{2,60}?) (?:out|away|off)$/i, 'remove $1'],
  [/\b(?:written|noted|jotted|taken|put|marked) down\b/gi, 'kept'],
  [/\b(?:writes?|notes?|jots?|takes?|puts?) down\b/gi, 'keep'],
  [
    /\b(?:keep|have|need|want|make|maintain|hold) (?:an? |the |our )?(?:file|overview|list|log|record|register|history|collection|track|account) of\b/gi,
    'keep',
  ],
  [
    /^(?:it would be (?:nice|great|good|handy|useful) (?:to|if (?:i|we|you|it) could)|would it be possible to|(?:i|we) (?:would like|want|need|wish|have|intend|plan|hope|decided|are going)(?: you| it| the app| this)? to|let us|let's|help (?:me|us)(?: to)?|make sure (?:that )?(?:you|we)?|be so kind as to|feel free to|what (?:i|we) want is(?: to)?|the idea is(?: to| that)?|the app (?:should|has to|needs to|must)|this app (?:should|has to|needs to|must)) /i,
    '',
  ],
  [
    /^(?:we|i) (?:are|run|sell|own|have|make|rent|offer|teach|keep|manage|work)\b[^«‹:]{3,200}?,? (?:and|so|but)(?: that is why| therefore)? (?=(?:we|i) (?:would|want|need|wish|hope)\b)/i,
    '',
  ],
  [/^(?:i|we) (?:would )?(?:very much |really |also |just )*(?:like|love|want|need|wish) to /i, ''],
  [/^it (?=(?:may|can|should|could)(?: also| not| never| only)* (?:read|see|look|write|create|change|edit|know)\b)/i, 'the assistant '],
  [
    /^(?:let me |let us |i (?:also )?|we (?:also )?|you )(?=(?:keep|track|store|save|record|log|note|collect|manage|register|add|create)\b)/i,
    '',
  ],
  [
    /^(?:set up|create|make|add|provide|give (?:me|us)|have|build|prepare|open)? ?(?:an? |some )?(?:new )?(?:place|way|room|space|possibility|table|list|section|area)(?: where (?:i|we) can)? (?:to |for )(?:store|keep|save|record|track|note|log|collect|manage) /i,
    'keep ',
  ],
  [
    /^there (?:is|are|will be|should be) (?:an? |the |some )?(?:new )?(?:(?:table|list|register|resource|collection|log) (?:for|of|called|with) )?(?:(?:our|the|all) )?(?=[\p{L} -]{2,40}(?: with | \(|: ))/iu,
    'keep ',
  ],
  [/^note (?:down )?(?!that\b|the customer)(?=[\p{L} -]{2,40}(?: for (?:each|every)|,? with |: ))/iu, 'keep '],
  [
    /^(?:each|every|all|our|the) (customer|contact|product|order)s? (?:can |may |should |will )?(?:have|has|keep|own|owns|get|gets|bring|rent|hold|come with|comes with|carry) (?:an? |several |many |some |their own |its own )?(?:list of |number of |collection of )?((?!name\b|tag\b|tab\b|page\b)[\p{L}]+(?: [\p{L}]+)?)$/iu,
    'keep $2 for every $1',
  ],
  [
    /^(customer|contact|product|order)s (?:can |may )?(?:have|own|bring|rent|hold|come with|carry) (?:an? |several |many |some |their own )?(?:list of )?([\p{L}]+(?: [\p{L}]+)?)$/iu,
    'keep $2 for every $1',
  ],
  [
    /^(?:an?|one|every|each) ([\p{L}]+(?: [\p{L}]+)?) (?:is|gets) (?:issued|created|made|kept|written|recorded|stored|filled (?:in|out)|added) (?:per|for (?:each|every|an?)|with (?:each|every)) (customer|contact|product|order)$/iu,
    'keep $1 for every $2',
  ],
  [
    /^for (?:each|every|any|all)(?: of)?(?: the| these)? (?:entry|entries|record|records|one|ones|them|item|row),? (?:i|we) (?:would like to |want to |need to |would |should |have to )?(?:need|want|store|keep|save|record|note|track|know|see|have) /i,
    'fields: ',
  ],
  [
    /^for (?:an?|each|every|any|the|our|all) (?!customer|contact|order|product|client)([\p{L}]+(?: [\p{L}]+)?),? (?:i|we) (?:would like to |want to |need to |would |should |have to )?(?:need|want|store|keep|save|record|note|track|know|have) (?!(?:an? |the )?[\p{L} -]{2,30}(?::| with | \())/iu,
    'a $1 has ',
  ],
  [
    /^(?:the |a |an )?(.{2,40}?) (?:should|are|is)?(?: be)? ?(?:shown|visible|displayed|seen|there) when(?:ever)? (?:i|we|you|someone|the team) (?:open|look at|view|visit|click on|see)s? (?:an? |the |its |their )(customer|contact|product)(?:'s page)?$/i,
    'show $1 in a tab on the $2',
  ],
  [
    /^(.+?) (?:after|when|once|as soon as) (.+?),? but (?:first )?wait (?:for )?((?:an?|\w+) (?:minute|hour|day|week)s?)(?: first| before(?: that)?)?$/i,
    '$3 after $2, $1',
  ],
  [/^(?:add |create |write )?(?:an? )?(?:new |another |further |additional )(?=(?:knowledge|faq)\b)/i, 'add '],
  [/^keep (?:the assistant|the bot|the ai) away from /i, 'the assistant should not see '],
  [/\boptionally (?:an? )?(?=\w)/gi, 'an optional '],
  [
    /^(?:add |there should be |have |create )?(?:an? )?(?:setting|option)s? (?:where|in which|with which|by which|that lets|so that|through which)(?: the)? (?:shop |store )?(?:owner|admin|manager|shop|team|user|we|i|they)s? (?:can |may |could |should )?(?:to )?(?:choose|set|enter|pick|select|define|configure|decide|change) (?:the |a |an |their |our )?/i,
    'add a setting ',
  ],
  [
    /^(?:be able to |can |i can |we can |it should be possible to )?(?:switch|turn) (?:the )?(.{2,30}?) on (?:and|or) off(?: (?:in|by|through|via|with) (?:the |a )?settings?)?$/i,
    'add a setting $1 (yes/no)',
  ],
  [/\bshould be (?:stored|kept|saved|treated|held|handled) as (?=an? )/gi, 'is '],
  [/ (?:this|the following|these things)(?=:)/i, ''],
  [/,? by (?:passing|sending|giving|handing over|providing|submitting)(?: it)? /i, ' with '],
  [
    /^(call|ping|notify|hit|post to) (‹\d+›) (?:for|on|after|with|at) ((?:each|every|any) [^,]+?),? and (?:hand over|hand it|pass(?: on| along| it)?|send(?: along| it)?|give(?: it)?|tell(?: it)?|transmit|include) (.+)$/i,
    'for $3, $1 $2 with $4',
  ],
  [
    /^(?:tell|inform|notify|update|call) (?:our |the |my )?(?:[\w-]+ ){0,3}(?:at )?(‹\d+›) (?:about|of|on|for) (?!the\b)([^,]+?),? (?:including|with|giving|passing|sending|along with) (.+)$/i,
    'on $2, call $1 with $3',
  ],
  [/^(make|mark) (.+?) (?:as )?an? (required|mandatory|optional)(?: field| one)?$/i, '$1 $2 $3'],
  [
    /^(?:could|can|would|may|might|should) (?!you\b|we\b|i\b)((?:the |its |this )?[\w' -]{2,40}?) (also )?(?=(?:be|have|get|show|take|read|write|see|say|wait|only)\b)/i,
    '$1 should $2',
  ],
  [/^(?:move|bring|push|put|set) (.{2,40}?) (?:up|down)(?: to)? (?=\d|[€$£])/i, 'change $1 to '],
  [
    /^((?:change|set|raise|lower|increase|reduce|make) )(?:the )?([\w -]{2,30}?) (limit|threshold|minimum|amount|maximum)(?= (?:to|from|at)\b)/i,
    '$1the $3 for $2',
  ],
  [/^instead of (.+?),? (use|take|set|give|send|tag|wait|have|make it|look for) (.+)$/i, '$2 $3 instead of $1'],
  [/^add an? (?:new )?field for (?:the )?/i, 'add a field '],
  [/^(?:hook|tie|connect|attach|wire|bind) (it|them|this|these|that|the .{2,30}?|[\w-]+)(?: up)? (?:to|with) /i, 'link $1 to '],
  [
    /^(?:put|place|bring|hang|stick|render|surface|present|offer|make) (it|them|this|these) (?:visible )?(?=(?:in|on|under|as|into|at|next to|beside)\b)/i,
    'show $1 ',
  ],
  [/^(.{2,40}?) (is|are) (required|optional) (?:in|for|on) (?:the )?([\w -]{2,40})$/i, '$1 of $4 $2 $3'],
  [
    /^give (?!them\b|it\b|him\b|her\b|us\b|me\b|the (?:customer|team|assistant))(?:the )?([\p{L}-]+(?: [\p{L}-]+)?) (an? (?!tag\b|page\b|tab\b|name\b|new name\b).+)$/iu,
    'add $2 to $1',
  ],
  [/, not (?=(?:read|write|see|change|edit|create)\b)/i, ' but not '],
  [
    /^(?:keep|store|save|record|note|track|remember) (?=[^:]*\b(?:what|when|how|which|who|that)\b)[^:]*?\b(?:each|every|a|the|our|all) (customer|order|product)s?\b[^:]*: (?=[^:]*,)/i,
    'keep details for every $1: ',
  ],
  [
    /^(?:an? |the )?(?:tick ?box|check ?box|yes\/no field|flag|switch) (?:for|that says|saying|to say|telling|which says) (?:if|whether) /gi,
    'whether ',
  ],
  [
    /(?<=, |and |with )(?:an? |the )?(?:tick ?box|check ?box|yes\/no field|flag|switch) (?:for|that says|saying|to say|telling|which says) (?:if|whether) /gi,
    'whether ',
  ],
  [/^(?:an? |the )?(?:tab|panel)s? (?:there|too|on it|for (?:it|them))$/i, 'show them in a tab'],
  [/^give (?!them\b|it\b|him\b|her\b)(.{2,40}?) (an? (?:page|tab|screen)\b.*)$/i, '$1 should have $2'],
  [
    /^(?:an? )?(?:new |another |further |additional |extra |one more )+(field|column|setting|value)s? (?:for|in|on|to|under) (?:the )?([\w' -]{2,40}?): ?(.+)$/i,
    'add a $1 to $2: $3',
  ],
]

const apply = (text: string, rules: readonly Rule[]): string =>
  rules
    .reduce((said, [pattern, as]) => said.replace(pattern, as), text)
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;:])/g, '$1')
    .replace(/^[\s,]+|[\s,]+$/g, '')

const normalised = (told: string): string =>
  apply(apply(apply(told.replace(/^be (?!able)(?=\w+)/i, 'they should be '), IDLE), PLAIN), VERBS)

/** Why it is wanted, or how it is now: nothing that an app does. */
const REASON =
  /^(?:because|since|as|so that|in order (?:to|that)|so (?:that )?(?:we|i|nobody|no one|the team|they|people|customers|it)|otherwise (?:we|i|nobody|they)|nobody|no one|none of us|everybody|everyone|we|i|they|people|customers|it|it's|that's|this|(?:the|our|that|this) [\w -]{2,30}? (?:is|are) (?:enough|fine|sufficient|too|wrong|not needed|misleading|confusing|outdated|old))\b(?! (?:should|must|shall|want|wants|need|needs|would|may|can only|has to|have to|can (?:see|read|write|be|have|choose|set|look|create|add|change)|belongs?|also))/i
const DEEDS =
  /\b(?:tag|tags|notify|call|send|wait|field|fields|tab|page|assistant|bot|setting|settings|required|optional|secret|when|whenever|if|unless|only|show|keep|add|remove|rename|flow|record|knowledge)\b|[«‹\d]/i

/** The clause without what only says why. */
function withoutReasons(text: string): string {
  const parts = text.split(/(,? (?=(?:because|since|so that|in order to|as (?:we|i|it|they|nobody))\b)|, (?:and |but |for )?|\s[-–—]\s|; )/)
  let kept = parts[0] as string
  for (let at = 1; at < parts.length; at += 2) {
    const part = parts[at + 1] as string
    if (!(REASON.test(part.trim()) && !DEEDS.test(part))) kept += `${parts[at]}${part}`
  }
  return kept
}

const SUBJECT = `(?:the|an?|it|its|they|their|these|this|that|each|every|all|both|${ASSISTANT}|(?:[\\p{L}-]+ ){1,3})`
const MODAL = '(?:should|must|may|can|cannot|shall|has to|have to|needs? to|is|are|gets?|has|have|belongs?|needs?|shows?|appears?)'
const IMPERATIVE =
  "(?:add|remove|delete|drop|rename|change|make|set|show|list|display|put|keep|store|save|record|track|tag|label|notify|tell|warn|alert|inform|send|message|write|call|post|wait|create|let|allow|give|link|connect|turn|switch|disable|enable|use|move|replace|raise|lower|expose|require|mark|ask|do not|don't|never|open|award|greet|thank|include|mention|say|remind|reply|pass)"
const CUTS = [
  // "…; and …", ", and it should …", " and rename …"
  new RegExp(
    `(?:;|,)? (?:and|but|plus|then|while)(?: also| then| please)? (?=${IMPERATIVE}\\b|(?:${ASSISTANT}|it|they|these|both|each|this|that|i|we|there|the [\\p{L} -]{2,30}?|[\\p{L}-]+(?: [\\p{L}-]+)?) ${MODAL}\\b)`,
    'iu',
  ),
  new RegExp(`[;,] (?=${IMPERATIVE}\\b|${SUBJECT}\\s?${MODAL}\\b)`, 'iu'),
  /; (?:and |but |also )?/i,
  / and (?=be (?:listed|shown|displayed|visible|linked|seen|required|mandatory|optional)\b)/i,
  /, (?:which|who) (?=(?:should|must|may|can|is|are|belongs?|gets?|has|have|appears?|shows?)\b)/i,
]

const OF_ASSISTANT = new RegExp(`[;,]? (?:and |but )?(?=${ASSISTANT} ${MODAL}\\b)`, 'i')

/** Where a clause may be cut in two: each place alone, from the first. */
function* cutsOf(text: string): Generator<string[]> {
  if (text.length > 500) return
  // What is to be done on an occasion is of that occasion.
  for (const pattern of isOccasion(text) ? [OF_ASSISTANT] : CUTS) {
    const whole = text.split(pattern).map(each => each.trim())
    if (whole.length < 2 || whole.some(each => each === '')) continue
    yield whole
    if (whole.length > 2)
      for (const { index, 0: cut } of [...text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`))].slice(0, 4))
        yield [text.slice(0, index), text.slice(index + cut.length)]
  }
}

/** "The price should be an optional text." */
const TYPED_AND_DEMANDED =
  /^(.{2,60}?) (?:should|must|shall|has to|ought to|needs to) (?:now )?be (?:an? )?(required|mandatory|optional) (text|number|date|boolean|string|yes\/no)(?: field)?$/i
const KEPT_BY_ASSISTANT = new RegExp(
  `^${ASSISTANT} (?:should |may |can |will )?(?:keeps?|collects?|records?|gathers?|logs?|stores?|saves?|writes? down|takes? down|notes?(?: down)?|jots? down) (.+[:(].+)$`,
  'i',
)

/** @returns the clause, and then what it may be in other words or in parts */
export function* wordingsOf(clause: string): Generator<string[]> {
  yield [clause]
  const seen = new Set([clause])
  const fresh = (parts: string[]): boolean => {
    const key = parts.join('\n')
    return parts.every(each => each.trim() !== '') && !seen.has(key) && Boolean(seen.add(key))
  }
  const short = withoutReasons(clause)
  const [, what, how, type] = TYPED_AND_DEMANDED.exec(clause) ?? []
  if (what !== undefined) yield [`${what} should be ${type}`, `${what} should be ${how}`]
  const [, kept] = KEPT_BY_ASSISTANT.exec(clause) ?? []
  if (kept !== undefined) yield [`keep ${kept}`, 'the assistant may write them']
  for (const text of [short, normalised(clause), normalised(short)]) if (fresh([text])) yield [text]
  for (const text of [clause, short, normalised(short)])
    for (const parts of cutsOf(text)) {
      if (fresh(parts)) yield parts
      const plain = parts.map(each => normalised(withoutReasons(each)))
      if (fresh(plain)) yield plain
    }
}
