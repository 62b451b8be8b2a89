// The form of every credential: a prefix that says what it is, 34 random characters, and a checksum of 6, by which garbage is refused without a query.
import { crc32 } from 'node:zlib'
import { randomBase62 } from '../secrets.ts'

/**
 * `sk` REST key, `mcp` agent key, `sid` session, `inv` link of an invitation, `rst` link to set a new password; of OAuth `oac` authorization code,
 * `oat` access token, `ort` refresh token, `ocs` client secret.
 */
export type TokenPrefix = 'sk' | 'mcp' | 'sid' | 'inv' | 'rst' | 'oac' | 'oat' | 'ort' | 'ocs'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new token: `<prefix>_<40 base62>`. */
export function mintToken(prefix: TokenPrefix): string {
  const body = `${prefix}_${randomBase62(34)}`
  return body + checksum(body)
}

/** The token that these bytes stand for. @param secret 32 bytes that cannot be guessed */
export function deriveToken(prefix: TokenPrefix, secret: Buffer): string {
  let rest = BigInt(`0x${secret.toString('hex')}`)
  let text = ''
  for (let i = 0; i < 34; i++) {
    text += ALPHABET[Number(rest % 62n)]
    rest /= 62n
  }
  const body = `${prefix}_${text}`
  return body + checksum(body)
}

/** The prefix of a token; undefined if it has not the form of one or its checksum is wrong. */
export function prefixOf(token: string): string | undefined {
  const [, prefix] = /^([a-z]{2,4})_[0-9A-Za-z]{40}$/.exec(token) ?? []
  return prefix !== undefined && checksum(token.slice(0, -6)) === token.slice(-6) ? prefix : undefined
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
