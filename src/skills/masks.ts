// What calls leave out of everything that is kept: secrets that stand in arguments, or that an app repeats in its answer.

const MASK = '••••'
/** Shorter secrets occur by chance in any text: of those only a text that is nothing else is masked. */
const CHARS_MIN = 4

/** The texts to look for, the longest first: as they are, and as JSON writes them. */
export function echoesOf(secrets: readonly string[]): string[] {
  const spelled = secrets.filter(each => each.length >= CHARS_MIN).flatMap(each => [each, JSON.stringify(each).slice(1, -1)])
  return [...new Set(spelled)].sort((one, other) => other.length - one.length)
}

/** JSON without the secrets in its texts and names. */
export function masked(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value
  const echoes = echoesOf(secrets)
  const clean = (text: string): string => (secrets.includes(text) ? MASK : echoes.reduce((left, echo) => left.replaceAll(echo, MASK), text))
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [clean(name), walk(inner)]))
  }
  return walk(value)
}
