// Callbacks for tests, signed as the platforms sign.
import { createHmac } from 'node:crypto'
import { now } from '../../src/clock.ts'
import { signWebhook } from '../../src/outbound/sign.ts'
import type { Reply, TestApp } from './app.ts'

export type Signer = (raw: string) => Record<string, string>

export const byTelegram =
  (secret: string): Signer =>
  () => ({ 'X-Telegram-Bot-Api-Secret-Token': secret })
export const byMeta =
  (appSecret: string): Signer =>
  raw => ({ 'X-Hub-Signature-256': `sha256=${createHmac('sha256', appSecret).update(raw).digest('hex')}` })
export const byService =
  (secret: string, at = now()): Signer =>
  raw => ({ 'X-Service-Signature': signWebhook([secret], Math.floor(at / 1000), raw) })

/** Calls a channel back. @param body sent as it is if it is a text */
export const callBack = (app: TestApp, channel: string, body: unknown, sign: Signer): Promise<Reply> => {
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  return app.request('POST', `/api/channels/${channel}/callback`, { raw, headers: sign(raw) })
}
