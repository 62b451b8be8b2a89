// JSON that others wrote.

/**
 * As JSON.parse, for texts from outside. A member's name with a backslash is refused: once V8 has read one, it takes names that begin alike and have an
 * escaped character in that place for it (nodejs/node#63785), so members of later texts, also of other workspaces, would change their names.
 * @throws {SyntaxError}
 */
export function readJson(text: string): unknown {
  if (text.includes('\\') && BACKSLASH.test(text) && hasSuchName(text))
    throw new SyntaxError('the name of a member holds a backslash, which is refused')
  return JSON.parse(text)
}

/** Neither a list nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
