// Where things are shown and what they are linked to, as sentences of their own: "each contact gets a tab with its repairs", "both get a tab", "they get their own
// page". Each is put as "show the repairs in a tab on the contact" or "repairs linked to the contact", which the reader of resources knows.
import type { Resource } from '../../apps/manifest/shape.ts'
import type { Draft } from './draft.ts'
import { resourceNamed } from './drafted-resources.ts'
import { bare } from './names.ts'
import { QUOTE, URL_MARK } from './sentences.ts'

const OF = '(?:contact|customer|client|buyer|product|article|order)'
const EACH = '(?:(?:the|each|every|an?|all|our|my|its|their|one|that|this|exactly one|a single) )*'
const OWNER = `(?:'s|s'|s)?(?: (?:page|card|profile|view|details|screen))?`
const WHERE = `(?:on|at|in|under|below|for|with|to|of|inside|next to) ${EACH}(?<of>${OF})${OWNER}`
const TAB = '(?:tab|panel|tab page)'
const ADD =
  "(?:(?:please|also|and|then) )*(?:(?:add|make|create|put|give (?:me|us)|have|there (?:is|are|should be|must be)|with|(?:i|we)(?: would|'d)? (?:want|need|like)(?: to have)?) )?(?:an? |the |one )?(?:new |own |separate |extra |second |third |another |further )*"
const SHOWS = '(?:with|for|of|showing|listing|that shows|that lists|which shows|which lists|containing|to see|shows|lists|has)'
const SEE =
  "(?:(?:please|also|and) )*(?:(?:(?:i|we)(?:'d| would)?|the (?:team|staff)|you) (?:(?:want|need|like|can|should|must)(?: to)?(?: be able to)? ))?(?:see|show|list|display|put|find|have)"
const BE_SEEN =
  '(?:(?:are|is|should|must|shall|can|will|to|also|be) )*(?:show up|shows up|appears?|shown|visible|listed|displayed|seen|found|go(?:es)?(?= (?:on|under|below|in)\\b))'
const WHAT =
  '(?:(?:all|the|our|my|its|their|his|her|a list of|an overview of|each|every|those|any) )*(?<what>[\\p{L}][\\p{L}\\d-]*(?: [\\p{L}\\d-]+){0,2}?)'
const ONE = `(?:(?:an?|the|each|every|all|any) )?(?<what>[\\p{L}][\\p{L}\\d-]*(?: [\\p{L}\\d-]+){0,2}?)(?: one| of them)?`
const PAGE = '(?:dashboard )?(?:page|screen|overview)(?: (?:of (?:its|their) own|for (?:itself|themselves)))?(?: (?:in|on) the dashboard)?'

const rule = (pattern: string, as: 'tab' | 'page' | 'link'): [RegExp, 'tab' | 'page' | 'link'] => [new RegExp(`^${pattern}$`, 'iu'), as]

const RULES = [
  rule(`${ADD}${TAB} ${SHOWS} ${WHAT} ${WHERE}`, 'tab'),
  rule(`${ADD}${TAB} ${WHERE} ${SHOWS} ${WHAT}`, 'tab'),
  rule(`${ADD}(?<of>${OF}) ${TAB} ${SHOWS} ${WHAT}`, 'tab'),
  rule(`${EACH}(?<of>${OF})s? (?:(?:should|must|also|can) )*(?:gets?|has|have|needs?) (?:an? )?${TAB} ${SHOWS} ${WHAT}`, 'tab'),
  rule(
    `${ONE} (?:(?:should|must|also|both|all) )*(?:gets?|has|have|needs?|goes? in(?:to)?) (?:an? |its own |their own )?${TAB}s?(?: ${WHERE}| there)?(?: too| as well)?`,
    'tab',
  ),
  rule(
    `${SEE} (?:${EACH}(?<of>${OF})(?:'s|s') )(?<what>[\\p{L}][\\p{L}\\d-]*(?: [\\p{L}\\d-]+){0,2}?)(?: (?:in|as) an? ${TAB})?(?: (?:on|at|in|under|with) (?:(?:their|his|her|its|the|that) )?(?:page|card|profile|contact|customer|client|product|them|him|her|it|${TAB}))?`,
    'tab',
  ),
  rule(`${SEE} ${WHAT} of ${EACH}(?:${OF})s?(?: (?:in|as) an? ${TAB})? ${WHERE}`, 'tab'),
  rule(`${SEE} ${WHAT}(?: (?:in|as) an? ${TAB})? ${WHERE}`, 'tab'),
  rule(
    `${SEE} (?<what>them|it|this|that|these|those)(?: all)?(?: (?:in|as) an? ${TAB})? (?:on|in|at|under) (?:their|his|her|its|that|the) (?:own )?(?:contact |customer |product )?(?:page|card|profile)s?`,
    'tab',
  ),
  rule(`${ONE} ${BE_SEEN}(?: (?:in|as) an? ${TAB})? ${WHERE}`, 'tab'),
  rule(`${ADD}${PAGE} (?:${SHOWS}|(?:should|must|can|to) (?:show|list|display)) ${WHAT}(?: all)?`, 'page'),
  rule(
    `${ONE} (?:(?:should|must|also|both|all) )*(?:gets?|has|have|needs?) (?:an? |its own |their own |one )?(?:own |separate )?${PAGE}`,
    'page',
  ),
  rule(
    `${ONE} (?:(?:should|must|is|are|always|be|can|to|only|each) )+(?:(?:linked|tied|connected|assigned|attached|related|bound) (?:to|with)|for|of|about|with|per|hang(?:s|ing)? on) ${EACH}(?<of>${OF})s?`,
    'link',
  ),
  rule(`${ONE} (?:belongs?|hangs?|goes|go|links?) (?:to|on|with) ${EACH}(?<of>${OF})s?`, 'link'),
  rule(
    `${EACH}(?<of>${OF})s? (?:(?:can|may|also) )*(?:has|have|own|owns) (?:(?:many|several|multiple|any number of|one or more|some|zero or more) )+(?<what>[\\p{L}][\\p{L}\\d-]*(?: [\\p{L}\\d-]+){0,2}?)`,
    'link',
  ),
]

