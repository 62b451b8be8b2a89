// Sentences that change what a flow does, and when.
import type { Condition, Flow, Step } from '../../apps/manifest/shape.ts'
import { conditionsOf, opposite } from './conditions.ts'
import { type Draft, disable, skillAt } from './draft.ts'
import { minutesIn } from './durations.ts'
import { pathFor } from './event-values.ts'
import { itemsOf } from './items.ts'
import { bare } from './names.ts'
import { inputName } from './paths.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { speakOf, targetOf } from './targets.ts'
import { occasionOf } from './triggers.ts'

export function callInstead(draft: Draft, text: string): boolean {
  const mark = new RegExp(URL_MARK).exec(text)?.[0]
  const steps = draft.flow?.steps.flatMap(step => (step.type === 'call_skill' ? [step.skill] : [])) ?? []
  const skill = draft.manifest.skills.find(({ id }) => steps.includes(id)) ?? draft.manifest.skills.at(-1)
  const isInstead = /\binstead\b|^(?:change|set) (?:the )?(?:address|url|endpoint)|^use /i.test(text)
  if (!mark || !skill || !isInstead) return false
  skill.endpoint = draft.said.url(mark)
  return true
}

export function changeTag(draft: Draft, text: string): boolean {
  const [, name] =
    new RegExp(`^(?:change|set|rename) the tag (?:to|into|as) (${QUOTE}|[\\w -]{1,60})$`, 'i').exec(text) ??
    new RegExp(`^(?:tag|use)(?: (?:the |them )?(?:customer|contact|tag)?)?(?: as| with)? (${QUOTE}|[\\w-]{1,60}) instead$`, 'i').exec(
      text,
    ) ??
    []
  const steps = (draft.flow?.steps ?? []).filter(step => step.type === 'tag_contact')
  const step = steps.at(-1)
  if (name === undefined || !step) return false
  step.tag = name.startsWith('«') ? draft.said.quote(name) : name.trim()
  return true
}

const BEGINS = '(?:when(?:ever)?|once|after|if|as soon as|on|each time|every time)'
const RUNS = '(?:run|start|begin|happen|come|be sent|fire|act|trigger|be triggered|work|go out|be given|be set|be done|take place|react)'
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
function flowMeant(draft: Draft, words: string): Flow | undefined {
  if (/^(?:it|this|that|the flow|them|this flow)?$/i.test(words.trim())) return draft.flow
  const target = targetOf(draft, words, ['flow'])
  if (target) speakOf(draft, target)
  return target?.kind === 'flow' ? target.flow : undefined
}

export function changeTrigger(draft: Draft, text: string): boolean {
  const plainly = text.replace(/,? (?:and )?(?:not|rather than|instead of) (?:when|if|once|after|on) .+$/i, '')
  const { flow: named = '', words = '' } = TRIGGERS.map(pattern => pattern.exec(plainly)?.groups).find(found => found !== undefined) ?? {}
  const flow = words === '' ? undefined : flowMeant(draft, named)
  const occasion = flow && occasionOf(words, draft.said)
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
      /^(?<flow>.{2,60}?) (?:should|must|shall|has to) (?:not run|be (?:switched |turned )?(?<how>off|on|disabled|enabled|paused))(?: any ?more| for now)?$/i,
    ]
      .map(pattern => pattern.exec(text)?.groups)
      .find(found => found !== undefined) ?? {}
  const flow = named === '' ? undefined : flowMeant(draft, named.replace(/^(?:the |this |that )(?=flow$|it$)/i, 'the '))
  if (!flow) return false
  if (/^(?:disabled?|deactivate|paused?|stop|suspend|.*off|)$/i.test(how)) flow.enabled = false
  else delete flow.enabled
  return true
}

