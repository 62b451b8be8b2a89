// The signing secrets of a provider: encrypted for it alone, never shown and never logged. While one is rolled there are several, and each verifies.
import { randomBytes } from 'node:crypto'
import { verifyWebhook } from '../../outbound/sign.ts'
import type { SealedTable } from '../../postgres/sealed.ts'
import { decrypt, encrypt, type Keyring } from '../../secrets.ts'
import type { ProviderKind } from './schema.ts'

/** @returns `whsec_` and 64 hex digits of 32 random bytes */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`

const secretsBinding = (tenant: string, provider: string): string => `${tenant} ${provider} secrets`

export const sealedProviders: SealedTable = { table: 'payment_providers', what: 'payment providers', columns: { secrets: secretsBinding } }

export const seal = (keyring: Keyring, tenant: string, provider: string, secrets: string[]): string =>
  encrypt(keyring, JSON.stringify(secrets), secretsBinding(tenant, provider))

export const open = (keyring: Keyring, tenant: string, provider: string, sealed: string): string[] =>
  JSON.parse(decrypt(keyring, sealed, secretsBinding(tenant, provider))) as string[]

/** Stripe's header and ours differ in their name alone. */
const HEADERS: Record<ProviderKind, string> = { stripe: 'stripe-signature', generic: 'x-service-signature' }

/** @param now milliseconds since 1970 */
export function isSigned(
  provider: ProviderKind,
  secrets: string[],
  { headers, raw }: { headers: Record<string, string | string[] | undefined>; raw: Buffer },
  now: number,
): boolean {
  const header = headers[HEADERS[provider]]
  if (typeof header !== 'string') return false
  return secrets.some(secret => verifyWebhook(secret, header, raw, Math.floor(now / 1000)))
}
