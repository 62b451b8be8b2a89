// From a line of a bundle to that of its source. A source map holds every word's place, and Node would read it at the start: this holds lines alone, and is
// read when the first stack is asked for.

const DIGITS = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, value) => [digit, value]))

/**
 * @param map a source map, of version 3
 * @returns for each line of the bundle, where its first word is from: the number of the source and the line, or nothing
 */
export function linesOf({ sources, mappings }) {
  let [source, line] = [0, 0]
  const lines = mappings.split(';').map(text => {
    let first
    for (const segment of text === '' ? [] : text.split(',')) {
      const [, ofSource, ofLine] = numbers(segment)
      if (ofSource === undefined) continue
      source += ofSource
      line += ofLine
      first ??= [source, line + 1]
    }
    return first ?? 0
  })
  return { sources, lines }
}

// Base 64 digits of five bits, the lowest first; the sixth bit says that more follow, and the number's own lowest is its sign.
function numbers(segment) {
  const found = []
  let [value, shift] = [0, 0]
  for (const character of segment) {
    const digit = DIGITS.get(character)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    found.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return found
}
