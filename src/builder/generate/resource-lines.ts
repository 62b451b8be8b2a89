// Sentences about a resource that was told of before: more of its fields, whether they have to be there, and what it has many of.
import type { Draft } from './draft.ts'
import { addFields, relate, resourceNamed } from './drafted-resources.ts'
import { fieldsIn } from './fields.ts'
import { itemsOf } from './items.ts'
import { isSame } from './names.ts'
import { ENTITIES, WITH } from './resource-words.ts'

/** "A pallet has many orders." */
export function readMany(draft: Draft, sentence: string): boolean {
  const [, name = '', entity = ''] =
    /^(?:an?|each|every|one|the|any) ([\p{L} -]{2,40}?) (?:(?:can|may|usually|always) )?(?:has|have|holds?|contains?|covers?|includes?|goes with) (?:many|several|multiple|any number of|one or more|a number of|lots of) (order|contact|customer|client|product|article)s$/iu.exec(
      sentence,
    ) ?? []
  const resource = name === '' || ENTITIES.has(name.toLowerCase()) ? undefined : resourceNamed(draft, name)
  if (!resource) return false
  relate(resource, ENTITIES.get(entity.toLowerCase()) ?? 'builtin:order', 'has_many')
  draft.resource = resource
  return true
}

// "All three are required", behind the fields.
export function readAllRequired({ resource, isEdit }: Draft, sentence: string): boolean {
  const [, several = '', must = ''] =
    /^(all|both|each|every one|none)(?: (?:of (?:them|these|the fields)|(?:the |these )?(?:two|three|four|five|six|\d|fields)))*(?: (?:are|is))? (required|mandatory|compulsory|obligatory|needed|optional)$/i.exec(
      sentence,
    ) ?? []
  if (!resource || resource.fields.length === 0 || must === '' || isEdit) return false
  const isRequired = !/^optional$/i.test(must) && !/^none$/i.test(several)
  for (const field of resource.fields.slice(/^both$/i.test(several) ? -2 : 0))
    if (isRequired) field.required = true
    else delete field.required
  return true
}

// "Fields: serial number, bought on (date)", or a list alone, behind a resource of which nothing was said yet.
export function readList(draft: Draft, sentence: string): boolean {
  const { resource } = draft
  const [, words] =
    /^(?:(?:the|its|their|with(?: the| these)?) )?(?:fields?|columns?|details|information)(?: (?:is|are|it has|needed))?:\s*(.+)$/i.exec(
      sentence,
    ) ?? []
  // "last checked is a date"
  const [, typed = ''] =
    /^(?:the )?([\p{L}\d' -]{2,40} (?:is|should be) (?:an? )?(?:date|number|text|yes\/no|boolean|whole number|free text))$/iu.exec(
      sentence,
    ) ?? []
  if (
    resource &&
    typed !== '' &&
    !draft.isEdit &&
    !resource.fields.some(({ name }) => isSame(name, typed.replace(/ (?:is|should be) .*$/i, '')))
  ) {
    addFields(draft, resource, fieldsIn(draft, typed))
    return true
  }
  // "It has a number, an issuing body and a link."
  const [, had] =
    /^(?:it|they|each(?: one| of them)?|every one|these|those|this)(?: (?:should|must|will|also))* (?:has|have|contains?|consists? of|includes?|holds?|comes? with|is made up of)(?: these| the following)?(?: fields?)?:? (.+)$/i.exec(
      sentence,
    ) ?? []
  // "We need the left eye, the right eye and the date", where it is said already what is kept.
  const [, needed] =
    /^(?:i|we)(?:'d| would)? (?:also )?(?:need|want|like|note|record|keep|store|save|collect)(?: to (?:know|keep|store|record|note|save|have))?:? (?!.*\b(?:tables?|lists?|resources?|flows?|tabs?|pages?|app|settings?)\b)(.+)$/i.exec(
      sentence,
    ) ?? []
  const isNeeded = resource?.fields.length === 0 && needed !== undefined && !WITH.test(sentence) && itemsOf(needed).length > 1
  const isAlone = resource?.fields.length === 0 && !WITH.test(sentence) && itemsOf(sentence).length > 1
  const listed = words ?? had ?? (isNeeded ? needed : undefined) ?? (isAlone ? sentence : undefined)
  if (!resource || listed === undefined) return false
  addFields(draft, resource, fieldsIn(draft, listed))
  return true
}
