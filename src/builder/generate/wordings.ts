// One clause in other words, for where the readers did not know those it was said in. What people say in many ways is put in the one that the readers know, and
// what hangs together by commas is cut apart. Only where the clause as it stands leaves something unread is it tried.
import { ASSISTANT } from './names.ts'
import { inPlainWords } from './plain-words.ts'
import { URL_MARK } from './sentences.ts'
import { isOccasion } from './tellings.ts'

/** Why it is wanted, or how it is now: nothing that an app does. */
const REASON =
  /^(?:because|since|as|so that|in order (?:to|that)|so (?:that )?(?:we|i|nobody|no one|the team|they|people|customers|it)|otherwise (?:we|i|nobody|they)|nobody|no one|none of us|everybody|everyone|we|i|they|people|customers|it|it's|that's|this|(?:the|our|that|this) [\w -]{2,30}? (?:is|are) (?:enough|fine|sufficient|too|wrong|not needed|misleading|confusing|outdated|old))\b(?! (?:should|must|shall|want|wants|need|needs|would|may|can only|has to|have to|can (?:see|read|write|be|have|choose|set|look|create|add|change)|belongs?|also))/i
const DEEDS =
  /\b(?:tag|tags|notify|call|send|wait|field|fields|tab|page|assistant|bot|setting|settings|required|optional|secret|when|whenever|if|unless|only|show|keep|add|remove|rename|flow|record|knowledge)\b|[«‹\d]/i

/** What is so now, before a colon and what is wanted for it. */
const WHY_FIRST =
  /^(?:(?:we|i|they|people|customers|it|that|this|there|everybody|nobody)\b|our [\p{L}]+ (?:is|are|has|have)\b)[^:«‹]{3,80}: (?=(?:please )?(?:add|remove|delete|drop|rename|change|make|set|show|put|update|replace|let|give|tag|notify|tell|send|use|stop|raise|lower)\b)/giu

