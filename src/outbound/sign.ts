// Both HMAC formats: webhooks (one header, seconds, several secrets during a rotation) and skills (two headers, milliseconds, one secret).
import { createHmac } from 'node:crypto'
import { SIGNATURE_AGE_SECONDS } from '../limits/outbound.ts'
import { equalSecrets } from '../secrets.ts'
import { type SigningKey, signatureOf } from './signing-key.ts'

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
 * @param key the secret as displayed, or made ready where it is used again and again
 * @param rawBody the bytes received, before any parsing
 */
export function verifyWebhook(key: string | SigningKey, header: string, rawBody: string | Buffer, nowSeconds: number): boolean {
  const { t, v1 } = partsOf(header)
  if (t === undefined || !/^\d{1,12}$/.test(t)) return false
  if (Math.abs(nowSeconds - Number(t)) > SIGNATURE_AGE_SECONDS) return false
  const expected = typeof key === 'string' ? hmac(key, t, rawBody) : signatureOf(key, `${t}.`, bytesOf(rawBody))
  return v1.some(signature => equalSecrets(signature, expected))
}

/** The headers of a call to an app's service in `hmac` mode, over `<timestamp>.<raw body>`. */
export function signSkill(secret: string, unixMs: number, rawBody: string): Record<string, string> {
  return { 'X-Service-Signature': `sha256=${hmac(secret, unixMs, rawBody)}`, 'X-Service-Timestamp': `${unixMs}` }
}

const bytesOf = (body: string | Buffer): Buffer => (typeof body === 'string' ? Buffer.from(body) : body)

// A cached KeyObject saves little (measured: 2.7 against 2.9 µs for a body of 1 KB), too little for keeping secrets in a map.
function hmac(secret: string, time: number | string, rawBody: string | Buffer): string {
  return createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest('hex')
}

// `t` is undefined unless it is given once.
function partsOf(header: string): { t: string | undefined; v1: string[] } {
  const times: string[] = []
  const v1: string[] = []
  for (const each of header.split(',')) {
    const part = each.trim()
    if (part.startsWith('t=')) times.push(part.slice(2))
    else if (part.startsWith('v1=')) v1.push(part.slice(3))
  }
  return { t: times.length === 1 ? times[0] : undefined, v1 }
}
