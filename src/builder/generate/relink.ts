// Edits of what the records of a resource are linked to.
import type { Draft } from './draft.ts'
import { relate } from './drafted-resources.ts'
import { ENTITIES } from './resource-words.ts'
import { speakOf, targetOf } from './targets.ts'

const ENTITY = '(?:the |an? |each |every |all |their |its |our )?(?:contact|customer|client|buyer|product|article|order)s?'
const LINKS = '(?:links?|linked|belongs?|connect(?:ed)?|attach(?:ed)?|tie|tied|relate[sd]?|hangs?)'
const RELINKED = [
  new RegExp(
    `^(?:please )?${LINKS} (?<name>.{2,40}?) (?:to|with) (?<to>${ENTITY}),? (?:instead of|rather than|and not|not)(?: to| with)? (?<from>${ENTITY})$`,
    'i',
  ),
  new RegExp(
    `^(?<name>.{2,40}?) (?:(?:should|must|shall|is|are|be|to|now|rather|have|has) )*${LINKS} (?:to|with|on) (?<to>${ENTITY})(?:,? (?:instead of|rather than|and not|not|no longer)(?: to| with| on)? (?<from>${ENTITY})|(?<instead> instead))$`,
    'i',
  ),
]
const MOVED = new RegExp(
  `^(?<name>.{2,40}?) (?:(?:should|must|do|does|are|is|will|shall) )*(?:no longer|not|never) (?:be |to be )?${LINKS} (?:to|with|on) (?<from>${ENTITY})(?: any ?more| any longer)?,? (?:but|and|rather)(?: instead| rather)?(?: (?:now )?${LINKS})? (?:to|with|on) (?<to>${ENTITY})(?: instead)?$`,
  'i',
)
const UNLINKED = new RegExp(
  `^(?:(?<name>.{2,40}?) (?:(?:should|must|do|does|are|is|need|needs) )*(?:no longer|not|never)(?: be| to be)? ${LINKS} (?:to|with|on) (?<from>${ENTITY})(?: any ?more| any longer)?|unlink (?<other>.{2,40}?) from (?<end>${ENTITY}))$`,
  'i',
)

const entityOf = (words: string) =>
  ENTITIES.get(
    words
      .toLowerCase()
      .replace(/^(?:the|an?|each|every|all|their|its|our) /, '')
      .replace(/s$/, ''),
  )

/** "Link pickups to products instead of orders." */
export function relink(draft: Draft, text: string): boolean {
  if (!draft.isEdit) return false
  const {
    name = '',
    to = '',
    from,
  } = [MOVED, ...RELINKED].map(pattern => pattern.exec(text)?.groups).find(found => found !== undefined) ?? {}
  const gone = UNLINKED.exec(text)?.groups ?? {}
  const target = targetOf(draft, name || (gone['name'] ?? gone['other'] ?? ''), ['resource'])
  if (target?.kind !== 'resource') return false
  const { resource } = target
  const was = from ?? gone['from'] ?? gone['end']
  const before = was === undefined ? (resource.relations ?? []) : (resource.relations ?? []).filter(each => each.target === entityOf(was))
  if (before.length === 0) return false
  speakOf(draft, target)
  resource.relations = (resource.relations ?? []).filter(each => !before.includes(each))
  const entity = entityOf(to)
  if (entity) relate(resource, entity)
  if (resource.relations.length === 0) delete resource.relations
  return true
}