const ONLY = [
  new RegExp(
    `^(?<flow>.{2,60}?) (?:should|must|shall|may|has to|is to)(?: now)? (?<no>not )?(?:only |just )?(?:${RUNS}|apply|count|be for|be used|tag .{1,40}|notify .{1,40}?|be made|appear)? ?(?<only>only )?(?<word>if|when|where|for|with|unless|from|at|above|over|below|under)(?: there (?:is|are))? (?<words>.+)$`,
    'i',
  ),
  /^(?:do|run|use|send|limit|restrict|apply|make|let|have|show|give)(?: only)? (?<flow>.{2,60}?)(?: run| come| happen| apply)? (?<only>only )?(?<word>if|when|where|for|to|unless) (?<words>.+)$/i,
  /^only (?:do|run|use|send|apply|make|show|trigger|fire) (?<flow>.{2,60}?) (?<word>if|when|where|for|unless) (?<words>.+)$/i,
  /^(?<flow>.{2,60}?) only (?<word>on|over|in|from|for|if|when|where|with|at) (?<words>.+)$/i,
  /^(?:add|put) (?:the |a )?condition(?: to (?<flow>.{2,60}?))?(?: that|:) (?<words>.+)$/i,
  /^(?:do not|don't) (?:do|run|use|send|apply) (?<flow>.{2,60}?) (?<no>)(?<word>if|when|where|for) (?<words>.+)$/i,
]

/** "The low stock notification should only come if fewer than 3 are available." */
export function narrow(draft: Draft, text: string): boolean {
  for (const pattern of ONLY) {
    const { flow: named = '', no, word = '', words = '' } = pattern.exec(text)?.groups ?? {}
    const flow = words === '' ? undefined : flowMeant(draft, named)
    if (!flow) continue
    const plain = /^(?:from|at|above|over|below|under|on|in)$/i.test(word) ? `${word} ${words}` : words
    const { conditions, left } = conditionsOf(plain.replace(/,? (?:instead of|rather than|not) .+$/i, ''), flow.trigger, draft.said)
    const isNot = no !== undefined || /^unless$/i.test(word)
    const met = isNot ? opposite(conditions) : conditions
    if (left !== '' || !met || met.length === 0) continue
    // A value that is there already is changed, rather than asked for twice.
    const others = (flow.conditions ?? []).filter(
      ({ field, op }) => !met.some(each => each.field === field && (each.op === op || /^[gl]te?$/.test(op))),
    )
    flow.conditions = [...others, ...met]
    return true
  }
  return false
}

/** "Also pass the customer's email to it." */
export function tellMore(draft: Draft, text: string): boolean {
  const [, items = ''] =
    /^(?:pass|send|give|add|post|tell)(?: it| along)? (.{1,200}?) (?:to|with|in) (?:it|the (?:service|call|skill|address|request)|that (?:service|call|address))$/i.exec(
      text,
    ) ??
    /^(?:pass|include)(?: along)? (.{1,200})$/i.exec(text) ??
    []
  const step = draft.flow?.steps.findLast(({ type }) => type === 'call_skill')
  if (!draft.flow || items === '' || step?.type !== 'call_skill') return false
  const { trigger } = draft.flow
  const named = itemsOf(items).map(each => ({ name: inputName(each), path: pathFor(inputName(each), trigger) }))
  const endpoint = draft.manifest.skills.find(({ id }) => id === step.skill)?.endpoint
  if (endpoint === undefined || named.some(({ path }) => path === undefined)) return false
  for (const { name, path } of named) step.input[name] = `{{${path}}}`
  skillAt(
    draft,
    endpoint,
    named.map(({ name }) => name),
    '',
  )
  return true
}

const OLD_AND_NEW = [
  /^(?:the )?(?:tag|word|keyword) (?<old>«\d+»|[\w-]+) (?:should|must|has to|shall) (?:now )?(?:be|become) (?<fresh>.{1,60})$/i,
  /^(?:change|replace|swap|switch|raise|lower|increase|reduce) (?<of>(?:the )?.{2,60}?) from (?<old>.{1,40}?) (?:to|into) (?<fresh>.{1,60})$/i,
  /^(?:(?:make|use|give|set|tag|send|wait|award|put|write|have|look for|search for|check for|react to)(?: it| them| (?:the )?(?:customers?|amount|tag|wait))?(?: as| with| for| be)? )?(?<fresh>.{1,60}?),? (?:instead of|rather than|in place of|not|and not) (?<old>.{1,60})$/i,
  /^(?:change|replace|swap|switch|raise|lower|increase|reduce) (?:(?<of>(?:the )?.{2,60}?) )??(?:from )?(?<old>«\d+»|[\w€$£.,-]+(?: [\w€$£.,-]+){0,3}) (?:to|with|for|by|into) (?<fresh>.{1,60})$/i,
  /^(?<of>.{2,60}?) (?:should|must|shall|has to|is to) (?:now |only |rather )*(?:look for|react to|search for|listen for|listen to|wait for|use|say|contain|be about|match|check for|be|start at|begin at|tag (?:with|as)?|tag them(?: as)?)(?: the (?:word|tag|text))? (?<fresh>.{1,60}?),? (?:instead of|rather than|in place of|not|and not) (?<old>.{1,60})$/i,
]
/** "raise the limit to 300": of what only one is there. */
const LIMIT =
  /^(?:change|set|raise|lower|increase|reduce|make|put) (?:the )?(?:limit|threshold|minimum|amount|maximum|border|bar|value|level)(?: (?:of|for|in|on) (?<of>.{2,60}?))?(?: from .{1,30}?)? (?:to|at) (?<fresh>.{1,40})$|^(?<flow>.{2,60}?) (?:should|must|shall|has to|is to) (?:now |only )?(?:start|begin|apply|count) (?:at|from|with) (?<start>.{1,40})$/i

/** "Give 20 points rather than 10.", "Change member to gold.", "It should look for torte instead of cake." */
export function exchange(draft: Draft, text: string): boolean {
  if (changeLimit(draft, text)) return true
  for (const pattern of OLD_AND_NEW) {
    const { fresh = '', old = '', of } = pattern.exec(text)?.groups ?? {}
    const before = plain(draft, old)
    const after = plain(draft, fresh)
    if (before === '' || after === '') continue
    const target = of === undefined ? undefined : targetOf(draft, of.replace(/ (?:from|tag|word)$/i, ''), ['flow'])
    if (target) speakOf(draft, target)
    const flows = target?.kind === 'flow' ? [target.flow] : draft.manifest.flows
    const inSteps = flows.flatMap(({ steps }) => steps).map(step => exchangeIn(step, before, after))
    const inConditions = inSteps.includes(true)
      ? []
      : flows
          .flatMap(({ conditions = [], steps }) => [...conditions, ...steps.flatMap(step => step.conditions ?? [])])
          .map(each => exchangeValue(each, before, after))
    if (!inSteps.includes(true) && !inConditions.includes(true)) continue
    // What is said next is of the flow in which it was.
    const changed = flows.flatMap(({ steps }) => steps)[inSteps.indexOf(true)]
    const flow = changed && flows.find(({ steps }) => steps.includes(changed))
    if (flow) speakOf(draft, { kind: 'flow', flow })
    return true
  }
  return false
}

function changeLimit(draft: Draft, text: string): boolean {
  const { of, fresh, flow: named, start } = LIMIT.exec(text)?.groups ?? {}
  const said = fresh ?? start
  const flow = said === undefined ? undefined : flowMeant(draft, of ?? named ?? '')
  const limit = flow?.conditions?.filter(({ op }) => /^[gl]te?$/.test(op)) ?? []
  const [one] = limit
  if (!flow || !one || limit.length > 1 || said === undefined) return false
  const { conditions, left } = conditionsOf(`over ${said}`, flow.trigger, draft.said)
  const [read] = conditions
  if (!read || left !== '' || read.field !== one.field) return false
  one.value = read.value
  return true
}

/** Amounts are said in whole units, and kept in hundredths. */
function exchangeValue(condition: Condition, before: string, after: string): boolean {
  const { value } = condition
  if (typeof value === 'string' && value.toLowerCase() === before.toLowerCase()) {
    condition.value = after
    return true
  }
  const [was, is] = [before, after].map(text => Number(/\d[\d.]*/.exec(text.replaceAll(',', ''))?.[0] ?? Number.NaN))
  if (typeof value !== 'number' || was === undefined || is === undefined || Number.isNaN(was) || Number.isNaN(is)) return false
  const unit = /amount$/.test(condition.field) ? 100 : 1
  if (value !== was * unit) return false
  condition.value = Math.round(is * unit)
  return true
}

const plain = (draft: Draft, text: string): string => (new RegExp(QUOTE).test(text) ? draft.said.quote(text) : bare(text))

function exchangeIn(step: Step, before: string, after: string): boolean {
  if (step.type === 'tag_contact' && step.tag.toLowerCase() === before.toLowerCase()) {
    step.tag = after.replace(/^tag /i, '')
    return true
  }
  const [was, is] = [minutesIn(before), minutesIn(after)]
  if (step.type === 'wait' && is !== undefined && step.minutes === was) {
    step.minutes = is
    return true
  }
  if (!('values' in step)) return false
  let found = false
  for (const [name, value] of Object.entries(step.values)) {
    const number =
      typeof value === 'number' && value === Number(/^-?[\d.]+/.exec(before)?.[0]) ? Number(/^-?[\d.]+/.exec(after)?.[0]) : undefined
    const next = number !== undefined && Number.isFinite(number) ? number : value === before ? after : undefined
    if (next === undefined) continue
    step.values[name] = next
    found = true
  }
  return found
}
