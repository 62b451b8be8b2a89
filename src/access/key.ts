// The form of a key: `sk_` or `mcp_`, 34 random characters, and a checksum of 6, by which malformed keys are refused without a query.
import { crc32 } from 'node:zlib'
import { randomBase62 } from '../secrets.ts'

export const KINDS = { rest: 'sk', mcp: 'mcp' } as const
export type Kind = keyof typeof KINDS

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function mintKey(kind: Kind): string {
  const body = `${KINDS[kind]}_${randomBase62(34)}`
  return body + checksum(body)
}

/** The kind that a token claims to be; undefined if it has not the form of a key or its checksum is wrong. */
export function kindOf(token: string): Kind | undefined {
  const [, prefix] = /^(sk|mcp)_[0-9A-Za-z]{40}$/.exec(token) ?? []
  if (prefix === undefined || checksum(token.slice(0, -6)) !== token.slice(-6)) return undefined
  return prefix === 'sk' ? 'rest' : 'mcp'
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
