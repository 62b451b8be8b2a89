// Where and how an endpoint is sent to: its row, decrypted. Slices and recoveries send to the same target.
import type { Ref } from '../../ids.ts'
import { memoize } from '../../memoize.ts'
import { decrypt, type Keyring } from '../../secrets.ts'
import { echoesOf, maskedUrl } from '../endpoints/redact.ts'
import { headersBinding, secretBinding } from '../endpoints/secrets.ts'

/** What an endpoint's row says of where and how to send. Secrets and headers are encrypted. */
export interface TargetRow {
  url: string
  secret: string
  /** Set while a rotation lasts. */
  previous_secret: string | null
  headers: string | null
}

export interface Target {
  tenant: string
  endpoint: string
  url: string
  /** In the order of their signatures: the new one first. */
  secrets: string[]
  /** The tenant's own. */
  headers: Record<string, string>
  /** Null where there are none. */
  headerNames: string[] | null
  /** What the log has in place of the URL. */
  shownUrl: string
  /** What the log leaves out of answers. */
  echoes: string[]
}

/** Decrypts what sending needs; once for all attempts of a slice. */
export function targetOf(keyring: Keyring, { tenant, id }: Ref, row: TargetRow): Target {
  const secrets = [row.secret, row.previous_secret].filter(secret => secret !== null)
  const headers =
    row.headers === null ? {} : (JSON.parse(decrypt(keyring, row.headers, headersBinding(tenant, id))) as Record<string, string>)
  return {
    tenant,
    endpoint: id,
    url: row.url,
    secrets: secrets.map(secret => decryptOnce(keyring, secret, secretBinding(tenant, id))),
    headers,
    headerNames: row.headers === null ? null : Object.keys(headers),
    shownUrl: maskedUrl(row.url),
    echoes: echoesOf(headers),
  }
}

// Secrets of endpoints that were sent to lately are kept decrypted: to decrypt one costs as much as to sign and send with it. An attacker who reads
// this memory finds the key to all of them here too.
const DECRYPTED_BYTES = 16 * 1024 * 1024
const secretsOf = new WeakMap<Keyring, (name: string) => string>()

function decryptOnce(keyring: Keyring, ciphertext: string, binding: string): string {
  const secretOf =
    secretsOf.get(keyring) ??
    memoize(
      DECRYPTED_BYTES,
      name => decryptNamed(keyring, name),
      secret => secret.length,
    )
  secretsOf.set(keyring, secretOf)
  return secretOf(`${binding} ${ciphertext}`)
}

// `name` is the binding, a space and the ciphertext. Ciphertext contains no space, so the last space separates the two.
function decryptNamed(keyring: Keyring, name: string): string {
  const at = name.lastIndexOf(' ')
  return decrypt(keyring, name.slice(at + 1), name.slice(0, at))
}
