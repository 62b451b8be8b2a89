// Edits that say what must be given, and what need not be.
import type { Config, Field } from '../../apps/manifest/shape.ts'
import { demandInputs } from './choices.ts'
import type { Draft } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import { isSame } from './names.ts'
import { speakOf, targetOf } from './targets.ts'

const EXCEPT = '(?:,? (?:except(?: for)?|but not|apart from|save for|other than|but) .{2,100})?'
const NEEDED = 'required|mandatory|compulsory|obligatory|a must|needed|necessary|filled in|given'
const DEMANDS = [
  new RegExp(`^(?:make|mark|set) (.{1,200}?) (?:to be |as |to )?(${NEEDED}|optional|not required)(?: fields?)?$`, 'i'),
  new RegExp(
    `^(.{1,200}?) (?:should|must|shall|has to|have to|needs? to|need to|is|are|becomes?|may|can) (?:now |always |both |all |also )*(?:be |become )?(?:now |always |both |all )*(${NEEDED}|optional|not required|no longer required|not mandatory|left (?:empty|blank|out))(?: fields?)?(?: any ?more| now| from now on)?${EXCEPT}$`,
    'i',
  ),
  /^(require|demand) (.{1,200}?)(?: to be (?:given|filled in|set))?$/i,
]

/** What is demanded is named, and nothing is said of it. */
const STATED = /\b(?:must|should|may|can|is|are|be|has to|have to)\b/i

export function demand(draft: Draft, whole: string): boolean {
  // "make all the fields of tires required"
  const [of = '', , name = ''] =
    /(?<=^make all (?:the |its )?fields) (of|in) (?:the )?([\w -]{2,30}?)(?= (?:required|mandatory|optional)$)/i.exec(whole) ?? []
  const text = whole.replace(of, '')
  if (of !== '') draft.resource = resourceNamed(draft, name) ?? draft.resource
  const [, first = '', second = ''] =
    DEMANDS.map(pattern => pattern.exec(text)).find(found => found !== null && !STATED.test(found[1] as string)) ?? []
  const [listed, how] = /^(?:require|demand)$/i.test(first) ? [second, 'required'] : [first, second]
  if (listed === '') return false
  // "… and the rest is optional", as it was.
  // "All of them are required except the remark."
  const [, but] = / (?:except(?: for)?|but not|apart from|save for|other than|but) (.{2,100})$/i.exec(text) ?? []
  if (but !== undefined && / (?:except|but|apart|save|other) /i.test(listed + text.slice(listed.length))) return allBut(draft, text, but)
  const [isOthers, isOptional] = [
    /^(?:the )?(?:rest|others?|other fields|everything else|all others)$/i.test(listed),
    /optional|not |no longer|left/i.test(how),
  ]
  if (isOthers && isOptional) return true
  const names = listed.replace(/^both /i, '').split(/\s*,\s*(?:and )?|\s+and\s+|\s*\/\s*/)
  const items = /^(?:all|every|each)(?: of)?(?: the| its)? (?:fields?|them)$/i.test(listed)
    ? (draft.resource?.fields ?? [])
    : names.map(name => demandable(draft, name.replace(/^only /i, '')))
  if (items.includes(undefined) && demandInputs(draft, names, isOptional)) return true
  if (items.length === 0 || items.some(item => item === undefined)) return false
  draft.isSettled = true
  for (const item of items)
    if (item && isOptional) delete item.required
    else if (item) item.required = true
  return true
}

/** "title and date required": names of fields, and no verb. */
export function demandAlone(draft: Draft, text: string): boolean {
  const [, listed = '', how = ''] = /^(?:with )?(?:only )?([\w' ,-]{1,100}?) (required|mandatory|compulsory|optional)$/i.exec(text) ?? []
  const names = listed === '' ? [] : listed.split(/\s*,\s*(?:and )?|\s+and\s+/)
  const isKnown = (name: string): boolean => draft.resource?.fields.some(field => isSame(field.name, name)) ?? false
  return names.length > 0 && names.every(isKnown) && demand(draft, `${listed} are ${how}`)
}

/** "Complaints must have a severity", which they may have: it is required from now on. */
export function mustHave(draft: Draft, text: string): boolean {
  const [, owner = '', name = ''] =
    /^(?:the |each |every |an? |all )?(.{2,40}?) (?:must|have to|has to)(?: always)? have (?:an? |the )?([\w' -]{2,40})$/i.exec(text) ?? []
  const field = owner === '' ? undefined : resourceNamed(draft, owner)?.fields.find(each => isSame(each.name, name))
  if (!field) return false
  field.required = true
  return true
}

function allBut(draft: Draft, text: string, but: string): boolean {
  const [, of] =
    /^(?:make )?(?:all|every|each|everything)(?: fields?)? (?:in|of) (?:the )?([\w -]{2,40}?) (?=required|mandatory|optional|compulsory|obligatory|is|are|should)/i.exec(
      text,
    ) ?? []
  const resource = (of === undefined ? undefined : resourceNamed(draft, of)) ?? draft.resource
  if (!resource || !/^(?:make )?(?:all|every|each|everything)\b/i.test(text)) return false
  const others = but.split(/\s*,\s*(?:and )?|\s+and\s+/).map(name => demandable(draft, name))
  draft.isSettled = true
  if (others.includes(undefined)) return false
  const isOptional = /\b(?:optional|not required)\b/i.test(text.slice(0, text.length - but.length))
  for (const field of resource.fields)
    if (others.includes(field) === isOptional) field.required = true
    else delete field.required
  return true
}

function demandable(draft: Draft, name: string): Field | Config | undefined {
  const target = targetOf(draft, name, ['field', 'setting'])
  if (!target) return undefined
  speakOf(draft, target)
  return target.kind === 'field' ? target.field : target.kind === 'setting' ? target.setting : undefined
}
