// The kinds of keys, and the tokens that they are.
import { mintToken, prefixOf } from './token.ts'

export const KINDS = { rest: 'sk', mcp: 'mcp' } as const
export type Kind = keyof typeof KINDS

export const mintKey = (kind: Kind): string => mintToken(KINDS[kind])

/** The kind that a token claims to be; undefined if it has not the form of a key or its checksum is wrong. */
export function kindOf(token: string): Kind | undefined {
  const prefix = prefixOf(token)
  return prefix === 'sk' ? 'rest' : prefix === 'mcp' ? 'mcp' : undefined
}
