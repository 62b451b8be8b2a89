// Text that can be kept and handed on as it is: what PostgreSQL refuses, and names that programs mistake, are refused here by their place.
import { JSON_DEPTH } from '../../limits/bodies.ts'
import type { Steps } from './finding.ts'
import type { Breach } from './rules.ts'

/** @param value JSON of any content */
export function* plainText(value: unknown, at: Steps = []): Generator<Breach> {
  if (at.length > JSON_DEPTH)
    yield { at: at.slice(0, JSON_DEPTH), code: 'too_deep', message: `lies deeper than ${JSON_DEPTH} levels; flatten it.` }
  else if (typeof value === 'string') yield* textAt(value, at)
  else if (typeof value === 'number' && !Number.isFinite(value))
    yield { at, code: 'out_of_range', message: 'is a number that cannot be kept; write a smaller one.' }
  else if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* plainText(each, [...at, index])
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      if (name === '__proto__' || name.includes('\\'))
        yield { at: [...at, name], code: 'invalid_name', message: 'cannot be the name of a member: programs mistake it; choose another.' }
      else yield* textAt(name, [...at, name])
      yield* plainText(each, [...at, name])
    }
}

function* textAt(text: string, at: Steps): Generator<Breach> {
  if (text.includes('\0')) yield { at, message: 'holds the character NUL, which cannot be kept; leave it out.' }
  else if (!text.isWellFormed()) yield { at, message: 'holds half of a surrogate pair (\\ud800 to \\udfff); write the whole character.' }
}
