// Fields as people list them: "a serial number, a purchase date and a level of gold or silver".
import type { Field } from '../../apps/manifest/shape.ts'
import { type Draft, notUnderstood } from './draft.ts'
import { bare, nameOf } from './names.ts'

type Type = Field['type']

const NUMBERS =
  /(?:^|_)(?:amount|quantity|count|total|subtotal|balance|rating|score|stars|points|price|cost|fee|weight|height|width|length|depth|size|age|percent|percentage|rate|duration|stock|discount|hours|minutes|days|weeks|months|years|distance|capacity|temperature|visits|votes|sum|estimate|limit|seats|guests|budget|mileage|deposit|allowance|threshold|units|pieces|portions|servings|calories|volume|area|grade|revenue|turnover|terms|payment_terms)$/
const DATES = /(?:^|_)(?:date|deadline|birthday|time|day|until|timestamp)$|^(?:date|day|time)_(?:of|when)_|_(?:on|at)$/
const BOOLEANS =
  /^(?:is|has|was|can|needs|wants|should)_|^(?:active|inactive|enabled|disabled|verified|approved|archived|available|subscribed|featured)$/
/** Words for types, as a person says them. */
const TYPES: [RegExp, Type][] = [
  [/^(?:number|numeric|integer|int|decimal|float)$/, 'number'],
  [/^(?:boolean|bool|flag|checkbox|yes\/no|yes or no|true\/false|true or false|switch)$/, 'boolean'],
  [/^(?:date|time|datetime|date and time|timestamp|day)$/, 'date'],
  [/^(?:text|string|words|free text|line)$/, 'string'],
]
const TYPE_WORDS = 'number|numeric|integer|decimal|boolean|bool|checkbox|yes\\/no|flag|date|datetime|timestamp|text|string'
/** What begins an item of its own, rather than another value of the one before. */
const BEGINS = /^(?:a|an|the|whether|if|required|mandatory|optional|their|its|one|how many)\s/i

/** @returns the items of a list: what lies in brackets stays together, and so do the values of an enum */
export function itemsOf(text: string): string[] {
  const parts = splitOutside(text)
  const items: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const end = enumEnd(parts, at)
    items.push(parts.slice(at, end + 1).join(', '))
    at = end
  }
  return items
}

/** Behind a comma, what is said of the item before: no field has such a name. */
const APPOSED =
  /^(?:(?:an? )?(?:whole |decimal |true or false |yes or no )?(?:integer|decimal|float|boolean|bool|checkbox|yes\/no|true\/false|string|free text|timestamp)|(?:(?:which|this) is )?(?:required|mandatory|compulsory|obligatory|optional|not required))$/i

function splitOutside(text: string): string[] {
  let depth = 0
  let part = ''
  const parts: string[] = []
  for (const word of text.split(/(\(|\)|,\s*and\s+|,\s*|\s+and\s+|\s+plus\s+(?=an?\s|the\s)|\s+as well as\s+)/)) {
    if (word === '(') depth++
    if (word === ')') depth--
    if (depth === 0 && /^(?:,\s*and\s+|,\s*|\s+and\s+|\s+plus\s+|\s+as well as\s+)$/.test(word)) {
      parts.push(part)
      part = ''
    } else part += word
  }
  const trimmed = [...parts, part].map(each => each.trim()).filter(each => each !== '')
  const whole: string[] = []
  // "a token, which is secret" is one.
  for (const each of trimmed)
    if (whole.length > 0 && /^(?:(?:which|that) (?:is|are|can|may)|one of|either|being)\b/i.test(each))
      whole[whole.length - 1] += ` ${each}`
    // "points per euro, a number, required" too
    else if (whole.length > 0 && APPOSED.test(each)) whole[whole.length - 1] += `, ${each}`
    else whole.push(each)
  return whole
}

/** The last part of an enum that begins here: "a plan of basic" "plus or pro". */
function enumEnd(parts: readonly string[], from: number): number {
  const first = parts[from] as string
  if (!/\s(?:of|is|are|being|either|from|can be)\s+\S|:\s*\S/i.test(first) || / or /i.test(first)) return from
  if (/^(?:\w+ ){0,2}(?:number|count|date|day|time|place|proof|cost|price|name) of /i.test(first) && !/ or /i.test(first)) return from
  for (let at = from + 1; at < parts.length; at++) {
    const part = parts[at] as string
    if (BEGINS.test(part) || part.includes('(') || /\bor not\b|\byes or no\b/i.test(part)) return from
    if (/(?:^| )or /i.test(part)) return at
  }
  return from
}

/** What is done rather than kept: "remind them after a year". */
const DEED =
  /^(?:remind|send|notify|tell|alert|warn|tag|call|message|show|ask|let|delete|remove|update|change|write|create|give|do) (?:them|us|me|him|her|it|the|an?|every|each|all|customers?|contacts?)\b/i
/** More words are a clause, and no name. */
const NAME_WORDS = 5

