// What the routes of web chat share.
import type { Keeping } from '../callbacks/callbacks.ts'
import type { Site } from '../channels/accounts/site.ts'
import type { Downloads } from '../exports/downloads.ts'
import type { AddressLimiter, AddressSlot } from '../ingress/address-limit.ts'
import type { GuestInput } from '../ingress/guest.ts'
import type { Sql } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import type { Keyring } from '../secrets.ts'
import type { ChatLive } from './live.ts'
import { type Guest, guestOf } from './token.ts'

export interface ChatContext {
  live: ChatLive
  /** Places of those who read files. */
  files: Downloads
  /** Bytes that a workspace may keep. */
  storedBytes: number
  sql: Sql
  keyring: Keyring
  keep: Keeping['keep']
  /** An origin. */
  baseUrl: string
  /** The limit of an address: channels' callbacks count there too. */
  inbound: AddressLimiter
  /** … for what is only read, and for the questions that browsers ask before a request. */
  reading: AddressLimiter
}

/** The visitor whose token a request bears. @throws {Problem} 401 */
export function visitorOf(keyring: Keyring, { at, token }: GuestInput<Site, unknown>): Guest {
  const guest = token === undefined ? 'invalid' : guestOf(keyring, at.id, token)
  if (typeof guest === 'object') return guest
  throw new Problem('authentication-required', WHY[guest], { code: `${guest}_token` }, { 'WWW-Authenticate': 'Bearer' })
}

const WHY = {
  invalid: 'The token of the visitor is missing, or it is not one of this chat: ask for one with POST visitors.',
  expired: 'The token of the visitor has expired: ask for one with POST visitors.',
}

/** @throws {Problem} 429 */
export function within({ allowed, quota }: AddressSlot, what: string): void {
  if (allowed) return
  const seconds = Math.max(1, Math.ceil(quota.resetMs / 1000))
  throw new Problem(
    'rate-limit-exceeded',
    `A visitor may send ${what}; try again in ${seconds} s.`,
    { retry_after_sec: seconds },
    { 'Retry-After': String(seconds) },
  )
}
