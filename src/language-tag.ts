// Language tags, by the grammar of RFC 5646 (BCP 47). `Intl` knows the tags of Unicode alone: it refuses `zh-cmn`, `x-klingon` and `i-default`, which are
// tags all the same.

const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const REST = '(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\\d{3}))?((?:-(?:[a-z0-9]{5,8}|\\d[a-z0-9]{3}))*)((?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*)'
const PRIVATE = 'x(?:-[a-z0-9]{1,8})+'
const TAG = new RegExp(`^(?:${LANGUAGE}${REST}(?:-${PRIVATE})?|${PRIVATE})$`, 'i')
/** Registered before there was a grammar, and not of its form. */
const IRREGULAR = new Set(
  'en-gb-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu sgn-be-fr sgn-be-nl sgn-ch-de'.split(
    ' ',
  ),
)

export function isLanguageTag(text: string): boolean {
  if (IRREGULAR.has(text.toLowerCase())) return true
  const [, variants = '', extensions = ''] = TAG.exec(text) ?? [undefined]
  return TAG.test(text) && isEachOnce(variants.split('-').slice(1)) && isEachOnce(extensions.match(/-[a-z0-9](?=-)/gi) ?? [])
}

const isEachOnce = (parts: string[]): boolean => new Set(parts.map(each => each.toLowerCase())).size === parts.length

/**
 * The usual spelling of a language tag: `pt-br` is pt-BR. RFC 5646 §2.1.1: regions in upper case and scripts in title case, but at the start and behind a
 * single letter.
 */
export const spelledTag = (tag: string): string =>
  tag
    .toLowerCase()
    .split('-')
    .map((part, index, parts) => (index === 0 || parts[index - 1]?.length === 1 ? part : cased(part)))
    .join('-')

function cased(part: string): string {
  if (part.length === 2) return part.toUpperCase()
  return /^[a-z]{4}$/.test(part) ? `${part.charAt(0).toUpperCase()}${part.slice(1)}` : part
}
