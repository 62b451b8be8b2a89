// What is added to resources and settings: fields, and values that one of a few may have.
import type { Config, Field, Resource } from '../../apps/manifest/shape.ts'
import { addFields, type Draft, resourceNamed } from './draft.ts'
import { typeOf } from './field-types.ts'
import { fieldsIn } from './fields.ts'
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

const VALUE = '(?:value|choice|option|possibility|state|status|level|type|kind|entry|one)'
const MORE = `(?:(?:one|an?|the|two|three|four|some|these|this|another) )?(?:(?:more|new|further|additional|extra|other|third|second|fourth|fifth|sixth|possible) )*`
const ADDED: [RegExp, 'values' | 'name'][] = [
  [
    new RegExp(
      `^add (?:(?:the |an? )?(?:(?:new|further|additional|other|possible) )*(?:values?|choices?|options?)[:]? )?(?<values>.{1,200}?) (?:to|as (?:an? )?${MORE}${VALUE}s? (?:of|to|for|in)) (?:the )?(?:list of |possible )?(?:values |choices |options )?(?:(?:of|for) )?(?:the )?(?:field )?(?<name>.{1,60})$`,
      'i',
    ),
    'values',
  ],
  [/^add to (?:the )?(?<name>.{1,40}?) (?:the |these )?(?:new |further )?(?:values?|choices?|options?):? (?<values>.{1,200})$/i, 'values'],
  [new RegExp(`^add (?:the )?${MORE}${VALUE}s?:? (?<values>.{1,200}?) (?:to|in|for) (?:the )?(?:field )?(?<name>.{1,60})$`, 'i'), 'values'],
  [new RegExp(`^add ${MORE}(?:(?<name>[\\w -]{2,40}?)(?: ${VALUE})?:? )(?:(?:called|named) )?(?<values>${QUOTE}.{0,100})$`, 'i'), 'name'],
  [
    new RegExp(
      `^(?:the )?(?<name>.{1,60}?) (?:can|may|could|should|must|shall|is allowed to|might)(?: now)?(?: also| too)? (?:also )?(?:be|have|allow|take|include|offer|know)(?: ${MORE}${VALUE}s?)?(?: also| the)?:? (?<values>.{1,200})$`,
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

const KNOWN_ALSO =
  /\balso\b|\btoo\b|\bmore\b|\bnew\b|\banother\b|\badditional\b|\bfurther\b|\bthird\b|\bsecond\b|\bfourth\b|^add\b|\bneeds?\b|\bgets?\b|^allow\b|^there\b|^we\b|^i\b/i

/** "A rental may be «damaged» too." */
const IS_ONE_ALSO = new RegExp(
  `\\b(?:can|may|might|could) (?:now )?(?:also )?be (?:${QUOTE}|(?!required|mandatory|optional|empty|blank|left|removed|deleted|read|written|seen|shown)[\\w-]+)(?: too| also| as well)?$`,
  'i',
)

const valuesIn = (draft: Draft, values: string): string[] =>
  values
    .replace(/^(?:namely|called|named) /i, '')
    .replace(/ (?:too|also|as well|now)$/i, '')
    .split(/\s*,\s*(?:and |or )?|\s+(?:and|or)\s+/)
    .map(each => (each.startsWith('«') ? unquoted(draft, each) : bare(unquoted(draft, each))))
    .filter(each => each !== '')

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
    const { name = '', values = '' } = pattern.exec(text)?.groups ?? {}
    const found = name === '' || values === '' ? undefined : choiceNamed(draft, name, IS_ONE_ALSO.test(text))
    if (!found?.item.enumValues) continue
    found.item.enumValues = [...new Set([...found.item.enumValues, ...valuesIn(draft, values)])].slice(0, 100)
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
  /^(?:rename|change|replace) (?<old>«\d+») (?:to|into|by|with) (?<fresh>«\d+»)$/i,
  /^(?:rename|change|replace|swap) (?:the )?(?:value|choice|option|state|status|level) (?<old>.{1,60}?) (?:of (?:the )?(?<name>.{1,40}?) )?(?:to|into|by|with|as) (?<fresh>.{1,60})$/i,
  /^(?:the )?(?:value|choice|option|status|state|level) (?<old>.{1,60}?) (?:should|must|has to|shall) be (?:called |named |renamed (?:to )?)?(?<fresh>.{1,60})$/i,
  /^(?:rename|change|replace|swap) (?<old>«\d+»|[\w-]+) (?:to|into|by|with|as) (?<fresh>«\d+»|[\w -]{1,40}?) in (?:the )?(?<name>.{1,40})$/i,
  /^in (?:the )?(?<name>.{1,40}?),? (?:rename|change|replace|swap) (?<old>«\d+»|[\w -]{1,40}?) (?:to|into|by|with|as) (?<fresh>«\d+»|[\w -]{1,40})$/i,
]

const COUNT = '(?:one|two|three|four|five|the|these|an?|another|some|more|new|other|following|separate|\\d)'

/** "Replace seat with two fields: row (text) and seatNumber (number)." */
export function replaceByFields(draft: Draft, text: string): boolean {
  const { old = '', fresh = '' } =
    [
      /^(?:replace|swap|exchange) (?<old>.{1,60}?) (?:with|by|for) (?<fresh>.{2,300})$/i,
      /^(?:split|divide|break) (?<old>.{1,60}?) (?:up )?into (?<fresh>.{2,300})$/i,
      /^instead of (?<old>.{1,60}?),? (?:i |we )?(?:want|need|have|use|there should be|add|keep|store|put|would like) (?<fresh>.{2,300})$/i,
      /^(?:use|have|keep|store) (?<fresh>.{2,200}?) instead of (?<old>.{1,60})$/i,
    ]
      .map(pattern => pattern.exec(text)?.groups)
      .find(found => found !== undefined) ?? {}
  // "a number instead of a date" is said of a field's type.
  const isType = typeOf(bare(fresh)) !== undefined || typeOf(bare(old)) !== undefined
  const target = old === '' || isType ? undefined : targetOf(draft, old, ['field'])
  if (target?.kind !== 'field') return false
  const notes = [...draft.notes]
  const fields = fieldsIn(draft, fresh.replace(new RegExp(`^(?:${COUNT} )*fields?(?: called| named)?[:,]? `, 'i'), ''))
  if (
    fields.length === 0 ||
    fields.some(each => each.name !== target.field.name && target.resource.fields.some(other => other.name === each.name))
  ) {
    draft.notes = notes
    return false
  }
  const { resource, field } = target
  const at = resource.fields.indexOf(field)
  speakOf(draft, target)
  resource.fields.splice(at, 1, ...fields)
  for (const flow of draft.manifest.flows)
    for (const step of flow.steps) if ('values' in step && step.resource === resource.id) delete step.values[field.name]
  return true
}

const OWNED =
  /^(?:the |each |every |an? |for (?:each |every |the )?)?(.{1,60}?),? (?:(?:should|must|needs? to|can|could|shall|has to|have to)(?: now)?(?: also)? (?:have|get|hold|store|record|keep|contain|carry)|(?:also )?(?:needs?|gets?|lacks?|(?:is|are) missing|wants?|require|requires)|(?:i|we) (?:also )?(?:want|need|would like)(?: to (?:store|keep|record|know|have|note|save))?)(?: also)? (.{1,400})$/i

/** "Add a boolean field called food safe to glazes, and a number field called firing hours." */
const NEXT_FIELD = /^(add .{2,100}?) to (?:the |each |every )?([\w -]{2,40}?),? and ((?:an? |the )?(?:[\w/-]+ ){0,3}fields?\b.{2,200})$/i

export function addFieldsTo(draft: Draft, whole: string): boolean {
  const [, before1, of = '', more] = NEXT_FIELD.exec(whole) ?? []
  const told = before1 !== undefined && resourceNamed(draft, of) ? `${before1} and ${more} to ${of}` : whole
  const [placed, where = '', anchor = ''] =
    /,? (after|behind|before|in front of|right after) (?:the )?([\w-]{1,40})(?: field)?$/i.exec(told) ?? []
  const beside = placed === undefined ? undefined : targetOf(draft, anchor, ['field'])
  const text = beside ? told.slice(0, -(placed as string).length) : told
  // "Add two fields to points: an expiry date and a note"
  const [, before, behind] =
    /^(?:add|give)(?: (?:the|these|some|an?|two|three|four|five|\d{1,2}|new|more|other|following))*(?: fields?| columns?)? (?:to|in) (?:the |each |every |a |all )?([^:]{1,60}):\s*(.{1,400})$/i.exec(
      text,
    ) ?? []
  const [, items = behind ?? '', to = before ?? '', after = ''] =
    before === undefined
      ? (/^(?:add|give|put|insert|include) (.{1,400}?) (?:to|into|in(?= the )|on(?= the )) (?:the |each |every |a |all )?([^,:]{1,60}?)(,? (?:both|all)(?: of them)?(?: are)? (?:optional|required|mandatory|not required))?$/i.exec(
          text,
        ) ?? [])
      : []
  const [, owner = '', owned = ''] = to === '' ? (OWNED.exec(text) ?? []) : []
  const [, alone = ''] =
    to === '' && owned === '' ? (/^(?:add|insert|include|store|save|keep|record) (?:also )?(.{2,400})$/i.exec(text) ?? []) : []
  const named = bare(to || owner).replace(/ (?:resource|table|records?)$/i, '')
  const isTyped =
    /\bfields?\b|\bcolumns?\b|^(?:an? )?(?:new |required |optional )*(?:number|boolean|date|text|enum|yes\/no|string)\b|\((?:text|number|date|boolean|yes\/no|string)/i.test(
      alone,
    ) &&
    (/\bfields?\b/i.test(alone) || !OTHERS.test(alone))
  const { resources } = draft.manifest
  const only = draft.resource ?? (resources.length === 1 ? resources[0] : undefined)
  const isAlone =
    alone !== '' &&
    (isTyped || (draft.isEdit && /^(?:an?|the) [\w' -]{2,40}$/i.test(alone) && resources.length > 0 && !NO_FIELD.test(alone)))
  const resource =
    named === ''
      ? isAlone
        ? only
        : undefined
      : (resourceNamed(draft, named) ?? (/^(?:it|them|this|that)$/i.test(named) ? draft.resource : undefined))
  if (!resource) return false
  const said = `${items || owned || alone}${after}`
  const notes = [...draft.notes]
  const fields = fieldsIn(
    draft,
    said
      .replace(new RegExp(`^(?:${COUNT} )*(?:fields?|columns?)(?: called| named)?[:,]? `, 'i'), '')
      .replaceAll(/(?<=^|, |and )(?:an? )?(?:new |further |additional )/gi, ''),
  )
  if (fields.length === 0) return false
  if (isAlone && fields.length !== 1 && !isTyped) {
    draft.notes = notes
    return false
  }
  draft.resource = resource
  const count = resource.fields.length
  addFields(draft, resource, fields)
  if (beside?.kind === 'field' && beside.resource === resource) {
    const added = resource.fields.splice(count)
    resource.fields.splice(resource.fields.indexOf(beside.field) + (/before|front/i.test(where) ? 0 : 1), 0, ...added)
  }
  const [last] = fields.slice(-1).map(({ name }) => resource.fields.find(each => isSame(each.name, name)))
  if (last) draft.spoken = { kind: 'field', resource, field: last }
  return true
}

/** What else something is added to. */
const OTHERS = /\b(?:settings?|secrets?|options?|skills?|pages?|tabs?|flows?|resources?|tables?|knowledge)\b/i

/** Parts of an app that are no fields. */
const NO_FIELD =
  /\b(?:skill|flow|page|tab|view|setting|secret|resource|table|list|knowledge|entry|tag|step|webhook|scopes?|permission|user|app|record|reminder|notification|message|wait|pause|token|password|key|condition|rule|relation|link)\b/i
