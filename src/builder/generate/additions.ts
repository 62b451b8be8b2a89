// Fields that are added to what there is, or put in the place of another.
import type { Draft } from './draft.ts'
import { addFields, resourceNamed } from './drafted-resources.ts'
import { typeOf } from './field-types.ts'
import { fieldsIn } from './fields.ts'
import { bare, isSame } from './names.ts'
import { speakOf, targetOf } from './targets.ts'

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
      ? (/^(?:add|give|put|insert|include|(?:keep|store|save|record|note|track)(?= .* (?:of|for|with|per|on) (?:each |every |all |the |an? ))) (.{1,400}?) (?:to|into|in(?= the )|on(?= the | each | every )|(?:of|for|with|per)(?= (?:each|every|all|the) )) (?:the |each |every |a |all )?([^,:]{1,60}?)(,? (?:both|all)(?: of them)?(?: are)? (?:optional|required|mandatory|not required))?$/i.exec(
          text,
        ) ?? [])
      : []
  const [, owner = '', owned = ''] = to === '' ? (OWNED.exec(text) ?? []) : []
  const [, alone = ''] =
    to === '' && owned === ''
      ? (/^(?:add|insert|include|store|save|keep|record) (?:also )?(.{2,400}?)(?: instead| too| as well)?$/i.exec(text) ?? [])
      : []
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
    (isTyped ||
      (draft.isEdit && /^(?:an?|the) [\w' -]{2,40}(?: \([^()]{2,100}\))?$/i.test(alone) && resources.length > 0 && !NO_FIELD.test(alone)))
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
