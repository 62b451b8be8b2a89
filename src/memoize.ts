// Remembers results that are costly to compute from a text, and needed again and again.

/** The overhead of an entry: the string's object, the entry and its place in the map. */
const ENTRY_BYTES = 180

/**
 * `make`, with its result for each text remembered.
 * @param mostBytes about the memory of all texts and results: beyond it the oldest are dropped
 * @param charsOf the number of characters in a result
 */
export function memoize<T extends {}>(mostBytes: number, make: (text: string) => T, charsOf: (made: T) => number): (text: string) => T {
  const known = new Map<string, { made: T; size: number }>()
  let bytes = 0
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before.made
    const made = make(text)
    // Two bytes for a character, which strings take unless all their characters are Latin-1.
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
