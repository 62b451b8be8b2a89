// Fields as people list them: "a serial number, a purchase date and a level of gold or silver".
import type { Field } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { choice, slashed, spaced, type Typed } from './field-choices.ts'
import { ALL_ARE, ALL_OF, countOf, ENDS, MEASURED, TYPES_OF_ALL } from './field-groups.ts'
import { typeByName, typeOf, UNITS } from './field-types.ts'
import { ARE, itemsOf, TYPE_WORDS } from './items.ts'
import { isPlausibleValue, valuesOf } from './listed-values.ts'
import { bare, isStandIn, nameOf } from './names.ts'
import { isPlausible } from './plausible.ts'
import { type Qualified, qualified } from './qualifiers.ts'
import { QUOTE } from './sentences.ts'

/** What is done rather than kept: "remind them after a year". */
const DEED =
  /^(?:remind|send|notify|tell|alert|warn|tag|call|message|show|ask|let|delete|remove|update|change|write|create|give|do) (?:them|us|me|him|her|it|the|an?|every|each|all|customers?|contacts?)\b/i
/** More words are a clause, and no name. */
const NAME_WORDS = 5

/** @returns undefined where it is no name of a field */
export function fieldOf(text: string): Field | undefined {
  // "which kiln (A, B or C)", "what was broken"
  const so = qualified(
    text
      // "say whether it was solved"
      .replace(/^(?:says?|tells?|shows?|states?|records?|notes?|mentions?)(?: us)? (?=(?:whether|if|how many|when|who)\b)/i, '')
      .replaceAll(/\s*\|\s*/g, '/')
      .replace(/^(?:which|what kind of|what type of|what sort of) (?=[\w-]+(?: [\w-]+)?(?:$| ?[(:,]))/i, ''),
  )
  const isRequired = so.isRequired === true || (REQUIRED.test(so.name) && !/\bnot (?:required|mandatory)\b/i.test(so.name))
  const said = bare(
    so.name
      .replaceAll(/\b(it|he|she|that|they)'(?:s|re)\b/gi, '$1 is')
      .replaceAll(/\b(?:which|that) (?:is|are) (?:required|mandatory|optional)\b/gi, ' ')
      .replaceAll(
        /(?:\s[-–;/]|,)?\s*\b(?:a )?(?:not |always )?(?:required|mandatory|compulsory|obligatory|optional|must(?=\s*\)|$))\b,?/gi,
        ' ',
      )
      .replaceAll(/\(\s*\)/g, ' ')
      .replaceAll(/\(\s*,/g, '(')
      .replaceAll(/,\s*\)/g, ')')
      .replaceAll(/\s+/g, ' '),
  )
  if (DEED.test(said)) return undefined
  const typed = so.type || so.values ? typedBy(so, said) : typedField(said)
  const name =
    typed &&
    nameOf(
      typed.name
        .replace(/\s+(?:field|column)\s*$/i, '')
        .replaceAll(/ (of|for|in|on|at|under|inside|about|from|to|with) (?:the|an?|its|their|his|her|this|that|our|my) /gi, ' $1 '),
    )
  if (!name || name.split('_').length > NAME_WORDS || isStandIn(name)) return undefined
  if (typed.values?.some(each => !isPlausibleValue(each))) return undefined
  const { type, values } = typed
  return { name, type, ...(isRequired && { required: true }), ...(values && { enumValues: values }) }
}

const REQUIRED = /\b(?:required|mandatory|compulsory|obligatory|a must|must be (?:given|filled in|set|there))\b/i

/** Where the type is said, the rest is the name; what is asked ("whether it is used") is named as without it. */
function typedBy({ type, values }: Qualified, said: string): Typed | undefined {
  const plain = /^(?:whether|if|when|who)\b|\b(?:called|named)\b|\(|:/i.test(said) ? typedField(said) : undefined
  const name = plain?.name ?? said
  return values ? { name, type: 'enum', values } : type && { name, type }
}

function typedField(text: string): Typed | undefined {
  return (
    (/^how \w/i.test(text) ? question(text) : undefined) ??
    inBrackets(text) ??
    called(text) ??
    question(text) ??
    choice(text) ??
    spaced(text) ??
    slashed(text) ??
    asType(text) ??
    plainField(text)
  )
}

function inBrackets(text: string): Typed | undefined {
  const [, name, inner] = /^([^()]{1,100})\(([^()]{1,300})\)$/.exec(text) ?? []
  if (name === undefined || inner === undefined) return undefined
  const type =
    typeOf(inner) ??
    inner
      .split(/\s*[,;]\s*/)
      // "(day, month, year)" are values.
      .filter((part, _at, all) => all.length === 1 || !/^(?:day|time)s?$/i.test(part))
      .map(part => typeOf(part.replace(/^(?:an? )?(.*?)s?$/i, '$1')) ?? typeOf(part))
      .find(Boolean)
  if (type && !/\bor\b/i.test(inner.replace(/\b(?:yes or no|true or false|y or n)\b/gi, ''))) return { name, type }
  if (new RegExp(`^(?:in )?(?:${UNITS}|%|€|\\$|£)$`, 'i').test(inner.trim())) return { name, type: 'number' }
  const values = valuesOf(inner.replace(/^(?:e\.?g\.?|for example|such as|either|one of|can be|values?):?,? /i, ''))
  return values.length > 1 ? { name, type: 'enum', values } : plainField(name)
}

function called(text: string): Typed | undefined {
  const [, word, name] =
    new RegExp(`^(${TYPE_WORDS}|field|choice|setting)(?: field| setting| value)? (?:called|named|for) (.{1,100})$`, 'i').exec(text) ?? []
  if (word === undefined || name === undefined) return undefined
  const type = typeOf(word)
  return type ? { name, type } : typedField(bare(name))
}

/** "the date it was dropped off", "the day when they joined" */
const DATED =
  /^(?:date|day|time)(?: (?:when|that|on which|at which))?(?: (?:it|he|she|they|we|you))?(?: (?:was|were|is|are|has been|had been|have been|got|has|have|had))? ((?:last |first |next |newly )?[\p{L}]+(?: (?:off|in|on|out|up|down|back|away|by|for))?)$/iu

function question(text: string): Typed | undefined {
  const [, dated] = /^(?:date|day|time) (?:when|that|on which|at which|it|he|she|they|we|you)\b/i.test(text) ? (DATED.exec(text) ?? []) : []
  if (dated !== undefined) return { name: `date ${dated}`, type: 'date' }
  const [, how] = /^how (\w+)(?: (?:it|they|he|she|this) (?:is|are|was|were))?(?: \(.*\))?$/i.exec(text) ?? []
  if (how && !/^(?:many|much|often|long|old)$/i.test(how))
    return typedField(text.replace(/^how (\w+)(?: (?:it|they|he|she|this) (?:is|are|was|were))?/i, '$1'))
  const [, done, by] = /^who (?:has |had )?(\w+(?:ed|ook|old|ade|ent|ote|ot)) (?:it|them)$|^who it (?:was|is) (\w+ed) by$/i.exec(text) ?? []
  if (done ?? by) return { name: `${done ?? by} by`, type: 'string' }
  const [, deals] = /^who (handles|takes care of|looks after|checks|signs|pays|delivers|drives|teaches) (?:it|them|this)$/i.exec(text) ?? []
  if (deals) return { name: `who ${deals}`, type: 'string' }
  // "what was done", "what's broken"
  const [, what = ''] = /^what (?:is|was|were|has been|needs to be|should be) ([\p{L}]+)$/iu.exec(text) ?? []
  if (what !== '') return { name: /^done$/i.test(what) ? 'work done' : what, type: 'string' }
  const [, was] = /^(?:was|is|were|are|has|did|does) (?:it|he|she|they|this)(?: been| get)? ([\p{L}]+(?: [\p{L}]+)?)\??$/iu.exec(text) ?? []
  if (was) return { name: was, type: 'boolean' }
  // "since when", "what it is"
  const [, bound] = /^(since|until|till|from) when$/i.exec(text) ?? []
  if (bound) return { name: bound, type: 'date' }
  if (/^(?:what|which one) (?:it|this|that) (?:is|was)$/i.test(text)) return { name: 'name', type: 'string' }
  const [, due] = /^when (?:it|they|he|she|this) (?:is|are) (due(?: back| in| out)?|expected(?: back)?)$/i.exec(text) ?? []
  if (due) return { name: due, type: 'date' }
  const [, when] = /^when (?:it|they|he|she) (?:was|were|is|will be|'ll be|has been) (\w{2,30})$/i.exec(text) ?? []
  if (when) return { name: `${when} on`, type: 'date' }
  const [, either] = /^(.{1,60}?)[?,]? \(?(?:yes ?\/ ?no|yes or no|y\/n|or not|true\/false)\)?\??$/i.exec(text) ?? []
  if (either) return { name: either.replace(/^(?:whether|if) (?:it is |it was |they are )?/i, ''), type: 'boolean' }
  const [, asked] = /^(?:whether|if)(?: or not)?(?: to)? (.{1,100})$/i.exec(text) ?? []
  if (asked === undefined) return undefined
  const name = asked
    .replace(/^(?:it|they|he|she|this|there)\s+/i, '')
    .replaceAll(/\b(?:is|was|were|are|has been|have been|has|have|had|been|(?<!\bcan )be|a|an|the)\b/gi, ' ')
    .replaceAll(/\s+/g, ' ')
  return { name, type: 'boolean' }
}

function asType(text: string): Typed | undefined {
  const [, front, kind] = new RegExp(`^(.{1,100}?) (${TYPE_WORDS}) (?:field|column)$`, 'i').exec(text) ?? []
  const fronted = kind && typeOf(kind)
  if (front !== undefined && fronted) return { name: front, type: fronted }
  const [, colon, kindOf] =
    new RegExp(`^(.{1,60}?)\\s*[:=–-]\\s+(?:an? )?(${TYPE_WORDS}|bool|int|float|true\\/false|yes or no|true or false)$`, 'i').exec(text) ??
    []
  const coloned = kindOf && typeOf(kindOf)
  if (colon !== undefined && coloned) return { name: colon, type: coloned }
  const [, plainName, devType] = /^([\w -]{1,60}?) (string|boolean|bool|integer|int)$/i.exec(text) ?? []
  const dev = devType && typeOf(devType)
  if (plainName !== undefined && dev && !/\b(?:an?|of|as|the|is)$/i.test(plainName)) return { name: plainName, type: dev }
  const [, name, word] = new RegExp(`^(.{1,100}?)(?: (?:as|of type|which is|that is|is)|,) (?:an? )?(${TYPE_WORDS})$`, 'i').exec(text) ?? []
  const type = word && typeOf(word)
  if (name !== undefined && type) return { name, type }
  const [, before] = /^(.{1,100}?)\s+(?:flag|checkbox)$/i.exec(text) ?? []
  if (before !== undefined) return { name: before, type: 'boolean' }
  const [, sort = '', named2] = new RegExp(`^(${TYPE_WORDS}) (?:field|column) (?!of\\b)(.{1,100})$`, 'i').exec(text) ?? []
  const sorted = typeOf(sort)
  if (named2 !== undefined && sorted) return { name: named2, type: sorted }
  const [, first, rest] = new RegExp(`^(${TYPE_WORDS}) (?:field )?(?!of\\b)(.{1,100})$`, 'i').exec(text) ?? []
  const named = first && typeOf(first)
  return named && rest !== undefined && !/^(?:number|date|text|flag)$/i.test(first) ? { name: rest, type: named } : undefined
}

function plainField(text: string): Typed | undefined {
  // "a duration in minutes" says what its number counts.
  const name = text.replace(new RegExp(` in (?:${UNITS})$`, 'i'), '')
  const [, scored] = /^(.{1,60}?),? \(?(?:from |of )?\d{1,4} ?(?:-|–|to) ?\d{1,4}\)?$/i.exec(name) ?? []
  if (scored !== undefined) return { name: scored, type: 'number' }
  const plain = nameOf(name)
  // "level: low" may have been cut from its other values.
  if (plain === '' || /\w: \w/.test(name)) return undefined
  if (/(?:^|_)(?:number|count|amount|quantity)_of_|^how_many_/.test(plain))
    return { name: name.replace(/^how many /i, 'number of '), type: 'number' }
  if (plain === 'number' || plain === 'order_number' || name !== text) return { name, type: 'number' }
  return { name, type: typeByName(plain) }
}

/** What is quoted among fields is their names. */
const quotedName = (text: string): string => text.replaceAll(/[(),:]/g, ' ')

/** The fields in a list; what is none is noted. */
export function fieldsIn(draft: Draft, list: string): Field[] {
  const fields: Field[] = []
  let typed = 0
  const unlikely: [Field, string][] = []
  const named = list.replaceAll(new RegExp(QUOTE, 'g'), mark => quotedName(draft.said.quote(mark)))
  // "left eye and right eye (numbers)" are both.
  const plain = named.replaceAll(ENDS, '$1 $3 and $2 $3').replaceAll(TYPES_OF_ALL, ' are $1s').replaceAll(MEASURED, ', all in $1')
  for (const item of itemsOf(plain)) {
    const [of, several = '', must, kind = '', isMeasured] = ALL_ARE.exec(item) ?? []
    if (of !== undefined && fields.length > 1) {
      for (const each of fields.slice(countOf(item) ?? (/^both$/i.test(several) ? -2 : 0)))
        Object.assign(each, must && { required: true }, typeOf(kind) && { type: typeOf(kind) }, isMeasured && { type: 'number' })
      continue
    }
    // "a left eye and a right eye (both numbers)"
    const [all, which = '', word = '', needed] = ALL_OF.exec(item) ?? []
    const [, last, plural = '', demanded] = ARE.exec(item) ?? []
    const field = fieldOf(last ?? (all ? item.slice(0, -all.length) : item))
    if (!field) {
      notUnderstood(draft, item)
      continue
    }
    if (!isPlausible('field', field.name)) unlikely.push([field, item])
    fields.push(field)
    if (last !== undefined)
      for (const each of fields.slice(typed))
        Object.assign(each, demanded && { required: true }, typeOf(plural) && { type: typeOf(plural) })
    if (last !== undefined || /[()]| (?:of|is|are|as|with) /.test(item)) typed = fields.length
    if (needed) for (const each of fields.slice(/^both$/i.test(which) ? -2 : 0)) each.required = true
    const type = typeOf(word)
    if (type) for (const each of fields.slice(/^both$/i.test(which) ? -2 : 0)) each.type = type
  }
  // One name of several that cannot be one is told, and the others are kept.
  const [[field, item] = []] = unlikely
  if (field && item && unlikely.length === 1 && fields.length > 3) {
    notUnderstood(draft, item)
    return fields.filter(each => each !== field)
  }
  return fields
}
