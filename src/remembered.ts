// What is costly to work out of a text, and asked for again and again.

/** `make`, remembering what it gave for each text. @param most texts known at a time: one more, and all are forgotten */
export function remembered<T extends {}>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const made = make(text)
    if (known.size === most) known.clear()
    known.set(text, made)
    return made
  }
}
