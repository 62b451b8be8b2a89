// What the log and other records of a webhook leave out: credentials in its URL, in the answers of its receiver, and its own headers' values.
import { memoize } from '../../memoize.ts'

const MASK = '••••'

/** A URL with the values of its query masked, for they may be credentials; and, where a receiver wrote it, user information and fragment. */
export function maskedUrl(url: string): string {
  const [address = '', query, fragment] = split(url)
  const shown = address.replace(/\/\/[^/]*@/, `//${MASK}@`)
  return `${shown}${query === undefined ? '' : `?${query.split('&').map(maskedParameter).join('&')}`}${fragment ? `#${MASK}` : ''}`
}

/** Where a mail says that a webhook leads: a subject is best of ASCII alone. */
export const withoutQuery = (url: string): string => split(url)[0] ?? ''

const split = (url: string): (string | undefined)[] => /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(url)?.slice(1) ?? []

function maskedParameter(parameter: string): string {
  const at = parameter.indexOf('=')
  if (parameter.length === at + 1) return parameter
  return `${parameter.slice(0, at + 1)}${MASK}`
}

export type Headers = Record<string, string | string[] | undefined>

/**
 * Headers of an answer, their names in lower case, without what would let a reader of the log act in its place. What is masked stays as it is.
 * @param echoes see echoesOf
 */
export function maskedHeaders(headers: Headers, echoes: readonly string[] = []): Headers {
  const names = Object.keys(headers)
  // As nearly always: this is done for every delivery.
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
/** They say how to authenticate, and hold no credential. */
const CHALLENGES = new Set(['www-authenticate', 'proxy-authenticate'])
const ADDRESSES = new Set(['location', 'content-location', 'refresh', 'link'])

/** Shorter ones are found by chance in any text. */
const ECHO_CHARS = 8

/** A text of the receiver's, without what it repeats of the headers it was sent. @param echoes see echoesOf */
export const withoutEchoes = (text: string, echoes: readonly string[]): string =>
  echoes.reduce((left, echo) => left.replaceAll(echo, MASK), text)

/** What a receiver may repeat of headers: their values, and parts of these such as the token of `Bearer <token>`. The longest first. */
export const echoesOf = (headers: Record<string, string>): string[] =>
  [...new Set(Object.values(headers).flatMap(value => [value, ...value.split(/\s+/)]))]
    .filter(value => value.length >= ECHO_CHARS)
    .sort((a, b) => b.length - a.length)