/** @returns undefined where it is no name of a field */
export function fieldOf(text: string): Field | undefined {
  const isRequired = /\b(?:required|mandatory|compulsory|obligatory)\b/i.test(text) && !/\bnot (?:required|mandatory)\b/i.test(text)
  const said = bare(
    text
      .replaceAll(/\(\s*(?:required|mandatory|optional)\s*\)/gi, ' ')
      .replaceAll(/\b(?:which|that) (?:is|are) (?:required|mandatory|optional)\b/gi, ' ')
      .replaceAll(/\b(?:not |always )?(?:required|mandatory|compulsory|obligatory|optional)\b,?/gi, ' ')
      .replaceAll(/\(\s*,/g, '(')
      .replaceAll(/,\s*\)/g, ')')
      .replaceAll(/\s+/g, ' '),
  )
  if (DEED.test(said)) return undefined
  const typed = typedField(said)
  const name = typed && nameOf(typed.name)
  if (!name || name.split('_').length > NAME_WORDS) return undefined
  const { type, values } = typed
  return { name, type, ...(isRequired && { required: true }), ...(values && { enumValues: values }) }
}

interface Typed {
  name: string
  type: Type
  values?: string[]
}

function typedField(text: string): Typed | undefined {
  return inBrackets(text) ?? called(text) ?? question(text) ?? choice(text) ?? slashed(text) ?? asType(text) ?? plainField(text)
}

function inBrackets(text: string): Typed | undefined {
  const [, name, inner] = /^([^()]{1,100})\(([^()]{1,300})\)$/.exec(text) ?? []
  if (name === undefined || inner === undefined) return undefined
  const type = typeOf(inner)
  if (type) return { name, type }
  if (new RegExp(`^(?:in )?(?:${UNITS}|%|€|\\$|£)$`, 'i').test(inner.trim())) return { name, type: 'number' }
  const values = valuesOf(inner.replace(/^(?:e\.?g\.?|for example|such as|either|one of),? /i, ''))
  return values.length > 1 ? { name, type: 'enum', values } : plainField(name)
}

function called(text: string): Typed | undefined {
  const [, word, name] =
    new RegExp(`^(${TYPE_WORDS}|field|choice|setting)(?: field| setting| value)? (?:called|named|for) (.{1,100})$`, 'i').exec(text) ?? []
  if (word === undefined || name === undefined) return undefined
  const type = typeOf(word)
  return type ? { name, type } : typedField(bare(name))
}

function choice(text: string): Typed | undefined {
  const [, name, list] =
    /^(.{1,100}?)(?:,? (?:that|which) (?:is|are|can be)(?: either| one of)?|,? (?:of|being|either|from|one of|can be)(?: either)?|:) (.{1,400} or .{1,100})$/i.exec(
      text,
    ) ?? []
  if (name === undefined || list === undefined || /^whether\b/i.test(name)) return undefined
  const values = valuesOf(list)
  return values.length > 1 ? { name, type: 'enum', values } : undefined
}

function question(text: string): Typed | undefined {
  const [, done, by] = /^who (?:has |had )?(\w+(?:ed|ook|old|ade|ent|ote|ot)) (?:it|them)$|^who it (?:was|is) (\w+ed) by$/i.exec(text) ?? []
  if (done ?? by) return { name: `${done ?? by} by`, type: 'string' }
  const [, when] = /^when (?:it|they|he|she) (?:was|were|is|has been) (\w{2,30})$/i.exec(text) ?? []
  if (when) return { name: `${when} on`, type: 'date' }
  const [, either] = /^(.{1,60}?)[?,]? \(?(?:yes ?\/ ?no|yes or no|y\/n|or not|true\/false)\)?\??$/i.exec(text) ?? []
  if (either) return { name: either.replace(/^(?:whether|if) (?:it is |it was |they are )?/i, ''), type: 'boolean' }
  const [, asked] = /^(?:whether|if)(?: or not)? (.{1,100})$/i.exec(text) ?? []
  if (asked === undefined) return undefined
  const name = asked
    .replace(/^(?:it|they|he|she|this|there)\s+/i, '')
    .replaceAll(/\b(?:is|was|were|are|has been|have been|has|have|had|been|be|a|an|the)\b/gi, ' ')
    .replaceAll(/\s+/g, ' ')
  return { name, type: 'boolean' }
}

/** Words for what is one of a few. */
const KINDS =
  /\b(?:level|tier|status|state|type|kind|sort|class|category|group|size|colou?r|priority|grade|rank|plan|stage|mode|channel|region|gender)s?$/i

/** "a level bronze/silver/gold", "status: open/closed"; two words alone may be one name, as in "a pickup/delivery date" */
function slashed(text: string): Typed | undefined {
  const [, named, several = ''] = /^(.{1,60}?) ?: ?([^/:]{1,40}(?:\/[^/:]{1,40}){1,20})$/.exec(text) ?? []
  if (named && !typeOf(several)) return { name: named, type: 'enum', values: valuesOf(several) }
  const [, said = '', list = ''] = /^(.{1,100}?)(?::| -|,)?((?: |^)[\p{L}\d-]{1,40}(?:\s?\/\s?[\p{L}\d-]{1,40}){1,20})$/u.exec(text) ?? []
  const name = said.replace(/ (?:of|is|either|being|can be|from|one of)$/i, '')
  const values = valuesOf(list)
  if (name === '' || values.length < 2 || typeOf(list) || / (?:in|per|by|the|an?)$/i.test(` ${name}`)) return undefined
  return values.length > 2 || KINDS.test(name) ? { name, type: 'enum', values } : undefined
}

