// The values of what is one of a few: more of them, or one in the place of another.
import type { Config, Field, Resource } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import type { Target } from './meant.ts'
import { bare, isSame } from './names.ts'
import { renameFieldValue } from './rename.ts'
import { QUOTE } from './sentences.ts'
import { speakOf, targetOf, unquoted } from './targets.ts'

interface Chosen {
  item: Field | Config
  resource?: Resource
}

/** A field or a setting that is one of a few. */
function choiceNamed(draft: Draft, name: string, isResource = false): Chosen | undefined {
  // "tickets … status": of what it is one of a few.
  const [, owner = '', own = ''] = /^(.+) … (.+)$/.exec(name) ?? []
  const resource = owner === '' ? undefined : resourceNamed(draft, bare(owner))
  const chosen = resource?.fields.find(field => field.enumValues && isSame(field.name, own))
  if (resource && chosen) return { item: chosen, resource }
  const plain = name
    .replace(/(?: (?:field|values?|choices?|options?|list))+$/i, '')
    .replace(/^(?:the )?(?:values?|choices?|options?|list) (?:of|for|in) /i, '')
  const target =
    plain === '' ? undefined : (targetOf(draft, plain, ['field', 'setting']) ?? (isResource ? onlyChoice(draft, plain) : undefined))
  if (!target) return undefined
  const item = target.kind === 'field' ? target.field : target.kind === 'setting' ? target.setting : undefined
  if (!item?.enumValues) return undefined
  speakOf(draft, target)
  return { item, ...(target.kind === 'field' && { resource: target.resource }) }
}

/** "A rental may be damaged too": what of it is one of a few. */
function onlyChoice(draft: Draft, name: string): Target | undefined {
  const resource = resourceNamed(draft, bare(name))
  const [field, ...others] = resource?.fields.filter(({ enumValues }) => enumValues) ?? []
  return resource && field && others.length === 0 ? { kind: 'field', resource, field } : undefined
}

const VALUE =
  '(?:value|choice|option|possibility|state|status|level|type|kind|entry|one(?! (?:more|new|further|additional|extra|other)\\b))'
const MORE = `(?:(?:one|an?|the|two|three|four|some|these|this|another) )?(?:(?:more|new|further|additional|extra|other|third|second|fourth|fifth|sixth|possible) )*`
const ADDED: [RegExp, 'values' | 'name'][] = [
  [
    new RegExp(
      `^add (?:(?:the |an? )?(?:(?:new|further|additional|other|possible) )*(?:values?|choices?|options?)[:]? )?(?<values>.{1,200}?) (?:to|as (?:an? )?${MORE}${VALUE}s? (?:of|to|for|in)) (?:the )?(?:list of |possible )?(?:values |choices |options )?(?:(?:of|for) )?(?:the )?(?:field )?(?<name>.{1,60})$`,
      'i',
    ),
    'values',
  ],
  [
    /^add (?<values>«\d+»(?:(?:,| and|, and| or) «\d+»)*) as (?:an? |one |the )?(?:another|other|new|further|additional|extra|more|third|fourth|possible)s? (?<name>(?!tag\b|field\b|page\b|tab\b).{1,40})$/i,
    'values',
  ],
  // "add «damaged» as a state"
  [
    /^add (?<values>«\d+»|[\w-]+) as (?:an? |one )?(?:possible )?(?<name>(?!tag\b|field\b|page\b|tab\b|setting\b|note\b)[\w-]{2,30})$/i,
    'values',
  ],
  [/^add to (?:the )?(?<name>.{1,40}?) (?:the |these )?(?:new |further )?(?:values?|choices?|options?):? (?<values>.{1,200})$/i, 'values'],
  [new RegExp(`^add (?:the )?${MORE}${VALUE}s?:? (?<values>.{1,200}?) (?:to|in|for) (?:the )?(?:field )?(?<name>.{1,60})$`, 'i'), 'values'],
  [new RegExp(`^add ${MORE}(?:(?<name>[\\w -]{2,40}?)(?: ${VALUE})?:? )(?:(?:called|named) )?(?<values>${QUOTE}.{0,100})$`, 'i'), 'name'],
  [
    new RegExp(
      `^(?:the )?(?<name>.{1,60}?) (?:can|may|could|should|must|shall|is allowed to|might)(?: now)?(?: also| too)? (?:also )?(?:be|have|allow|take|include|offer|know)(?: ${MORE}${VALUE}s?)?(?: also| the)?[:,]? (?<values>.{1,200})$`,
      'i',
    ),
    'name',
  ],
  [
    new RegExp(
      `^(?:the )?(?<name>.{1,60}?) (?:also )?(?:needs?|gets?|wants?|lacks?|(?:should|must|has to) (?:get|have)|has) ${MORE}${VALUE}s?(?: too| also)?[:,]? (?<values>.{1,200})$`,
      'i',
    ),
    'name',
  ],
  [
    /^(?:the )?(?<name>.{1,40}?) also (?:has|needs|gets|knows|takes) an? (?<values>[\w-]+) (?:level|value|choice|option|state|status|grade|tier)$/i,
    'name',
  ],
  // "the region list needs «apac» as well"
  [
    new RegExp(
      `^(?:the )?(?<name>.{1,60}?) (?:(?:should|must|can|may) )?(?:needs?|gets?|takes?|allows?|offers?|has|have|includes?) (?<values>${QUOTE}(?:(?:,| and|, and| or) ${QUOTE})*)(?:,? (?:too|as well|also))?$`,
      'i',
    ),
    'name',
  ],
  // "the language should offer German too"
  [
    /^(?:the )?(?<name>.{1,60}?(?: setting| field)?) (?:should|must|can|may) (?:also )?(?:offer|allow|include|know|accept|support|list) (?<values>(?!an? |the )(?:«\d+»|[\w-]+)(?:(?:,| and|, and| or) (?:«\d+»|[\w-]+))*)(?:,? (?:too|as well|also))?$/i,
    'name',
  ],
  // "the region setting also needs uk"
  [
    /^(?:the )?(?<name>.{1,60}?(?: setting| field)?) (?:should |must )?also (?:needs?|gets?|takes?|allows?|offers?|has|have|includes?) (?<values>(?!an? |the )(?:«\d+»|[\w-]+)(?:,? (?:and|or) (?:«\d+»|[\w-]+)|, (?:«\d+»|[\w-]+))*)$/i,
    'name',
  ],
  [
    new RegExp(
      `^(?:there (?:is|should be|must be)|we (?:need|want|have)|i (?:need|want)|allow) ${MORE}(?<name>[\\w ]{2,40}?)(?: ${VALUE})?[:,]? (?:called |named )?(?<values>${QUOTE}.{0,100})$`,
      'i',
    ),
    'name',
  ],
  [
    new RegExp(
      `^(?:allow|permit|offer) (?<values>.{1,100}?) (?:as|for|in) (?:an? |the )?(?:${MORE})?(?:${VALUE} (?:of|for) )?(?:the )?(?<name>.{1,60})$`,
      'i',
    ),
    'values',
  ],
]

