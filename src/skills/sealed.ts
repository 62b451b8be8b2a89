// What of a call is encrypted: its true arguments, where a secret stands in them. Bound to workspace and call, and read for a repeat alone.
import type { SealedTable } from '../postgres/sealed.ts'
import { decrypt, encrypt, type Keyring } from '../secrets.ts'

const inputBinding = (tenant: string, call: string): string => `${tenant} ${call} input`

export const sealedCalls: SealedTable = {
  table: 'skill_calls',
  what: 'calls of skills',
  columns: { sealed_input: inputBinding },
}

export const sealInput = (keyring: Keyring, tenant: string, call: string, input: string): string =>
  encrypt(keyring, input, inputBinding(tenant, call))

export const openInput = (keyring: Keyring, tenant: string, call: string, sealed: string): string =>
  decrypt(keyring, sealed, inputBinding(tenant, call))