function asType(text: string): Typed | undefined {
  const [, front, kind] = new RegExp(`^(.{1,100}?) (${TYPE_WORDS}) (?:field|column)$`, 'i').exec(text) ?? []
  const fronted = kind && typeOf(kind)
  if (front !== undefined && fronted) return { name: front, type: fronted }
  const [, name, word] = new RegExp(`^(.{1,100}?)(?: (?:as|of type|which is|that is|is)|,) (?:an? )?(${TYPE_WORDS})$`, 'i').exec(text) ?? []
  const type = word && typeOf(word)
  if (name !== undefined && type) return { name, type }
  const [, before] = /^(.{1,100}?)\s+(?:flag|checkbox)$/i.exec(text) ?? []
  if (before !== undefined) return { name: before, type: 'boolean' }
  const [, first, rest] = new RegExp(`^(${TYPE_WORDS}) (?:field )?(?!of\\b)(.{1,100})$`, 'i').exec(text) ?? []
  const named = first && typeOf(first)
  return named && rest !== undefined && !/^(?:number|date|text|flag)$/i.test(first) ? { name: rest, type: named } : undefined
}

/** What numbers count. */
const UNITS =
  'seconds|minutes|mins|hours|days|weeks|months|years|points|percent|euros?|dollars?|pounds|cents|pence|kg|kilos?|grams?|lbs|stone|ounces|litres|liters|ml|cm|mm|meters|metres|inches|feet|miles|km|kilometres|kilometers'

function plainField(text: string): Typed | undefined {
  // "a duration in minutes" says what its number counts.
  const name = text.replace(new RegExp(` in (?:${UNITS})$`, 'i'), '')
  const [, scored] = /^(.{1,60}?),? \(?(?:from |of )?\d{1,4} ?(?:-|–|to) ?\d{1,4}\)?$/i.exec(name) ?? []
  if (scored !== undefined) return { name: scored, type: 'number' }
  const plain = nameOf(name)
  if (plain === '') return undefined
  if (/(?:^|_)(?:number|count|amount|quantity)_of_|^how_many_/.test(plain))
    return { name: name.replace(/^how many /i, 'number of '), type: 'number' }
  if (plain === 'number' || plain === 'order_number' || name !== text) return { name, type: 'number' }
  return { name, type: DATES.test(plain) ? 'date' : NUMBERS.test(plain) ? 'number' : BOOLEANS.test(plain) ? 'boolean' : 'string' }
}

/** @returns the type that a word means */
export const typeOf = (text: string): Type | undefined => TYPES.find(([pattern]) => pattern.test(bare(text).toLowerCase()))?.[1]

/** The longest value that is a value rather than a sentence. */
const VALUE_CHARS = 60

function valuesOf(text: string): string[] {
  const values = text
    .split(/\s*,\s*(?:or\s+)?|\s+or\s+|\s*[|/]\s*/)
    .map(each => bare(each.replace(/^(?:either|one of)\s+/i, '')))
    .filter(each => each !== '' && each.length <= VALUE_CHARS)
  return [...new Set(values)]
}

const ALL_OF = new RegExp(`\\s*\\((both|all|each)(?: are| of them)?(?: an?)? (${TYPE_WORDS})s?\\)$`, 'i')

/** "text and author, both required" */
const ALL_ARE = new RegExp(
  `^(both|all|each)(?: are| of them(?: are)?| being)?(?: an?)? (?:(required|mandatory|compulsory|needed)|optional|(${TYPE_WORDS})s?)$`,
  'i',
)

/** The fields in a list; what is none is noted. */
export function fieldsIn(draft: Draft, list: string): Field[] {
  const fields: Field[] = []
  for (const item of itemsOf(list)) {
    const [of, several = '', must, kind = ''] = ALL_ARE.exec(item) ?? []
    if (of !== undefined && fields.length > 1) {
      for (const each of fields.slice(/^both$/i.test(several) ? -2 : 0))
        Object.assign(each, must && { required: true }, typeOf(kind) && { type: typeOf(kind) })
      continue
    }
    // "a left eye and a right eye (both numbers)"
    const [all, which = '', word = ''] = ALL_OF.exec(item) ?? []
    const field = fieldOf(all ? item.slice(0, -all.length) : item)
    if (!field) {
      notUnderstood(draft, item)
      continue
    }
    fields.push(field)
    const type = typeOf(word)
    if (type) for (const each of fields.slice(/^both$/i.test(which) ? -2 : 0)) each.type = type
  }
  return fields
}
