// Steps that are put somewhere into a flow, put in the place of others, or changed.
import type { Flow } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { DURATION, minutesIn } from './durations.ts'
import { stepIn, typeOfDeed } from './step-names.ts'
import { isStep } from './step-texts.ts'
import { readSteps } from './steps.ts'
import { speakOf, targetOf } from './targets.ts'
import { occasionOf } from './triggers.ts'
import { plainVerb } from './verbs.ts'

/** "add a step that tags them" is "tag them". */
const asStep = (text: string): string =>
  text
    .trim()
    .replace(/^(?:please |also |then |just |first )*/i, '')
    .replace(
      /^(?:add|insert|put in|include|have|there should be|put) (?:an?|another|one more|one)(?: new| further| extra)? step(?: there| in between)?(?:,? (?:that|which|to|where|in which)(?: we| you| it)?)? (\w+)/i,
      (_all, verb: string) => plainVerb(verb),
    )
    .replace(/^(?:add|insert|put in|include) (?:an? )?(?=(?:pause|wait|delay|break)\b)/i, 'wait ')
    .replace(/^wait (?:pause|wait|delay|break) (?:of|for) /i, 'wait ')
    .replace(/^(?:it|the flow|we) (?:should|must|shall|has to|needs to)(?: first| also| then)? /i, '')
    .replace(
      /^(tagging|notifying|sending|waiting|calling|creating|warning|telling|messaging) /i,
      (_all, verb: string) => `${plainVerb(verb)} `,
    )

/** Reads steps into the flow at a place. @returns whether there were any */
function readAt(draft: Draft, flow: Flow, at: number, text: string): boolean {
  const before = flow.steps.length
  const notes = [...draft.notes]
  const [conditions, enabled] = [flow.conditions, flow.enabled]
  readSteps(draft, flow, asStep(text))
  const added = flow.steps.splice(before)
  flow.steps.splice(at, 0, ...added)
  if (added.length > 0) return true
  Object.assign(draft, { notes })
  if (conditions) flow.conditions = conditions
  if (enabled === undefined) delete flow.enabled
  return false
}

const LATER_THAN = '(?:after|behind|following|once)'
const EARLIER_THAN = '(?:before|ahead of|prior to)'
const PLACED: [RegExp, 'after' | 'before'][] = [
  [
    new RegExp(
      `^(?:right |directly |immediately )?${LATER_THAN} (?<anchor>.{2,80}?),? (?:and |but )?${EARLIER_THAN} (?:the )?.{2,60}?, (?<deed>.{3,300})$`,
      'i',
    ),
    'after',
  ],
  [/^(?:in )?between (?<anchor>.{2,60}?) and .{2,60}?, (?<deed>.{3,300})$/i, 'after'],
  [new RegExp(`^(?:right |directly |immediately |just )?${LATER_THAN} (?<anchor>.{2,80}?), (?<deed>.{3,300})$`, 'i'), 'after'],
  [new RegExp(`^(?:right |directly |immediately |just )?${EARLIER_THAN} (?<anchor>.{2,80}?), (?<deed>.{3,300})$`, 'i'), 'before'],
  [/^(?<deed>.{3,300}?),? (?:in )?between (?<anchor>.{2,60}?) and .{2,60}$/i, 'after'],
  [/^(?<deed>.{3,300}?),? (?:right |directly |immediately |just )?after (?<anchor>.{2,80})$/i, 'after'],
  [new RegExp(`^(?<deed>.{3,300}?),? (?:right |directly |immediately |just )?${EARLIER_THAN} (?<anchor>.{2,80})$`, 'i'), 'before'],
]

/** "After the message": of a flow that sends one. */
const IS_STEP = /^(?:the|that|this) (?:[\w-]+ )?(?:message|tag|wait|pause|notification|notice|warning|call|record|reminder|greeting)$/i

