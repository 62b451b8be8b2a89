// The parameters of a form-encoded request, each given once.
import { OAuthRefusal } from './refusal.ts'

export interface Fields {
  /** Undefined where it is not given, or without a value, which is the same (RFC 6749 §3.2). */
  get(name: string): string | undefined
}

/** @throws {OAuthRefusal} invalid_request for a parameter that is given twice, or is no text */
export function readFields(body: Buffer): Fields {
  const given = new URLSearchParams(body.toString('utf8'))
  const seen = new Set<string>()
  for (const [name, value] of given) {
    if (seen.has(name)) throw new OAuthRefusal('invalid_request', `${name.slice(0, 50)} is given twice.`)
    if (value.includes('\0')) throw new OAuthRefusal('invalid_request', `${name.slice(0, 50)} holds a NUL character.`)
    seen.add(name)
  }
  return { get: name => given.get(name) || undefined }
}

/** @throws {OAuthRefusal} */
export function required(fields: Fields, name: string): string {
  const value = fields.get(name)
  if (value === undefined) throw new OAuthRefusal('invalid_request', `${name} is missing.`)
  return value
}
