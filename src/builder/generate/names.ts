// Names that people write, and the names that a manifest has for them.

/** As a pattern: what people call the assistant. */
export const ASSISTANT = '(?:the |our |your )?(?:ai assistant|ai bot|assistant|chat ?bot|bot|ai)'

/** Names of a record's own members, which a field cannot have. */
const RESERVED = new Set(['object', 'id', 'resource', 'external_id', 'version', 'created_at', 'updated_at', 'links'])
const NAME_CHARS = 60

/** Words without what stands before and around them in a sentence. */
export const bare = (text: string): string =>
  text
    .trim()
    .replace(/^(?:and |also |the |a |an |each |every |their |its |his |her |our |my |any |some |new |one |all )+/i, '')
    .replace(/[.,:;]+$/, '')
    .trim()

/** `Serial number` → `serial_number`; `serialNumber` stays; empty where no letter is left. */
export function nameOf(text: string): string {
  const said = bare(text)
  if (/^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(said)) return said.slice(0, NAME_CHARS)
  const name = plain(bare(text).replaceAll(/'s?(?= |$)/gi, '')).replaceAll(/[^a-z0-9]+/g, '_')
  const cut = name
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_CHARS)
    .replace(/_+$/, '')
  return RESERVED.has(cut) ? `own_${cut}` : cut
}

/** `Gift cards` → `gift-cards`, for ids. */
export const idOf = (text: string, otherwise: string): string => nameOf(text).replace(/^own_/, '').replaceAll('_', '-') || otherwise

/** `gift_cards` → `Gift cards` */
export function titleOf(text: string): string {
  const words = bare(text).replaceAll(/[_-]+/g, ' ').trim().slice(0, 90)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What stands for a thing or counts things, and names none: "it", "which tag", "two lists", "for each book". */
export const isStandIn = (name: string): boolean =>
  /^(?:it|its|they|them|this|that|these|those|he|she|we|i|you|which|what|who|all|each|every|both|some|any|ones?|(?:new|other|more|such) ones?)$|^(?:which|for each|for every)\b|^(?:one|two|three|four|five|six|several|some|many|a few|\d+) (?:lists?|tables?|resources?|kinds?|sorts?|things?|types?|record types?|registers?|databases?|fields?)$/i.test(
    name.replaceAll('_', ' '),
  )

/** Letters without their marks, in lower case. */
const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Whether two names are one: in upper or lower case, of one or many. */
export const isSame = (one: string, other: string): boolean => keyOf(one) === keyOf(other)

const keyOf = (text: string): string => singular(nameOf(text).replace(/^own_/, '').toLowerCase()).replaceAll('_', '')

function singular(name: string): string {
  if (/ies$/.test(name)) return `${name.slice(0, -3)}y`
  if (/(?:kni|wi|li|shel|lea|loa|hal|cal|wol|thie|scar)ves$/.test(name))
    return `${name.slice(0, -3)}${/(?:kni|wi|li)ves$/.test(name) ? 'fe' : 'f'}`
  if (/(?:^|_)(?:people|children|men|women|feet|teeth)$/.test(name))
    return name
      .replace(/people$/, 'person')
      .replace(/children$/, 'child')
      .replace(/men$/, 'man')
      .replace(/feet$/, 'foot')
      .replace(/teeth$/, 'tooth')
  if (/(?:ss|x|ch|sh|tus|nus|rus)es$/.test(name)) return name.slice(0, -2)
  return /[^s]s$/.test(name) && !/(?:stat|bon|vir|camp|cens|foc|pl|b)us$/.test(name) ? name.slice(0, -1) : name
}

/** An id that none of these has. */
export function free(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id
  for (let n = 2; ; n++) if (!taken.includes(`${id}-${n}`)) return `${id}-${n}`
}

/** A sentence of its own: `that points expire` → `Points expire.` */
export function sentenceOf(text: string): string {
  const words = text.trim().replace(/^that /i, '')
  const begun = words.charAt(0).toUpperCase() + words.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

/** What a service is called by where it has no better name: `https://erp.shop.example/in` → `erp` */
export const hostOf = (endpoint: string): string => (URL.canParse(endpoint) ? (new URL(endpoint).hostname.split('.')[0] ?? '') : '')

/** What an address is called by: the last part of its path that has a letter, or its host. */
export function lastPart(endpoint: string): string {
  const { pathname = '', hostname = '' } = URL.canParse(endpoint) ? new URL(endpoint) : {}
  return pathname.split('/').findLast(part => /[a-z]/i.test(part)) ?? hostname
}