const THEY = /^(?:they|them|it|these|those|this|that|one|each|all|everything|they all|all of them|each of them|ones?)$/i

const MARKED = new RegExp(`${URL_MARK}|${QUOTE}`)

/** @returns the sentences in its place, or it alone */
export function placed(draft: Draft, told: string): string[] {
  const text = told.replace(/,? (?:too|as well|also)$/i, '')
  if (MARKED.test(text) || text.length > 160) return [told]
  const several = coordinated(draft, text)
  if (several.length > 1) return several.flatMap(each => placed(draft, each))
  for (const [pattern, as] of RULES) {
    const { what = '', of } = pattern.exec(text)?.groups ?? {}
    const resource = what === '' ? undefined : meant(draft, what)
    if (!resource) continue
    // A name that begins as a verb does would be read as one.
    const isVerb = /^(?:notes?|records?|logs?|registers?|tracks?|stores?|collects?|holds?|builds?|sets?) /i.test(resource.name)
    if (isVerb) draft.resource = resource
    const name = isVerb ? 'them' : resource.name.toLowerCase()
    if (as === 'page') return [`show ${name} on a page`]
    if (as === 'link') return [`${isVerb ? 'they are' : name} linked to the ${of}`]
    // "there" is where it was linked to last.
    const linked = / there\b/i.test(text) ? resource.relations?.at(-1) : resource.relations?.[0]
    const owner = of ?? /contact|product/.exec(linked?.target ?? '')?.[0]
    if (owner && !/^order$/i.test(owner)) return [`show ${name} in a tab on the ${owner}`]
  }
  return [told]
}

function meant(draft: Draft, name: string): Resource | undefined {
  if (THEY.test(name)) return draft.resource
  // What is told of later only where there is nothing of that name yet.
  const all = { manifest: { resources: [...draft.manifest.resources, ...draft.foreseen.resources] } }
  const found = resourceNamed(draft, bare(name)) ?? resourceNamed(all, bare(name))
  return found && resourceNamed(all, found.name.toLowerCase()) === found ? found : undefined
}

/** "Pets and visits belong to the contact; both get a tab there": each of them does. */
function coordinated(draft: Draft, text: string): string[] {
  const { resources } = draft.manifest
  const [both, rest = ''] =
    /^(?:both|both of them|they both|all of them|they all)(?: (?:of )?(?:them|lists?|resources?))? (.+)$/i.exec(text) ?? []
  if (both !== undefined && resources.length > 1)
    return (/^both|they both/i.test(text) ? resources.slice(-2) : resources).map(({ name }) => `${name.toLowerCase()} ${rest}`)
  const [, first = '', second = '', deed = ''] =
    /^(?:both )?([\p{L} -]{2,30}?) and ([\p{L} -]{2,30}?) ((?:belongs?|are|is|gets?|get|have|should|must|show|appear)\b.+)$/iu.exec(text) ??
    []
  const [one, other] = [resourceNamed(draft, bare(first)), resourceNamed(draft, bare(second))]
  return one && other && one !== other ? [one, other].map(({ name }) => `${name.toLowerCase()} ${deed}`) : [text]
}
