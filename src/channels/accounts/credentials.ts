// What a channel keeps encrypted. Each ciphertext decrypts for this channel and this use alone, and nothing of it is ever shown or logged.
import type { SealedTable } from '../../postgres/sealed.ts'
import { decrypt, encrypt, type Keyring } from '../../secrets.ts'
import type { Credentials } from '../platforms/platform.ts'

const credentialsBinding = (tenant: string, channel: string): string => `${tenant} ${channel} credentials`
export const previousBinding = (tenant: string, channel: string): string => `${tenant} ${channel} previous_secret`

export const sealedChannels: SealedTable = {
  table: 'channels',
  what: 'channels',
  columns: { credentials: credentialsBinding, previous_secret: previousBinding },
}

export const seal = (keyring: Keyring, tenant: string, channel: string, credentials: Credentials): string =>
  encrypt(keyring, JSON.stringify(credentials), credentialsBinding(tenant, channel))

export const open = (keyring: Keyring, tenant: string, channel: string, sealed: string): Credentials =>
  JSON.parse(decrypt(keyring, sealed, credentialsBinding(tenant, channel))) as Credentials
