// The token of a visitor: who they are on which channel, sealed under a key derived from SECRET_KEY. No row stands for a visitor before their first
// message, so the token itself says all that is known of them.
import { now } from '../clock.ts'
import { isId } from '../ids.ts'
import { type Keyring, seal, unseal } from '../secrets.ts'
import type { Identity } from './identity.ts'

export interface Guest {
  /** `vis_…`: the thread of their talk. */
  visitor: string
  /** What the shop has signed. */
  identity?: Identity
}

const PURPOSE = 'tokens of chat visitors'
const TOKEN_MS = 365 * 24 * 60 * 60_000

/** A token that lasts a year. It is good for this channel alone. */
export function tokenOf(keyring: Keyring, channel: string, { visitor, identity }: Guest): string {
  return seal(keyring, JSON.stringify({ v: visitor, t: now(), ...(identity && { i: identity }) }), PURPOSE, channel)
}

/** @returns why not, of a token that is forged, another channel's, or too old */
export function guestOf(keyring: Keyring, channel: string, token: string): Guest | 'invalid' | 'expired' {
  const text = unseal(keyring, token, PURPOSE, channel)
  if (text === undefined) return 'invalid'
  const { v: visitor, t: made, i: identity } = JSON.parse(text) as { v: string; t: number; i?: Identity }
  if (!isId('vis', visitor)) return 'invalid'
  if (made + TOKEN_MS <= now()) return 'expired'
  return { visitor, ...(identity && { identity }) }
}
