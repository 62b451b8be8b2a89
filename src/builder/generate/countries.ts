// Countries by their English names, as addresses have them: ISO 3166-1.

/** What people say besides the names that Unicode's tables know. */
const ALIASES: Record<string, string> = {
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  us: 'US',
  usa: 'US',
  'united states of america': 'US',
  america: 'US',
  uae: 'AE',
  holland: 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
}
/** Codes that stand for no country of an address. */
const NONE = new Set(['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO'])

let names: Map<string, string> | undefined

function known(): Map<string, string> {
  if (names) return names
  names = new Map(Object.entries(ALIASES))
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = Array.from({ length: 26 }, (_each, at) => String.fromCharCode(65 + at))
  for (const code of letters.flatMap(first => letters.map(second => first + second))) {
    // Codes of former countries mean those that came of them: DD is Germany too.
    const isNow = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
    const name = isNow && !NONE.has(code) ? regions.of(code)?.toLowerCase() : undefined
    if (name !== undefined && !names.has(name)) names.set(name, code)
  }
  return names
}

/** @returns the country that some words begin with, and how much of them is its name */
export function countryIn(words: string): { code: string; length: number } | undefined {
  const ends = [...words.slice(0, 60).matchAll(/(?=[\s,.;:]|$)/g)].map(({ index }) => index)
  for (const end of ends.reverse()) {
    const code = known().get(words.slice(0, end).toLowerCase())
    if (code) return { code, length: end }
  }
  return undefined
}
