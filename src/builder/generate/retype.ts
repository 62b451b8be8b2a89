// Edits that change the type of a field or of a setting.
import type { Config, Field, Resource } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { typeOf } from './field-types.ts'
import { speakOf, targetOf } from './targets.ts'

const TYPED = [
  /^(.{1,60}?) (?:is|are|becomes?) (?:now )?(?:an? )([a-z/]+)(?: field)?(?: now)?(?:,? (?:and )?(?:not|instead of|rather than|no longer) .{2,40}| instead)?$/i,
  /^(?:change|turn|convert|switch|make) (?:the )?(?:type of )?(.{1,60}?)(?: (?:in)?to| be| from [a-z/]+ (?:in)?to)? (?:an? )?(?:(?<needed>required|mandatory) |optional )?([a-z/]+(?: or [a-z]+)?)(?: field)?$/i,
  /^(.{1,60}?) (?:should|must|has to|shall) (?:rather |now )?(?:be|become|hold) (?:an? )?([a-z/]+(?: or [a-z]+)?)(?: field)?(?:,? (?:and )?(?:not|instead of|rather than) .{2,40}| instead)?$/i,
]

/** What flows write into a field is of its type too, or is not written. */
function retype({ manifest }: Draft, resource: Resource, { name, type }: Field): void {
  for (const step of manifest.flows.flatMap(({ steps }) => steps)) {
    if (!('values' in step) || step.resource !== resource.id || !Object.hasOwn(step.values, name)) continue
    const value = step.values[name]
    if (type === 'string') step.values[name] = String(value)
    else if (typeof value !== type && !(type === 'date' && typeof value === 'string')) delete step.values[name]
  }
}

/** "persons is a text now, not a number" */
export function changeType(draft: Draft, text: string): boolean {
  const found = TYPED.map(pattern => pattern.exec(text)).find(each => each !== null)
  const [name, word] = [found?.[1] ?? '', found?.at(-1) ?? '']
  const isSecret = /^secret$/i.test(word)
  const type = typeOf(word)
  const target = name === '' || !(type || isSecret) ? undefined : targetOf(draft, name, ['field', 'setting'])
  if (target?.kind === 'setting' && type !== 'date') {
    target.setting.type = isSecret ? 'secret' : (type as Config['type'])
    delete target.setting.enumValues
    return true
  }
  if (target?.kind !== 'field' || !type) return false
  speakOf(draft, target)
  target.field.type = type
  retype(draft, target.resource, target.field)
  if (found?.groups?.['needed']) target.field.required = true
  delete target.field.enumValues
  return true
}
