// The token in each form (`_csrf`): made for one session, or before one for one browser, so that no other site can make it; and with a number of its
// own, by which a form is good once.
import { randomBytes } from 'node:crypto'
import { now } from '../../clock.ts'
import { FORM_HOURS } from '../../limits/pages.ts'
import { type Keyring, seal, unseal } from '../../secrets.ts'

const PURPOSE = 'form'

/** @param owner the session's id, or the value of the browser's cookie */
export const formToken = (keyring: Keyring, owner: string): string =>
  seal(keyring, `${Math.floor(now() / 1000)}.${randomBytes(12).toString('base64url')}`, PURPOSE, owner)

/** @returns the form's number; `expired`, or undefined for a token that was not made for this owner */
export function readFormToken(keyring: Keyring, token: string, owner: string): { number: string } | 'expired' | undefined {
  if (token.length > TOKEN_CHARS) return undefined
  const [, seconds, number] = /^(\d+)\.([\w-]{16})$/.exec(unseal(keyring, token, PURPOSE, owner) ?? '') ?? []
  if (seconds === undefined || number === undefined) return undefined
  return now() / 1000 - Number(seconds) > FORM_HOURS * 3600 ? 'expired' : { number }
}

/** Longer than any that is made: the id of a key has at most 16 characters. */
const TOKEN_CHARS = 200
