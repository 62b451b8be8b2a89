// What of an app words mean: "the frame number", "the low stock notification", "the board page", "it".
import type { Flow, Step } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import { eventName } from './event-names.ts'
import type { Target } from './meant.ts'
import { bare, hostOf, isSame } from './names.ts'
import { QUOTE } from './sentences.ts'

type Kind = Target['kind']

/** What a thing is called by its kind. */
const KINDS: [string, Kind][] = [
  ['fields?|columns?|propert(?:y|ies)|attributes?', 'field'],
  ['resources?|tables?|record types?|records|list', 'resource'],
  ['settings?|options?|config(?:uration)?(?: values?)?|secrets?', 'setting'],
  ['skills?|service', 'skill'],
  ['pages?|tabs?|views?|panels?|dashboard pages?', 'view'],
  ['flows?|automations?|rules?|workflows?|notifications?|reminders?|alerts?|greetings?|follow[- ]?ups?', 'flow'],
  ['knowledge(?: (?:entry|entries|text|article))?|entry|entries|article|faq|facts?', 'knowledge'],
]

const OF = /^(.+?) (?:of|in|from|on|for) (?:the |each |every |an? |all )?(.+)$/i

/** The words of a quote are the name itself. */
export const unquoted = (draft: Draft, text: string): string => text.replaceAll(new RegExp(QUOTE, 'g'), mark => draft.said.quote(mark))

