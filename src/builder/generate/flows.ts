// Sentences about what happens when: "When an order over 500 is paid, tag the customer as vip."
import { addFlow, type Draft, note, notUnderstood } from './draft.ts'
import { isStep, readSteps, stepTexts } from './steps.ts'
import { conditionsOf, type Occasion, occasionOf } from './triggers.ts'

const WHEN = '(?:when(?:ever)?|once|after|if|as soon as|every time(?: that)?|each time(?: that)?|on|upon|in case)'

/** @returns whether the sentence was one about a flow */
export function readFlow(draft: Draft, sentence: string): boolean {
  const text = sentence.replace(/^(?:and |also |then |please |additionally,? |in addition,? )+/i, '')
  return (isTimed(text) && readFirst(draft, text, sentence)) || readLast(draft, text, sentence)
}

const isTimed = (text: string): boolean => new RegExp(`^${WHEN}\\s`, 'i').test(text)

// The occasion comes first, and the steps begin behind a comma or a colon, or where a step begins.
function readFirst(draft: Draft, text: string, sentence: string): boolean {
  const words = text.replace(new RegExp(`^${WHEN}\\s+`, 'i'), '')
  for (const cut of cuts(words)) {
    const steps = words.slice(cut).replace(/^[\s,:]*(?:then\s+)?/i, '')
    if (!isStep(steps)) continue
    const occasion = occasionOf(words.slice(0, cut), draft.said)
    if (!occasion) continue
    begin(draft, occasion, steps, sentence)
    return true
  }
  return false
}

function* cuts(text: string): Generator<number> {
  for (const found of text.matchAll(/[,:]\s|\s+then\s+/g)) yield found.index
  for (const found of text.matchAll(/\s(?=[a-z])/gi)) yield found.index
}

function readLast(draft: Draft, text: string, sentence: string): boolean {
  if (!isStep(text)) return false
  for (const found of [...text.matchAll(new RegExp(`[\\s,]+${WHEN}\\s+`, 'gi'))].reverse()) {
    const occasion = occasionOf(text.slice(found.index + found[0].length), draft.said)
    if (!occasion) continue
    begin(draft, occasion, text.slice(0, found.index), sentence)
    return true
  }
  return false
}

function begin(draft: Draft, { event, conditions, left }: Occasion, steps: string, sentence: string): void {
  if (left !== '') notUnderstood(draft, left)
  const { flows } = draft.manifest
  const isAdded = /^(?:and |please )*also\b/i.test(sentence) || /\balso\b/i.test(steps)
  const known = isAdded && conditions.length === 0 ? flows.findLast(each => each.trigger === event) : undefined
  const flow = known ?? addFlow(draft, event, `When ${event.replaceAll(/[._]/g, ' ')}`)
  if (!flow) return
  draft.flow = flow
  if (conditions.length > 0) flow.conditions = conditions
  readSteps(draft, flow, steps)
  if (flow.steps.length > 0) return
  draft.manifest.flows = flows.filter(each => each !== flow)
  draft.flow = draft.manifest.flows.at(-1)
}

/** Steps that go on with the flow that was spoken of, or that there is. */
export function readMoreSteps(draft: Draft, sentence: string): boolean {
  const text = sentence.replace(/^(?:also|then|and|please|afterwards?|finally|after that|in addition)[,\s]+/i, '')
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
  const [, words] = /^(?:but )?only (?:for|if|when|where|do (?:it|this) (?:for|if|when))\s+(.+)$/i.exec(sentence) ?? []
  const { flow } = draft
  if (words === undefined || !flow) return false
  const { conditions, left } = conditionsOf(words, flow.trigger, draft.said)
  if (conditions.length === 0) return false
  if (left !== '') notUnderstood(draft, left)
  flow.conditions = [...(flow.conditions ?? []), ...conditions]
  return true
}

/** Whether a sentence says when something happens, so that no other reader takes it for a thing. */
export function readStrayTrigger(draft: Draft, sentence: string): boolean {
  const text = sentence.replace(/^(?:and |also |then )+/i, '')
  const words = text.replace(new RegExp(`^${WHEN}\\s+`, 'i'), '')
  if (!isTimed(text) || stepTexts(words).length === 0) return false
  note(
    draft,
    `Not understood: "${draft.said.restore(sentence).slice(0, 300)}". Say it as "When an order is paid, tag the customer as vip."`,
  )
  return true
}