/** "Tickets should get a new status: on hold" */
const OF_OWNER =
  /^(?:the )?([\p{L} -]{2,40}?) (?:(?:should|must|can|may|also|now) )*(?:gets?|needs?|have|has) (?:an?|another|one more|the)(?: (?:new|further|additional|extra|more|third|fourth|fifth|other))+ ([\p{L}_-]{2,30})(?: value)?(?::|,| called| named) ?/iu
const KNOWN_ALSO =
  /\balso\b|\btoo\b|\bas well\b|\bmore\b|\bnew\b|\banother\b|\badditional\b|\bfurther\b|\bthird\b|\bsecond\b|\bfourth\b|^add\b|\bneeds?\b|\bgets?\b|\boffer\b|\bsupport\b|\baccept\b|^allow\b|^there\b|^we\b|^i\b/i

/** "A rental may be «damaged» too." */
const IS_ONE_ALSO = new RegExp(
  `\\b(?:can|may|might|could) (?:now )?(?:also )?be (?:an? )?(?:${QUOTE}|(?!required|mandatory|optional|empty|blank|left|removed|deleted|read|written|seen|shown)[\\w-]+),?(?: too| also| as well)?$`,
  'i',
)

const valuesIn = (draft: Draft, values: string): string[] =>
  values
    .replace(/^(?:namely|called|named) /i, '')
    .replace(/,? (?:too|also|as well|now)$/i, '')
    .split(/\s*,\s*(?:and |or )?|\s+(?:and|or)\s+/)
    .map(each => (each.startsWith('«') ? unquoted(draft, each) : bare(unquoted(draft, each))))
    .filter(each => each !== '')

/** What is said of something is no value. */
const SAID_OF = / (?:with|that|which|for) /i
/** The longest of a code, as of a language. */
const CODE_CHARS = 3

