// Steps that write to people: a message to the customer, a notice to the team.
import type { Flow } from '../../apps/manifest/shape.ts'
import { addStep, type Draft, disable, notUnderstood } from './draft.ts'
import { eventTold } from './event-names.ts'
import { sentenceOf } from './names.ts'
import { QUOTE } from './sentences.ts'

export const PEOPLE =
  '(?:the |this |that |our |each |every |such |those )?(?:customer|contact|client|buyer|shopper|person|user|people|them|him|her)s?'
export const TEAM =
  '(?:the |our |my )?(?:\\w+ (?=team))?(?:team|staff|admins?|us|me|everyone|everybody|colleagues|operators?|owner|support|crew|accountant|manager)'

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
  `\\b(?:${NOTICE}|an?|the|our|my|short|nice|quick|friendly|personal|little|thank[ -]?you|thanks|say|welcome|greeting|for (?:an? )?(?:review|rating|feedback|opinion)|review|reply|answer|question|reminder|follow[ -]?up|them|saying|says?|reads?|that|which|with|text|words|wording|to|for|back|straight away|right away|straight|away|at once|immediately|instantly|automatically|now|asap|know|as a|in reply|and|about it|about this|of it|of this)\\b`,
  'gi',
)

export function notify(draft: Draft, flow: Flow, text: string): boolean {
  const found =
    new RegExp(
      `^(notify|alert|tell|inform|warn|message|email|mail|let|ping|write to|write)(?: ${TEAM})\\b(?: know)?[,:]?\\s*(that |about |with |of )?(.*)$`,
      'i',
    ).exec(text) ??
    new RegExp(`^(send)(?: ${NOTICE})?(?: to)? ${TEAM}\\b(?: ${NOTICE})?[,:]?\\s*(that |about |saying )?(.*)$`, 'i').exec(text)
  if (!found) return false
  const [all, verb = '', link = '', said = ''] = found
  const isWarning = /^warn$/i.test(verb) || /\bwarning\b/i.test(all) || /\burgent/i.test(all)
  const quoted = new RegExp(QUOTE).exec(said)?.[0]
  const isText = quoted === undefined && said.replaceAll(FILLERS, '').trim() !== '' && !/^(?:it|this|that)$/i.test(said)
  const isOwn = isText && (link !== '' || !NARROWS.test(said))
  const told = eventTold(flow.trigger)
  const body = quoted ? literal(draft.said.quote(quoted)) : isOwn ? literal(sentenceOf(draft.said.restore(said))) : told.body
  addStep(draft, flow, {
    type: 'notify',
    title: told.title,
    body: body.slice(0, 1_000) || told.title,
    ...(isWarning && { level: 'warning' as const }),
  })
  if (quoted) lookAtRest(draft, flow, said.replace(quoted, ' '))
  else if (isText && !isOwn) lookAtRest(draft, flow, said)
  return true
}

/** Braces in a text of a person's are no template. */
const literal = (text: string): string => text.replaceAll('{{', '{ {')

const asking = (wanted: string): string => `How did you like it? We would be glad of your ${wanted.toLowerCase()}.`

const SAYS =
  /^(?:send|write to|write|message|tell|text|reply to|reply|answer|thank|email|mail|inform|notify|let|ask|remind|greet|welcome|wish|show|give|say)\b/i

export function message(draft: Draft, flow: Flow, text: string): boolean {
  const [verb] = SAYS.exec(text) ?? []
  const quoted = new RegExp(QUOTE).exec(text)?.[0]
  const isToPeople = new RegExp(`\\b${PEOPLE}(?=[\\s,:]|$)`, 'i').test(text)
  const [, that] = new RegExp(`${PEOPLE}(?: know)?,? (?:that|to say that|saying that|saying) (.+)$`, 'i').exec(text) ?? []
  const [, wanted] =
    new RegExp(
      `^(?:ask|remind) ${PEOPLE} (?:for|to (?:leave|write|give)(?: us)?) (?:an? |their )?(review|rating|feedback|opinion)$`,
      'i',
    ).exec(text) ?? []
  const isThanks = /^(?:say )?thank|\bthank[- ]you (?:message|note|text|mail|e-?mail)/i.test(text)
  if (verb === undefined || (!quoted && !isThanks && !wanted && !(isToPeople && that !== undefined))) return false
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