const ASIDES = [
  // "We bake on Mondays too: change …"
  WHY_FIRST,
  // Why it is wanted.
  /\b(?:because|since|so that|so (?=(?:it|they|we|i|nobody|no one|people|customers|the team)\b)|in order to|as (?=(?:we|i|it|they|nobody)\b)|otherwise (?=(?:we|i|nobody|they)\b)|(?<=, )we (?:use|have|got) (?:another|a different|something else)\b)[^,;]*/gi,
  /(?<=\b(?:of|the|our|all|keep|track|store|record) (?:[\p{L}]+ ){1,2})(?:that |which )?(?:we|i|they|he|she) (?:own|bring|hand|give|rent|lend|hire|loan|sell|make|offer|use|keep|have|own|run|carry|stock|repair|build|buy|teach|send|get|receive)(?: out| in| away| back)?(?=[:,.]| with | \(|$)/giu,
  // What a shop sells is its products, and what its customers had are the records.
  /(?<=\bfor (?:each|every|any|all) )(?:[\p{L}]+ ){1,2}(?:that )?(?:we|i) (?:sell|offer|carry|stock|make)\b/giu,
  // "send a voucher text «…»"
  /(?<=\b(?:send|write|give)(?: (?:them|him|her|the customer|customers))?) (?:an?|the|our) [\p{L}-]+ (?=(?:text|message|note|reply|greeting|reminder) «)/giu,
  // "ask how it went: «…»": the text says it.
  /(?<=\b(?:ask|remind|tell)(?: (?:them|him|her|the customer|customers))?) (?:how|whether|if|what|why) [^«,:]{2,80}(?=[:,] «)/gi,
  /\bwhat (?:each|every|our|the) (?:customer|client|buyer)s? (?:had|have|has|did|got|ordered|bought)(?: done| made)?(?: last time| before| so far)?/gi,
]

/** Where in a text something is said that nothing is made of, for it asks for nothing. @returns whether a place is within */
export function asidesIn(text: string): (at: number) => boolean {
  const found = ASIDES.flatMap((pattern, kind) => [...text.matchAll(pattern)].filter(([said]) => kind > 1 || !DEEDS.test(said)))
  return at => found.some(({ index, 0: said }) => at >= index && at < index + said.length)
}

/** The clause without what only says why. */
function withoutReasons(text: string): string {
  // Why something happens is a part of what happens: "an order is cancelled because …, tell the customer".
  const from = isOccasion(text) ? Math.max(0, text.search(/[,:] /)) : 0
  if (from > 0) return text.slice(0, from) + withoutReasons(`, ${text.slice(from)}`).slice(2)
  const [why = ''] = text.match(WHY_FIRST) ?? []
  if (why !== '' && !DEEDS.test(why)) return withoutReasons(text.slice(why.length))
  const parts = text.split(
    /(,? (?=(?:because|since|so that|so (?:it|they|we|i|nobody|people|customers) |in order to|as (?:we|i|it|they|nobody))\b)|, (?:and |but |for )?|\s[-–—]\s|; )/,
  )
  let kept = parts[0] as string
  for (let at = 1; at < parts.length; at += 2) {
    const part = parts[at + 1] as string
    if (!(REASON.test(part.trim()) && !DEEDS.test(part))) kept += `${parts[at]}${part}`
  }
  return kept
}

const SUBJECT = `(?:the|an?|it|its|they|their|these|this|that|each|every|all|both|${ASSISTANT}|(?:[\\p{L}-]+ ){1,3}|«\\d+»)`
const MODAL = '(?:should|must|may|can|cannot|shall|has to|have to|needs? to|is|are|gets?|has|have|belongs?|needs?|shows?|appears?)'
const IMPERATIVE =
  "(?:add|remove|delete|drop|rename|change|make|set|show|list|display|put|keep|store|save|record|track|tag|label|notify|tell|warn|alert|inform|send|message|write|call|post|wait|create|let|allow|give|link|connect|turn|switch|disable|enable|use|move|replace|raise|lower|expose|require|mark|ask|do not|don't|never|open|award|greet|thank|include|mention|say|remind|reply|pass|get rid|throw|take|bin|stop|bump|swap)"
const CUTS = [
  // "…; and …", ", and it should …", " and rename …"
  new RegExp(
    `(?:;|,)? (?:and|but|plus|then|while)(?: also| then| please)? (?=${IMPERATIVE}\\b(?! (?:and|or)\\b|,|$)|(?:${ASSISTANT}|it|they|these|both|each|this|that|all of (?:them|these)(?: together)?|i|we|there|the [\\p{L} -]{2,30}?|[\\p{L}-]+(?: [\\p{L}-]+)?|«\\d+») ${MODAL}\\b)`,
    'iu',
  ),
  new RegExp(`[;,] (?=${IMPERATIVE}\\b(?! (?:and|or)\\b|,|$)|${SUBJECT}\\s?${MODAL}\\b)`, 'iu'),
  /; (?:and |but |also )?/i,
  / and (?=(?:have|get|need) (?:an? )?(?:tab|page|own)\b)/i,
  / and (?=be (?:listed|shown|displayed|visible|linked|seen|required|mandatory|optional)\b)/i,
  / and (?=(?:appears?|shows? up|belongs?|(?:is|are) (?:shown|listed|displayed|linked|visible)) )/i,
  /, (?:which|who) (?=(?:should|must|may|can|is|are|belongs?|gets?|has|have|appears?|shows?)\b)/i,
]

/** "Products should get a tab with their suppliers: name and price" */
const TAB_WITH_FIELDS =
  /^(?:each |every |all |the |our )?(?<of>contact|customer|client|product)s? (?:(?:should|must|can|also) )*(?:gets?|has|have|needs?) (?:an? )?(?:tab|panel) (?:with|for|of|showing|listing) (?:their |its |his |her |all )?(?<what>[\p{L}][\p{L} -]{1,30}?)(?<list>:| \(| with )(?<rest>.{3,300})$/iu

const OF_ASSISTANT = new RegExp(`[;,]? (?:and |but )?(?=${ASSISTANT} ${MODAL}\\b)`, 'i')

/** "… and must be filled in": of what was spoken of before. */
const OF_THE_SAME =
  /,? (?:and|but) (?=(?:also |then |now )?(?:must|should|shall|may|can|cannot|has to|have to|needs? to|is (?:no longer |not )?(?:required|optional|mandatory|shown|linked|listed)|are (?:no longer |not )?(?:required|optional|mandatory|shown|linked|listed)|belongs?|hangs?)\b)/i

/** Where a clause may be cut in two: each place alone, from the first. */
function* cutsOf(text: string): Generator<string[]> {
  if (text.length > 500) return
  const { index = -1, 0: and = '' } = isOccasion(text) ? {} : (OF_THE_SAME.exec(text) ?? {})
  if (index > 0) yield [text.slice(0, index), `it ${text.slice(index + and.length)}`]
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
  /^(?<what>.{2,60}?) (?:should|must|shall|has to|ought to|needs to|is) (?:now )?(?:be )?(?:an? )?(?:(?<how>required|mandatory|optional) (?<type>(?:whole )?number|text|date|boolean|string|yes\/no)|(?<type2>(?:whole )?number|text|date|boolean|string|yes\/no)(?: field)?,? (?:and )?(?<how2>required|mandatory|optional))(?: field)?$/i
const KEPT_BY_ASSISTANT = new RegExp(
  `^${ASSISTANT} (?:should |may |can |will |must )?(?:be able to )?(?:keeps?|collects?|records?|gathers?|logs?|stores?|saves?|creates?|adds?|makes?|takes?|books?|writes? down|takes? down|notes?(?: down)?|jots? down) ([^«‹]+(?:[:(]| with )[^«‹]+)$`,
  'i',
)

/** "…, editable by the assistant" */
const OPEN_TO_ASSISTANT = new RegExp(
  `^(?<thing>.{5,400}?),? (?:and |but |(?:which|that|they) (?:is|are|should be) )*(?<how>(?:not )?(?:(?:readable|visible|editable|writable|changeable|writeable)(?: and | or |, )?)+) (?:by|for|to) ${ASSISTANT}$`,
  'i',
)

function openToAssistant(clause: string): string[] | undefined {
  const { thing, how = '' } = OPEN_TO_ASSISTANT.exec(clause)?.groups ?? {}
  if (thing === undefined) return undefined
  const deeds = [...(/read|vis/i.test(how) ? ['read'] : []), ...(/edit|writ|chang/i.test(how) ? ['write'] : [])]
  return [thing, `the assistant ${/^not /i.test(how) ? 'must not' : 'may'} ${deeds.join(' and ')} them`]
}

/** "Show parcels in a tab on each contact instead of on the dashboard page", "move the parcels page to …": what is in one place goes to another. */
const MOVED = [
  /^(?:show|list|display|put) (?:the )?(?<name>[\p{L} -]{2,30}?) (?<to>(?:in|on|under) .{3,60}?),? (?:instead of|rather than|and not|not) (?:in |on )?(?:the |an? |its )?(?<from>(?:dashboard )?page|tab|dashboard)(?: (?:of|on) .{3,30})?$/iu,
  /^(?:show|list|display|put) (?:the )?(?<name>[\p{L} -]{2,30}?) (?<to>(?:in|on) .{3,60}?),? (?:instead of|rather than|and not|not) (?:in |on |under )(?:the |each |every )?(?<from>contact|customer|product)(?: (?:page|card|tab))?$/iu,
  /^instead of (?:in |on )?(?:the |an? |its )?(?<from>(?:dashboard )?page|tab|dashboard),? (?:show|list|display|put) (?:the )?(?<name>[\p{L} -]{2,30}?) (?<to>(?:in|on|under) .{3,60})$/iu,
  /^move (?:the )?(?<name>[\p{L} -]{2,30}?) (?<from>page|tab)(?: (?:on|of|from) .{3,30}?)? (?:in)?to (?<to>an? (?:tab|page) (?:on|of|under) .{3,40}|(?:the|a) dashboard(?: page)?)$/iu,
  /^move (?:the )?(?<name>[\p{L}]+) (?:in)?to (?<to>an? (?:dashboard )?page(?: (?:in|on|of) the dashboard)?|(?:the|a) dashboard(?: page)?)(?<from>)$/iu,
  /^move (?:the )?(?<name>[\p{L}]+) (?:in)?to (?<to>an? tab (?:on|of|under) .{3,40})(?<from>)$/iu,
  /^move (?:the )?(?<name>[\p{L} -]{2,30}?) (?:away )?from (?:the |an? |its |their )?(?:own )?(?<from>(?:dashboard )?page|tab|dashboard)(?: (?:of|on) .{3,30}?)? (?:in)?to (?<to>an? (?:tab|page) (?:on|of|under|in) .{3,40}|(?:the|an?) (?:tab|page|dashboard)(?: page)?)$/iu,
]

/** "The assistant may find stores at ‹0›, and check balances at ‹1›": each is a skill of its own. */
function skillsApart(clause: string): string[] {
  const [, can = '', first = '', second = ''] =
    new RegExp(
      `^((?:let |allow |give )?${ASSISTANT} (?:can|may|should|must|to)?(?: be able to)? ?)([^‹]{3,120}${URL_MARK}.*?)(?:,? and|;|,) (?:also |to |it can |it may )*([a-z]+ [^‹]{3,120}${URL_MARK}.*)$`,
      'i',
    )
      .exec(clause)
      ?.filter(each => each === undefined || !/^\d+$/.test(each)) ?? []
  return first === '' ? [] : [can + first, can + second]
}

/** @returns the clause, and then what it may be in other words or in parts */
export function* wordingsOf(clause: string): Generator<string[]> {
  yield [clause]
  const seen = new Set([clause])
  const fresh = (parts: string[]): boolean => {
    const key = parts.join('\n')
    return parts.every(each => each.trim() !== '') && !seen.has(key) && Boolean(seen.add(key))
  }
  const skills = skillsApart(clause)
  if (skills.length > 0) yield skills
  const short = withoutReasons(clause)
  const typed = TYPED_AND_DEMANDED.exec(clause)?.groups
  if (typed)
    yield [
      `${typed['what']} should be ${(typed['type'] ?? typed['type2'] ?? '').replace(/^whole /i, '')}`,
      `${typed['what']} should be ${typed['how'] ?? typed['how2']}`,
    ]
  const {
    name,
    from = '',
    to = '',
  } = MOVED.flatMap(pattern => [clause, inPlainWords(clause)].map(text => pattern.exec(text)?.groups)).find(
    groups => groups !== undefined,
  ) ?? {}
  if (name !== undefined)
    yield [
      `remove the ${name} ${/tab|contact|customer|product/i.test(from) || (from === '' && !/tab/i.test(to)) ? 'tab' : 'page'}${/dashboard/i.test(from) ? ' from the dashboard' : ''}`,
      `show ${name} ${/^(?:in|on|under) /i.test(to) ? to : /dashboard/i.test(to) ? 'on a dashboard page' : `in ${to}`}`,
    ]
  const tab = TAB_WITH_FIELDS.exec(clause)?.groups
  if (tab) yield [`keep ${tab['what']} for every ${tab['of']}${tab['list']}${tab['rest']}`, `show them in a tab on the ${tab['of']}`]
  const open = openToAssistant(clause)
  if (open) yield* [open, open.map(inPlainWords)]
  const [, kept] = KEPT_BY_ASSISTANT.exec(clause) ?? []
  if (kept !== undefined) yield [`keep ${kept}`, 'the assistant may write them']
  for (const text of [short, inPlainWords(clause), inPlainWords(short)]) if (fresh([text])) yield [text]
  for (const text of [clause, short, inPlainWords(short)])
    for (const parts of cutsOf(text)) {
      if (fresh(parts)) yield parts
      const plain = parts.map(each => inPlainWords(withoutReasons(each)))
      if (fresh(plain)) yield plain
    }
}
