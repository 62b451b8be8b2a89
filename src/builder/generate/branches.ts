// Steps that are done in one case alone: "if the refund is above 100, also …", "if …, otherwise …", "if the call fails, …".
import type { Condition } from '../../apps/manifest/shape.ts'
import { conditionsOf, opposite } from './conditions.ts'
import type { Draft } from './draft.ts'
import { addFlow } from './drafted-flows.ts'
import { eventName } from './event-names.ts'
import { occasionsOf } from './several-occasions.ts'
import { isStep } from './step-texts.ts'
import { readSteps } from './steps.ts'
import { readings, WHEN } from './tellings.ts'

/** "If the call fails, carry on and notify the team": the flow goes on, and steps are for that case alone. */
export function readFailure(draft: Draft, told: string): boolean {
  // "also warn the team if the route service fails"
  const [, behind] =
    /^(?:also )?(.{3,200}?),? (?:if|when|in case) (?:it|that|this|(?:the|that|this) (?:[\w-]+ ){0,2}?(?:call|service|skill|request|server)) fails$/i.exec(
      told,
    ) ?? []
  const text = behind === undefined ? told : `if the call fails, ${behind}`
  const deeds = FAILS.exec(text)?.[1] ?? (GOES_ON.test(text) ? 'carry on' : '')
  const calling = draft.manifest.flows.filter(({ steps }) => steps.some(({ type }) => type === 'call_skill'))
  const flow = draft.isEdit && !draft.isFlowTold && calling.length === 1 ? calling[0] : draft.flow
  const call = flow?.steps.findLast(({ type }) => type === 'call_skill')
  if (deeds === '' || !flow || call?.type !== 'call_skill') return false
  const begun = flow.steps.length
  const said = deeds.replace(CARRIES_ON, '').replace(AND_CARRIES_ON, '')
  if (said !== '') {
    if (!isStep(said)) return false
    readSteps(draft, flow, said)
    if (flow.steps.length === begun) return false
  }
  call.on_error = 'continue'
  for (const step of flow.steps.slice(begun))
    step.conditions = [{ field: `steps.${call.id}.error.code`, op: 'exists', value: true }, ...(step.conditions ?? [])]
  return true
}

