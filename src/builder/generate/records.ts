// Steps that make records: of a resource that is told of, or of one that the step itself tells of.
import type { Field, Flow } from '../../apps/manifest/shape.ts'
import { type Draft, note, notUnderstood } from './draft.ts'
import { addStep } from './drafted-flows.ts'
import { addFields, relate, resourceFor, resourceToMake } from './drafted-resources.ts'
import { fieldOf } from './fields.ts'
import { itemsOf } from './items.ts'
import { bare, nameOf } from './names.ts'
import { pathIn } from './paths.ts'
import { placesIn } from './places.ts'
import { PEOPLE } from './sayings.ts'
import { QUOTE } from './sentences.ts'
import { unquoted } from './targets.ts'
import { NUMERIC, recordValues } from './values.ts'

export function record(draft: Draft, flow: Flow, said: string): boolean {
  // "log it in a table called refunds with the amount"
  const text = said.replace(
    /^(?:record|log|keep|save|store|note|register|remember|put|write)(?: down)? (?:it|this|that|them|everything|the (?:order|refund|message|payment))(?: down)? (?=(?:in|into|to|under) )/i,
    'add a record ',
  )
  const [, credited] =
    /^(?:add|give|award|credit|grant) (\d+(?:\.\d+)?) to (?:their|his|her|the customer's|the contact's) (?:\w+ of )?/i.exec(text) ?? []
  const counting = credited
    ? text.replace(/^.*? to (?:their|his|her|the \w+'s) /i, `add ${credited} `)
    : text.replace(new RegExp(`^(?:give|award|credit|grant)(?: to)? ${PEOPLE} (?=\\d)`, 'i'), 'add ')
  const given = counting.replace(
    new RegExp(`^(?:give|award|credit|grant)(?: to)? ${PEOPLE} (?:some |the |an? )?(?=[\\p{L}][\\p{L} -]{1,30}(?:: | with ))`, 'iu'),
    'add ',
  )
  const [, told] =
    /^(?:create|open|add|save|record|store|keep|log|make|write|register|remember|give|say|start|award|credit|grant)\s+(.+)$/i.exec(given) ??
    []
  if (told === undefined) return false
  // "a record in it with …", "a row in refunds for …"
  const rest = told.replace(IN_KNOWN, (all, name: string, _mark?: string, link = '') => {
    const resource = /^(?:it|there|them|this|that)$/i.test(name) ? draft.resource : resourceToMake(draft, bare(unquoted(draft, name)))
    return resource ? `${resource.name.toLowerCase()}${link}` : all
  })
  const [, named = '', about = ''] =
    /^(.+?)(?:\s+(?:for|to|on|of|about) (?:(?:the |this |that |each |every )?(?:customer|contact|client|buyer|order|product)|it|them|him|her))?(?:[,:]?\s+(?:(?:together )?with|of|where|whose|having|in which|and set|setting)\s+(.+)|:\s+(.+)|\s*\((.+)\))?$/i
      .exec(rest)
      ?.filter((each, at) => at < 2 || each !== undefined) ?? []
  const [, count, counted = ''] = /^(\d+(?:\.\d+)?) (.+)$/.exec(named) ?? []
  const resource = resourceToMake(draft, bare(count ? counted : named).replace(/ (?:record|entry|row)$/i, ''))
  if (!resource) return recordOfEvent(draft, flow, rest)
  const { values, missing, left } = recordValues(draft, resource, about, flow, count)
  for (const part of left) notUnderstood(draft, part)
  if (missing.length > 0) {
    note(draft, `Left out: "${draft.said.restore(text)}", for each of ${resource.id} needs ${missing.join(' and ')}; say what it is to be.`)
    return true
  }
  const others = flow.steps.filter(({ type }) => type === 'create_record').length
  addStep(draft, flow, {
    type: 'create_record',
    resource: resource.id,
    // The same event makes one record, however often it is run again.
    external_id: `{{trigger.id}}${others > 0 ? `-${others + 1}` : ''}`,
    values,
  })
  return true
}

const IN_KNOWN = new RegExp(
  `^(?:an? |one |the )?(?:new )?(?:records?|entry|entries|row|line|item) (?:in|into|to|there|under)(?: (?:the |our )?(it|there|them|this|that|${QUOTE}|[\\p{L}-]+(?: [\\p{L}-]+){0,2}?))(?: (?:list|table|resource|register|log))?( with .*|: .*|$)`,
  'iu',
)

const IN = `(?:an? |the |our )?(?:(?:new )?(?:resource|table|list|register|log|record type)(?: called| named)? )?(?<name>${QUOTE}|[\\p{L}][\\p{L} -]{1,30}?)(?: (?:resource|table|list|log|register))?`
const OF_EVENT = [
  // "a record in «stamps» with the order number and the date it was paid"
  new RegExp(
    `^(?:(?:an? |one )?(?:new )?(?:records?|entry|row|line|note) )(?:in|into|to|under|of) ${IN} (?:with|containing|holding|of) (?<list>.{3,300})$`,
    'iu',
  ),
  // "a return record with the order number and the reason", "a dispatch with the carrier"
  /^(?:an? |one |another )(?:new )?(?<name>[\p{L}][\p{L} -]{1,30}?)(?: (?:record|entry|row|line))? (?:with|containing|holding|of) (?<list>.{3,300})$/iu,
  // "the order number and the carrier in a resource called dispatches"
  new RegExp(`^(?<list>(?:the|its|their) .{3,300}?) (?:in|into|to|under) (?=an? |the |our |«)${IN}(?:,? .*)?$`, 'iu'),
]

const NOW = /^trigger\.created_at$|_at$/

/** A resource that is told of by what the event has: its fields are what is kept of it. */
function recordOfEvent(draft: Draft, flow: Flow, told: string): boolean {
  const places = placesIn(` ${told}`)
  for (const pattern of OF_EVENT) {
    const { name = '', list = '' } = pattern.exec(places.rest)?.groups ?? {}
    const fields: Field[] = []
    const values: Record<string, unknown> = {}
    for (const item of itemsOf(list)) {
      const choice = fieldOf(item)
      if (choice?.type === 'enum') {
        fields.push(choice)
        continue
      }
      const [first] = /^(?:starting|beginning|initially|first|at first|to begin with)(?: (?:as|with|at|in|on))? [\w -]+$/i.exec(item) ?? []
      const begun = fields.at(-1)
      const value = first && begun?.enumValues?.find(each => first.toLowerCase().endsWith(` ${each.toLowerCase()}`))
      if (value && begun) {
        values[begun.name] = value
        continue
      }
      const path = pathIn(draft, flow, item) ?? (/\b(?:date|day|time)\b/i.test(item) ? 'trigger.created_at' : undefined)
      const field = nameOf(
        item
          .replace(/ (?:from|in|of|out of) (?:the |its |that )?(?:answer|response|reply|result|output)$/i, '')
          .replace(/^(?:the )?(date|day|time) (?:when |that |on which )?(?:it|they|he|she) (?:was|were|is|has been) /i, '$1 '),
      )
      if (path === undefined || field === '') return false
      fields.push({ name: field, type: NUMERIC.test(path) ? 'number' : NOW.test(path) ? 'date' : 'string' })
      values[field] = `{{${path}}}`
    }
    const called = bare(unquoted(draft, name))
    const resource = Object.keys(values).length === 0 || called === '' ? undefined : resourceFor(draft, called)
    if (!resource) continue
    addFields(draft, resource, fields)
    for (const each of places.related) relate(resource, each)
    draft.resource = resource
    addStep(draft, flow, { type: 'create_record', resource: resource.id, external_id: '{{trigger.id}}', values })
    return true
  }
  return false
}

/** "There must be only one dispatch per order": its record has the id of what it is about. */
export function readOnce(draft: Draft, sentence: string): boolean {
  const [, name = '', of = ''] =
    /^(?:there (?:must|should|shall|can|may|is to) be |(?:make|keep|create|allow|add) )?(?:only|exactly|at most|no more than|just) (?:one|a single) ([\p{L} -]{2,30}?)(?: record)? (?:per|for (?:each|every|an?|one)) (order|product|contact|customer|client)$/iu.exec(
      sentence,
    ) ?? []
  const step = draft.flow?.steps.findLast(({ type }) => type === 'create_record')
  const resource = name === '' ? undefined : resourceToMake(draft, name)
  if (step?.type !== 'create_record' || !draft.flow || step.resource !== resource?.id) return false
  const path = pathIn(draft, draft.flow, `${/order|product/i.test(of) ? of : 'contact'} id`)
  if (path) step.external_id = `{{${path}}}`
  return path !== undefined
}
