// Both HMAC formats: webhooks (one header, seconds, several secrets during a rotation) and skills (two headers, milliseconds, one secret).
import { createHmac } from 'node:crypto'
import { SIGNATURE_AGE_SECONDS } from '../limits.ts'
import { equalSecrets } from '../secrets.ts'

/**
 * The value of X-Service-Signature: `t=<unix seconds>,v1=<hex>`, with one `v1=` per secret in the order given. During a rotation the new secret comes
 * first and the old one last, because parsers that keep a single value keep the last.
 * @param secrets as displayed (`whsec_` and 64 hex digits); their UTF-8 bytes are the key
 */
export function signWebhook(secrets: string[], unixSeconds: number, rawBody: string | Buffer): string {
  return secrets.reduce((header, secret) => `${header},v1=${hmac(secret, unixSeconds, rawBody)}`, `t=${unixSeconds}`)
}

/**
 * A receiver's check: any `v1=` of the header matches, and `t` is at most 300 seconds from now.
 * @param rawBody the bytes received, before any parsing
 */
export function verifyWebhook(secret: string, header: string, rawBody: string | Buffer, nowSeconds: number): boolean {
  const [t, ...more] = values(header, 't')
  if (!t || more.length > 0 || !/^\d{1,12}$/.test(t)) return false
  if (Math.abs(nowSeconds - Number(t)) > SIGNATURE_AGE_SECONDS) return false
  const expected = hmac(secret, t, rawBody)
  return values(header, 'v1').some(signature => equalSecrets(signature, expected))
}

/** The headers of a call to an app's service in `hmac` mode, over `<timestamp>.<raw body>`. */
export function signSkill(secret: string, unixMs: number, rawBody: string): Record<string, string> {
  return { 'X-Service-Signature': `sha256=${hmac(secret, unixMs, rawBody)}`, 'X-Service-Timestamp': `${unixMs}` }
}

// A cached KeyObject saves little (measured: 2.7 against 2.9 µs for a body of 1 KB), too little for keeping secrets in a map.
function hmac(secret: string, time: number | string, rawBody: string | Buffer): string {
  return createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest('hex')
}

function values(header: string, name: string): string[] {
  return header
    .split(',')
    .map(part => part.trim())
    .filter(part => part.startsWith(`${name}=`))
    .map(part => part.slice(name.length + 1))
}