/** "After the ticket has been saved, tag the buyer", "wait a day before calling" */
export function addAt(draft: Draft, text: string): boolean {
  const [, deed] =
    /^(?:at the (?:very )?(?:beginning|start)|first(?: of all)?|to begin with|as (?:the|a) first step)(?: of the flow)?,? (.{3,300})$/i.exec(
      text,
    ) ?? []
  if (deed !== undefined && draft.flow && isStep(asStep(deed))) return readAt(draft, draft.flow, 0, deed)
  // "notify the team at the end of the follow-up"
  const [, last, where = '', of = ''] =
    /^(.{3,300}?),? (?:at|in) the (?:very )?(end|start|beginning) of (?:the )?(.{2,60})$/i.exec(text) ?? []
  const whole = last === undefined ? undefined : targetOf(draft, of, ['flow'])
  if (last !== undefined && whole?.kind === 'flow' && isStep(asStep(last))) {
    speakOf(draft, whole)
    return readAt(draft, whole.flow, /end/i.test(where) ? whole.flow.steps.length : 0, last)
  }
  for (const [pattern, side] of PLACED) {
    const { anchor = '', deed: told = '' } = pattern.exec(text)?.groups ?? {}
    // "Big orders should wait two hours before …"
    const [, name = '', own = ''] = /^(.{2,50}?) (?:should|must|shall|has to|have to) (?:also |first )?(.+)$/i.exec(told) ?? []
    const whose = name === '' ? undefined : targetOf(draft, name, ['flow'])
    const said = whose ? own : told
    if (whose) speakOf(draft, whose)
    if (said === '' || !isStep(asStep(said)) || new RegExp(`^${DURATION}`, 'i').test(anchor)) continue
    // "Before the customer is tagged" is no occasion: a flow begins after one.
    if (side === 'after' && !IS_STEP.test(anchor) && occasionOf(anchor, draft.said)) continue
    const found = stepIn(draft, anchor.replace(/^(?:you |we |it |the flow )(?=\w+)/i, ''))
    if (!found) continue
    draft.flow = found.flow
    const at = found.flow.steps.indexOf(found.step)
    const earlier = side === 'before' ? found.flow.steps[at - 1] : undefined
    const minutes = new RegExp(`^wait(?: for)? ${DURATION}$`, 'i').test(asStep(said)) ? minutesIn(said) : undefined
    if (earlier?.type === 'wait' && minutes !== undefined) {
      earlier.minutes = Math.min(43_200, Math.max(1, minutes))
      return true
    }
    if (/ (?:instead of|rather than|in place of) /i.test(said)) return instead(draft, said)
    return readAt(draft, found.flow, found.flow.steps.indexOf(found.step) + (side === 'after' ? 1 : 0), said)
  }
  return false
}

const PEOPLE_ALONE = /^(?:them|him|her|it|customers?|clients?|buyers?|contacts?|people)$/i

