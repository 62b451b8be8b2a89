// Text that can be kept and handed on as it is: what PostgreSQL refuses, and names that programs mistake, are refused here by their place.
import { JSON_DEPTH } from '../../limits/bodies.ts'
import type { Steps } from './finding.ts'
import type { Breach } from './rules.ts'

/** @param value JSON of any content */
export const plainText = (value: unknown): Iterable<Breach> => (isPlain(value, 0) ? [] : faultsIn(value, []))

// Nearly always nothing is wrong, and then no place has to be told.
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isPlainText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= JSON_DEPTH) return false
  if (Array.isArray(value)) return value.every(each => isPlain(each, depth + 1))
  return Object.entries(value).every(([name, each]) => isPlainName(name) && isPlainText(name) && isPlain(each, depth + 1))
}

const isPlainText = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const isPlainName = (name: string): boolean => name !== '__proto__' && !name.includes('\\')

function* faultsIn(value: unknown, at: Steps): Generator<Breach> {
  if (at.length > JSON_DEPTH)
    yield { at: at.slice(0, JSON_DEPTH), code: 'too_deep', message: `lies deeper than ${JSON_DEPTH} levels; flatten it.` }
  else if (typeof value === 'string') yield* textAt(value, at)
  else if (typeof value === 'number' && !Number.isFinite(value))
    yield { at, code: 'out_of_range', message: 'is a number that cannot be kept; write a smaller one.' }
  else if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* faultsIn(each, [...at, index])
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      if (!isPlainName(name))
        yield { at: [...at, name], code: 'invalid_name', message: 'cannot be the name of a member: programs mistake it; choose another.' }
      else yield* textAt(name, [...at, name])
      yield* faultsIn(each, [...at, name])
    }
}

function* textAt(text: string, at: Steps): Generator<Breach> {
  if (text.includes('\0')) yield { at, message: 'holds the character NUL, which cannot be kept; leave it out.' }
  else if (!text.isWellFormed()) yield { at, message: 'holds half of a surrogate pair (\\ud800 to \\udfff); write the whole character.' }
}
