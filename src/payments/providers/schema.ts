import { type Static, Type } from 'typebox'
import { type Listing, listQuery } from '../../ingress/list.ts'
import { PROVIDER_SECRETS_MAX } from '../../limits/payments.ts'
import { choice, Name, strict } from '../../schemas.ts'

export const PROVIDER_KINDS = ['stripe', 'generic'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

// As Stripe shows it. A shorter one is a slip of the hand, and could be guessed.
const Secret = Type.String({ pattern: '^whsec_[A-Za-z0-9+/=_-]{16,200}$' })
const Secrets = Type.Array(Secret, { minItems: 1, maxItems: PROVIDER_SECRETS_MAX, uniqueItems: true })

export const NewProvider = strict({
  provider: choice(PROVIDER_KINDS),
  secret: Type.Optional(Secrets),
  name: Type.Optional(Name),
})
export type NewProvider = Static<typeof NewProvider>

export const ProviderChange = strict({ secret: Type.Optional(Secrets), name: Type.Optional(Name) }, { minProperties: 1 })
export type ProviderChange = Static<typeof ProviderChange>

export const providerListing: Listing = { path: 'payment list', idPrefix: 'pay', sorts: { created_at: 'time' }, offers: { offset: false } }
export const providerQuery = listQuery(providerListing, {})
