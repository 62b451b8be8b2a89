// Sentences that change what a flow does, and when.
import type { Condition, Flow, Step } from '../../apps/manifest/shape.ts'
import { conditionsOf, opposite } from './conditions.ts'
import { type Draft, disable } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import { limitsIn } from './limited.ts'
import { bare, isSame } from './names.ts'
import { PEOPLE } from './sayings.ts'
import { QUOTE } from './sentences.ts'
import { stepIn, typeOfDeed } from './step-names.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'
import { occasionOf } from './triggers.ts'

/** The flow that is spoken of, if it has such a step, or else the only one that has. */
function flowDoing(draft: Draft, type: Step['type']): Flow | undefined {
  const doing = draft.manifest.flows.filter(({ steps }) => steps.some(step => step.type === type))
  return doing.find(each => each === draft.flow) ?? (doing.length === 1 ? doing[0] : undefined)
}

export function changeTag(draft: Draft, text: string): boolean {
  // "The tag for big orders should be «whale» instead."
  const [, whose = '', fresh = ''] =
    new RegExp(
      `^(?:the )?tag (?:for|of|in|on) (.{2,60}?) (?:should|must|shall|is to|has to) (?:now |rather )?be(?: called)? (${QUOTE}|[\\w-]{1,60})(?: instead| now)?$`,
      'i',
    ).exec(text) ?? []
  const of = whose === '' ? undefined : flowMeant(draft, whose)?.steps.find(each => each.type === 'tag_contact')
  if (of?.type === 'tag_contact') {
    of.tag = fresh.startsWith('«') ? draft.said.quote(fresh) : fresh
    return true
  }
  const [, name] =
    new RegExp(`^(?:change|set|rename) the tag (?:to|into|as) (${QUOTE}|[\\w -]{1,60})$`, 'i').exec(text) ??
    new RegExp(
      `^(?:tag|label|mark|use|make)(?: ${PEOPLE}| (?:the |that )?tag)?(?: as| with)?(?: an?)? (${QUOTE}|[\\w-]{1,60}) instead$`,
      'i',
    ).exec(text) ??
    []
  const step = flowDoing(draft, 'tag_contact')?.steps.findLast(each => each.type === 'tag_contact')
  if (name === undefined || step?.type !== 'tag_contact') return false
  step.tag = name.startsWith('«') ? draft.said.quote(name) : name.trim()
  return true
}

const BEGINS = '(?:when(?:ever)?|once|after|if|as soon as|on|each time|every time)'
const RUNS =
  '(?:run|start|begin|happen|come|be sent|fire|act|trigger|be triggered|work|go out|be given|be set|be done|be (?:recorded|saved|created|made|kept|added|stored|planned|sent|tagged|notified|told|called)|take place|react)'
/** "Plan the route when the order is shipped instead": what is done, and not what the flow is called. */
const BEGUN_INSTEAD = new RegExp(
  `^(?<flow>.{2,50}?) (?:already |only )?${BEGINS} (?<words>.+?)(?: instead|,? (?:instead of|rather than|not) (?:when|after|once|if|as soon as) .+)$`,
  'i',
)
const TRIGGERS = [
  new RegExp(
    `^(?:do|run|start|trigger|begin|fire) (?<flow>.{2,50}?) (?:only |already |rather )?${BEGINS} (?<words>.+?)(?: instead)?$`,
    'i',
  ),
  /^(?:change|set) the trigger(?: of (?<flow>.{2,50}?))? to (?:when )?(?<words>.+)$/i,
  new RegExp(
    `^(?<flow>.{2,50}?) (?:should|must|shall|has to|is to) (?:now |only |already |rather )?${RUNS} ?(?:only |already )?${BEGINS} (?<words>.+?)(?: instead)?$`,
    'i',
  ),
]

/** The flow that words mean; "it" is the one that was spoken of. */
export function flowMeant(draft: Draft, words: string): Flow | undefined {
  if (/^(?:it|this|that|the flow|them|this flow)?$/i.test(words.trim())) return draft.flow
  const target = targetOf(draft, words, ['flow'])
  if (target) speakOf(draft, target)
  if (target?.kind === 'flow') return target.flow
  // "the vip limit": of the flow that gives the tag.
  const said = words.toLowerCase().split(/[^\p{L}\d-]+/u)
  const found = draft.manifest.flows.filter(({ steps }) =>
    steps.some(step => step.type === 'tag_contact' && said.some(word => isSame(word, step.tag))),
  )
  // "deliveries": of the flow that keeps them.
  const resource = resourceNamed(draft, bare(words))
  const keeping = draft.manifest.flows.filter(({ steps }) =>
    steps.some(step => step.type === 'create_record' && step.resource === resource?.id),
  )
  const [one, ...others] = found.length > 0 ? found : keeping
  return others.length === 0 ? one : undefined
}

