// What the readers make of words alone, remembered: each word of a clause is proved by reading the clause once more without it, so most of what is read has
// been read before, and so it is for an edit of what was just described.
import { memoize } from '../../memoize.ts'

/** The memory of each function that remembers: some thousand clauses, as many as the longest description has. */
const KEPT_BYTES = 1024 ** 2

/** `make`, which looks at nothing but the words, with what it made of each remembered. What it makes is shared: it must not be changed. */
export const remembered = <T extends string | Readonly<object>>(make: (words: string) => T): ((words: string) => T) =>
  memoize(KEPT_BYTES, make, made => (typeof made === 'string' ? made : JSON.stringify(made)).length)
