// Steps that call an address, or a skill by its name, and what it is told.
import type { Flow, Skill } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { addStep, skillAt } from './drafted-flows.ts'
import { idFor, pathFor } from './event-values.ts'
import { itemsOf } from './items.ts'
import { hostOf, isSame } from './names.ts'
import { inputName, pathIn } from './paths.ts'
import { isPlausible } from './plausible.ts'
import { lookAtRest, PEOPLE, TEAM } from './sayings.ts'
import { URL_MARK } from './sentences.ts'

export function call(draft: Draft, flow: Flow, text: string): boolean {
  const mark = new RegExp(URL_MARK).exec(text)?.[0]
  if (!mark) return callByName(draft, flow, text)
  if (!CALLS.test(text)) return false
  const said = inputsIn(text, mark).filter(each => !isWhole(each, flow.trigger))
  const behind = text.split(mark)[1] ?? ''
  if (said.length === 0 || !INPUTS.test(behind)) lookAtRest(draft, flow, behind)
  const inputs = said.map(each => {
    const path = pathIn(draft, flow, each)
    const name = inputName(each)
    // "how many are left" is called as the event calls it.
    const isName = isPlausible('setting', name)
    if (path === idFor(flow.trigger).path && /^(?:(?:its|their|the|his|her) )?(?:id|identifier)$/i.test(each))
      return { name: idFor(flow.trigger).name, path }
    return { name: path?.startsWith('config.') ? path.slice(7) : isName ? name : (path?.split('.').at(-1) ?? name), path }
  })
  for (const [at, { path }] of inputs.entries()) if (path === undefined) notUnderstood(draft, said[at] as string)
  const known = inputs.filter((each): each is { name: string; path: string } => each.path !== undefined)
  const sent = known.length > 0 ? known : [idFor(flow.trigger)]
  const names = sent.map(({ name }) => name)
  // "send the order id to the CRM at ‹0›": what stands before "to" is sent.
  const [, called = ''] =
    /^(?:\w+|.* to) (?:the |our |my |an? )?((?!(?:to|at)\b)[\p{L}-]+(?: (?!(?:to|at)\b)[\p{L}-]+){0,3})(?: at)? ‹/u.exec(text) ?? []
  const skill = skillAt(draft, draft.said.url(mark), names, `Call it when ${flow.trigger} happens.`, called)
  const input = Object.fromEntries(sent.map(({ name, path }) => [name, `{{${path}}}`]))
  if (skill) addStep(draft, flow, { type: 'call_skill', skill: skill.id, input })
  return true
}

const CALLS =
  /^(?:call|post|put|ping|hit|request|invoke|trigger|fetch|query|send|give|tell|report|forward|submit|pass|push|write|transmit|upload|copy|sync|ask|notify|inform|alert|let|use|run|get|log|register|record|save|store|have)\b/i

const INPUTS =
  /^,?\s*(?:(?:together |along )?with|giving|passing|sending|including|containing|and (?:give|pass|send|tell) it|(?:it|which|that|and it) (?:gets|needs|receives|takes|should get)|for)\s+(.+)$/i

// Before the address: "post the e-mail and the total to …"; behind it: "call … with the e-mail".
function inputsIn(text: string, mark: string): string[] {
  const [before = '', behind = ''] = text.split(mark)
  const [, first = ''] =
    /^(?:post|send|give|tell|report|forward|submit|pass|push|write|transmit)\s+(.+?)\s+(?:on |over |off )?to(?: (?:(?:the|our|my|an?) )?(?!at\b)[\p{L}-]+(?: (?!at\b)[\p{L}-]+){0,2})?(?: at)?\s*$/iu.exec(
      before,
    ) ??
    /^(?:call|ask|tell|notify|ping) .{1,40}? (?:with|about|giving|passing) (.+?) (?:at|under|via|on|through|using)\s*$/i.exec(before) ??
    []
  const [, second = ''] = INPUTS.exec(behind) ?? []
  return itemsOf([first, second].filter(each => each !== '').join(', ')).filter(
    each => !/^(?:it|them|that|this|everything|all of it|the (?:event|data|details))$/i.test(each),
  )
}

/** "send the order to …": all that the event is about, so its id. */
const isWhole = (said: string, trigger: string): boolean => {
  const [, thing = ''] =
    /^(?:the|this|that|every|each) (?:whole |new )?(order|product|message|refund|contact|customer|conversation|payment)$/i.exec(said) ?? []
  return (
    thing !== '' &&
    (trigger.includes(thing.toLowerCase()) ||
      (/^customer$/i.test(thing) && trigger.startsWith('contact.')) ||
      (/^refund$/i.test(thing) && trigger === 'order.refunded'))
  )
}

