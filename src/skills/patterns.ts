// Patterns of schemas that others wrote, matched in linear time, and measured before they are compiled: forty characters can stand for a million states.
import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { APP_PATTERNS_KEPT_BYTES, APP_SCHEMA_BYTES_A_STATE } from '../limits/skills.ts'
import { memoize } from '../memoize.ts'

const require = createRequire(import.meta.url)

/**
 * Compiled patterns at hand: those of the schema that is looked through, for they are compiled into it afterwards.
 * @throws {Error} where RE2 cannot express it
 */
export const compilePattern: (pattern: string) => RE2JS = memoize(
  APP_PATTERNS_KEPT_BYTES,
  compile,
  made => (made.programSize() * APP_SCHEMA_BYTES_A_STATE) / 2,
)

// Few processes ever meet a pattern.
function compile(pattern: string): RE2JS {
  const { RE2JS } = require('re2js') as typeof import('re2js')
  // The translation leaves the backslash out, so that it would stand for its letters.
  if (NAMED_BACK_REFERENCE.test(pattern)) throw new Error('invalid escape sequence: `\\k`')
  return RE2JS.compile(RE2JS.translateRegExp(pattern))
}

const NAMED_BACK_REFERENCE = /(?<!\\)(?:\\\\)*\\k</

/** What counts as one state: an escape, a class, or any other character. */
const ATOM = /\((?:\?(?:P?<\w*>|[a-zA-Z-]*:))?|\\[xu]\{[0-9a-f]*\}|\\[pP]\{\^?\w*\}|\\[\s\S]?|\[\^?(?:\\[\s\S]|[^\]\\])*\]?|[\s\S]/giy
const TIMES = /\{(\d+)(?:,(\d*))?\}/y

/** About how many states a pattern has with its repetitions written out; of one that is no pattern the number means nothing. */
export function statesOf(pattern: string): number {
  const outer: number[] = []
  let [states, last] = [0, 0]
  for (let at = 0; at < pattern.length; ) {
    TIMES.lastIndex = at
    const [times, least = '', most = ''] = TIMES.exec(pattern) ?? []
    if (times !== undefined) {
      const more = last * (Math.max(Number(least), Number(most), 1) - 1)
      states += more
      last += more
      at += times.length
      continue
    }
    ATOM.lastIndex = at
    const atom = ATOM.exec(pattern)?.[0] as string
    at += atom.length
    if (atom.startsWith('(')) {
      outer.push(states)
      states = 0
      last = 0
    } else {
      // A group has its beginning and its end.
      last = atom === ')' ? states + 2 : 1
      states = atom === ')' ? (outer.pop() ?? 0) + last : states + 1
    }
  }
  return outer.reduce((sum, each) => sum + each, states)
}
