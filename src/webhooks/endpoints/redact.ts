// What the log and other records of a webhook leave out: credentials in its URL, in the answers of its receiver, and its own headers' values.
import { memoize } from '../../memoize.ts'

const MASK = '••••'

/** A URL with the values of its query masked, for they may be credentials. Where a receiver wrote the URL, so are its user information and fragment. */
export function maskedUrl(url: string): string {
  const [address = '', query, fragment] = split(url)
  const shown = address.replace(/\/\/[^/]*@/, `//${MASK}@`)
  return `${shown}${query === undefined ? '' : `?${query.split('&').map(maskedParameter).join('&')}`}${fragment ? `#${MASK}` : ''}`
}

/** A webhook's address as mails show it, without query: in ASCII, which subjects carry best. */
export const withoutQuery = (url: string): string => split(url)[0] ?? ''

const split = (url: string): (string | undefined)[] => /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url)?.slice(1) ?? []

function maskedParameter(parameter: string): string {
  const at = parameter.indexOf('=')
  if (parameter.length === at + 1) return parameter
  return `${parameter.slice(0, at + 1)}${MASK}`
}

export type Headers = Record<string, string | string[] | undefined>

/**
 * The headers of an answer, with names in lower case. Values that would let a reader of the log act for the receiver are masked; a masked value stays
 * as it is.
 * @param echoes see echoesOf
 */
export function maskedHeaders(headers: Headers, echoes: readonly string[] = []): Headers {
  const names = Object.keys(headers)
  // The usual case, first: this runs for every delivery.
  if (echoes.length === 0 && names.every(name => kindOf(name) === 'plain')) return headers
  const shown = (name: string, text: string) => withoutEchoes(kindOf(name) === 'address' ? maskedUrl(text) : text, echoes)
  const entries = Object.entries(headers).map(([name, value]) => {
    if (kindOf(name) === 'credential') return [name, MASK]
    return [name, Array.isArray(value) ? value.map(each => shown(name, each)) : value && shown(name, value)]
  })
  return Object.fromEntries(entries)
}

const NAMES_KNOWN_BYTES = 256 * 1024
const kindOf = memoize(
  NAMES_KNOWN_BYTES,
  (name): 'credential' | 'address' | 'plain' => {
    if (ADDRESSES.has(name)) return 'address'
    return CREDENTIAL.test(name) && !CHALLENGES.has(name) ? 'credential' : 'plain'
  },
  () => 0,
)

const CREDENTIAL =
  /cookie|token|secret|passw|session|credential|signature|jwt|(^|[-_])auth(orization|entication-info)?($|[-_])|(api|access|auth|private)[-_]?key/i
/** These say how to authenticate, and hold no credential. */
const CHALLENGES = new Set(['www-authenticate', 'proxy-authenticate'])
const ADDRESSES = new Set(['location', 'content-location', 'refresh', 'link'])

/** Shorter values occur by chance in any text. */
const ECHO_CHARS = 8

/** A text from the receiver, with masks where it repeats headers that it was sent. @param echoes see echoesOf */
export const withoutEchoes = (text: string, echoes: readonly string[]): string =>
  echoes.reduce((left, echo) => left.replaceAll(echo, MASK), text)

/** The texts to look for in an answer: values of the headers that were sent, and parts of these such as the token of `Bearer <token>`. The longest first. */
export const echoesOf = (headers: Record<string, string>): string[] =>
  [...new Set(Object.values(headers).flatMap(value => [value, ...value.split(/\s+/)]))]
    .filter(value => value.length >= ECHO_CHARS)
    .sort((a, b) => b.length - a.length)
