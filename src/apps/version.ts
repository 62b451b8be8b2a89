// The version that authors give a manifest: for people, who are warned of one that goes back.
import type { Finding } from './manifest/finding.ts'

/** Both as `1.2.3` or `1.2.3-beta.1`. */
export const olderVersion = (was: string | undefined, is: string): Finding[] =>
  was !== undefined && isOlder(is, was)
    ? [
        {
          path: 'version',
          code: 'older_version',
          message: `is ${is}, which is older than the ${was} that was installed last; is it the right file?`,
        },
      ]
    : []

/** By the precedence of semver 2.0.0 §11. */
function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map(partsOf) as [Parts, Parts]
  const [release, before] = [compare(a.release, b.release), a.before.length - b.before.length]
  if (release !== 0) return release < 0
  // A version without a label comes after those with one.
  if (a.before.length === 0 || b.before.length === 0) return before > 0
  return (compare(a.before, b.before) || before) < 0
}

interface Parts {
  release: string[]
  /** What stands behind the first hyphen. */
  before: string[]
}

function partsOf(version: string): Parts {
  const [, release = '', before] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? []
  return { release: release.split('.'), before: before?.split('.') ?? [] }
}

/** Numbers by their size, and before names. */
function compare(one: readonly string[], other: readonly string[]): number {
  for (const [at, a] of one.entries()) {
    const b = other[at]
    if (b === undefined || a === b) continue
    const [isNumber, isNumberToo] = [/^\d+$/.test(a), /^\d+$/.test(b)]
    if (isNumber !== isNumberToo) return isNumber ? -1 : 1
    if (isNumber) return BigInt(a) < BigInt(b) ? -1 : 1
    return a < b ? -1 : 1
  }
  return 0
}
