// Who joins a messenger signs as our webhooks do: `X-Service-Signature: t=<unix s>,v1=<hex>`, 300 s both ways.
import { verifyWebhook } from '../../../outbound/sign.ts'
import type { Credentials, Signed } from '../platform.ts'

export function verify({ headers, raw }: Signed, secrets: Credentials[], now: number): boolean {
  const sent = headers['x-service-signature']
  if (typeof sent !== 'string') return false
  return secrets.some(({ secret }) => secret !== undefined && verifyWebhook(secret, sent, raw, Math.floor(now / 1000)))
}
