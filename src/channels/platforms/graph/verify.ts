// How Meta's apps sign: https://developers.facebook.com/docs/graph-api/webhooks/getting-started
import { createHmac } from 'node:crypto'
import { equalSecrets } from '../../../secrets.ts'
import type { Credentials, Signed } from '../platform.ts'

/** `X-Hub-Signature-256` alone counts: the header without a number is of SHA-1. */
export function verify({ headers, raw }: Signed, secrets: Credentials[]): boolean {
  const sent = headers['x-hub-signature-256']
  if (typeof sent !== 'string') return false
  return secrets.some(({ app_secret }) => app_secret !== undefined && equalSecrets(sent, `sha256=${hmac(app_secret, raw)}`))
}

const hmac = (secret: string, raw: Buffer): string => createHmac('sha256', secret).update(raw).digest('hex')

/**
 * Meta asks with a GET whether the callback's address is ours, and is answered with its own challenge.
 * @returns undefined: not with this token; null: a channel without one is not Meta's
 */
export function challenge(query: Record<string, unknown>, secrets: Credentials[]): string | undefined | null {
  const tokens = secrets.flatMap(({ verify_token }) => verify_token ?? [])
  if (tokens.length === 0) return null
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': asked } = query
  if (mode !== 'subscribe' || typeof token !== 'string' || typeof asked !== 'string') return undefined
  return tokens.some(each => equalSecrets(token, each)) ? asked : undefined
}
