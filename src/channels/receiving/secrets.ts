// The secrets by which a channel's callbacks are verified: the present ones, and the one before while it counts.
import { decrypt, type Keyring } from '../../secrets.ts'
import { open, previousBinding } from '../accounts/credentials.ts'
import type { Credentials } from '../platforms/platform.ts'
import type { Source } from './store.ts'

/** What a process needs to take callbacks of channels. */
export interface ReceivingContext {
  keyring: Keyring
}

export function secretsOf(keyring: Keyring, { tenant, id, credentials, previous_secret }: Source): Credentials[] {
  const present = open(keyring, tenant, id, credentials)
  return previous_secret === null ? [present] : [present, { secret: decrypt(keyring, previous_secret, previousBinding(tenant, id)) }]
}