/** "The cancelled orders flow should also tag the customer as lost", or what it does alone. */
export function alsoDo(draft: Draft, told: string): boolean {
  // "tag big orders «whale» too": those of the flow.
  const [, deed = '', whom = '', what = ''] =
    /^(?:also )?(tag|label) (?:the |our |those of |people (?:with|of) )?([\w' -]{2,40}?) (?:as |with )?(«\d+»)(?:,? (?:too|also|as well))?$/i.exec(
      told,
    ) ?? []
  const of = deed === '' || PEOPLE_ALONE.test(whom) ? undefined : targetOf(draft, whom, ['flow'])
  if (of?.kind === 'flow') {
    speakOf(draft, of)
    return readAt(draft, of.flow, of.flow.steps.length, `tag them ${what}`)
  }
  const text = told
    .replace(/^(?:let|have|make) (it|the flow|the .{2,50}? flow)(?: also)? (?=\w)/i, '$1 should also ')
    .replace(/,? (?:at|in) the (?:very )?end$/i, '')
  const [, named, said = text] = /^(.{2,60}?) (?:should|must|shall|has to|needs to)(?: now| then)?(?: also)? (.{3,300})$/i.exec(text) ?? []
  const target = named === undefined || /^(?:it|this|that|the flow)$/i.test(named) ? undefined : targetOf(draft, named, ['flow'])
  if (named !== undefined && !target && !/^(?:it|this|that|the flow)$/i.test(named)) return false
  if (target) speakOf(draft, target)
  const { flow } = draft
  return flow !== undefined && isStep(asStep(said)) && readAt(draft, flow, flow.steps.length, said)
}

/** @returns the only flow that is there already, begins with the same event and does the same kinds of things */
export function doingSame(draft: Draft, event: string, text: string): Flow | undefined {
  const notes = [...draft.notes]
  const aside: Flow = { id: 'aside', name: '', trigger: event, steps: [] }
  readSteps(draft, aside, text)
  draft.notes = notes
  const [one, ...others] = draft.manifest.flows.filter(
    ({ trigger, steps }) => trigger === event && aside.steps.every(step => steps.some(({ type }) => type === step.type)),
  )
  return aside.steps.length > 0 && others.length === 0 ? one : undefined
}

/** "…, say «…» instead": of its kind there is one step already. @returns whether there was one of each */
export function stepsInstead(draft: Draft, flow: Flow, text: string): boolean {
  const notes = [...draft.notes]
  const aside: Flow = { ...flow, steps: [] }
  readSteps(draft, aside, text)
  const isThere = aside.steps.length > 0 && aside.steps.every(step => flow.steps.some(({ type }) => type === step.type))
  if (!isThere) {
    draft.notes = notes
    return false
  }
  draft.flow = flow
  flow.steps = flow.steps.map(step => {
    const other = aside.steps.find(({ type }) => type === step.type)
    return other ? { ...other, id: step.id, ...(step.conditions && { conditions: step.conditions }) } : step
  })
  return true
}

const INSTEADS = [
  /^instead of (?<old>.{2,80}?), (?<deed>(?:\w+) .{3,300})$/i,
  /^instead of (?<old>.{2,80}?),? (?<deed>(?:\w+) .{3,300})$/i,
  /^(?<deed>.{3,300}?),? (?:instead of|rather than|in place of) (?<old>(?:\w+ing\b|the (?:[\w-]+ )?(?:tag|message|notification|wait|call|record|notice|warning)\b).{0,80})$/i,
  /^(?:replace|swap|exchange) (?<old>.{2,80}?) (?:with|by|for) (?<deed>.{3,300})$/i,
  /^(?:don't|do not) (?<old>.{2,60}?)(?: any ?more| any longer)?(?:,? (?:but|and|rather)|,) (?<deed>.{3,300}?)(?: instead)?$/i,
]

/** "Instead of tagging, send the customer «…»": in the place of what was done before. */
export function instead(draft: Draft, text: string): boolean {
  for (const pattern of INSTEADS) {
    const { old = '', deed = '' } = pattern.exec(text)?.groups ?? {}
    const said = deed.replace(/^(?:an? )?(?=(?:message|notification|notice|wait|call)\b)/i, (_all, at: number) =>
      at === 0 ? 'send a ' : '',
    )
    if (old === '' || !(isStep(asStep(deed)) || isStep(said))) continue
    const type = typeOfDeed(old)
    const found = type && stepIn(draft, old)
    if (!found || found.step.type !== type) continue
    const at = found.flow.steps.indexOf(found.step)
    draft.flow = found.flow
    // "notify the team at once instead of waiting": it is done already, after the wait.
    const next = found.flow.steps[at + 1]
    const while_ = old.replace(/^(?:the )?(?:wait|paus|delay)\w*(?: for| of)? ?/i, '')
    const isAsSaid = found.step.type === 'wait' && (while_ === '' || minutesIn(while_) === found.step.minutes)
    if (isAsSaid && next !== undefined && typeOfDeed(deed) === next.type && !/[«‹]/.test(deed)) {
      found.flow.steps.splice(at, 1)
      return true
    }
    if (!readAt(draft, found.flow, at + 1, isStep(asStep(deed)) ? deed : said)) continue
    found.flow.steps.splice(at, 1)
    return true
  }
  return false
}

/** "The low stock notification should be a warning." */
export function changeLevel(draft: Draft, text: string): boolean {
  const [, words = '', level = ''] =
    /^(?:make|turn|change|set|send|mark) (.{2,80}?) (?:into |to |as |be )?(?:an? |the )?(?:level )?(warning|info|information)(?: level| message| notification)?(?:,? (?:instead|not|and not|rather).*)?$/i.exec(
      text,
    ) ??
    /^(.{2,80}?) (?:should|must|shall|has to|is to) (?:now |rather |only )?(?:be|come as|go out as|be sent as|have the level|count as) (?:an? |the )?(?:level )?(warning|info|information)(?: level| message| notification)?(?:,? (?:instead|not|and not|rather) .*)?$/i.exec(
      text,
    ) ??
    []
  const [, denied = ''] =
    /^(.{2,80}?) (?:need not|needn't|does not need to|doesn't need to|does not have to|doesn't have to|should not|shouldn't|must not|should no longer) be an? warning(?:,? (?:a|an|just|only) .{3,40})?$/i.exec(
      text,
    ) ?? []
  if (denied !== '') return changeLevel(draft, `${denied} should be info`)
  if (level === '') return false
  const target = targetOf(draft, words, ['flow'])
  if (target) speakOf(draft, target)
  const flows = target?.kind === 'flow' ? [target.flow] : [draft.flow, ...draft.manifest.flows]
  const step = flows.flatMap(flow => flow?.steps ?? []).find(({ type }) => type === 'notify')
  if (step?.type !== 'notify') return false
  if (/^warning$/i.test(level)) step.level = 'warning'
  else step.level = 'info'
  return true
}
