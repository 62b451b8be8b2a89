// The name that was probably meant.

/** Names of texts as long as these cannot be mistyped names. */
const NAME_CHARS = 100

/** @returns the known name that differs by the fewest letters, where few enough do; undefined where none is near */
export function nearest(text: string, known: readonly string[]): string | undefined {
  if (text.length > NAME_CHARS) return undefined
  let best: { name: string; far: number } | undefined
  for (const name of known) {
    if (isOpposite(text.toLowerCase(), name.toLowerCase())) continue
    const far = distance(text.toLowerCase(), name.toLowerCase())
    if (!best || far < best.far) best = { name, far }
  }
  return best && best.far <= Math.max(1, Math.floor(text.length / 3)) ? best.name : undefined
}

/** How a sentence about an unknown name ends: with the name that was probably meant, or otherwise. */
export function meant(text: string, known: readonly string[], otherwise = ''): string {
  const name = nearest(text, known)
  return name === undefined || name === text ? `${otherwise}.` : `; did you mean ${name}?`
}

// `unpause` is not `pause` mistyped, nor `disabled` `enabled`: a caller that took the name for what it meant would do the contrary.
const isOpposite = (one: string, other: string): boolean => one !== other && one.replace(NEGATION, '') === other.replace(NEGATION, '')
const NEGATION = /^(un|dis|in|de|en|non|not)[\s_-]?/

/** Letters to be put in, taken out, changed or put in each other's place (optimal string alignment). */
export function distance(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_each, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isTurned = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const turned = isTurned ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(changed, turned, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    before = row
    row = next
  }
  return row[other.length] as number
}