/** "… tagged commercial instead of gym": what a flow has now is not wanted any longer. */
function withoutOld(draft: Draft, text: string): string {
  const [all = '', old = ''] = /,? (?:instead of|rather than) (?:the )?([^,]{2,60})$/i.exec(text) ?? []
  const conditions = draft.manifest.flows.flatMap(flow => flow.conditions ?? [])
  const isThere = conditions.some(({ value }) => typeof value === 'string' && value.toLowerCase() === unquoted(draft, old).toLowerCase())
  if (!isThere) return text
  return text.slice(0, -all.length)
}

/** "…, not when it is paid", "…, not paid" */
const WAS_BEFORE =
  /,? (?:and )?(?:not|rather than|instead of) (?:(?:when|if|once|after|on|as soon as) .+|(?:when )?(?:paid|placed|created|shipped|delivered|cancell?ed|refunded|returned|confirmed))$/i

/** "… when they're created": the orders that the flow is about. */
const ofFlow = (words: string, { trigger }: Flow): string =>
  /^order\./.test(trigger) ? words.replace(/^(?:it|they)(?:'s|'re| is| are| has been| have been| gets?) (?=\w)/i, 'an order is ') : words

export function changeTrigger(draft: Draft, text: string): boolean {
  const plainly = withoutOld(draft, text.replace(WAS_BEFORE, ''))
  const { flow: named = '', words = '' } =
    TRIGGERS.map(pattern => pattern.exec(plainly)?.groups).find(found => found !== undefined) ?? BEGUN_INSTEAD.exec(text)?.groups ?? {}
  const flow = words === '' ? undefined : flowMeant(draft, named)
  const occasion = flow && occasionOf(ofFlow(words, flow), draft.said)
  if (!occasion || !flow) return false
  // "only if the total is over 100": of the same event, and a condition alone.
  const own = conditionsOf(words, flow.trigger, draft.said)
  if (own.left === '' && own.conditions.length > 0) return false
  if (occasion.left !== '') disable(draft, flow, occasion.left)
  // What only the event before tells of is no condition of this one.
  if (flow.trigger !== occasion.event) {
    flow.conditions = (flow.conditions ?? []).filter(({ field }) => field.startsWith('event.order.') && /^order\./.test(occasion.event))
    if (flow.conditions.length === 0) delete flow.conditions
  }
  flow.trigger = occasion.event
  if (occasion.conditions.length > 0) flow.conditions = occasion.conditions
  return true
}

const OFF = 'disable|deactivate|pause|stop|(?:switch|turn) off|suspend'
const ON = 'enable|activate|resume|reactivate|(?:switch|turn) on'

export function turn(draft: Draft, text: string): boolean {
  const { how = '', flow: named = '' } =
    [
      new RegExp(`^(?<how>${OFF}|${ON}) (?<flow>.{2,60}?)(?: for now| until .*| again)?$`, 'i'),
      /^(?:switch|turn|put|leave) (?<flow>.{2,60}?) (?<how>off|on)(?: for now| again)?$/i,
      /^(?<flow>.{2,60}?) (?:should|must|shall|has to) (?:not run|be (?:switched |turned )?(?<how>off|on|disabled|enabled|paused))(?: any ?more| for now| until .*| again)?$/i,
    ]
      .map(pattern => pattern.exec(text)?.groups)
      .find(found => found !== undefined) ?? {}
  // "stop telling the team about big orders, but keep tagging": more than a flow is named.
  const flow =
    named === '' || named.includes(',') ? undefined : flowMeant(draft, named.replace(/^(?:the |this |that )(?=flow$|it$)/i, 'the '))
  if (!flow) return false
  if (/^(?:disabled?|deactivate|paused?|stop|suspend|.*off|)$/i.test(how)) flow.enabled = false
  else delete flow.enabled
  return true
}

