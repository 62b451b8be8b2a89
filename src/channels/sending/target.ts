// How a channel is sent to: its platform, and the account with its secrets in the clear, which stay in memory.
import type { Ref } from '../../ids.ts'
import { decrypt, type Keyring } from '../../secrets.ts'
import { open, previousBinding } from '../accounts/credentials.ts'
import { SENDERS } from '../platforms/senders.ts'
import type { Lease } from './lease-store.ts'
import { paceOf } from './pace.ts'
import type { Target } from './slice.ts'

/** @returns undefined where nothing can be sent: web chat's visitors fetch what is said to them, and a deleted channel has no credentials */
export function targetOf(keyring: Keyring, { tenant, id }: Ref, lease: Lease): Target | undefined {
  const { platform, account_id, settings, credentials, previous_secret } = lease
  const sender = SENDERS[platform]
  if (!sender || credentials === null) return undefined
  const previous = previous_secret && decrypt(keyring, previous_secret, previousBinding(tenant, id))
  const account = {
    account_id,
    settings,
    credentials: open(keyring, tenant, id, credentials),
    ...(previous && { previous_secret: previous }),
  }
  return { sender, account, pace: paceOf(platform, settings) }
}
