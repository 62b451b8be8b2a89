// Encrypt, decrypt, hash, compare. Nothing here is ever logged.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Keys by id; the first encrypts, all decrypt, so that a key can be rotated. */
export type Keyring = { readonly [id: string]: Buffer }

/** Parses SECRET_KEY: one key (64 hex digits or base64 of 32 bytes), or several as `id:key,id:key`. Undefined when malformed. */
export function parseKeyring(value: string): Keyring | undefined {
  const ring: Record<string, Buffer> = {}
  for (const part of value.split(',')) {
    const [, id = 'k1', text = ''] = /^(?:([A-Za-z0-9_-]{1,16}):)?(.+)$/.exec(part.trim()) ?? []
    const key = decodeKey(text)
    if (!key || id in ring) return undefined
    ring[id] = key
  }
  return Object.keys(ring).length > 0 ? ring : undefined
}

function decodeKey(text: string): Buffer | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  const bytes = Buffer.from(text, 'base64')
  const canonical = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  return bytes.length === 32 && bytes.toString('base64').replace(/=+$/, '') === canonical ? bytes : undefined
}

/** The whole tag: a shortened one is easier to forge. */
const TAG_BYTES = 16

/**
 * AES-256-GCM. `bound` (tenant and row, e.g. `ten_… whk_… secret`) is associated data: a ciphertext copied to another row does not decrypt.
 * @returns `<key id>.<base64url of nonce, tag and ciphertext>`
 */
export function encrypt(keyring: Keyring, plain: string, bound: string): string {
  const [id, key] = Object.entries(keyring)[0] as [string, Buffer]
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** @throws when the key is not in the ring, or the text was not encrypted for `bound`. */
export function decrypt(keyring: Keyring, sealed: string, bound: string): string {
  const [id = '', body = ''] = sealed.split('.')
  const key = keyring[id]
  if (!key) throw new Error(`no key ${id} in SECRET_KEY decrypts this secret`)
  const bytes = Buffer.from(body, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', prepared(key), bytes.subarray(0, 12), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(bound))
    .setAuthTag(bytes.subarray(12, 12 + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(12 + TAG_BYTES)), decipher.final()]).toString('utf8')
}

// Preparing a key from its bytes takes 15 µs, and every slice of deliveries decrypts a secret.
const keys = new WeakMap<Buffer, KeyObject>()
function prepared(bytes: Buffer): KeyObject {
  const known = keys.get(bytes) ?? createSecretKey(bytes)
  keys.set(bytes, known)
  return known
}

/** A plain text is padded to a multiple of this, to hide its length. */
const SEAL_BLOCK_BYTES = 32

/**
 * Encrypts a short text that its reader sends back. The result is always the same, as an ETag needs it, and only `unseal` opens it. The nonce is an
 * HMAC of all that is sealed (SIV, RFC 5297), so that equal texts of one `bound` look equal and nothing else is revealed.
 * @param plain without NUL
 * @param purpose names the keys, which are derived from SECRET_KEY (HKDF, RFC 5869) and serve nothing else
 * @param bound associated data, such as a tenant: a text sealed for another does not open
 * @returns `<key id>.<base64url of nonce and ciphertext>`
 */
export function seal(keyring: Keyring, plain: string, purpose: string, bound: string): string {
  const [id, key] = Object.entries(keyring)[0] as [string, Buffer]
  const { mac, cipher } = derived(key, purpose)
  const text = Buffer.alloc(Math.ceil(Buffer.byteLength(plain) / SEAL_BLOCK_BYTES) * SEAL_BLOCK_BYTES)
  text.write(plain)
  const nonce = synthetic(mac, bound, text)
  return `${id}.${Buffer.concat([nonce, createCipheriv('aes-256-ctr', cipher, nonce).update(text)]).toString('base64url')}`
}

/** @returns undefined for a text that was not sealed for this purpose and `bound`, or with a key that is not in the ring */
export function unseal(keyring: Keyring, sealed: string, purpose: string, bound: string): string | undefined {
  const [, id = '', body = ''] = /^([^.]+)\.([^.]+)$/.exec(sealed) ?? []
  const key = Object.hasOwn(keyring, id) ? keyring[id] : undefined
  const bytes = Buffer.from(body, 'base64url')
  if (!key || bytes.length <= NONCE_BYTES || bytes.toString('base64url') !== body) return undefined
  const { mac, cipher } = derived(key, purpose)
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const text = createDecipheriv('aes-256-ctr', cipher, nonce).update(bytes.subarray(NONCE_BYTES))
  if (!timingSafeEqual(synthetic(mac, bound, text), nonce)) return undefined
  return text.toString('utf8').replace(/\0+$/, '')
}

const NONCE_BYTES = 16

const synthetic = (mac: KeyObject, bound: string, text: Buffer): Buffer =>
  createHmac('sha256', mac).update(`${bound}\0`).update(text).digest().subarray(0, NONCE_BYTES)

/**
 * HMAC-SHA256 of a text, by a key that is derived for this purpose as those of `seal` are.
 * @param id of the key of SECRET_KEY; the first, where it is not given or is in the ring no more
 */
export function keyedHash(keyring: Keyring, purpose: string, text: string, id?: string): { mac: Buffer; id: string } {
  const [first] = Object.keys(keyring) as [string]
  const used = id !== undefined && Object.hasOwn(keyring, id) ? id : first
  return {
    mac: createHmac('sha256', derived(keyring[used] as Buffer, purpose).mac)
      .update(text)
      .digest(),
    id: used,
  }
}

interface Derived {
  mac: KeyObject
  cipher: KeyObject
}
const derivedKeys = new WeakMap<Buffer, Map<string, Derived>>()

function derived(key: Buffer, purpose: string): Derived {
  const known = derivedKeys.get(key) ?? new Map<string, Derived>()
  derivedKeys.set(key, known)
  const before = known.get(purpose)
  if (before) return before
  const bytes = Buffer.from(hkdfSync('sha256', key, '', `shopdesk ${purpose}`, 64))
  const made = { mac: createSecretKey(bytes.subarray(0, 32)), cipher: createSecretKey(bytes.subarray(32)) }
  known.set(purpose, made)
  return made
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

/** Constant time for texts of one length; the length itself is no secret. */
export function equalSecrets(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` characters of base62, each drawn evenly from the system's generator. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += BASE62[byte % 62]
  }
  return text
}