const ONLY = [
  new RegExp(
    `^(?<flow>.{2,60}?) (?:should|must|shall|may|has to|is to)(?: now)? (?<no>not )?(?:only |just )?(?:${RUNS}|apply|count|be for|be used|be (?:tagged|told|notified|thanked|messaged|sent|created)|tag .{1,40}|notify .{1,40}?|be made|appear)? ?(?<only>only )?(?<word>if|when|where|for|with|unless|from|at|above|over|below|under|on|via|through|by)(?: there (?:is|are))? (?<words>.+)$`,
    'i',
  ),
  /^(?:do(?! not)|run|use|send|limit|restrict|apply|make|let|have|show|give)(?: only)? (?<flow>.{2,60}?)(?: run| come| happen| apply)? (?<only>only )?(?<word>if|when|where|for|to|unless) (?<words>.+)$/i,
  /^only (?:do|run|use|send|apply|make|show|trigger|fire|tag|notify|give|call|message) (?<flow>.{2,60}?) (?<word>if|when|where|for|unless) (?<words>.+)$/i,
  /^only (?:notify|tag|send|warn|message|call|act|do so|do it|do this|tell (?:us|the team)|notify (?:us|the team))(?<flow>) (?<word>if|when|where|for|unless) (?<words>.+)$/i,
  /^only (?:notify|warn|alert|tell|inform|message)(?: us| the team| me| them)? (?:about|of|on) (?<flow>.{2,60}?) (?<word>if|when|where|for|unless) (?<words>.+)$/i,
  /^(?:notify|warn|alert|tell|inform)(?: us| the team| me)? (?:about|of|on) (?<flow>.{2,60}?) only (?<word>if|when|where|for) (?<words>.+)$/i,
  /^(?<deed>(?:tag|notify|warn|tell|message|call|thank|send)(?: [\w' -]{2,30}?)?) only (?<word>if|when|where|for) (?<words>.+)$/i,
  /^only (?<deed>(?:tag|notify|warn|message|thank|call)(?: (?:the |our )?(?:customers?|buyers?|clients?|contacts?|people|them|team|staff|service))?) (?<word>if|when|where|for|unless) (?<words>.+)$/i,
  /^only (?<deed>(?:create|save|record|make|add|store) .{2,40}?) (?<word>if|when|where|for) (?<words>.+)$/i,
  /^only (?<flow>(?!the assistant)[a-z]+ .{2,60}?) (?<word>if|when|where|for|unless) (?<words>.+)$/i,
  /^(?<flow>.{2,60}?) (?:is|are|should be|must be|counts?|applies|apply|holds?)(?: meant| intended)? (?<word>for|to) (?<words>.+?),? (?:only|alone|exclusively)$/i,
  /^(?<flow>.{2,60}?) only (?<word>on|over|in|from|for|if|when|where|with|at) (?<words>.+)$/i,
  /^(?:add|put) (?:the |a )?condition(?: to (?<flow>.{2,60}?))?(?: that|:) (?<words>.+)$/i,
  /^no (?:more )?(?<deed>(?:tag|message|notification|notice|warning|call|thanks|reminder)s?) (?<no>)(?<word>for|if|when|where) (?<words>.+)$/i,
  /^no (?:more )?(?<flow>.{2,60}?) (?<no>)(?<word>for|if|when|where) (?<words>.+)$/i,
  /^(?:do not|don't) (?:do|run|use|send|apply) (?<flow>.{2,60}?) (?<no>)(?<word>if|when|where|for) (?<words>.+)$/i,
  /^(?:do not|don't|never) (?<deed>(?:notify|alert|warn|tell|tag|message|call|ask|send)(?: (?:it|them|us|him|her|(?:(?:the|our|any|an?) )?(?:team|staff|customers?|buyers?|clients?|contacts?|people|service|message|notification)))?(?: (?:who|that) (?:buys?|bought|orders?|ordered|pays?|paid|spends?|spent))?) (?<no>)(?<word>if|when|where|for|as long as|while) (?:there (?:are|is) (?:still )?)?(?<words>.+)$/i,
]

/** "No notification for new orders under 20": of the flow that begins with those. */
function stepFor(draft: Draft, deed: string, words: string): { flow: Flow; step: Step } | undefined {
  const event = occasionOf(words, draft.said)?.event
  const type = typeOfDeed(deed)
  const doing = draft.manifest.flows.filter(({ steps }) => steps.some(step => step.type === type))
  const flow =
    doing.find(({ trigger }) => trigger === event) ??
    (doing.length > 1 && /\borders?\b/i.test(words) ? doing.find(({ trigger }) => trigger.startsWith('order.')) : undefined)
  const step = flow?.steps.find(each => each.type === type)
  return flow && step ? { flow, step } : stepIn(draft, deed)
}

/** "The tag renter", "the thank-you message": of all that a flow does, that step. */
function stepNamed(draft: Draft, words: string): { flow: Flow; step: Step } | undefined {
  const name = words.replace(/ (?:is|are|should be|must be)$/i, '')
  const [, front = '', behind = ''] = /^the (?:tag ([\w-]+)|([\w-]+) tag)$/i.exec(name) ?? []
  const tag = front || behind
  if (tag !== '')
    for (const flow of draft.manifest.flows)
      for (const step of flow.steps) if (step.type === 'tag_contact' && isSame(step.tag, tag)) return { flow, step }
  return /^the (?:tag|message|notification|notice|warning|call|record)$/i.test(name) ? stepIn(draft, name) : undefined
}

const BEGINS_AS_DEED = /^(?:only )?(notify|warn|alert|inform|tag|thank)\b/i

/** "The low stock notification should only come if fewer than 3 are available." */
export function narrow(draft: Draft, text: string): boolean {
  if (narrowStep(draft, text, true)) return true
  for (const pattern of ONLY) {
    const { flow: named = '', deed, no, word = '', words = '' } = pattern.exec(text)?.groups ?? {}
    const own = words === '' ? undefined : deed ? stepFor(draft, deed, words) : stepNamed(draft, named)
    const only = deed ? undefined : BEGINS_AS_DEED.exec(text)?.[1]
    const flow = words === '' ? undefined : deed ? own?.flow : (own?.flow ?? flowMeant(draft, named))
    if (!flow) continue
    const plain = /^(?:from|at|above|over|below|under|on|in)$/i.test(word) ? `${word} ${words}` : words
    const { conditions, left } = conditionsOf(plain.replace(/,? (?:instead of|rather than|not) .+$/i, ''), flow.trigger, draft.said)
    const isNot = no !== undefined || /^unless$/i.test(word)
    const met = isNot ? opposite(conditions) : conditions
    if (left !== '' || !met || met.length === 0) continue
    // "Do not tag customers who …", "only tag them if …": what else the flow does, it goes on doing, unless all of it has such a limit.
    const isLimited = (flow.conditions ?? []).some(({ field }) => met.some(each => each.field === field))
    if (own && flow.steps.length > 1 && (isNot || !isLimited)) {
      own.step.conditions = [...(own.step.conditions ?? []), ...met]
      return true
    }
    // "Notify the team about paid orders only if …", which are tagged as well.
    const told = only === undefined || isLimited ? undefined : flow.steps.find(({ type }) => type === typeOfDeed(only))
    if (told && !isNot && flow.steps.some(({ type }) => type !== told.type && type !== 'wait')) {
      told.conditions = [...(told.conditions ?? []), ...met]
      return true
    }
    // A value that is there already is changed, rather than asked for twice.
    const others = (flow.conditions ?? []).filter(
      ({ field, op }) => !met.some(each => each.field === field && (each.op === op || /^[gl]te?$/.test(op))),
    )
    flow.conditions = [...others, ...met]
    return true
  }
  return narrowStep(draft, text, false)
}

/** A tag by its name, which may be that of no step. */
const OF_TAG = /^the (?:tag [\w-]+|[\w-]+ tag)$/i

/** "Do not call the ERP for orders below 20": the step that does so, or its flow where it does nothing else. */
function narrowStep(draft: Draft, text: string, isDenied: boolean): boolean {
  for (const { words, isNot, of } of limitsIn(text)) {
    const own = of === '' || isNot !== isDenied ? undefined : (stepNamed(draft, of) ?? (OF_TAG.test(of) ? undefined : stepIn(draft, of)))
    if (!own) continue
    const { conditions, left } = conditionsOf(words, own.flow.trigger, draft.said)
    const met = isNot ? opposite(conditions) : conditions
    if (left !== '' || !met || met.length === 0 || /\b(?:not|never|nothing|without)\b/i.test(words)) continue
    const isAlone = own.flow.steps.every(step => step === own.step || step.type === 'wait')
    const limited: { conditions?: Condition[] } = isAlone ? own.flow : own.step
    limited.conditions = [...(limited.conditions ?? []), ...met]
    return true
  }
  return false
}
