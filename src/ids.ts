// Ids: `<prefix>_<26 characters>`, a TypeID (lower-case base32 of a UUIDv7). Time-ordered, and never a `:`, on which delivery ids are split.
import { randomFillSync } from 'node:crypto'
import { now as clockNow } from './clock.ts'

/** A resource of a tenant. An id alone finds nothing: it is looked up within its tenant. */
export interface Ref {
  tenant: string
  id: string
}

export type Prefix =
  | 'ten'
  | 'usr'
  | 'key'
  | 'ord'
  | 'itm'
  | 'prod'
  | 'var'
  | 'con'
  | 'evt'
  | 'whk'
  | 'rcv'
  | 'exp'
  | 'imp'
  | 'conv'
  | 'msg'
  | 'att'
  | 'chn'
  | 'cbk'
  | 'vis'
  | 'pay'
  | 'pmt'
  | 'ref'
  | 'ses'
  | 'cli'
  | 'gra'
  | 'app'
  | 'rec'
  | 'call'
  | 'run'
  | 'ntf'
  | 'knw'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
// The last id made; the next one of the same millisecond is larger.
const bytes = new Uint8Array(16)
let madeAt = Number.NaN

/**
 * Ids of one process sort in the order in which they were made, within a millisecond too: ordered webhooks rely on it.
 * @param now milliseconds since 1970
 */
export function newId(prefix: Prefix, now: number = clockNow()): string {
  if (now === madeAt) goOn()
  else startAt(now)
  return `${prefix}_${base32(bytes)}`
}

function startAt(now: number): void {
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) & 0xff
  bytes.set(random(10), 6)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  // Leaves room to count on: half of the bits' range, or a billion steps.
  bytes[9] = (bytes[9] as number) & 0x7f
  madeAt = now
}

// A random step of up to 24 bits, so that one id does not tell the next.
function goOn(): void {
  const step = random(3)
  let carry = 1
  for (let i = 15; i > 8; i--) {
    const sum = (bytes[i] as number) + (step[i - 13] ?? 0) + carry
    bytes[i] = sum & 0xff
    carry = sum >>> 8
  }
}

const pool = new Uint8Array(4096)
let used = pool.length

function random(count: number): Uint8Array {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}

/** An id that sorts before every id made at that time or later. @param at milliseconds since 1970 */
export function lowestId(prefix: Prefix, at: number): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at) << 16n)
  return `${prefix}_${base32(bytes)}`
}

/** Whether `id` has the form of an id with this prefix. Any other text names nothing: it is a 404 without a query. */
export function isId(prefix: Prefix, id: string): boolean {
  return id.length === prefix.length + 27 && id.startsWith(`${prefix}_`) && SUFFIX.test(id.slice(prefix.length + 1))
}

/** The 26 characters after the prefix. */
export const idSuffix = (id: string): string => id.slice(-26)

/** As a JSON Schema pattern. */
export const idPattern = (prefix: Prefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

/** The prefixes of the ids that a pattern made by `idPattern` fits, or several of such; none of any other pattern. */
export const prefixesOf = (pattern: string): string[] =>
  [...pattern.matchAll(/(?:^|\|)\^([a-z]+)_\[0-7\]/g)].map(match => match[1] as string)

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/

const CODES = Buffer.from(ALPHABET)
const suffix = Buffer.alloc(26)

// 128 bits as 26 characters of 5 bits, the first of which carries two zero bits (the TypeID specification).
function base32(bytes: Uint8Array): string {
  let length = 0
  let bits = 2
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      suffix[length++] = CODES[(value >>> bits) & 31] as number
    }
    value &= (1 << bits) - 1
  }
  return suffix.toString('latin1')
}
