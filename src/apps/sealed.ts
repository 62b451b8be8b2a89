// What of an app is encrypted: the secret values of its settings, and its credential. Bound to workspace and app, never shown and never logged.
import type { SealedTable } from '../postgres/sealed.ts'
import { decrypt, encrypt, type Keyring } from '../secrets.ts'
import type { Credential } from './schema.ts'
import type { Row } from './store.ts'

const secretsBinding = (tenant: string, app: string): string => `${tenant} ${app} secrets`
const credentialBinding = (tenant: string, app: string): string => `${tenant} ${app} credential`

export const sealedApps: SealedTable = {
  table: 'apps',
  what: 'apps',
  columns: { secrets: secretsBinding, credential: credentialBinding },
}

type Ref = Pick<Row, 'tenant' | 'id'>

export const sealSecrets = (keyring: Keyring, { tenant, id }: Ref, secrets: Record<string, string>): string | null =>
  Object.keys(secrets).length === 0 ? null : encrypt(keyring, JSON.stringify(secrets), secretsBinding(tenant, id))

export const openSecrets = (keyring: Keyring, { tenant, id, secrets }: Ref & Pick<Row, 'secrets'>): Record<string, string> =>
  secrets === null ? {} : (JSON.parse(decrypt(keyring, secrets, secretsBinding(tenant, id))) as Record<string, string>)

export const sealCredential = (keyring: Keyring, { tenant, id }: Ref, credential: Credential): string | null =>
  credential.mode === 'none' ? null : encrypt(keyring, credential.secret, credentialBinding(tenant, id))

export const openCredential = (
  keyring: Keyring,
  { tenant, id, credential_mode: mode, credential }: Ref & Pick<Row, 'credential_mode' | 'credential'>,
): Credential =>
  mode === 'none' || credential === null ? { mode: 'none' } : { mode, secret: decrypt(keyring, credential, credentialBinding(tenant, id)) }
