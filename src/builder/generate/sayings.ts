// Steps that write to people: a message to the customer, a notice to the team.
import type { Flow } from '../../apps/manifest/shape.ts'
import { type Draft, disable, notUnderstood } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { eventTold } from './event-names.ts'
import { itemsOf } from './items.ts'
import { sentenceOf, titleOf } from './names.ts'
import { pathIn } from './paths.ts'
import { QUOTE } from './sentences.ts'

export const PEOPLE =
  '(?:the |this |that |our |each |every |such |those |these |all )?(?:customer|contact|client|buyer|shopper|person|user|people|them|him|her|patient|guest|member|visitor|purchaser|sender|recipient|receiver|subscriber)s?'
export const TEAM =
  '(?:the |our |my )?(?:\\w+ (?=team))?(?:team|staff|admins?|us|me|everyone|everybody|colleagues|operators?|owner|support|crew|accountant|manager|office|boss|sales|marketing|logistics|accounting|bookkeeping|warehouse|kitchen|management)'

const NOTICE = '(?:an? |the |our )?(?:short |quick |little )?(?:notice|notification|note|warning|message|alert|heads-up|e-?mail|text|sms)'
/** What says when, or for which, or how often: without it more would be done than was asked. */
const NARROWS =
  /\b(?:moment|minute|instant|if|unless|except|only|when|whenever|while|before|until|till|once|first|tomorrow|tonight|every|each|daily|weekly|monthly|next|later|after|during|between|outside|within|not|never|no|on (?:an? |the )?(?:mon|tues|wednes|thurs|fri|satur|sun|week|work|holi|busi)\w*|at (?:\d|noon|midnight|night)|in the (?:morning|evening|afternoon|night))\b/i

