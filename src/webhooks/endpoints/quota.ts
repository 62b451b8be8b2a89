// How many webhooks a workspace may have, and how many of them may go to one origin while that has answered none with 2xx: each multiplies what
// is sent, and a receiver that did not agree to it must not be flooded in its name. Counted with the workspace locked.
import type { Config } from '../../config.ts'
import type { Tx } from '../../postgres/sql.ts'
import { quotaReached } from '../../tenants/quota.ts'
import * as store from './origin-store.ts'

export type WebhookQuotas = Pick<Config['quotas'], 'webhooks' | 'unprovenPerOrigin'>

/** `https://shop.example`, of a URL that may be called. */
export const originOf = (url: string): string => new URL(url).origin

/** @throws {Problem} 409 where there may be no further webhook, or none to this origin */
export async function holdCreating(tx: Tx, tenant: string, origin: string, quotas: WebhookQuotas): Promise<void> {
  const all = await store.destinations(tx, tenant)
  if (all.length >= quotas.webhooks)
    throw quotaReached(`This workspace has ${all.length} webhooks, and may have ${quotas.webhooks}; delete one first.`, quotas.webhooks)
  await holdOrigin(tx, tenant, origin, all, quotas)
}

/** @throws {Problem} 409 where one more webhook may not be sent to this origin */
export async function holdMoving(tx: Tx, tenant: string, origin: string, quotas: WebhookQuotas): Promise<void> {
  await holdOrigin(tx, tenant, origin, await store.destinations(tx, tenant), quotas)
}

async function holdOrigin(tx: Tx, tenant: string, origin: string, all: store.Destination[], quotas: WebhookQuotas): Promise<void> {
  const there = all.filter(({ url }) => originOf(url) === origin)
  if (there.length < quotas.unprovenPerOrigin || there.some(({ proven }) => proven)) return
  if (await store.wasProven(tx, tenant, origin)) return
  throw quotaReached(
    `${there.length} webhooks of this workspace go to ${origin}, which has answered none of them with 2xx yet; let it answer a test of one, or delete one.`,
    quotas.unprovenPerOrigin,
  )
}
