// The providers that tell of payments: made, changed, disabled and deleted by those who run the workspace.
import { openSource, pauseSource, resumeSource } from '../../callbacks/callbacks.ts'
import type { Caller } from '../../caller.ts'
import { newId } from '../../ids.ts'
import { PROVIDERS_MAX } from '../../limits/payments.ts'
import { audit } from '../../postgres/audit.ts'
import type { Tx } from '../../postgres/sql.ts'
import { invalid, notFound } from '../../problems.ts'
import type { Keyring } from '../../secrets.ts'
import { quotaReached } from '../../tenants/quota.ts'
import { lockTenant } from '../../tenants/tenants.ts'
import type { NewProvider, ProviderChange } from './schema.ts'
import { newSecret, seal } from './secrets.ts'
import * as store from './store.ts'

/** What providers need of the process. */
export interface ProviderContext {
  keyring: Keyring
  /** Where this service is reached. */
  baseUrl: string
}

const NAMES = { stripe: 'Stripe', generic: 'Payments' }

export interface Created {
  id: string
  provider: NewProvider['provider']
  callback_url: string
  secret?: string
}

/**
 * @returns where its callbacks go; and its secret, where it was made here: shown this once
 * @throws {Problem} 422 where Stripe's secret is missing, or a secret is given that is made here; 409 for one provider too many
 */
export async function create(tx: Tx, caller: Caller, input: NewProvider, { keyring, baseUrl }: ProviderContext): Promise<Created> {
  const { provider, secret, name = NAMES[provider] } = input
  if (provider === 'stripe' && secret === undefined)
    throw invalid({
      field: 'secret',
      code: 'required',
      message: 'is required: the signing secret, whsec_…, that Stripe shows beside the endpoint.',
    })
  if (provider === 'generic' && secret !== undefined)
    throw invalid({ field: 'secret', code: 'not_combinable', message: 'is made here for a generic provider, and shown once.' })
  await lockTenant(tx, caller.tenant)
  if ((await store.count(tx, caller.tenant)) >= PROVIDERS_MAX)
    throw quotaReached(`This workspace has ${PROVIDERS_MAX} payment providers; delete one that is no longer used.`, PROVIDERS_MAX)
  const id = newId('pay')
  const made = secret ?? [newSecret()]
  await store.insert(tx, caller.tenant, { id, provider, name, secrets: seal(keyring, caller.tenant, id, made) })
  await openSource(tx, { tenant: caller.tenant, id }, 'payment')
  await audit(tx, caller, 'payment_provider.create', id, { provider, name })
  return {
    id,
    provider,
    callback_url: `${baseUrl}/api/payments/${id}/callback`,
    ...(secret === undefined && { secret: made[0] as string }),
  }
}

/** @throws {Problem} 404 */
export async function change(tx: Tx, caller: Caller, id: string, { secret, name }: ProviderChange, keyring: Keyring): Promise<void> {
  await locked(tx, caller, id)
  const { tenant } = caller
  await store.update(tx, tenant, id, { ...(name !== undefined && { name }), ...(secret && { secrets: seal(keyring, tenant, id, secret) }) })
  const fields = [...(name === undefined ? [] : ['name']), ...(secret ? ['secret'] : [])]
  await audit(tx, caller, 'payment_provider.update', id, { fields })
}

/** What it tells is taken and waits until it is enabled. @throws {Problem} 404 */
export async function disable(tx: Tx, caller: Caller, id: string): Promise<void> {
  if ((await locked(tx, caller, id)).status === 'disabled') return
  await store.update(tx, caller.tenant, id, { status: 'disabled' })
  await pauseSource(tx, { tenant: caller.tenant, id })
  await audit(tx, caller, 'payment_provider.disable', id)
}

/** What it told is applied, that which has waited as well. @throws {Problem} 404 */
export async function enable(tx: Tx, caller: Caller, id: string): Promise<void> {
  if ((await locked(tx, caller, id)).status === 'enabled') return
  await store.update(tx, caller.tenant, id, { status: 'enabled' })
  await resumeSource(tx, { tenant: caller.tenant, id })
  await audit(tx, caller, 'payment_provider.enable', id)
}

/**
 * Nothing that it tells is taken any more; its payments stay, and name it. What was taken before is applied all the same, what a disabled one kept as well.
 * @throws {Problem} 404
 */
export async function remove(tx: Tx, caller: Caller, id: string): Promise<void> {
  await locked(tx, caller, id)
  await store.update(tx, caller.tenant, id, { status: 'deleted', secrets: null })
  // The provider was told that it was taken, and sends it to no other address.
  await resumeSource(tx, { tenant: caller.tenant, id })
  await audit(tx, caller, 'payment_provider.delete', id)
}

/**
 * What a provider is, also when it is deleted. Its row is locked before anything else, so that what it tells is applied by one transaction at a time: what
 * waits is seen by that which it waits for.
 */
export const lockKind = store.lockKind

async function locked(tx: Tx, { tenant }: Caller, id: string) {
  const found = await store.lock(tx, tenant, id)
  if (!found) throw notFound('payment provider')
  return found
}