export function addValue(draft: Draft, text: string): boolean {
  if (!KNOWN_ALSO.test(text) && !IS_ONE_ALSO.test(text)) return false
  const [, alone] =
    new RegExp(
      `^add (?:the |an? )?(?:(?:new|further|other) )?(?:(?:values?|choices?|options?):? )?((?:${QUOTE}(?:,? and |, |$)){1,20}|(?!.* (?:field|column|check ?box|flag|text|number|date|note|setting|tab|page)$)[\\w-]+(?: [\\w-]+)?)$`,
      'i',
    ).exec(text) ?? []
  const spoken = draft.spoken?.kind === 'field' ? draft.spoken.field : draft.spoken?.kind === 'setting' ? draft.spoken.setting : undefined
  if (alone !== undefined && spoken?.enumValues) {
    spoken.enumValues = [...new Set([...spoken.enumValues, ...valuesIn(draft, alone)])].slice(0, 100)
    return true
  }
  for (const [pattern] of ADDED) {
    const { name = '', values = '' } = pattern.exec(text.replace(OF_OWNER, '$1 … $2 also needs the value '))?.groups ?? {}
    const found = name === '' || values === '' || SAID_OF.test(values) ? undefined : choiceNamed(draft, name, IS_ONE_ALSO.test(text))
    if (!found?.item.enumValues) continue
    const [, between, before = ''] = /^(.+?),? (?:between|after|behind) («\d+»|[\w-]+)(?: and (?:«\d+»|[\w-]+))?$/i.exec(values) ?? []
    const at = found.item.enumValues.findIndex(each => each.toLowerCase() === bare(unquoted(draft, before)).toLowerCase())
    if (between !== undefined && at < 0) continue
    // "French (fr)" where the others are codes too.
    const codes = found.item.enumValues.every(each => each.length <= CODE_CHARS)
    const coded = codes ? (between ?? values).replaceAll(/[\p{L}]+ \(((?:«\d+»|[\p{L}\d]{1,3}))\)/gu, '$1') : (between ?? values)
    const place = at < 0 ? found.item.enumValues.length : at + 1
    found.item.enumValues = [...new Set(found.item.enumValues.toSpliced(place, 0, ...valuesIn(draft, coded)))].slice(0, 100)
    return true
  }
  return false
}

/** "in status, replace ready by done", "the value ready should be called done" */
export function replaceValue(draft: Draft, text: string): boolean {
  const { old = '', fresh = '', name } = VALUES.map(pattern => pattern.exec(text)?.groups).find(found => found !== undefined) ?? {}
  if (old === '') return false
  const [before, after] = [bare(unquoted(draft, old)), bare(unquoted(draft, fresh))]
  const named = name === undefined ? undefined : choiceNamed(draft, name)
  const all: Chosen[] = named
    ? [named]
    : [
        ...draft.manifest.resources.flatMap(resource => resource.fields.map(item => ({ item, resource }))),
        ...draft.manifest.config.map(item => ({ item })),
      ]
  const found = all.find(({ item }) => item.enumValues?.some(each => each.toLowerCase() === before.toLowerCase()))
  if (!found?.item.enumValues || after === '' || (name !== undefined && !named)) return false
  const was = found.item.enumValues.find(each => each.toLowerCase() === before.toLowerCase()) as string
  found.item.enumValues = [...new Set(found.item.enumValues.map(each => (each === was ? after : each)))]
  if (found.resource) renameFieldValue(draft.manifest, found.resource, found.item as Field, was, after)
  return true
}

const VALUES = [
  /^(?:the )?(?<name>[\w -]{2,40}?) (?<old>«\d+») (?:should|must|has to|shall) (?:now )?(?:be|read|say|become)(?: called| named| renamed(?: to)?| spelled)? (?<fresh>«\d+»|[\w-]+)$/i,
  /^(?<old>«\d+»|[\w-]+(?: [\w-]+)?) (?:should|must|has to|shall) (?:now )?be (?:called|named|renamed(?: to)?) (?<fresh>«\d+»|[\w -]{1,40})$/i,
  /^(?:rename|change|replace) (?:the )?(?<name>[\w-]+) (?:value|choice|option|state|level) (?<old>«\d+»|[\w -]{1,40}?) (?:to|into|by|with|as) (?<fresh>«\d+»|[\w -]{1,40})$/i,
  /^(?:rename|change|replace) (?<old>«\d+») (?:to|into|by|with) (?<fresh>«\d+»)$/i,
  /^(?:rename|change|replace|swap) (?:the )?(?:value|choice|option|state|status|level) (?<old>.{1,60}?) (?:of (?:the )?(?<name>.{1,40}?) )?(?:to|into|by|with|as) (?<fresh>.{1,60})$/i,
  /^(?:the )?(?:value|choice|option|status|state|level) (?<old>.{1,60}?) (?:should|must|has to|shall) be (?:called |named |renamed (?:to )?)?(?<fresh>.{1,60})$/i,
  /^(?:rename|change|replace|swap) (?<old>«\d+»|[\w-]+) (?:to|into|by|with|as) (?<fresh>«\d+»|[\w -]{1,40}?) in (?:the )?(?<name>.{1,40})$/i,
  /^in (?:the )?(?<name>.{1,40}?),? (?:rename|change|replace|swap) (?<old>«\d+»|[\w -]{1,40}?) (?:to|into|by|with|as) (?<fresh>«\d+»|[\w -]{1,40})$/i,
]
