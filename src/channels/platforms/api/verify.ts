// A program that joins a messenger signs as our webhooks do: `X-Service-Signature: t=<unix s>,v1=<hex>`, 300 s both ways.
import { verifyWebhook } from '../../../outbound/sign.ts'
import { type SigningKey, signingKey } from '../../../outbound/signing-key.ts'
import type { Credentials, Signed } from '../platform.ts'

export function verify({ headers, raw }: Signed, secrets: Credentials[], now: number): boolean {
  const sent = headers['x-service-signature']
  if (typeof sent !== 'string') return false
  const seconds = Math.floor(now / 1000)
  return secrets.some(each => each.secret !== undefined && verifyWebhook(keyOf(each, each.secret), sent, raw, seconds))
}

/** Those of the credentials that are at hand: they are kept for about a second. */
const keys = new WeakMap<Credentials, SigningKey>()

function keyOf(credentials: Credentials, secret: string): SigningKey {
  const known = keys.get(credentials)
  if (known) return known
  const made = signingKey(secret)
  keys.set(credentials, made)
  return made
}
