// Sentences about what is kept: resources with their fields, what they are linked to and where they are shown.
import { type Draft, notUnderstood } from './draft.ts'
import { addFields, relate, resourceFor, resourceNamed, showList } from './drafted-resources.ts'
import { fieldsIn } from './fields.ts'
import { itemsOf } from './items.ts'
import { bare, isStandIn, nameOf, titleOf } from './names.ts'
import { type Places, placesIn } from './places.ts'
import { readAllRequired, readList, readMany } from './resource-lines.ts'
import { ENTITIES, KEEPS, plainly, SEVERAL, WITH } from './resource-words.ts'
import { QUOTE } from './sentences.ts'
import { unquoted } from './targets.ts'

const LEAD = new RegExp(
  `^(?:(?:please|and|also|then),? )*(?:(?:i|we|it|you|the app|the shop|the team|they|staff)(?:'d| would)?(?: also)? (?:(?:want|wants|need|needs|like|should|can|must|have|has)(?: to| like to)? ?)?)?(?:(?:somewhere|a place|a way|something|an app|a system) to )?(?:${KEEPS}\\b ?(?:a )?(?:(?:list|record|records|table|register|database|catalogue|collection|overview|log) of )?)?(?:an? )?(?:new )?(?:(?:resource|record type|type of records?|table|list|register|database|log|record)(?: called| named| for| of)? )?`,
  'i',
)
/** That something is kept is said, even where nothing is said of it yet. */
const IS_KEPT = new RegExp(
  `^(?:(?:i|we) (?:want|need) |(?:(?:the|this) app|it) (?:(?:should|must|can|also) )*)?(?:${KEEPS}|an? (?:table|list|register|database|log|collection) of)\\b`,
  'i',
)
/** A name of a thing: few words, none of which begins another clause. */
const NAME = /^[\p{L}][\p{L}\d'_ -]{1,60}$/u
const WORDS_MAX = 4

/** @returns whether the sentence was one about a resource */
export function readResource(draft: Draft, whole: string): boolean {
  // "then create a deal with …": what a flow does.
  if (draft.isFlowTold && /^(?:and )?then\b/i.test(whole)) return false
  // "on a page called Maintenance": what the view is named.
  const [called = '', , name = ''] = VIEW_NAMED.exec(whole) ?? []
  const told = whole.replace(called, '')
  const views = [...draft.manifest.views]
  const isRead = readNamed(draft, told)
  if (isRead && name !== '')
    for (const view of draft.manifest.views) if (!views.includes(view)) view.name = unquoted(draft, name).slice(0, 100)
  return isRead
}

const VIEW_NAMED = new RegExp(
  `(?<=\\b(page|tab|panel|screen)),? (?:called|named|titled|labell?ed) (${QUOTE}|\\p{Lu}[\\p{L}\\d-]*(?: \\p{Lu}[\\p{L}\\d-]*){0,3})(?=$|[,.]| (?:in|on|under|for|at|of|and)\\b)`,
  'u',
)

function readNamed(draft: Draft, told: string): boolean {
  const sentence = plainly(
    told
      .replace(QUOTED, (_all, before: string, mark: string) => before + draft.said.quote(mark))
      .replace(NAMED, (_all, kind: string, mark: string) => `${kind} ${draft.said.quote(mark)}`),
  )
  const [heading = ''] = SEVERAL.exec(told) ?? []
  const lists = heading === '' ? [] : told.slice(heading.length).split(/(?<=\)),?(?:\s+and)?\s+(?=\p{L}[\p{L} -]{1,30} \()/u)
  if (lists.length > 1) {
    for (const each of lists) if (!readResource(draft, `keep ${each}`)) notUnderstood(draft, each)
    return true
  }
  // "Track lamps (type, wattage) and chairs (colour)"
  const [, one = '', other = ''] = PAIR.exec(sentence) ?? []
  if (one !== '' && !draft.isEdit) return [one, other].map(each => readNamed(draft, `keep ${each}`)).every(Boolean)
  if (readMany(draft, sentence) || readAllRequired(draft, sentence) || readList(draft, sentence) || readTab(draft, sentence)) return true
  // "Show both in tabs on the contact"
  const [, of = '', placed = ''] =
    /^(?:show|list|display|put) (both|all two|all three|all)(?: of (?:them|these))? ((?:in|on|as|under) [^,]+)$/i.exec(sentence) ?? []
  const all = draft.manifest.resources.slice(/^all$/i.test(of) ? 0 : /three/i.test(of) ? -3 : -2)
  const isAlone = !all.some(each => placed.toLowerCase().includes(` ${each.name.toLowerCase()}`))
  if (placed !== '' && isAlone && all.length > 1 && !draft.isEdit) {
    return all.map(each => readNamed(draft, `show ${each.name.toLowerCase()} ${placed.replace(/^in tabs\b/i, 'in a tab')}`)).every(Boolean)
  }
  // "We need loans and memberships", which are told of behind it.
  const names = sentence.replace(LEAD, '').split(/,? and |, /)
  if (names.length > 1 && names.every(each => resourceNamed({ manifest: { resources: [...draft.foreseen.resources] } }, bare(each)))) {
    draft.isSettled = true
    return true
  }
  const places = placesIn(`${sentence} `.replace(/^/, ' ').replace(/^ (?=(?:each|every) )/i, ''))
  const owned =
    /^(?:let|allow) (?:the |our )?(customer|client|buyer)s? (?:to )?(?:book|order|request|make|leave|write|submit|report|ask for|reserve) (.+)$/i.exec(
      places.rest,
    ) ??
    /^(?:(?:each|every|an?|the|our|all) )?(contact|customer|client|buyer|product|article|order)s? (?:(?:(?:can|may|should|must|shall|needs? to|has to|have to) )?(?:has|have|gets?|needs?)|(?:can|may|could|should be able to) (?:book|order|request|make|leave|write|submit|report|ask for|reserve|buy|own|hold))(?: (?:several|many|one|a list of))? (.+)$/i.exec(
      places.rest,
    )
  const text = owned ? (owned[2] as string) : places.rest
  const more = owned ? [ENTITIES.get((owned[1] as string).toLowerCase()) ?? 'builtin:contact'] : []
  const related = [...places.related, ...more] as Places['related']
  // "For each order I want to note the gift wrap and the card text": no name of what is kept, but of what it is about.
  const about = /^(?:for|per|on|with) (?:each|every|any|all) (\w+?)s?,? /i.exec(sentence)?.[1]
  if (about && ENTITIES.has(about.toLowerCase()) && !WITH.test(text) && itemsOf(text.replace(LEAD, '')).length > 1)
    return readOne(draft, `details of ${about}s: ${text.replace(LEAD, '')}`, { ...places, related })
  const isKept = owned !== null || IS_KEPT.test(text)
  // "Book a table with a date": what is said before the fields may be the name itself.
  const named = text.replace(LEAD, '')
  const parts = several(/^with /i.test(named) ? bare(text) : named)
  return parts.map(part => readOne(draft, part, { ...places, related }, isKept)).some(Boolean)
}

/** Two lists, each with its fields in brackets. */
const PAIR =
  /^(?:keep|track|store|record|save|log|register)(?: track of)? ([\p{L} -]{2,30}s \([^()]+\)),? and ([\p{L} -]{2,30}s \([^()]+\))$/iu

/** "A «batch» has …" */
const QUOTED = new RegExp(
  `^((?:an?|each|every|one|the|all) )(${QUOTE})(?= (?:is|are|has|have|means|consists?|contains?|belongs?|should|must)\\b)`,
  'i',
)
/** A resource whose name is quoted. */
const NAMED = new RegExp(`\\b(resource|table|list|register|record type|records|log)(?: called| named)? (${QUOTE})`, 'i')

const IN_TAB =
  /^(?:(?:i|we) (?:want|need|would like) (?:to see )?|show|display|list|put|see)? ?(?<name>(?:all )?(?:them|it|these|this|they|those)|the [\p{L} -]{2,30}?|[\p{L}-]{2,30})?(?: (?:must|should|shall|can|to|are|is))?(?: be)?(?: (?:shown|displayed|listed|visible|seen))? ?(?:(?:appears?|shows? up) )?(?:(?:in|as|on) (?:an? |one )?(?:tab|panel)s?(?: (?:on|of|under|for|in|at) (?<both>both|each(?: of (?:them|these))?|them)| there)?|(?:on|under|at|in|for|with) (?<on>both|each of them)|there)$/iu

/** "Show them in a tab": of what they are linked to. */
function readTab({ resource, ...draft }: Draft, sentence: string): boolean {
  const { name = '', both, on } = IN_TAB.exec(sentence)?.groups ?? {}
  if (!IN_TAB.test(sentence)) return false
  const of = /^(?:them|it|these|this|they|those)?$/i.test(name) ? resource : resourceNamed(draft, bare(name))
  const targets = { 'builtin:contact': 'contact.tabs', 'builtin:product': 'product.tabs', 'builtin:order': undefined } as const
  const found = (of?.relations ?? []).flatMap(each => targets[each.target] ?? [])
  const isAll = (both ?? on) !== undefined
  if (!of || found.length === 0) return false
  for (const target of isAll ? found : /\bthere$/i.test(sentence) ? found.slice(-1) : found.slice(0, 1))
    showList({ resource, ...draft }, of, target)
  return true
}

/** "suppliers with a name, and shipments with a code" are two. */
const several = (text: string): string[] =>
  text.split(
    /(?:,|;)?\s+and\s+(?=(?!an? |the )[\p{L}]+(?: [\p{L}]+)?,? (?:with|which have|that have) (?:an?|the|required|optional|their) )/u,
  )

function readOne(draft: Draft, text: string, places: Places, isKept = false): boolean {
  const { name: said, listed } = nameAndFields(text)
  const [, owner = '', owned] =
    /^(?:(?:all|each|every|the|our|my|a) )*(customer|client|contact|buyer|product|order)(?:s'|'s) (.+)$/i.exec(said) ?? []
  const called = (owned ?? said)
    .replace(/^(?:list|table|register|resource|record type|log) (?=\p{L})/iu, '')
    .replace(/(?: (?:should|must|shall|can|may|are|is|be|to|also|has|have|need|needs))+$/i, '')
  // "pallets for our warehouse": whose they are is no part of the name.
  const name = called
    .replace(/ (?:and|that|which|who|we|they|i)(?: .*)?$/i, '')
    .replace(/(?<=^[\p{L}]{3}.*) (?:for|of|in|at|from) (?:our|my|the|this|an?) [\p{L} -]{2,30}$/iu, '')
  const tail = / (?:for|of|in|at|from) .*$/i.exec(called.slice(name.length))?.[0] ?? ''
  // What is left out of the name says nothing more of what is kept, unless it names an address or a text.
  if (/[«‹]/.test(called.slice(name.length))) return false
  const related = owned === undefined ? places.related : [...places.related, ENTITIES.get(owner.toLowerCase()) ?? 'builtin:contact']
  const { shown } = places
  const isThem =
    /^(?:(?:show|display|list)?(?: ?(?:them|these|those|they|it|each|every one|each one|each of them))?|(?:dashboard )?(?:page|tab|panel|screen|view))$/i.test(
      name,
    ) ||
    LATEST_ONES.test(name) ||
    name.replaceAll(PRONOUNS, '').trim() === ''
  const known = isThem ? draft.resource : (resourceNamed(draft, name) ?? resourceNamed(draft, name.replace(LATEST, '')))
  if (!known && (isThem || !isName(name))) return false
  // A name alone says nothing but where the thing is shown, or that it is kept.
  if (listed === undefined && related.length === 0 && shown.length === 0 && !(isKept && !known)) return false
  // "Our opening hours have changed": nothing that they have.
  if (!known && HAS_BECOME.test(text)) return false
  // "Opening hours: Monday to Friday 9-5" tells of no fields.
  if (!isKept && !known && listed !== undefined && /^[^:]*:/.test(text) && itemsOf(listed).length < 2 && /\d/.test(listed)) return false
  const fields = listed === undefined ? [] : fieldsIn(draft, listed)
  const isTold = isKept || fields.length > 0 || shown.length + related.length > 0
  const resource = known ?? (isTold ? resourceFor(draft, bare(name)) : undefined)
  if (!resource) return false
  draft.resource = resource
  if (tail !== '' && known) notUnderstood(draft, tail.trim())
  else if (tail !== '') resource.name = titleOf(name + tail.replace(/ (?:our|my|the|this|an?) /i, ' '))
  const [, beside] = / and (.+)$/i.exec(called.slice(name.length)) ?? []
  if (beside && beside.replaceAll(PRONOUNS, '').trim() !== '') notUnderstood(draft, beside)
  addFields(draft, resource, fields)
  for (const entity of related) relate(resource, entity)
  for (const target of shown) showList(draft, resource, target)
  return true
}

const HAS_BECOME =
  /^[^,:]{2,60} (?:has|have) (?:(?:just|now|also|recently|been|got|not) )*(?!(?:need|seed|feed|breed|speed)\b)[\p{L}]+(?:ed|en|own|gone|come|grown|gotten)(?:[ ,].*)?$/iu

/** Words that stand for what was spoken of, and say that it is shown. */
const PRONOUNS =
  /\b(?:this|that|these|those|it|they|them|i|we|you|want|would|like|need|to|must|should|shall|can|be|see|seen|is|are|shown?|displayed?|listed?|visible|there|all|of|the|list|records?|entries|ones|and|in|an?|tab|page|panel|also|one|have|has|on|put|please|appear|their|its|own|with|goes?|gets?|belongs?)\b|[,']/gi

/** A list begins with these, so nothing more is said by them. */
const LATEST = /^(?:(?:latest|newest|most recent|recent|last)(?: \w{1,5})?|last few) /i
const LATEST_ONES = /^(?:latest|newest|most recent|recent|last)(?: (?:ones?|few|entry|entries|records?|items?|\d{1,3}))*$/i

function nameAndFields(text: string): { name: string; listed: string | undefined } {
  const brackets = /^([^():,]{2,60}?)\s*\(((?:[^()]|\([^()]*\))+)\)$/.exec(text)
  if (brackets && !WITH.test(brackets[1] as string))
    return {
      name: bare((brackets[1] as string).replace(/^(?:show|list|display|see|view)\s+/i, '')),
      listed: brackets[2]?.replace(/^(?:with )?(?:the )?(?:fields?|columns?):? /i, ''),
    }
  const found = WITH.exec(text)
  if (!found) return { name: bare(text.replace(/^(?:show|list|display|link|see|view)\s+/i, '')), listed: undefined }
  const name = bare(
    text
      .slice(0, found.index)
      .replace(/\s+(?:should|can|must|may|shall)?(?: also)?$/i, '')
      .replace(/^(?:show|list|display|link|see|view)\s+/i, ''),
  )
  return {
    name,
    listed: text
      .slice(found.index + found[0].length)
      .replace(
        /^(?:also )?(?:(?:each|every one|it|they|all|each one)(?: of them)? (?:has|have|with|gets|should have|must have|needs) )?/i,
        '',
      ),
  }
}

/** Parts of a program and what it may do: nothing that a shop keeps records of. */
const OF_PROGRAMS =
  /^(?:your|yourself)\b|^(?:fields?|columns?|attributes?|properties|triggers?|actions?|conditions?|events?(?= id$)|apps?|applications?|resources?|skills?|flows?|access|api|endpoints?|scripts?|plug-?ins?|code|config|settings?)$|(?:^| )(?:web ?hooks?|scopes?|permissions?|privileges?|manifests?|prompts?|admin (?:user|access|rights?)s?|root access|databases?|servers?|uploads?)$|(?:^| )(?:shop|store|studio|company|business)$|^(?:(?:bar|pie|line|area) )?(?:charts?|graphs?|diagrams?)$/i

/** Some of what every shop has: nothing that an app keeps. */
const OF_SHOPS =
  /^(?:(?:all|last|latest|newest|most|recent|new|old|open|paid|unpaid|pending|cancelled|refunded|shipped|top|best|selling|today's|this|week's|month's|\d+|two|three|four|five|six|ten|twenty) )+(?:orders?|products?|customers?|contacts?|messages?|conversations?|sales|payments?|refunds?)$|^(?:message|notification|notice|warning|alert|sms|tag|discount|coupon)(?: |$)/i

const isName = (name: string): boolean =>
  NAME.test(name) &&
  !OF_PROGRAMS.test(name) &&
  !isStandIn(name) &&
  !OF_SHOPS.test(name) &&
  name.split(/[ _]/).length <= WORDS_MAX &&
  nameOf(name) !== '' &&
  !/^(?:when|if|once|same|too|so|very|after|to|that|how|why|what|where|not|in|on|sure|it|the assistant|assistant|ai|bot|knowledge|everything|nothing|something|anything|please|hello|track)\b|^(?:which|my shop|our shop|we|i)\b|^(?:integrate|connect|delete|remove|erase|cancel|change|update|edit|send|notify|tag|forward|import|export|sync|calculate|count|compute|apply|offer|block|ban|hide|remind|charge|refund|ship|print|generate|schedule|publish|translate|check|stop|start|give|reward)(?= (?:the|an?|it|them|us|me|all|every|each|any|my|our|their|his|her|to|new|customers?|orders?|products?|messages?|contacts?|with|from|by|for|when)\b|$)|\S+ .*\b(?:an?|the|is|are|be)\b|^(?:orders?|products?|customers?|contacts?|messages?|conversations?)(?:$| (?:of|over|under|above|below|from|to|with|that|which|for)\b)|\b(?:euros?|dollars?|pounds?|comes?|goes|go)\b|\s(?:wants?|needs?)\b|\b(?:wants?|needs?)\s/i.test(
    name,
  )
