// Sentences that change what a flow does, and when.
import type { Step } from '../../apps/manifest/shape.ts'
import { conditionsOf } from './conditions.ts'
import { type Draft, disable, skillAt } from './draft.ts'
import { minutesIn } from './durations.ts'
import { pathFor } from './event-values.ts'
import { itemsOf } from './fields.ts'
import { bare } from './names.ts'
import { QUOTE, URL_MARK } from './sentences.ts'
import { inputName, readSteps } from './steps.ts'
import { occasionOf } from './triggers.ts'

export const stepsOf = (draft: Draft): Step[] => draft.manifest.flows.flatMap(({ steps }) => steps)

/** A flow of which no step is left goes too. */
export function keepSteps(draft: Draft, isKept: (step: Step) => boolean): void {
  for (const flow of draft.manifest.flows) flow.steps = flow.steps.filter(isKept)
  draft.manifest.flows = draft.manifest.flows.filter(({ steps }) => steps.length > 0)
  if (draft.flow && !draft.manifest.flows.includes(draft.flow)) draft.flow = draft.manifest.flows.at(-1)
}

const DEEDS: [RegExp, Step['type']][] = [
  [/\btag/i, 'tag_contact'],
  [/\b(?:notify|alert|warn|inform|tell)\w* (?:the team|us|the staff)/i, 'notify'],
  [/\b(?:message|write|send|tell)/i, 'send_message'],
  [/\bwait/i, 'wait'],
  [/\bcall/i, 'call_skill'],
  [/\b(?:record|create|save|store)/i, 'create_record'],
]

export function stop(draft: Draft, text: string): boolean {
  const [, words] =
    /^(?:don't|do not|stop|no longer|never|it should not|it shouldn't)\s+(.+?)(?: any ?more| any longer)?$/i.exec(text) ?? []
  const type = words && DEEDS.find(([pattern]) => pattern.test(words))?.[1]
  if (!type || !stepsOf(draft).some(step => step.type === type)) return false
  keepSteps(draft, step => step.type !== type)
  return true
}

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

export function changeTrigger(draft: Draft, text: string): boolean {
  const plainly = text.replace(/,? (?:and )?(?:not|rather than|instead of) (?:when|if|once|after|on) .+$/i, '')
  const [, words = ''] =
    /^(?:do|run|start|trigger|begin) (?:it|this|that|the flow) (?:when|once|after|if|as soon as|on) (.+?)(?: instead)?$/i.exec(plainly) ??
    /^(?:change|set) the trigger to (?:when )?(.+)$/i.exec(text) ??
    /^(?:it|the flow|this) should (?:run|start|begin|happen) (?:when|once|after|if) (.+?)(?: instead)?$/i.exec(text) ??
    []
  const occasion = words === '' || !draft.flow ? undefined : occasionOf(words, draft.said)
  if (!occasion || !draft.flow) return false
  if (occasion.left !== '') disable(draft, draft.flow, occasion.left)
  draft.flow.trigger = occasion.event
  const { conditions } = occasion.conditions.length > 0 ? occasion : conditionsOf('', occasion.event, draft.said)
  if (conditions.length > 0) draft.flow.conditions = conditions
  return true
}

export function turn(draft: Draft, text: string): boolean {
  const [, how, off] =
    /^(disable|deactivate|pause|stop|enable|activate|resume|(?:switch|turn) (?:off|on)) (?:the |this |that )?(?:flow|it)\b/i.exec(text) ??
    /^(?:switch|turn) ()(?:the |this |that )?(?:flow|it) (off|on)\b/i.exec(text) ??
    []
  if ((how === undefined && off === undefined) || !draft.flow) return false
  if (/^(?:disable|deactivate|pause|stop|.*off)$/i.test(off ?? how ?? '')) draft.flow.enabled = false
  else delete draft.flow.enabled
  return true
}

/** "Wait a day before calling." */
export function waitBefore(draft: Draft, text: string): boolean {
  const [, wait = '', deed = ''] = /^(wait .{1,60}?) before (?:you |we |it )?(.{1,60})$/i.exec(text) ?? []
  const { flow } = draft
  const type = DEEDS.find(([pattern]) => pattern.test(deed))?.[1]
  const at = flow && type ? flow.steps.findIndex(step => step.type === type) : -1
  if (!flow || at < 0) return false
  const before = flow.steps.length
  readSteps(draft, flow, wait)
  flow.steps.splice(at, 0, ...flow.steps.splice(before))
  return true
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

/** "Give 20 points rather than 10.", "Change member to gold." */
export function exchange(draft: Draft, text: string): boolean {
  const [, fresh, old] =
    /^(?:(?:make|use|give|set|tag|send|wait|award|put|write|have)(?: it| them| (?:the )?(?:customers?|amount|tag|wait))?(?: as| with| for| be)? )?(.{1,60}?),? (?:instead of|rather than|in place of|not|and not) (.{1,60})$/i.exec(
      text,
    ) ?? []
  const [, from, to] =
    /^(?:change|replace|swap|switch) (?:the \w+ )?(?:from )?(.{1,60}?) (?:to|with|for|by|into) (.{1,60})$/i.exec(text) ?? []
  const before = plain(draft, old ?? from ?? '')
  const after = plain(draft, fresh ?? to ?? '')
  if (before === '' || after === '') return false
  return stepsOf(draft)
    .map(step => exchangeIn(step, before, after))
    .includes(true)
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
