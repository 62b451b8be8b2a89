// Whether a call comes from the shop's service, and whether it came before: signature, age and idempotency key.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const AGE_MAX_MS = 5 * 60_000

/** @param raw the body's bytes as they came: JSON that was read and written again may have other ones */
export function isSigned(secret: string, headers: IncomingHttpHeaders, raw: Buffer, now = Date.now()): boolean {
  const [timestamp, signature] = [String(headers['x-service-timestamp']), String(headers['x-service-signature'])]
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > AGE_MAX_MS) return false
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex')}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** A call may come twice under one key: what it does is done the first time alone, and the second has the first one's answer. */
export function once<Answer>(answers: Map<string, Answer>, headers: IncomingHttpHeaders, act: (key: string) => Answer): Answer {
  const key = String(headers['idempotency-key'])
  if (!/^[0-9a-f]{64}$/.test(key)) throw Object.assign(new Error('Idempotency-Key is missing.'), { statusCode: 400 })
  const answer = answers.get(key) ?? act(key)
  answers.set(key, answer)
  return answer
}
