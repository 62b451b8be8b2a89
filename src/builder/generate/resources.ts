// Sentences about what is kept: "Keep warranties with a serial number and a purchase date under each product."
import type { Resource } from '../../apps/manifest/shape.ts'
import { addFields, type Draft, notUnderstood, relate, resourceFor, resourceNamed, showList } from './draft.ts'
import { fieldOf, itemsOf } from './fields.ts'
import { bare, nameOf } from './names.ts'
import { type Places, placesIn } from './places.ts'

const LEAD =
  /^(?:(?:please|and|also|then),? )*(?:(?:i|we|it|you|the app|the shop|the team|they)(?:'d| would)? (?:want|wants|need|needs|like|should|can|must|have|has)(?: to| like to)? ?)?(?:(?:keeps? track of|keeps?|tracks?|stores?|saves?|records?|logs?|manages?|collects?|remembers?|adds?|creates?|makes?|has|have|hold|holds)\b ?(?:a )?(?:(?:list|record|records|table) of )?)?(?:an? )?(?:new )?(?:(?:resource|record type|type of records?|table)(?: called| named| for| of)? )?/i
const WITH =
  /,?\s+(?:with|has|have|having|that has|that have|which has|which have|holding|containing|consisting of)(?: the)?(?: fields?| following fields)?:?\s+|\s*:\s+/i
/** A name of a thing: few words, none of which begins another clause. */
const NAME = /^[\p{L}][\p{L}\d' -]{1,60}$/u
const WORDS_MAX = 4

/** @returns whether the sentence was one about a resource */
export function readResource(draft: Draft, sentence: string): boolean {
  const places = placesIn(`${sentence} `.replace(/^/, ' ').replace(/^ (?=(?:each|every) )/i, ''))
  const owned =
    /^(?:(?:each|every|an?|the|our|all) )?(contact|customer|client|buyer|product|article|order)s? (?:has|have|can have|may have|gets?)(?: (?:several|many|one|a list of))? (.+)$/i.exec(
      places.rest,
    )
  const text = owned ? (owned[2] as string) : places.rest
  const more = owned ? [ENTITIES.get((owned[1] as string).toLowerCase()) ?? 'builtin:contact'] : []
  const parts = several(text.replace(LEAD, ''))
  const read = parts.map(part => readOne(draft, part, { ...places, related: [...places.related, ...more] as Places['related'] }))
  return read.some(Boolean)
}

const ENTITIES = new Map([
  ...['contact', 'customer', 'client', 'buyer'].map(each => [each, 'builtin:contact'] as const),
  ...['product', 'article'].map(each => [each, 'builtin:product'] as const),
  ['order', 'builtin:order'] as const,
])

/** "suppliers with a name, and shipments with a code" are two. */
const several = (text: string): string[] =>
  text.split(/,?\s+and\s+(?=(?!an? |the )[\p{L}]+(?: [\p{L}]+)? with (?:an?|the|required|optional) )/u)

function readOne(draft: Draft, text: string, { related, shown }: Places): boolean {
  const { name, listed } = nameAndFields(text)
  const isThem = /^(?:them|these|those|they|it)?$/i.test(name)
  const known = isThem ? draft.resource : resourceNamed(draft, name)
  if (!known && (isThem || !isName(name))) return false
  // A name alone says nothing but where the thing is shown.
  if (listed === undefined && related.length === 0 && shown.length === 0) return false
  const items = listed === undefined ? [] : itemsOf(listed)
  const fields = items.flatMap(item => {
    const field = fieldOf(item)
    if (!field) notUnderstood(draft, item)
    return field ? [field] : []
  })
  const resource = known ?? (fields.length > 0 || shown.length + related.length > 0 ? resourceFor(draft, bare(name)) : undefined)
  if (!resource) return false
  draft.resource = resource
  addFields(draft, resource, fields)
  for (const entity of related) relate(resource, entity)
  for (const target of shown) showList(draft, resource, target)
  return true
}

function nameAndFields(text: string): { name: string; listed: string | undefined } {
  const brackets = /^([^():,]{2,60}?)\s*\((.+)\)$/.exec(text)
  if (brackets && !WITH.test(brackets[1] as string)) return { name: bare(brackets[1] as string), listed: brackets[2] }
  const found = WITH.exec(text)
  if (!found) return { name: bare(text.replace(/^(?:show|list|display|link)\s+/i, '')), listed: undefined }
  const name = bare(
    text
      .slice(0, found.index)
      .replace(/\s+(?:should|can|must|may|shall)?(?: also)?$/i, '')
      .replace(/^(?:show|list|display|link)\s+/i, ''),
  )
  return { name, listed: text.slice(found.index + found[0].length).replace(/^(?:also )/i, '') }
}

const isName = (name: string): boolean =>
  NAME.test(name) &&
  name.split(' ').length <= WORDS_MAX &&
  nameOf(name) !== '' &&
  !/^(?:when|if|once|after|the assistant|assistant|ai|knowledge|everything|nothing|something|please|hello)\b/i.test(name)

/** "The assistant may read and write bookings." */
export function readAccess(draft: Draft, sentence: string): boolean {
  const found =
    /^(?:the )?(?:assistant|ai|bot) (?:may|can|should|could|is allowed to|should be able to|must be able to)(?: also| too)? (.+)$/i.exec(
      sentence,
    ) ??
    /^(?:and |also |please )*(?:let|allow) the (?:assistant|ai|bot) (?:to )?(?:also )?(.+)$/i.exec(sentence) ??
    /^(?:and )?(?:it|they) (?:may|can|should) be ((?:read|seen|written|changed)(?: and (?:written|changed))? by the (?:assistant|ai|bot))$/i.exec(
      sentence,
    )
  const words = found?.[1]
  if (words === undefined) return false
  const resource = namedIn(draft, words)
  const reads = /\b(?:read|see|seen|use|look at|query|access|answer questions about|know)\b/i.test(words)
  const writes = /\b(?:write|written|create|save|add|change|changed|edit|make|fill|update)\b/i.test(words)
  if (!resource || !(reads || writes)) return false
  if (reads) resource.exposeToAi = true
  if (writes) resource.allowAiWrite = true
  return true
}

function namedIn(draft: Draft, words: string): Resource | undefined {
  const named = words
    .split(/\s+/)
    .map((_word, at, all) => resourceNamed(draft, all.slice(at).join(' ')) ?? resourceNamed(draft, all[at] as string))
  const found = named.find(each => each !== undefined)
  if (found) return found
  return /\b(?:them|it|these|those|records)\b/i.test(words) || draft.manifest.resources.length === 1 ? draft.resource : undefined
}
