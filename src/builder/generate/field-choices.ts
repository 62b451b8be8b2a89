// A field that is one of a few, by how its values stand behind its name: with words between, with slashes, or with nothing at all.
import type { Field } from '../../apps/manifest/shape.ts'
import { typeOf } from './field-types.ts'
import { ONE_OF } from './items.ts'
import { valuesOf } from './listed-values.ts'

export interface Typed {
  name: string
  type: Field['type']
  values?: string[]
}

export function choice(text: string): Typed | undefined {
  // "severity: mild, moderate, severe"
  const [, listing, words] = /^([\w -]{2,40}): ((?:[\p{L}-]+, )+[\p{L}-]+)$/u.exec(text) ?? []
  if (listing !== undefined && words !== undefined) return { name: listing, type: 'enum', values: valuesOf(words) }
  const [, name, list] =
    /^(.{1,100}?)(?:,? (?:that|which) (?:is|are|can be|may be)(?: either| one of)?|,? (?:of|being|either|from|one of|can be|is|are|may be)(?: either| one of)?|:) (.{1,400} or .{1,100})$/i.exec(
      text,
    ) ?? []
  if (name === undefined || list === undefined || /^whether\b/i.test(name)) return undefined
  const values = valuesOf(list)
  return values.length > 1 ? { name, type: 'enum', values } : undefined
}

/** "level beginner or advanced", "box size small medium or large": behind what is one of a few by its name. */
export function spaced(text: string): Typed | undefined {
  const [, name = '', list = ''] = SPACED.exec(text) ?? []
  const [last = '', ...others] = list.split(/ or /i).reverse()
  if (name === '' || others.length === 0) return undefined
  // "in progress or done" has two, "small medium or large" three.
  const isPhrase = /^(?:in|on|not|no|to|at|out|under|very|half|fully|partly) /i.test(list)
  const values = [...others.reverse().flatMap(each => (isPhrase || /,/.test(each) ? valuesOf(each) : each.split(/ +/))), last]
  return { name, type: 'enum', values }
}

const SPACED = new RegExp(
  `^((?:[\\w-]+ ){0,2}?${ONE_OF.source.replace(/^\\b|\$$/g, '')}) ([\\w-]+(?:,? [\\w-]+){0,5}? or [\\w-]+(?: [\\w-]+)?)$`,
  'i',
)

/** "a level bronze/silver/gold", "status: open/closed"; two words alone may be one name, as in "a pickup/delivery date" */
export function slashed(text: string): Typed | undefined {
  const [, named, several = ''] = /^(.{1,60}?) ?: ?([^/:]{1,40}(?:\/[^/:]{1,40}){1,20})$/.exec(text) ?? []
  if (named && !typeOf(several)) return { name: named, type: 'enum', values: valuesOf(several) }
  const [, said = '', list = ''] = /^(.{1,100}?)(?::| -|,)?((?: |^)[\p{L}\d-]{1,40}(?:\s?\/\s?[\p{L}\d-]{1,40}){1,20})$/u.exec(text) ?? []
  const name = said.replace(/ (?:of|is|either|being|can be|from|one of)$/i, '')
  const values = valuesOf(list)
  if (name === '' || values.length < 2 || typeOf(list) || / (?:in|per|by|the|an?)$/i.test(` ${name}`)) return undefined
  return values.length > 2 || ONE_OF.test(name) ? { name, type: 'enum', values } : undefined
}
