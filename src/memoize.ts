// What is costly to work out of a text, and asked for again and again.

/** A string's object, its entry and its place in the map. */
const ENTRY_BYTES = 180

/**
 * `make`, remembering what it gave for each text.
 * @param mostBytes of texts and what was made of them, about: for one more, the oldest are forgotten
 * @param charsOf how many characters what was made holds
 */
export function memoize<T extends {}>(mostBytes: number, make: (text: string) => T, charsOf: (made: T) => number): (text: string) => T {
  const known = new Map<string, { made: T; size: number }>()
  let bytes = 0
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before.made
    const made = make(text)
    // Of two bytes, where one is none of Latin-1.
    const size = ENTRY_BYTES + 2 * (text.length + charsOf(made))
    for (const [oldest, entry] of known) {
      if (bytes + size <= mostBytes) break
      known.delete(oldest)
      bytes -= entry.size
    }
    bytes += size
    known.set(text, { made, size })
    return made
  }
}
