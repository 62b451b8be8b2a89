// A field or a setting that becomes one of a few, and what a skill is given besides.
import type { Draft } from './draft.ts'
import { fieldsIn } from './fields.ts'
import { bare, isSame } from './names.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'

const CHOICE =
  /^(?:make|turn|change|convert) (?:the )?(.{1,60}?) (?:in)?(?:to )?(?:be )?(?:an? )?(?:choice|enum|selection|list|dropdown|one)(?: field)? (?:of|from|between|with(?: the values)?):? (.{3,300})$|^(.{1,60}?) (?:(?:should|must|has to|shall) be|is|are|becomes?)(?: now)? (?:(?:an? )?(?:choice|enum|selection|list|dropdown)(?: of| between| from)?|one of|either):? (.{3,300})$/i

/** "… instead of free text": what it was before. */
const WAS_TYPED =
  /,? (?:instead of|rather than|and not|not) (?:an? )?(?:(?:free|plain|short|long) )?(?:text|number|date|yes\/no|yes or no|true or false|true\/false|boolean|string)(?: field)?$/i

/** "Make toxic a choice of none, mild or strong." */
export function makeChoice(draft: Draft, text: string): boolean {
  const [, front, listed, behind, also] = CHOICE.exec(text) ?? []
  const target = targetOf(draft, front ?? behind ?? '', ['field', 'setting'])
  const item = target?.kind === 'field' ? target.field : target?.kind === 'setting' ? target.setting : undefined
  const values = (listed ?? also ?? '')
    .replace(WAS_TYPED, '')
    .split(/\s*,\s*(?:or |and )?|\s+(?:or|and)\s+|\s*[|/]\s*/)
    .map(each => bare(unquoted(draft, each)))
    .filter(each => each !== '')
  if (!target || !item || values.length < 2) return false
  speakOf(draft, target)
  item.type = 'enum'
  item.enumValues = [...new Set(values)]
  return true
}

const INPUT =
  /^(.{2,60}?) (?:also )?(?:needs|takes|gets|requires|should (?:also )?(?:take|get|have|be given)|must (?:also )?(?:take|get|be given)) (?:an?(?:other)?|one more|two more|the|these)(?: new| further| more| additional)* (?:inputs?|arguments?|parameters?)(?: called| named)?[:,]? (.{2,200})$/i

/** "The quote skill should also take the frame size as a number." */
const MORE_INPUT =
  /^(.{2,60}? (?:skill|service|tool)|it) (?:(?:should|must|has to|can) )?also (?:takes?|gets?|needs?|accepts?|asks? for|be given|be told|wants?|requires?) (.{2,200})$/i

/** "The free slots skill needs a stylist too, which is optional." */
const INPUT_TOO =
  /^(.{2,60}? (?:skill|service|tool)) (?:needs|takes|gets|wants|requires|accepts|asks for|(?:should|must|has to) (?:take|get|accept|ask for|be given|be told|receive)) (.{2,200}?),? (?:too|as well)((?:, (?:which|it) is (?:optional|required|not required|a number))?)$/i

/** "The diagnose skill needs another input called pot_size." */
export function addInput(draft: Draft, text: string): boolean {
  const [, name = '', input = '', how = ''] = INPUT.exec(text) ?? INPUT_TOO.exec(text) ?? MORE_INPUT.exec(text) ?? []
  const listed = input + how
  const target = name === '' ? undefined : targetOf(draft, name, ['skill'])
  if (target?.kind !== 'skill') return false
  const schema = target.skill.inputSchema as { properties?: Record<string, unknown>; required?: string[] }
  schema.properties ??= {}
  for (const field of fieldsIn(draft, listed)) {
    const type = field.type === 'number' || field.type === 'boolean' ? field.type : 'string'
    schema.properties[field.name] ??= { type, ...(field.enumValues && { enum: field.enumValues }) }
    if (field.required) schema.required = [...new Set([...(schema.required ?? []), field.name])]
  }
  return true
}

/** "pages is now required", of the skill that is spoken of. */
export function demandInputs(draft: Draft, names: readonly string[], isOptional: boolean): boolean {
  const { manifest, spoken } = draft
  const skill = spoken?.kind === 'skill' ? spoken.skill : manifest.skills.length === 1 ? manifest.skills[0] : undefined
  const schema = skill?.inputSchema as { properties?: Record<string, unknown>; required?: string[] } | undefined
  const inputs = names.map(name => Object.keys(schema?.properties ?? {}).find(each => isSame(each, bare(name))))
  if (!schema || inputs.includes(undefined)) return false
  const others = (schema.required ?? []).filter(each => !inputs.includes(each))
  const required = isOptional ? others : [...others, ...(inputs as string[])]
  if (required.length > 0) schema.required = required
  else delete schema.required
  draft.isSettled = true
  return true
}