/** "call the diagnose skill with the text": one that there is already. */
function callByName(draft: Draft, flow: Flow, text: string): boolean {
  const [, name = '', said = ''] =
    /^(?:call|run|use|invoke|ask|have|let) (?:the )?(.{1,60}?)(?: skill| service)?(?:,? (?:with|giving|passing|about) (.+))?$/i.exec(
      text,
    ) ?? []
  const skill =
    name === ''
      ? undefined
      : (draft.manifest.skills.find(({ id, name: title }) => isSame(id, name) || isSame(title, name)) ?? calledAt(draft, name))
  if (!skill) return false
  const input: Record<string, unknown> = {}
  for (const each of itemsOf(said)) {
    const path = pathIn(draft, flow, each)
    if (path) input[keyIn(skill, inputName(each), flow.trigger, path)] = `{{${path}}}`
    else notUnderstood(draft, each)
  }
  for (const key of Object.keys((skill.inputSchema['properties'] ?? {}) as object)) {
    const path = Object.hasOwn(input, key) ? undefined : pathFor(key, flow.trigger)
    if (path) input[key] = `{{${path}}}`
  }
  addStep(draft, flow, { type: 'call_skill', skill: skill.id, input })
  return true
}

/** "the ERP": the only service at an address that begins so. */
function calledAt(draft: Draft, name: string): Skill | undefined {
  const found = draft.manifest.skills.filter(({ endpoint }) => isSame(hostOf(endpoint), name.replace(/^(?:the|our) /i, '')))
  return found.length === 1 ? found[0] : undefined
}

/** The skill's own name of an argument, where it has one that means the same. */
const keyIn = ({ inputSchema }: Skill, name: string, event: string, path: string): string => {
  const keys = Object.keys((inputSchema['properties'] ?? {}) as object)
  return (
    keys.find(key => isSame(key, name)) ??
    keys.find(key => pathFor(key, event) === path) ??
    (keys.length === 1 ? (keys[0] as string) : name)
  )
}

/**
 * "Send each order to ‹0›. Pass the number and the total.": what is told stands in a sentence of its own, so the id alone was not meant.
 * @returns what puts it back
 */
export function withoutDefault(draft: Draft, flow: Flow, sentence: string): () => void {
  const last = flow.steps.at(-1)
  const { name } = idFor(flow.trigger)
  const isDefault =
    last?.type === 'call_skill' &&
    Object.keys(last.input).join() === name &&
    new RegExp(URL_MARK).test(draft.before) &&
    !/\bids?\b/i.test(draft.before)
  const isOwn =
    /^(?:and )?(?:pass|include|send|give|hand|provide|transmit|tell)(?: it| along| over| on)? (?:the|its|their|his|her)\b/i.test(sentence)
  if (!isDefault || !isOwn || /\b(?:also|too|as well|besides|in addition)\b/i.test(sentence)) return () => {}
  const skill = draft.manifest.skills.find(({ id }) => id === last.skill)
  const properties = skill?.inputSchema['properties'] as Record<string, unknown> | undefined
  const value = last.input[name]
  delete last.input[name]
  if (properties) delete properties[name]
  return () => {
    last.input[name] = value
    if (properties) properties[name] = {}
  }
}

/** "… and include the e-mail": told to the service that was called before. */
export function include(draft: Draft, flow: Flow, text: string): boolean {
  // "send the customer the key from the answer"
  if (new RegExp(`^(?:send|give|pass) (?:to )?(?:${PEOPLE}|${TEAM})\\b`, 'i').test(text)) return false
  const [, said = ''] =
    /^(?:include|mention|put|add|send|pass|give)(?: it| also)? (.{2,200}?)(?: (?:in|into|to|with|along with) (?:it|the (?:call|request|body)))?$/i.exec(
      text,
    ) ?? []
  const last = flow.steps.at(-1)
  const skill = last?.type === 'call_skill' ? draft.manifest.skills.find(({ id }) => id === last.skill) : undefined
  const paths = itemsOf(said).map(each => [inputName(each), pathIn(draft, flow, each)] as const)
  if (last?.type !== 'call_skill' || !skill || paths.length === 0 || paths.some(([, path]) => path === undefined)) return false
  for (const [name, path] of paths) last.input[name] = `{{${path}}}`
  skillAt(
    draft,
    skill.endpoint,
    paths.map(([name]) => name),
    '',
  )
  return true
}
