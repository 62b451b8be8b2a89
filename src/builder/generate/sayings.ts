// Steps that write to people: a message to the customer, a notice to the team.
import type { Flow } from '../../apps/manifest/shape.ts'
import { type Draft, disable, notUnderstood } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { itemsOf } from './items.ts'
import { sentenceOf, titleOf } from './names.ts'
import { pathIn } from './paths.ts'
import { QUOTE } from './sentences.ts'

export const PEOPLE =
  '(?:the |this |that |our |each |every |such |those |these |all )?(?:customer|contact|client|buyer|shopper|person|user|people|them|him|her|patient|guest|member|visitor|purchaser|sender|recipient|receiver|subscriber)s?'
export const TEAM =
  '(?:the |our |my )?(?:\\w+ (?=team))?(?:team|staff|admins?|us|me|everyone|everybody|colleagues|operators?|owner|support|crew|accountant|manager|office|boss|sales|marketing|logistics|accounting|bookkeeping|warehouse|kitchen|management)'

export const NOTICE =
  '(?:an? |the |our )?(?:short |quick |little )?(?:notice|notification|note|warning|message|alert|heads-up|e-?mail|text|sms)'
/** What says when, or for which, or how often: without it more would be done than was asked. */
export const NARROWS =
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
export const FILLERS = new RegExp(
  `\\b(?:${NOTICE}|an?|the|our|my|short|nice|quick|friendly|personal|little|thank[ -]?you|thanks|say|welcome|greeting|for (?:an? )?(?:review|rating|feedback|opinion)|review|reply|answer|question|reminder|follow[ -]?up|them|saying|says?|reads?|that|which|with|text|words|wording|to|for|back|straight away|right away|straight|away|at once|immediately|instantly|automatically|now|asap|know|as a|in reply|and|instead|about it|about this|of it|of this)\\b`,
  'gi',
)

/** What an app cannot do: an SMS, a telephone call, or a letter to an address of somebody's. */
export const UNREACHABLE = /\b(?:sms|text message|phone|telephone|fax|slack|pager|push notification|printer)\b|\+?\d[\d ()-]{7,}|\S@\S/i

/** "a text saying": before what stands in a notice. */
export const WORDS = '(?:text|body|message|content|words)(?: is| of|:| saying| (?:that|which) (?:says|reads)| reading)?'
/** "with the reason and the summary": a line for each; undefined where one of them is not known. */
export function valuesIn(draft: Draft, flow: Flow, said: string, isList = false): string | undefined {
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
