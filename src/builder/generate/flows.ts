// Sentences about what happens when: "When an order over 500 is paid, tag the customer as vip."
import type { Condition, Flow } from '../../apps/manifest/shape.ts'
import { readBranches, readFailure, readFollowing } from './branches.ts'
import { withoutDefault } from './calls.ts'
import { type Draft, disable, note, notUnderstood, understood } from './draft.ts'
import { addFlow } from './drafted-flows.ts'
import { DURATION } from './durations.ts'
import { eventName } from './event-names.ts'
import { excepted, exceptionsIn } from './exceptions.ts'
import { itemsOf } from './items.ts'
import { bare } from './names.ts'
import { mention } from './notices.ts'
import { literal } from './sayings.ts'
import { occasionsOf } from './several-occasions.ts'
import { addAt, doingSame, stepsInstead } from './step-edits.ts'
import { stepIn } from './step-names.ts'
import { isStep, stepTexts } from './step-texts.ts'
import { readSteps } from './steps.ts'
import { speakOf, targetOf } from './targets.ts'
import { readings, WHEN } from './tellings.ts'
import type { Occasion } from './triggers.ts'
import { valueIn } from './values.ts'

/** @returns whether the sentence was one about a flow */
export function readFlow(draft: Draft, sentence: string): boolean {
  let text = sentence.replace(
    /^(?:and |also |then |please |additionally,? |in addition,? |first(?:ly| of all)?,? (?=.*\bthen\b)|only (?=when|if|once|after))+/i,
    '',
  )
  const [idle = ''] =
    /,? (?:otherwise|or else|if not),? (?:do |nothing )?(?:nothing|happens?|is done)(?: (?:happens|should happen|is to be done))?$/i.exec(
      text,
    ) ?? []
  text = text.slice(0, text.length - idle.length)
  text = text.replace(
    /\b(?:such an?|one of (?:these|those)) order( (?:is|gets|has been) \w+)?\b/i,
    (all, deed = '') => topicOf(draft.before)?.replace(/^/, `an order${deed} `) ?? all,
  )
  text = withTopic(draft, text)
  // "Start the flow when the order has shipped": when the flow that is there begins.
  if (draft.isEdit && /^(?:do|run|start|trigger|begin|fire) (?:it|this|that|(?:the|this) (?:\w+ ){0,3}flow) /i.test(text)) return false
  if (readFailure(draft, text) || readFollowing(draft, text) || readBranches(draft, text)) return true
  text =
    draft.isFlowTold && draft.flow?.trigger.startsWith('order.')
      ? text.replace(/^(when|if|once|after|as soon as) (?:it|they) (?=(?:is|are|gets?|has been|have been) )/i, '$1 an order ')
      : text
  const found = exceptionTold(draft, text) ?? told(draft, text)
  if (!found) return false
  const notes = [...draft.notes]
  if (found.occasions.map(each => begin(draft, each, found.steps, sentence)).includes(true)) return true
  // Nothing is done: what would have been, and when, is told in one.
  draft.notes = notes
  notUnderstood(draft, sentence)
  return true
}

interface Told {
  occasions: Occasion[]
  steps: string
}

/** What happens, and what is done then: the first reading of which nothing is left, else the first. */
function told(draft: Draft, text: string): Told | undefined {
  let found: Told | undefined
  for (const { occasion, steps } of readings(text)) {
    const occasions = occasionsOf(occasion, draft.said)
    if (occasions.length === 0) continue
    const isWhole = occasions.every(({ left }) => left === '')
    if (isWhole || !found) found = { occasions, steps }
    if (isWhole) break
  }
  return found
}

/** "When an order is paid, unless by card, …": wherever the exception stands, it is one of all that is done. */
function exceptionTold(draft: Draft, text: string): Told | undefined {
  for (const { rest, words } of exceptionsIn(text)) {
    const found = told(draft, rest)
    const occasions = found?.occasions.flatMap(each => {
      const conditions = each.left === '' ? excepted(words, each.event, draft.said) : undefined
      return conditions ? [{ ...each, conditions: [...each.conditions, ...conditions] }] : []
    })
    if (found && occasions?.length === found.occasions.length) return { ...found, occasions }
  }
  return undefined
}

