// The refresh token that follows another: an HMAC of it, so that the same one is given again to a client that asks twice, in any process, and is stored
// nowhere.
import { deriveToken } from '../access/token.ts'
import { type Keyring, keyedHash } from '../secrets.ts'

const PURPOSE = 'refresh token'

/** @param key of SECRET_KEY, by its id: that by which the successor was made first, if it was @returns with the id of the key */
export function successorOf(keyring: Keyring, token: string, key?: string): { token: string; key: string } {
  // A key that was taken out of SECRET_KEY since: the client gets another successor.
  const { mac, id } = keyedHash(keyring, PURPOSE, token, key)
  return { token: deriveToken('ort', mac), key: id }
}
