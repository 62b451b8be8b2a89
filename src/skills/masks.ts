// What calls leave out of everything that is kept: secrets that stand in arguments, or that an app repeats in its answer.

import { memoize } from '../memoize.ts'

const MASK = '••••'
/** Shorter secrets occur by chance in any text: of those only a text that is nothing else is masked. */
const CHARS_MIN = 4
/** Shorter numbers occur by chance. */
const DIGITS_MIN = 8

/** The texts to look for, the longest first: as they are, and as services write them in JSON, URLs and HTML, or in base64. */
export function echoesOf(secrets: readonly string[]): string[] {
  const spelled = secrets.filter(each => each.length >= CHARS_MIN).flatMap(spellingsOf)
  return [...new Set(spelled)].sort((one, other) => other.length - one.length)
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
/** As libraries do that escape more than they must. */
const inJsonOfAscii = (text: string): string => inJson(text).replaceAll(/[^ -~]/g, escaped)
const inJsonForPages = (text: string): string => inJson(text).replaceAll(/[<>&]/g, escaped)
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
const inUrl = (text: string): string => encodeURIComponent(text.toWellFormed())
/** As libraries do that escape all but what RFC 3986 leaves to everybody. */
const inUrlStrictly = (text: string): string =>
  inUrl(text).replaceAll(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
const lowerHex = (url: string): string => url.replaceAll(/%../g, hex => hex.toLowerCase())
const inHtml = (text: string, quote: string, apostrophe: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', quote).replaceAll("'", apostrophe)

const SPELLINGS: ((text: string) => string)[] = [
  text => text,
  inJson,
  inJsonOfAscii,
  inJsonForPages,
  text => inJson(text).replaceAll('/', '\\/'),
  text => inJsonOfAscii(text).replaceAll('/', '\\/'),
  inUrl,
  text => lowerHex(inUrl(text)),
  inUrlStrictly,
  text => inUrlStrictly(text).replaceAll('%2F', '/'),
  text => new URLSearchParams([['', text]]).toString().slice(1),
  text => inHtml(text, '"', "'"),
  text => inHtml(text, '&quot;', '&#39;'),
  text => inHtml(text, '&quot;', '&#039;'),
  text => inHtml(text, '&quot;', '&#x27;'),
  text => inHtml(text, '&#34;', '&#39;'),
  // Without what fills it up at the end, which many leave out.
  text => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  text => Buffer.from(text).toString('base64url'),
]

/** Most secrets have few spellings, and each call asks for them several times. */
const SPELLINGS_KEPT_BYTES = 256 * 1024
const spellingsOf = memoize(
  SPELLINGS_KEPT_BYTES,
  secret => [...new Set(SPELLINGS.map(spell => spell(secret)))],
  all => all.join('').length,
)

/** A text of which the rest did not come, without the beginning of a secret at its end. @param echoes see echoesOf */
export function withoutCutEcho(text: string, echoes: readonly string[]): string {
  for (const echo of echoes)
    for (let length = Math.min(echo.length - 1, text.length); length >= CHARS_MIN; length--)
      if (text.endsWith(echo.slice(0, length))) return text.slice(0, -length) + MASK
  return text
}

/** JSON without the secrets in its texts and names. */
export function masked(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value
  const echoes = echoesOf(secrets)
  const clean = (text: string): string => (secrets.includes(text) ? MASK : echoes.reduce((left, echo) => left.replaceAll(echo, MASK), text))
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (typeof part === 'number') return String(part).length >= DIGITS_MIN && secrets.includes(String(part)) ? MASK : part
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [clean(name), walk(inner)]))
  }
  return walk(value)
}
