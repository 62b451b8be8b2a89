// Who a visitor is, as the shop's own server has signed it: `<base64url of JSON>.<hex HMAC-SHA256 of that text with the channel's secret>`.

import { createHmac } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { now } from '../clock.ts'
import { check } from '../ingress/validate.ts'
import { readJson } from '../json.ts'
import { invalid, type Problem } from '../problems.ts'
import { Email, ExternalId, Name, Phone, strict } from '../schemas.ts'
import { equalSecrets } from '../secrets.ts'

const Signed = strict({
  external_id: Type.Optional(ExternalId),
  email: Type.Optional(Email),
  name: Type.Optional(Name),
  phone: Type.Optional(Phone),
  exp: Type.Integer({ minimum: 0, description: 'Until when it may be used, in seconds since 1970.' }),
})

export type Identity = Omit<Static<typeof Signed>, 'exp'>

/**
 * @param secrets of the channel: the present one, and the one before as long as it counts
 * @throws {Problem} 422 where it is forged, of another channel, expired, or names no person
 */
export function identityOf(text: string, secrets: string[]): Identity {
  const [, payload = '', signature = ''] = /^([A-Za-z0-9_-]+)\.([0-9a-f]{64})$/.exec(text) ?? []
  // All are compared, whichever fits.
  const fitting = secrets.filter(secret => equalSecrets(createHmac('sha256', secret).update(payload).digest('hex'), signature))
  if (fitting.length === 0)
    throw refused('invalid_signature', 'is not signed with the secret of this channel: sign the part before the dot, as it is sent.')
  const { exp, ...identity } = signed(payload)
  if (exp * 1000 <= now()) throw refused('identity_expired', 'has expired: let your server sign a new one for each page that it serves.')
  if (identity.external_id === undefined && identity.email === undefined && identity.phone === undefined)
    throw refused('required', 'names no person: it must hold external_id, email or phone.')
  return identity
}

function signed(payload: string): Static<typeof Signed> {
  const value = jsonOf(Buffer.from(payload, 'base64url').toString())
  const [error] = value === undefined ? [{ field: '', message: 'is no JSON object.' }] : check(Signed, value)
  if (error) throw refused('invalid_identity', error.field === '' ? error.message : `holds ${error.field}, which ${error.message}`)
  return value as Static<typeof Signed>
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

const refused = (code: string, message: string): Problem => invalid({ field: 'identity', code, message })

/** Whether both are about one person: by the first of these that both have. Only addresses are the same in any case, as with contacts. */
export function isSame(a: Identity, b: Identity): boolean {
  for (const field of ['external_id', 'email', 'phone'] as const) {
    const [one, other] = [a[field], b[field]]
    if (one !== undefined && other !== undefined) return one === other || (field === 'email' && one.toLowerCase() === other.toLowerCase())
  }
  return false
}