const FAILS =
  /^(?:(?:and|but|even) )?(?:if|when|should|in case) (?:it|that|this|(?:the|that|this|our|my)(?: [\w-]+){0,2}? (?:call|service|request|server|address|api|skill)|(?:calling|pushing|sending|posting|planning|asking|telling) (?:the |an? |it\b)?[\w -]{0,30}?) ?(?:call |request )?(?:fails?|does not (?:work|answer|respond)|doesn't (?:work|answer|respond)|goes wrong|is down|breaks|is not reachable|cannot be reached)[,:]? (?:then )?(.{3,300})$/i
const GOES_ON =
  /^(?:the flow|it|everything|the rest) (?:should|must|shall|has to|is to) (?:still |just )?(?:go on|continue|carry on|not stop|keep going|run on)(?: anyway| too)? (?:even )?(?:if|when) (?:it|that|this|(?:the|that|this) (?:call|service|request|address))(?: call| request)? (?:fails?|does not work|is down)$/i
const CARRIES_ON =
  /^(?:just |still |simply )?(?:carry on|continue|go on|proceed|keep going|ignore it|do not stop|don't stop)(?: anyway| regardless| all the same| with the rest)?(?:,? (?:and|but) (?:also |then )?|$)/i

/** "…, warn the team and go on": it goes on anyway. */
const AND_CARRIES_ON =
  /,? (?:and|but) (?:then )?(?:just |still |simply )?(?:carry on|continue|go on|proceed|keep going|do not stop|don't stop)(?: anyway| regardless| all the same| with the rest)?$/i

/** What is spoken of is what the flow before is about. */
const SAME =
  /^(?:it|this|that|they|he|she|its|their|the (?:order|refund|refunded|total|amount|customer|message|payment|product|value|stock|conversation)|(?:more|less|fewer) than|over|above|below|under)\b/i

/** "If the refund is more than 100 dollars, also notify the team": steps of the flow before, with conditions of their own. */
export function readFollowing(draft: Draft, text: string): boolean {
  const { flow } = draft
  if (!flow || !draft.isFlowTold) return false
  for (const { occasion, steps } of readings(text)) {
    if (!SAME.test(occasion) || isHappening(occasion)) continue
    const { conditions, left } = conditionsOf(occasion, flow.trigger, draft.said)
    if (left !== '' || conditions.length === 0 || /\bno\b/i.test(occasion)) continue
    // "If it is worth more than 100, …", where the flow is for those below: a flow of its own.
    const others = (flow.conditions ?? []).filter(each => !conditions.some(other => other.field === each.field))
    if ((flow.conditions ?? []).some(each => conditions.some(other => excludes(each, other)))) {
      const other = addFlow(draft, flow.trigger, eventName(flow.trigger))
      if (!other) return true
      other.conditions = [...others, ...conditions]
      readSteps(draft, other, steps.replace(/ instead$/i, ''))
      if (other.steps.length > 0) return true
      draft.manifest.flows = draft.manifest.flows.filter(each => each !== other)
      draft.flow = flow
      return false
    }
    const begun = flow.steps.length
    readSteps(draft, flow, steps)
    for (const step of flow.steps.slice(begun)) step.conditions = [...conditions, ...(step.conditions ?? [])]
    return true
  }
  return false
}

const STEP_FIRST = new RegExp(
  `^(${WHEN} .{3,200}?[,:] )(?:then )?((?!if ).{3,150}?),? (?:only )?if ([^,]{3,120})([,;]? (?:otherwise|or else|else|if not),? .{3,300})$`,
  'i',
)

/** "When an order is paid: if its total is 300 or more tag them front, otherwise tag them back" */
export function readBranches(draft: Draft, told: string): boolean {
  // "tag them vip if it is over 500, otherwise tag them standard"
  const text = told.replace(STEP_FIRST, '$1if $3, $2$4')
  const [, occasion = '', first = '', last = ''] =
    new RegExp(
      `^${WHEN} (.{3,200}?)[:,] (?:then )?(if .{3,300}?)[,;]? (?:otherwise|or else|else|if not),? (?:then )?(.{3,300})$`,
      'i',
    ).exec(text) ?? []
  const [begins, ...more] = occasion === '' ? [] : occasionsOf(occasion, draft.said)
  if (!begins || more.length > 0 || begins.left !== '') return readAlternatives(draft, text)
  for (const { occasion: condition, steps } of readings(first)) {
    const { conditions, left } = conditionsOf(condition, begins.event, draft.said)
    const others = opposite(conditions)
    if (left !== '' || !others) continue
    const flow = addFlow(draft, begins.event, eventName(begins.event))
    if (!flow) return true
    if (begins.conditions.length > 0) flow.conditions = begins.conditions
    for (const [when, then] of [
      [conditions, steps],
      [others, last],
    ] as const) {
      const begun = flow.steps.length
      readSteps(draft, flow, then)
      for (const step of flow.steps.slice(begun)) step.conditions = [...when, ...(step.conditions ?? [])]
    }
    if (flow.steps.length > 0) return true
    draft.manifest.flows = draft.manifest.flows.filter(each => each !== flow)
    draft.flow = draft.manifest.flows.at(-1)
    return false
  }
  return false
}

/** "…, do nothing; otherwise tag them": all is done in the other case. */
const NOTHING = /^(?:then )?(?:do nothing|nothing(?: happens| is done)?|skip it|ignore it|that is fine|it is fine)$/i

/** "When an order under 20 is placed, tag them small, otherwise tag them normal": what tells the cases apart is said of what happens. */
function readAlternatives(draft: Draft, text: string): boolean {
  const [, told = '', last = ''] = /^(.{10,300}?)[,;] (?:and )?(?:otherwise|or else|else|if not),? (?:then )?(.{3,300})$/i.exec(text) ?? []
  const [, idle = '', nothing = ''] = /^(?:when|if|once|whenever) (.{5,200}?), ((?:then )?[^,]{5,30})$/i.exec(told) ?? []
  if (NOTHING.test(nothing) && isStep(last)) {
    const [begins, ...more] = occasionsOf(idle, draft.said)
    const others = begins && opposite(begins.conditions)
    const flow = others && more.length === 0 && begins.left === '' ? addFlow(draft, begins.event, eventName(begins.event)) : undefined
    if (!flow || !others) return false
    flow.conditions = others
    readSteps(draft, flow, last)
    if (flow.steps.length > 0) return true
    draft.manifest.flows = draft.manifest.flows.filter(each => each !== flow)
    draft.flow = draft.manifest.flows.at(-1)
    return false
  }
  for (const { occasion, steps } of told === '' ? [] : readings(told)) {
    const [begins, ...more] = occasionsOf(occasion, draft.said)
    const others = begins && opposite(begins.conditions)
    if (!others || more.length > 0 || begins.left !== '' || begins.event === 'order.status_changed' || !isStep(last)) continue
    const flow = addFlow(draft, begins.event, eventName(begins.event))
    if (!flow) return true
    for (const [when, then] of [
      [begins.conditions, steps],
      [others, last],
    ] as const) {
      const begun = flow.steps.length
      readSteps(draft, flow, then)
      for (const step of flow.steps.slice(begun)) step.conditions = [...when, ...(step.conditions ?? [])]
    }
    return true
  }
  return false
}

/** Whether no event meets both. */
function excludes(one: Condition, other: Condition): boolean {
  if (one.field !== other.field) return false
  if (one.op === 'eq' && other.op === 'eq') return one.value !== other.value
  const isBelow = (first: Condition, second: Condition): boolean =>
    /^lte?$/.test(first.op) && /^gte?$/.test(second.op) && Number(first.value) <= Number(second.value)
  return isBelow(one, other) || isBelow(other, one)
}

/** "It is shipped" is an event of its own. */
const isHappening = (occasion: string): boolean =>
  /\b(?:is|are|was|gets?|has been|been|becomes?) (?:paid|placed|created|shipped|sent|delivered|cancell?ed|refunded|returned|received|updated|added|closed|opened|started|confirmed|disputed)\b/i.test(
    occasion,
  )