/** @param kinds of which it may be; any unless given */
export function targetOf(draft: Draft, words: string, kinds?: readonly Kind[]): Target | undefined {
  const said = bare(unquoted(draft, words.replace(/^its$/i, 'it')).replace(/^(?:the|this|that) app's /i, ''))
  const known = exact(draft, said, kinds)
  if (known) return known
  // What is said of something is no name of it.
  if (/\b(?:is|are|was|were|becomes?|goes|stays?|enough|anymore|should|must)\b/i.test(said) && !/^«/.test(words)) return undefined
  if (/^(?:its?|this|that|them|they|this one|that one)$/i.test(said))
    return draft.spoken && allowed(draft.spoken.kind, kinds) ? draft.spoken : undefined
  const { name, kind } = withoutKind(said)
  const wanted = kind === undefined ? kinds : [kind]
  if (kind !== undefined && kinds && !kinds.includes(kind)) return exact(draft, said, kinds) ?? undefined
  return (
    exact(draft, said, kinds) ??
    exact(draft, name, wanted) ??
    ofAnother(draft, name, wanted) ??
    alike(draft, name, wanted) ??
    (kind === undefined || name !== '' ? undefined : only(draft, kind, said))
  )
}

/** "the until date" is the field "until", which is one. */
const TYPE_WORDS: Partial<Record<string, RegExp>> = {
  date: /\b(?:date|day|time)$/i,
  number: /\b(?:number|count|amount)$/i,
  boolean: /\b(?:flag|check ?box|tick ?box|switch)$/i,
  string: /\b(?:text|string)$/i,
  enum: /\b(?:choice|selection|dropdown|values?)$/i,
}

const allowed = (kind: Kind, kinds: readonly Kind[] | undefined): boolean => kinds === undefined || kinds.includes(kind)

const BEHIND = KINDS.map(([words, kind]) => ({ pattern: new RegExp(`^(.+?) (?:${words})$`, 'i'), kind }))
const IN_FRONT = KINDS.map(([words, kind]) => ({
  pattern: new RegExp(`^(?:${words})\\b(?: (?:called|named|titled|about|on|for|which|that))? ?(.*)$`, 'i'),
  kind,
}))

/** "the field urgent", "the board page", "knowledge entry about returns" */
function withoutKind(said: string): { name: string; kind?: Kind } {
  for (const { pattern, kind } of BEHIND) {
    const behind = pattern.exec(said)
    if (behind) return { name: bare(behind[1] ?? ''), kind }
  }
  for (const { pattern, kind } of IN_FRONT) {
    const front = pattern.exec(said)
    if (front && !/^(?:of|in|from)\b/i.test(front[1] ?? '')) return { name: bare(front[1] ?? ''), kind }
  }
  return { name: said }
}

/** All that has a name, fields of the resource that was spoken of before others. */
function* everything(draft: Draft): Generator<{ target: Target; names: string[] }> {
  const { resources, config, skills, views, knowledge, flows } = draft.manifest
  for (const resource of resources) yield { target: { kind: 'resource', resource }, names: [resource.id, resource.name] }
  for (const resource of [...resources].sort((one, other) => Number(other === draft.resource) - Number(one === draft.resource)))
    for (const field of resource.fields) yield { target: { kind: 'field', resource, field }, names: [field.name] }
  for (const setting of config) yield { target: { kind: 'setting', setting }, names: [setting.key] }
  for (const flow of flows) yield { target: { kind: 'flow', flow }, names: [flow.name, flow.id, eventName(flow.trigger)] }
  for (const skill of skills) yield { target: { kind: 'skill', skill }, names: [skill.name, skill.id, hostOf(skill.endpoint)] }
  for (const entry of knowledge) yield { target: { kind: 'knowledge', entry }, names: [entry.title, entry.id] }
  for (const view of views) yield { target: { kind: 'view', view }, names: [view.name, view.id] }
}

function exact(draft: Draft, name: string, kinds: readonly Kind[] | undefined): Target | undefined {
  for (const { target, names } of everything(draft))
    if (name !== '' && allowed(target.kind, kinds) && names.some(each => isSame(each, name))) return target
  for (const { target } of everything(draft)) {
    const { name: own = '', type = '' } = target.kind === 'field' ? target.field : {}
    const plain = name.replace(TYPE_WORDS[type] ?? /(?!)/, '').trim()
    if (plain !== name && plain !== '' && allowed('field', kinds) && isSame(own, plain)) return target
  }
  return undefined
}

/** "the reason of points", "points' reason" */
function ofAnother(draft: Draft, name: string, kinds: readonly Kind[] | undefined): Target | undefined {
  if (!allowed('field', kinds)) return undefined
  const [, own = '', owner = ''] = OF.exec(name) ?? []
  const [, owner2 = '', own2 = ''] = /^(.+?)(?:'s|s') (.+)$/i.exec(name) ?? []
  const resource = resourceNamed(draft, bare(owner || owner2))
  const field = resource?.fields.find(each => isSame(each.name, withoutKind(bare(own || own2)).name))
  return resource && field ? { kind: 'field', resource, field } : undefined
}

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(word => word !== '' && !/^(?:the|an?|of|for|on|in|to|that|which|about|our|and|is|are|new)$/.test(word))
    .map(word => word.replace(/(?:ies|y)$/, 'i').replace(/(?:es|s|ing|ed|e)$/, ''))

/** The only one of which every word is said, or that has every word that is said. */
function alike(draft: Draft, name: string, kinds: readonly Kind[] | undefined): Target | undefined {
  const said = wordsOf(name)
  if (said.length === 0) return undefined
  const found: { target: Target; share: number }[] = []
  for (const { target, names } of everything(draft)) {
    if (!allowed(target.kind, kinds)) continue
    const share = Math.max(
      ...names.map(each => {
        const own = wordsOf(each)
        const common = own.filter(word => said.includes(word)).length
        return common === own.length || common === said.length ? common / Math.max(own.length, said.length) : 0
      }),
    )
    if (share > 0) found.push({ target, share })
  }
  found.sort((one, other) => other.share - one.share)
  const [best, next] = found
  // "the fault" is the description of the fault, where nothing else is of it.
  if (best && next === undefined && best.share >= 0.2 && kinds !== undefined) return best.target
  return best && best.share >= 0.5 && (next === undefined || next.share < best.share || kinds?.length === 1) ? best.target : undefined
}

/** What a flow does that is called by it: the greeting is one that writes. */
const DOING: [RegExp, Step['type']][] = [
  [/\b(?:notifications?|alerts?)\b/i, 'notify'],
  [/\b(?:greetings?|reminders?|follow[- ]?ups?)\b/i, 'send_message'],
]

/** "the flow", "the tab": where there is one alone. */
function only(draft: Draft, kind: Kind, said: string): Target | undefined {
  const doing = DOING.find(([pattern]) => pattern.test(said))?.[1]
  const isMeant = ({ steps }: Flow): boolean => doing === undefined || steps.some(({ type }) => type === doing)
  if (kind === 'flow' && draft.flow && isMeant(draft.flow)) return { kind, flow: draft.flow }
  const found = [...everything(draft)].filter(({ target }) => target.kind === kind && (target.kind !== 'flow' || isMeant(target.flow)))
  // The greeting is what is said first.
  const [greeting, ...others] = /\bgreetings?\b/i.test(said)
    ? found.filter(({ target }) => target.kind === 'flow' && target.flow.trigger === 'conversation.started')
    : []
  if (greeting && others.length === 0) return greeting.target
  return found.length === 1 ? found[0]?.target : undefined
}

/** "in tickets", "the cake questions flow": what is spoken of from now on. */
export function speakOf(draft: Draft, target: Target): void {
  draft.spoken = target
  draft.topic = target.kind
  if (target.kind === 'flow') draft.flow = target.flow
  if (target.kind === 'resource' || target.kind === 'field') draft.resource = target.resource
}
