// The bindings of an endpoint's ciphertexts: each decrypts for this endpoint and this use alone.
import type { SealedTable } from '../../postgres/sealed.ts'

/** Binds the secret that signs. */
export const secretBinding = (tenant: string, endpoint: string): string => `${tenant} ${endpoint} secret`

/** Binds the tenant's own headers, whose values carry credentials. */
export const headersBinding = (tenant: string, endpoint: string): string => `${tenant} ${endpoint} headers`

export const sealedWebhooks: SealedTable = {
  table: 'webhook_endpoints',
  what: 'webhooks',
  columns: { secret: secretBinding, previous_secret: secretBinding, headers: headersBinding },
}
