// JSON that others wrote.

/**
 * As JSON.parse, for texts from outside. A member's name with a backslash is refused: once V8 has read one, it takes names that begin alike and have an
 * escaped character in that place for it (nodejs/node#63785), so members of later texts, also of other workspaces, would change their names.
 * @throws {SyntaxError}
 */
export function readJson(text: string): unknown {
  if (text.includes('\\') && BACKSLASH.test(text) && hasSuchName(text)) throw new SyntaxError(NAME_WITH_BACKSLASH)
  return JSON.parse(text)
}

export const NAME_WITH_BACKSLASH = 'the name of a member holds a backslash, which is refused'

/** Neither a list nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values of JSON are the same: the order of members does not count, and one that is called `valueOf` is a member as any other. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((each, at) => isSameJson(each, other[at]))
  const [mine, theirs] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const names = Object.keys(mine)
  return (
    names.length === Object.keys(theirs).length &&
    names.every(name => Object.hasOwn(theirs, name)) &&
    names.every(name => isSameJson(mine[name], theirs[name]))
  )
}

/** In a text that the database takes: NUL and halves of surrogate pairs become the replacement character. */
export const mendedText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/**
 * What can be stored of JSON that others wrote, and that is not worth a refusal: its texts as `mendedText` has them, null for a number beyond a double, and
 * no member whose name cannot be stored. In place.
 * @param text of which `value` was read
 */
export const mended = <Value>(text: string, value: Value): Value => (UNUSUAL.test(text) ? (mendedPart(value) as Value) : value)

/** What a text has that needs mending: an escaped character, that name, a large exponent, or very many digits. */
const UNUSUAL = /\\u|__proto__|\d[eE]\+?\d{3}|\d{200}/

function mendedPart(value: unknown): unknown {
  if (typeof value === 'string') return mendedText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = mendedPart(value[index])
    return value
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) {
    if (name === '__proto__' || mendedText(name) !== name) delete members[name]
    else members[name] = mendedPart(members[name])
  }
  return members
}

/** In a string of JSON. */
const BACKSLASH = /\\\\|\\u005c/i

/** Reads each character once, whatever the text. */
function hasSuchName(text: string): boolean {
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    const end = endOfString(text, at + 1)
    if (BACKSLASH.test(text.slice(at, end)) && text[afterBlank(text, end + 1)] === ':') return true
    at = end + 1
  }
  return false
}

function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function afterBlank(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at++
  return at
}
