// "Same for refunded orders", "the same goes for the loans": what was said last, of something else.
import type { Condition, Flow, Step } from '../../apps/manifest/shape.ts'
import { conditionsOf } from './conditions.ts'
import { type Draft, disable, notUnderstood } from './draft.ts'
import { addFlow } from './drafted-flows.ts'
import { resourceNamed } from './drafted-resources.ts'
import { eventName, eventTold } from './event-names.ts'
import { bare } from './names.ts'
import { occasionsOf } from './several-occasions.ts'
import { typeOfDeed } from './step-names.ts'
import { isStep } from './step-texts.ts'
import { readSteps } from './steps.ts'

const SAME = new RegExp(
  '^(?:(?:and|also|please|then),? )*(?:(?:do|make|set up|add|have) )?(?:exactly )?(?:the )?(?:(?:very )?same(?: thing| flow| rule| again| steps)*|likewise|ditto|similarly)' +
    '(?: (?:goes|applies|holds|is true|(?:should|must|has to|is to) (?:happen|apply|be done)))?(?: too)?,?:? (?:(?:for|with|on|to|in|of|when(?:ever)?|if|as soon as|after|once)\\b ?)?' +
    '(?<what>.{3,200})$',
  'i',
)

/** Where a clause says that the same is done of something else. */
export const SAME_AGAIN =
  /[,;]? (?:and|but) (?=(?:(?:do|make) )?(?:exactly )?(?:the )?(?:same(?: thing)?|likewise|ditto) (?:goes |applies )?(?:for|when|with|if|on)\b)/i

/** @param read reads a clause as if it had been said */
export function readSame(draft: Draft, sentence: string, read: (clause: string) => boolean): boolean {
  const { what } = SAME.exec(sentence)?.groups ?? {}
  if (what === undefined) return false
  const [, subject = what, link = '', more = ''] =
    /^(.+?)(?:(:|,? but(?: with| then)?|,? only(?: with)?|,? just(?: with)?|,? with(?= (?:the|a) tag)) (.+))?$/i.exec(what) ?? []
  return ofFlow(draft, subject, link, more) || (more === '' && ofThing(draft, bare(subject), read))
}

function ofFlow(draft: Draft, subject: string, link: string, more: string): boolean {
  const { flow } = draft
  if (!flow || resourceNamed({ manifest: { resources: [...draft.manifest.resources, ...draft.foreseen.resources] } }, bare(subject)))
    return false
  const begins = beginningOf(draft, flow, subject)
  if (begins.length === 0) return false
  for (const { event, conditions, left } of begins) {
    const other = addFlow(draft, event, eventName(event))
    if (!other) return true
    if (conditions.length > 0) other.conditions = structuredClone(conditions)
    if (link === ':') readSteps(draft, other, more)
    else {
      other.steps = structuredClone(flow.steps).map(step => told(step, flow.trigger, event))
      if (more !== '') change(draft, other, more)
    }
    // A flow does something.
    if (other.steps.length === 0) {
      draft.manifest.flows = draft.manifest.flows.filter(each => each !== other)
      draft.flow = flow
      notUnderstood(draft, subject)
    } else if (left !== '') disable(draft, other, left)
  }
  return true
}

/** What of the same kind begins it: "refunded orders", or "orders from Germany", of which the same has happened. */
function beginningOf(draft: Draft, flow: Flow, subject: string): { event: string; conditions: Condition[]; left: string }[] {
  // "Same for Austria": of orders to there.
  const own = ['', 'to ', 'via ', 'by ']
    .map(link => conditionsOf(link + subject, flow.trigger, draft.said))
    .reduce((first, next) => (first.left === '' && first.conditions.length > 0 ? first : next))
  const occasions = occasionsOf(subject, draft.said)
  const isOther = occasions.some(
    ({ event, left }) => left === '' && event !== flow.trigger && (event !== 'order.created' || PLACED.test(subject)),
  )
  if (!isOther && own.left === '' && own.conditions.length > 0) return [{ event: flow.trigger, conditions: own.conditions, left: '' }]
  return occasions
}

const PLACED = /\b(?:placed|created|new|made|comes? in|arrives?)\b/i

/** What the team is told by itself is told of the other event. */
function told(step: Step, was: string, is: string): Step {
  if (step.type !== 'notify' || was === is) return step
  const [before, after] = [eventTold(was), eventTold(is)]
  return {
    ...step,
    title: step.title === before.title ? after.title : step.title,
    body: step.body === before.body ? after.body : step.body,
  }
}

/** "… but tag them lost", "… but without the message": what is done otherwise. */
function change(draft: Draft, flow: Flow, more: string): void {
  const [, without] = /^(?:without|not|no)(?: the| an?)? (.{3,60})$/i.exec(more) ?? []
  const gone = without === undefined ? undefined : typeOfDeed(without)
  if (gone !== undefined && flow.steps.some(({ type }) => type === gone)) {
    flow.steps = flow.steps.filter(({ type }) => type !== gone)
    return
  }
  const said = more.replace(/^(?:with )?(?:the |a )?tag (?=\S+$)/i, 'tag them ').replace(/^(?:as|with) an? warning$/i, 'warn the team')
  if (!isStep(said)) {
    notUnderstood(draft, more)
    return
  }
  const aside: Flow = { ...flow, steps: [] }
  readSteps(draft, aside, said)
  for (const step of aside.steps) {
    const at = flow.steps.findIndex(({ type }) => type === step.type)
    if (at < 0) flow.steps.push({ ...step, id: `${step.id}-${flow.steps.length + 1}` })
    else flow.steps[at] = { ...step, id: (flow.steps[at] as Step).id }
  }
}

/** "The loans belong to the customer. Same for the bookings.": the sentence before, of the other thing. */
function ofThing(draft: Draft, subject: string, read: (clause: string) => boolean): boolean {
  const other = resourceNamed(draft, subject) ?? resourceNamed({ manifest: { resources: [...draft.foreseen.resources] } }, subject)
  const [target] = draft.resource?.fields.filter(({ name }) => name.replaceAll('_', ' ') === subject.toLowerCase()) ?? []
  const names = other
    ? draft.manifest.resources.filter(each => each !== other).map(({ name }) => name)
    : target && draft.resource
      ? draft.resource.fields.filter(each => each !== target).map(({ name }) => name.replaceAll('_', ' '))
      : []
  const words = [...names.flatMap(name => [name, name.replace(/s$/, '')]), ...(other ? ['them', 'they', 'it', 'these'] : ['it', 'that'])]
  for (const word of words) {
    const found = new RegExp(`(?<![\\p{L}\\d])(?:the )?${word.replaceAll(/[^\p{L}\d ]/gu, '.')}(?![\\p{L}\\d])`, 'iu').exec(draft.before)
    if (!found || word === '') continue
    return read(draft.before.slice(0, found.index) + subject + draft.before.slice(found.index + found[0].length))
  }
  return false
}