/** "Payment disputes scare me. If one comes in, …": what "one" is, is said at the beginning of the sentence before. */
function withTopic(draft: Draft, text: string): string {
  const [all, when = '', deed = ''] =
    /^(when(?:ever)?|if|once|as soon as|every time|each time) (?:one|such a thing|one of (?:them|these|those)|this|that) (comes? in|arrives?|happens?|occurs?|is (?:made|opened|filed|placed|received))(?=[ ,:])/i.exec(
      text,
    ) ?? []
  if (all === undefined) return text
  const words = draft.before.split(' ')
  for (const count of [3, 2, 1]) {
    const noun = words
      .slice(0, count)
      .join(' ')
      .replace(/^(?:an?|the|our|my) /i, '')
    const occasion = `a ${noun.toLowerCase().replace(/s$/, '')} ${deed}`
    if (noun === '' || occasionsOf(occasion, draft.said)[0]?.left !== '') continue
    if (FELT.test(words.slice(count).join(' '))) understood(draft, draft.before)
    return `${when} ${occasion}${text.slice(all.length)}`
  }
  return text
}

/** Feelings about what happens ask for nothing. */
const FELT =
  /^(?:(?:always|really|all) )?(?:scares?|worr(?:y|ies)|annoys?|bothers?|frightens?|upsets?|kills?|hurts?|costs?) (?:me|us|everyone)(?: (?:a lot|money|too much|dearly))?$|^(?:are|is) (?:bad|annoying|serious|a (?:pain|problem|nightmare)|scary|terrible)$/i

/** "Orders to Norway need customs papers": what "such an order" is. */
const topicOf = (before: string): string | undefined =>
  /^(?:the |all )?orders? (.{3,100}?) (?:needs?|requires?|must|have to|has to|gets?|should|are|is)\b/i
    .exec(before)?.[1]
    ?.replace(/^(?:shipping|shipped|going|sent|bound for) (?=to )/i, '')

/** "Fill the order number from the order; the level is silver": values of the record that is made. */
export function readValues(draft: Draft, sentence: string): boolean {
  const step = draft.isFlowTold ? draft.flow?.steps.findLast(({ type }) => type === 'create_record') : undefined
  const resource = step?.type === 'create_record' ? draft.manifest.resources.find(({ id }) => id === step.resource) : undefined
  if (!draft.flow || step?.type !== 'create_record' || !resource) return false
  const [, said = ''] = /^(?:(?:fill(?: in| out)?|set|put|take|copy|write|use|with|where|and)\s+)?(.{2,300})$/i.exec(sentence) ?? []
  const { flow } = draft
  const found = itemsOf(said).map(each => valueIn(draft, resource, bare(each), flow))
  if (found.length === 0 || found.some(each => each === undefined)) return false
  for (const each of found) if (each) step.values[each.name] = each.value
  draft.isSettled = true
  return true
}

/** "In the notification should stand the customer's name" */
export function readMention(draft: Draft, sentence: string): boolean {
  // "The notification for big orders should also contain the total."
  const text = sentence.replace(
    /^(the (?:notification|message|alert|notice|warning)) (?:for|of|about|in|on) (.{2,40}?) (?=should|must|has to)/i,
    (all, notice: string, of: string) => {
      const target = targetOf(draft, of, ['flow'])
      if (target) speakOf(draft, target)
      return target ? `${notice} ` : all
    },
  )
  // Where several flows are there, the one that the notification is of.
  const flow = draft.flow ?? stepIn(draft, /\bmessage\b/i.test(text) ? 'message' : 'notification')?.flow
  return flow !== undefined && (mention(draft, flow, text) || (draft.isFlowTold && readTexts(flow, text, draft)))
}

/** "Title of the warning: …": of the last message or notification. */
function readTexts({ steps }: Flow, text: string, { said }: Draft): boolean {
  const [, what = '', mark = ''] =
    /^(?:the |its |with the )?(title|subject|headline|text|body|message|wording)(?: (?:of|for|in) (?:the |this )?(?:\w+ )?(?:warning|notification|notice|alert|message|it))?:? ?(?:is|should be|should say|says)?:? ?(«\d+»)$/i.exec(
      text,
    ) ?? []
  const step = steps.findLast(({ type }) => type === 'notify' || (type === 'send_message' && !/^(?:title|subject|headline)$/i.test(what)))
  if (mark === '' || !step) return false
  const words = literal(said.quote(mark))
  if (step.type === 'notify' && /^(?:title|subject|headline)$/i.test(what)) step.title = words.slice(0, 200)
  else if (step.type === 'notify') step.body = words.slice(0, 4_000)
  else if (step.type === 'send_message') step.text = words.slice(0, 4_000)
  return true
}

const PLACE = /^(?:right |just |directly )?(?:before|after|ahead of) [^,]{2,60}, /i

