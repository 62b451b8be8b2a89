// The credential of an app: with what its service is called, set by an admin and never in the manifest.
import { CREDENTIAL_CHARS } from '../limits/apps.ts'
import type { Finding } from './manifest/finding.ts'
import type { Credential } from './schema.ts'

/** What a header can carry. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/

/** What is wrong with it; the secret is not repeated. */
export function credentialFault(credential: Credential): Finding[] {
  if (credential.mode === 'none') return []
  const { mode, secret } = credential
  const fault = (code: string, message: string): Finding[] => [{ path: 'credential.secret', code, message }]
  if (secret === '') return fault('too_short', 'must not be empty.')
  if (secret.length > CREDENTIAL_CHARS) return fault('too_long', `must have at most ${CREDENTIAL_CHARS} characters.`)
  if (mode === 'bearer' && !VISIBLE_ASCII.test(secret))
    return fault(
      'invalid_format',
      'must be letters, digits and signs of ASCII, without a space or a line break, for it goes into a header.',
    )
  if (secret.includes('\0') || !secret.isWellFormed()) return fault('invalid_text', 'holds a character that cannot be kept.')
  return []
}