/** Looks at what stands in a step besides what was understood. */
export function lookAtRest(draft: Draft, flow: Flow, rest: string): void {
  const left = rest
    .replaceAll(FILLERS, ' ')
    .replaceAll(/[\s,.:;!'-]+/g, ' ')
    .trim()
  if (left === '') return
  if (NARROWS.test(left)) disable(draft, flow, rest.trim())
  else notUnderstood(draft, rest.trim())
}

/** Words around a message that say nothing more, and that it is sent at once, as it is. */
const FILLERS = new RegExp(
  `\\b(?:${NOTICE}|an?|the|our|my|short|nice|quick|friendly|personal|little|thank[ -]?you|thanks|say|welcome|greeting|for (?:an? )?(?:review|rating|feedback|opinion)|review|reply|answer|question|reminder|follow[ -]?up|them|saying|says?|reads?|that|which|with|text|words|wording|to|for|back|straight away|right away|straight|away|at once|immediately|instantly|automatically|now|asap|know|as a|in reply|and|instead|about it|about this|of it|of this)\\b`,
  'gi',
)

/** "as a warning please, not just info", in brackets or between commas */
const LEVEL =
  /[,(]?\s*\b(?:(?:(?:as|with|at|of|by) (?:an? |the )?(?:level )?|and (?:with )?(?:the |a )?level )(warning|info(?:rmation)?|urgent)(?: level| message| notification)?|(urgent)ly)(?: please)?(?:,? (?:and )?not (?:just |only )?(?:as )?(?:an? )?(?:info|information|notice))?(?: please)?\)?,?/i

const AT_ONCE =
  /,? ?\b(?:by (?:an? )?(?:notification|notice|message|alert)|as well|too|also|at once|immediately|right away|straight ?away|instantly|asap|as soon as possible|automatically|at the (?:very )?end|in the end|last of all)\b/gi

/** What an app cannot do: an SMS, a telephone call, or a letter to an address of somebody's. */
const UNREACHABLE = /\b(?:sms|text message|phone|telephone|fax|slack|pager|push notification|printer)\b|\+?\d[\d ()-]{7,}|\S@\S/i

export function notify(draft: Draft, flow: Flow, told: string): boolean {
  const [leveled = '', level = '', urgent] = LEVEL.exec(told) ?? []
  const text = told
    .replace(leveled, ' ')
    .replaceAll(AT_ONCE, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(TEXT_FIRST, 'with $<title> and $<text>')
    // Those who are notified where it is not said are the team.
    .replace(/^(notify|alert|warn) (?=«\d+»$)/i, '$1 the team ')
  // What is said of how it was is no text.
  if (/^[^«]*\b(?:rather than|instead of)\b/i.test(text)) return false
  // What the team is told may be to telephone.
  if (UNREACHABLE.test(text.replace(/ (?:that|to|about) .*$/i, ''))) return false
  const found =
    new RegExp(
      `^(notify|alert|tell|inform|warn|message|email|mail|let|ping|write to|write|remind|ask)(?: ${TEAM})\\b(?: know)?[,:]?\\s*(that |about |with |of |including |giving |to )?(.*)$`,
      'i',
    ).exec(text) ??
    new RegExp(
      `^(send|give)(?: ${NOTICE})?(?: to)? ${TEAM}\\b(?: ${NOTICE})?[,:]?\\s*(that |about |saying |with |including |containing )?(.*)$`,
      'i',
    ).exec(text)
  if (!found) return false
  const [all, verb = '', link = '', said = ''] = found
  if (/^(?:ask|remind)$/i.test(verb) && link.trim() === '' && !new RegExp(QUOTE).test(said)) return false
  // A warning is what the admins get a mail of.
  const isWarning =
    /^(?:warn|e?-?mail)$/i.test(verb) ||
    /\bwarning\b/i.test(all) ||
    /\burgent/i.test(all) ||
    /^(?:warning|urgent)$/i.test(level || (urgent ?? ''))
  const quoted = new RegExp(QUOTE).exec(said)?.[0]
  const isText = quoted === undefined && said.replaceAll(FILLERS, '').trim() !== '' && !/^(?:it|this|that)$/i.test(said)
  const isOwn = isText && (link !== '' || !NARROWS.test(said))
  // One team is told of everything: whose it is stands in front.
  const [, whose = ''] =
    /\b(?!(?:whole|entire|our|the|my|notify|alert|tell|inform|warn|message|e?mail|ping|remind|ask|write|send|give|to|let)\b)([\p{L}-]+) team\b/iu.exec(
      all,
    ) ?? []
  const plain = eventTold(flow.trigger)
  const front = whose === '' ? '' : `${titleOf(whose)}: `
  const toldOf = { ...plain, title: `${front}${plain.title}` }
  const values =
    isText && !/^(?:that|to|saying) $/i.test(link) ? valuesIn(draft, flow, said, /^(?:with|including|giving) $/i.test(link)) : undefined
  const headed = quoted === undefined ? undefined : titledIn(draft, flow, link + said, toldOf.body)
  const own = isOwn ? literal(sentenceOf(`${/^to $/i.test(link) ? 'please ' : ''}${draft.said.restore(said)}`)) : toldOf.body
  addStep(draft, flow, {
    type: 'notify',
    title: headed ? `${front}${literal(headed.title)}`.slice(0, 200) : toldOf.title,
    body: (headed ? headed.body : quoted ? literal(draft.said.quote(quoted)) : (values ?? own)).slice(0, 1_000) || toldOf.title,
    ...(isWarning && { level: 'warning' as const }),
  })
  if (headed) lookAtRest(draft, flow, headed.rest)
  else if (quoted) lookAtRest(draft, flow, said.replace(quoted, ' '))
  else if (isText && !isOwn && !values) lookAtRest(draft, flow, said)
  return true
}

/** Longer than this it is a text rather than a title. */
const TITLE_CHARS = 60

/** "a text saying": before what stands in a notice. */
export const WORDS = '(?:text|body|message|content|words)(?: is| of|:| saying| (?:that|which) (?:says|reads)| reading)?'
const TEXT_FIRST = new RegExp(
  `(?:with )?(?<text>(?:the |an? )?${WORDS} ${QUOTE}),? and (?:with )?(?<title>(?:the |an? )?(?:title|subject|heading|headline)(?: is| of|:)? ${QUOTE})$`,
  'i',
)

/** 'with the title "New sale" and the total in the text', '"New sale"': few words without a full stop are a title. */
function titledIn(draft: Draft, flow: Flow, said: string, plain: string): { title: string; body: string; rest: string } | undefined {
  const [before = '', mark = ''] = new RegExp(`^(?:(.*?) )??(${QUOTE})`, 'i').exec(said)?.slice(1) ?? []
  const words = draft.said.quote(mark)
  const isTitle = /\b(?:title|subject|headline|heading)(?: is| of|:)?$/i.test(before)
  const isShort = words.length <= TITLE_CHARS && !/[.!?…:;]$|\n/.test(words) && !/\b(?:text|body|words|saying|says|reads)$/i.test(before)
  if (words === '' || !(isTitle || isShort)) return undefined
  const behind = said.slice(said.indexOf(mark) + mark.length)
  const [, text] = new RegExp(`^(?:,? and|,) (?:with )?(?:the |an? )?${WORDS} (${QUOTE})$`, 'i').exec(behind) ?? []
  if (text) return { title: words, body: literal(draft.said.quote(text)), rest: '' }
  const [, wanted] =
    /^,? ?(?:and|with|which says|that says|saying|that has|giving|including|mentioning|showing|plus)(?: with)? (.+?)(?: (?:in|as) (?:the |its )?(?:text|body|message))?$/i.exec(
      behind,
    ) ?? []
  const values = wanted === undefined ? undefined : valuesIn(draft, flow, wanted)
  const rest = `${isTitle ? '' : before.replace(/\b(?:about|of|that|with|giving|including|to)$/i, '')} ${values === undefined ? behind : ''}`
  return { title: words, body: values ?? plain, rest }
}

/** "with the reason and the summary": a line for each; undefined where one of them is not known. */
function valuesIn(draft: Draft, flow: Flow, said: string, isList = false): string | undefined {
  const items = itemsOf(
    said
      .replace(/^(?:,|together with|along with|including|with|about|giving|mentioning|and)\s+/i, '')
      .replace(/ (?:in (?:it|the (?:text|body|title|message|notification)))$/i, ''),
  )
  const lines = items.map(each => {
    // "why (the reason)" says one thing twice.
    const [, outer = '', inner = ''] = /^([^()]+?)(?: ?\(([^()]+)\))?$/.exec(each.replace(/^(?:with|and|also) /i, '')) ?? []
    const path =
      pathIn(draft, flow, /^why\b/i.test(outer) ? 'the reason' : outer.replace(/^which (\w+)(?: (?:it|that) (?:is|was))?$/i, 'the $1')) ??
      (inner === '' ? undefined : pathIn(draft, flow, inner))
    return (
      path &&
      `${titleOf(each.replaceAll(/[«»]\d*/g, '').replace(/ (?:from|in|of) (?:the|its|that) (?:answer|response|reply)$/i, ''))}: {{${path}}}`
    )
  })
  const known = lines.filter(line => line !== undefined)
  if (known.length === 0 || (known.length < lines.length && !isList)) return undefined
  for (const [at, line] of lines.entries()) if (line === undefined) notUnderstood(draft, items[at] as string)
  return known.join('\n')
}

const IN_NOTICE =
  '(?: (?:in|into|to|on|as) (?:it|there|the (?:text|body|title|notification|message|alert|notice|note|warning)(?: of it)?))?'
const MENTIONS = [
  new RegExp(
    `^(?:put|include|mention|add|show|write|state|give|say|tell (?:them|us))(?: there| also| in it)? (.{2,200}?)${IN_NOTICE}$`,
    'i',
  ),
  /^(?:in|inside|into) (?:the|this|that|its) (?:text of the |body of the )?(?:notification|message|alert|notice|note|warning|text|body)(?: there)? (?:should|must|shall|please|i want|we want|put|comes?|stands?|goes?)(?: be| stand| appear| come| go| include| to see| to have| to read)? (.{2,200})$/i,
  /^(?:the |this |that |its )?(?:notification|message|alert|notice|note|warning|it|text|body) (?:should|must|needs? to|has to|ought to|shall) (?:also )?(?:say|contain|include|mention|have|show|tell|name|state|give|carry|list) (.{2,200})$/i,
  /^(.{2,200}?) (?:should|must|shall|has to|have to|needs? to) (?:also )?(?:be|stand|appear|come|go) (?:in|into) (?:it|the (?:text|body|title|notification|message|alert|notice|note|warning))$/i,
]

const MAILED =
  /^(?:(?:it|this|that|the (?:notification|alert|notice)) (?:(?:should|must|shall|has to|is to|also) )+be (?:e-?)?mailed(?: to (?:the |all )?admins?)?|(?:e-?)?mail (?:it|this|that)(?: to (?:the |all )?admins?)?|(?:the |all )?admins? (?:should|must) (?:also )?(?:get|receive) (?:it|this|that|a copy|an? e-?mail)(?: by e-?mail)?)(?: (?:too|as well|also))?$/i

/** "In the notification should stand the customer's name": what the last one tells. */
export function mention(draft: Draft, flow: Flow, text: string): boolean {
  const last = flow.steps.findLast(({ type }) => type === 'notify')
  // A warning is what the admins get a mail of.
  if (last?.type === 'notify' && MAILED.test(text)) {
    last.level = 'warning'
    return true
  }
  const said = MENTIONS.map(pattern => pattern.exec(text)?.[1]).find(each => each !== undefined)
  const values = last && said !== undefined ? valuesIn(draft, flow, said) : undefined
  if (last?.type !== 'notify' || values === undefined) return false
  last.body = `${last.body === eventTold(flow.trigger).body ? '' : `${last.body}\n`}${values}`.slice(0, 4_000)
  return true
}

/** Braces in a text of a person's are no template. */
export const literal = (text: string): string => text.replaceAll(/\{\{(?!config\.[a-z][\w-]*\}\})/g, '{ {')

const asking = (wanted: string): string => `How did you like it? We would be glad of your ${wanted.toLowerCase()}.`

const SAYS =
  /^(?:send|write to|write|message|tell|text|reply to|reply|answer|thank|email|mail|inform|notify|let|ask|remind|greet|welcome|wish|show|give|say|apologi[sz]e(?: to)?)\b/i

/** "ask how it went: «…»": the text says it. */
const PARAPHRASED = new RegExp(
  `^(?<front>(?:ask|tell|remind|thank|inform)\\b.{0,40}?)(?<what> (?:how|whether|if|that|what|why|to|for) [^«,]{2,80})[:,] (?=${QUOTE})`,
  'i',
)

export function message(draft: Draft, flow: Flow, told: string): boolean {
  const text = told
    .replace(PARAPHRASED, '$<front>: ')
    .replace(
      /^((?:send|write|give)(?: (?:them|him|her|the customer|customers))?) (?:an?|the|our) [\p{L}-]+ (?=(?:text|message|note|reply|greeting|reminder) «)/iu,
      '$1 a ',
    )
  const [verb] = SAYS.exec(text) ?? []
  const quoted = new RegExp(QUOTE).exec(text)?.[0]
  const isToPeople = new RegExp(`\\b${PEOPLE}(?=[\\s,:]|$)`, 'i').test(text)
  const [, that] =
    new RegExp(
      `${PEOPLE}(?: know)?,? (?:that|to say that|saying that|saying|(?=(?:it|they|we|their|your|our|the|all|everything) (?:[\\p{L}]+ ){0,3}(?:is|are|was|were|has|have|had|will|can|cannot|may|must)\\b)) ?(.+)$`,
      'iu',
    ).exec(text) ?? []
  const [, wanted] =
    new RegExp(
      `^(?:ask|remind)(?: ${PEOPLE})? (?:for|to (?:leave|write|give)(?: us)?) (?:an? |their )?(review|rating|feedback|opinion)$`,
      'i',
    ).exec(text) ?? []
  const isThanks = /^(?:say )?thank|\bthank[- ]you (?:message|note|text|mail|e-?mail)/i.test(text)
  const [, telling = ''] =
    new RegExp(`^(?:send|message|write|tell|give|email|mail|text)(?: to)? ${PEOPLE}(?: (?:with|about))? (.+)$`, 'i').exec(text) ?? []
  const values = quoted || telling === '' ? undefined : valuesIn(draft, flow, telling)
  if (values !== undefined && !UNREACHABLE.test(text)) {
    addStep(draft, flow, { type: 'send_message', text: values.slice(0, 4_000) })
    return true
  }
  if (verb === undefined || UNREACHABLE.test(text) || (!quoted && !isThanks && !wanted && !(isToPeople && that !== undefined))) return false
  const words = quoted
    ? draft.said.quote(quoted)
    : that !== undefined
      ? sentenceOf(draft.said.restore(that))
      : wanted
        ? asking(wanted)
        : 'Thank you!'
  if (words.trim() === '') return false
  addStep(draft, flow, { type: 'send_message', text: literal(words).slice(0, 4_000) })
  if (!wanted && (that === undefined || quoted))
    lookAtRest(
      draft,
      flow,
      text
        .slice(verb.length)
        .replace(quoted ?? '', ' ')
        .replace(new RegExp(`\\b${PEOPLE}(?=[\\s,:]|$)`, 'i'), ' '),
    )
  return true
}