/** @returns whether a step is done */
function begin(draft: Draft, { event, conditions, left }: Occasion, steps: string, sentence: string): boolean {
  const { flows } = draft.manifest
  const isAdded = /^(?:and |please )*also\b/i.test(sentence) || /\b(?:also|as well|too)\b/i.test(steps)
  const known = isAdded && left === '' ? flows.findLast(each => each.trigger === event && isLike(each, conditions)) : undefined
  // "When an order is paid, before tagging, notify us": a place in the flow that does so.
  const there =
    draft.isEdit && left === '' && PLACE.test(steps) ? flows.find(each => each.trigger === event && isLike(each, conditions)) : undefined
  const changed =
    draft.isEdit && left === '' && / instead$/i.test(steps)
      ? flows.find(each => each.trigger === event && isLike(each, conditions))
      : undefined
  if (changed && stepsInstead(draft, changed, steps.replace(/,? instead$/i, ''))) return true
  // "Tell us about low stock only if …": of the flow that does. A second one that is not understood would add to what it does.
  const rival =
    draft.isEdit && !draft.isFlowTold && (left !== '' || /\bonly\b/i.test(sentence)) ? doingSame(draft, event, steps) : undefined
  if (rival && left !== '') return false
  if (rival && conditions.length > 0) {
    const others = (rival.conditions ?? []).filter(({ field }) => !conditions.some(each => each.field === field))
    rival.conditions = [...others, ...conditions]
    draft.flow = rival
    return true
  }
  if (there) draft.flow = there
  if (there && addAt(draft, steps)) return true
  const flow = known ?? addFlow(draft, event, eventName(event))
  if (!flow) return true
  const begun = flow.steps.length
  draft.flow = flow
  if (conditions.length > 0 && !known) flow.conditions = conditions
  readSteps(draft, flow, steps)
  // What only waits does nothing.
  if (flow.steps.slice(begun).some(({ type }) => type !== 'wait')) {
    if (left !== '') disable(draft, flow, left)
    return true
  }
  if (known) return false
  draft.manifest.flows = flows.filter(each => each !== flow)
  draft.flow = draft.manifest.flows.at(-1)
  return false
}

const isLike = ({ conditions = [] }: Flow, said: readonly Condition[]): boolean => JSON.stringify(conditions) === JSON.stringify(said)

/** Steps that go on with the flow that was spoken of, or that there is. */
export function readMoreSteps(draft: Draft, sentence: string): boolean {
  const text = sentence
    .replace(/^(?:also|then|and|please|afterwards?|finally|after that|in addition)[,\s]+/i, '')
    .replace(/,? (?:as well|too)$/i, '')
  const { flow } = draft
  if (!flow || !isStep(text)) return false
  const before = flow.steps.length
  const notes = [...draft.notes]
  const { enabled, conditions } = flow
  const restore = withoutDefault(draft, flow, sentence)
  const told = JSON.stringify(flow.steps)
  readSteps(draft, flow, text)
  if (flow.steps.length > before) return true
  if (JSON.stringify(flow.steps) !== told && draft.notes.length === notes.length) return true
  restore()
  // None of it was a step: another reader may know what it is.
  draft.notes = notes
  if (enabled === undefined) delete flow.enabled
  if (conditions === undefined) delete flow.conditions
  return false
}

/** Whether a sentence says when something happens, so that no other reader takes it for a thing. */
export function readStrayTrigger(draft: Draft, sentence: string): boolean {
  const text = sentence.replace(/^(?:and |also |then )+/i, '')
  const words = text.replace(new RegExp(`^(?:${DURATION} )?${WHEN}\\s+`, 'i'), '')
  const isTimed = words !== text || AT_TIMES.test(text)
  if (!isTimed || stepTexts(words).length === 0) return false
  const why = AT_TIMES.test(text)
    ? 'Flows begin when something happens in the workspace, and not at a time or on a date.'
    : 'Say it as "When an order is paid, tag the customer as vip."'
  note(draft, `Not understood: "${draft.said.restore(sentence).slice(0, 300)}". ${why}`)
  return true
}

/** What no event tells: "every Monday", "on their birthday". */
const AT_TIMES =
  /^(?:(?:at|on|in) (?:the )?(?:end|start|beginning|first|last)\b|(?:every|each|on|at) (?:day|night|morning|evening|week|month|year|hour|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend|christmas|new year)|(?:daily|weekly|monthly|yearly)\b|at \d|on (?:an? |the |each |every |their |his |her )?(?:\w+'s? )?(?:birthday|anniversary))/i
