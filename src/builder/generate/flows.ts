// Sentences about what happens when: "When an order over 500 is paid, tag the customer as vip."
import { conditionsOf } from './conditions.ts'
import { addFlow, type Draft, disable, note, notUnderstood } from './draft.ts'
import { DURATION } from './durations.ts'
import { eventName } from './event-names.ts'
import { isStep, readSteps, stepTexts } from './steps.ts'
import { readings, WHEN } from './tellings.ts'
import { type Occasion, occasionsOf } from './triggers.ts'

/** @returns whether the sentence was one about a flow */
export function readFlow(draft: Draft, sentence: string): boolean {
  const text = sentence.replace(/^(?:and |also |then |please |additionally,? |in addition,? )+/i, '')
  let found: { occasions: Occasion[]; steps: string } | undefined
  for (const { occasion, steps } of readings(text)) {
    const occasions = occasionsOf(occasion, draft.said)
    if (occasions.length === 0) continue
    // The first of which nothing is left, else the first.
    const isWhole = occasions.every(({ left }) => left === '')
    if (isWhole || !found) found = { occasions, steps }
    if (isWhole) break
  }
  for (const each of found?.occasions ?? []) begin(draft, each, found?.steps ?? '', sentence)
  return found !== undefined
}

function begin(draft: Draft, { event, conditions, left }: Occasion, steps: string, sentence: string): void {
  const { flows } = draft.manifest
  const isAdded = /^(?:and |please )*also\b/i.test(sentence) || /\balso\b/i.test(steps)
  const known = isAdded && left === '' && conditions.length === 0 ? flows.findLast(each => each.trigger === event) : undefined
  const flow = known ?? addFlow(draft, event, eventName(event))
  if (!flow) return
  draft.flow = flow
  if (conditions.length > 0) flow.conditions = conditions
  readSteps(draft, flow, steps)
  if (flow.steps.length > 0) {
    if (left !== '') disable(draft, flow, left)
    return
  }
  if (left !== '') notUnderstood(draft, left)
  draft.manifest.flows = flows.filter(each => each !== flow)
  draft.flow = draft.manifest.flows.at(-1)
}

/** Steps that go on with the flow that was spoken of, or that there is. */
export function readMoreSteps(draft: Draft, sentence: string): boolean {
  const text = sentence
    .replace(/^(?:also|then|and|please|afterwards?|finally|after that|in addition)[,\s]+/i, '')
    .replace(/,? (?:as well|too)$/i, '')
  const { flow } = draft
  if (!flow || !isStep(text)) return false
  const before = flow.steps.length
  const notes = [...draft.notes]
  readSteps(draft, flow, text)
  if (flow.steps.length > before) return true
  // None of it was a step: another reader may know what it is.
  draft.notes = notes
  return false
}

/** "Only for orders over 50": conditions of the flow that was spoken of. */
export function readConditions(draft: Draft, sentence: string): boolean {
  const [, words] =
    /^(?:but )?(?:(?:do|run|use) (?:it|this|that|the flow) )?only(?: (?:do|run) (?:it|this|that|the flow))? (?:for|if|when|where)\s+(.+)$/i.exec(
      sentence,
    ) ?? []
  const { flow } = draft
  if (words === undefined || !flow) return false
  const { conditions, left } = conditionsOf(words, flow.trigger, draft.said)
  if (conditions.length > 0) flow.conditions = [...(flow.conditions ?? []), ...conditions]
  if (left !== '') disable(draft, flow, left)
  return true
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
