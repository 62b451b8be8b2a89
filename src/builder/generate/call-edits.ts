// Edits of what a flow calls, and of what the service is told.
import { withoutDefault } from './calls.ts'
import type { Draft } from './draft.ts'
import { skillAt } from './drafted-flows.ts'
import { pathFor } from './event-values.ts'
import { itemsOf } from './items.ts'
import { nameOf } from './names.ts'
import { inputName, isForeign } from './paths.ts'
import { URL_MARK } from './sentences.ts'
import { targetOf } from './targets.ts'
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

/** "Pass it to the skill measure when an order is paid": to the one that the flow of that event calls. */
function toSkill(draft: Draft, text: string): string {
  const [all = '', front, behind, when] =
    / to (?:the |our )?(?:(?:skill|service) ([\w' -]{2,40}?)|([\w' -]{2,40}?) (?:skill|service))(?: when (.{3,60}))?$/i.exec(text) ?? []
  const target = all === '' ? undefined : targetOf(draft, front ?? behind ?? '', ['skill'])
  const occasion = when === undefined ? undefined : occasionOf(when, draft.said)
  if (target?.kind !== 'skill' || (when !== undefined && (occasion?.left !== '' || occasion.conditions.length > 0))) return text
  const flows = draft.manifest.flows.filter(
    ({ trigger, steps }) =>
      (!occasion || trigger === occasion.event) && steps.some(step => step.type === 'call_skill' && step.skill === target.skill.id),
  )
  if (flows.length !== 1) return text
  draft.flow = flows[0]
  return `${text.slice(0, -all.length)} to it`
}

/** "Send the ERP the customer's email too." */
const TELLS_IT =
  /^(?:also )?(?:pass|send|give|tell) (?:the |our )?((?!team\b|customer\b|staff\b)[\w-]+(?: [\w-]+)?) ((?:the|its|their|his|her) .{2,150}?)(?:,? (?:too|also|as well))?$/i

/** "Also send the order number to the ERP." */
const TELLS_TO =
  /^(?:also )?(?:pass|send|give) ((?:the|its|their|his|her) .{2,150}?) to (?:the |our )([\w-]+(?: [\w-]+)?)(?:,? (?:too|also|as well))?$/i

/** "Also pass the customer's email to it." */
export function tellMore(draft: Draft, said: string): boolean {
  const [, after = '', behind = ''] = TELLS_TO.exec(said) ?? []
  const [, name = behind, what = after] = TELLS_IT.exec(said) ?? []
  const service = name === '' ? undefined : targetOf(draft, name, ['skill'])
  const calling = draft.manifest.flows.filter(
    ({ steps }) => service?.kind === 'skill' && steps.some(step => step.type === 'call_skill' && step.skill === service.skill.id),
  )
  if (calling.length === 1) draft.flow = calling[0]
  const told = calling.length === 1 ? `pass ${what} to it` : said
  const text = toSkill(draft, told)
  const [, items = ''] =
    /^(?:pass|send|give|add|post|tell)(?: it| along)? (.{1,200}?) (?:to|with|in) (?:it|the (?:service|call|skill|address|request)|that (?:service|call|address))$/i.exec(
      text,
    ) ??
    /^(?:pass|include)(?: along)? (.{1,200})$/i.exec(text) ??
    []
  const step = draft.flow?.steps.findLast(({ type }) => type === 'call_skill')
  if (!draft.flow || items === '' || step?.type !== 'call_skill') return false
  const { trigger } = draft.flow
  const restore = draft.isFlowTold ? withoutDefault(draft, draft.flow, told) : () => {}
  const last = draft.manifest.config.at(-1)?.key
  const isTold = last !== undefined && nameOf(draft.before).includes(last)
  const setting = isTold && /^(?:it|this|that)$/i.test(items) ? last : undefined
  const named = setting
    ? [{ name: setting, path: `config.${setting}` }]
    : itemsOf(items).map(each => ({ name: inputName(each), path: isForeign(each) ? undefined : pathFor(inputName(each), trigger) }))
  const endpoint = draft.manifest.skills.find(({ id }) => id === step.skill)?.endpoint
  if (endpoint === undefined || named.some(({ path }) => path === undefined)) {
    restore()
    return false
  }
  for (const { name, path } of named) step.input[name] = `{{${path}}}`
  skillAt(
    draft,
    endpoint,
    named.map(({ name }) => name),
    '',
  )
  return true
}
