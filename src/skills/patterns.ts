// Patterns of schemas that others wrote, matched in linear time.
import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

const require = createRequire(import.meta.url)

/** Compiled patterns at hand: those of the schema that is looked through, for they are compiled into it afterwards. */
const KEPT = 500
const kept = new Map<string, RE2JS>()

/** @throws {Error} where RE2 cannot express it */
export function compilePattern(pattern: string): RE2JS {
  const known = kept.get(pattern)
  if (known) return known
  const made = compile(pattern)
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string)
  // A long text would be kept for long.
  if (pattern.length <= KEPT_CHARS) kept.set(pattern, made)
  return made
}

const KEPT_CHARS = 200

// Few processes ever meet a pattern.
function compile(pattern: string): RE2JS {
  const { RE2JS } = require('re2js') as typeof import('re2js')
  return RE2JS.compile(RE2JS.translateRegExp(pattern))
}
