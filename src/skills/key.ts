// What names a call: the same question asked on the same occasion has the same key, so that an app can tell a repeat. The canonical text of the arguments is
// the request's body as well, so an app can compute the key from what it receives.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * The arguments as canonical JSON (RFC 8785).
 * @returns undefined where they are no JSON: a lone surrogate, a number that is not finite
 */
export function canonical(value: unknown): string | undefined {
  try {
    return canonicalize(value)
  } catch {
    return undefined
  }
}

/**
 * SHA-256 over the UTF-8 bytes of the three, joined by line feeds, in lower-case hex.
 * @param about the conversation's id, `<run id>.<step id>`, or the id of a test's own call
 * @param skill its id in the manifest
 * @param body the canonical text of the arguments
 */
export const callKey = (about: string, skill: string, body: string): string => hash('sha256', `${about}\n${skill}\n${body}`)
