// Endpoints: where a tenant wants its events sent.
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import { newId } from '../../ids.ts'
import type { Precondition } from '../../ingress/route.ts'
import { ENDPOINT_CAP } from '../../limits/webhooks.ts'
import { checkUrl, type Policy } from '../../outbound/address.ts'
import { audit } from '../../postgres/audit.ts'
import type { Tx } from '../../postgres/sql.ts'
import { invalid, notFound } from '../../problems.ts'
import { decrypt, encrypt, type Keyring } from '../../secrets.ts'
import { lockTenant } from '../../tenants/tenants.ts'
import { changedHeaders, unnamed } from './headers.ts'
import * as origins from './origin-store.ts'
import { holdCreating, holdMoving, originOf, type WebhookQuotas } from './quota.ts'
import { perMinute } from './rate.ts'
import { maskedUrl } from './redact.ts'
import type { NewWebhook, WebhookChange } from './schema.ts'
import { headersBinding, secretBinding } from './secrets.ts'
import * as store from './store.ts'

/** What endpoints need from the process: how secrets are kept, which addresses may be called, and how many webhooks there may be. */
export interface EndpointContext {
  keyring: Keyring
  outbound: Policy
  quotas: WebhookQuotas
}

/**
 * @returns the public JSON, and the secret, which is shown this once: `whsec_` and 64 hex digits of 32 random bytes
 * @throws {Problem} 422 for an address that may not be called; 409 for one webhook too many
 */
export async function create(
  tx: Tx,
  caller: Caller,
  input: NewWebhook,
  { keyring, outbound, quotas }: EndpointContext,
): Promise<{ id: string; secret: string; json: string }> {
  refuseUrl(input.url, outbound)
  await lockTenant(tx, caller.tenant)
  await holdCreating(tx, caller.tenant, originOf(input.url), quotas)
  const id = newId('whk')
  const secret = newSecret()
  await store.insert(tx, caller.tenant, {
    id,
    url: input.url,
    events: input.events,
    description: input.description ?? null,
    max_parallel: input.max_parallel ?? ENDPOINT_CAP,
    max_per_minute: input.max_per_minute ?? null,
    secret: encrypt(keyring, secret, secretBinding(caller.tenant, id)),
    ...sealed(keyring, caller.tenant, id, changedHeaders({}, input.headers ?? {})),
  })
  await audit(tx, caller, 'webhook.create', id, { url: maskedUrl(input.url), events: input.events })
  return { id, secret, json: (await store.findJson(tx, caller.tenant, id)) as string }
}

/**
 * A webhook that moves to another origin leaves its own headers behind, unless the change gives them again: their values are credentials of
 * the receiver before, and a key that may change the webhook must not be able to read them by having them sent elsewhere.
 * @returns the public JSON, and the names of the headers that were left behind
 * @throws {Problem} 404, 412, 422; 409 where one more webhook may not be sent to the new origin
 */
export async function change(
  tx: Tx,
  caller: Caller,
  id: string,
  input: WebhookChange,
  unchanged: Precondition,
  { keyring, outbound, quotas }: EndpointContext,
): Promise<{ json: string; dropped: string[] }> {
  if (input.url !== undefined) await lockTenant(tx, caller.tenant)
  const current = await store.lock(tx, caller.tenant, id)
  if (!current) throw notFound('webhook')
  unchanged({ body: current.json, updatedAt: current.updated_at })
  if (input.url !== undefined) refuseUrl(input.url, outbound)
  const { headers = {}, ...columns } = input
  const moved = input.url !== undefined && originOf(input.url) !== originOf(current.url)
  if (moved) {
    await holdMoving(tx, caller.tenant, originOf(input.url as string), quotas)
    await leave(tx, caller.tenant, current)
  }
  const kept = input.headers && current.headers && !moved ? unsealed(keyring, caller.tenant, id, current.headers) : {}
  const dropped = moved ? unnamed(current.header_names, headers) : []
  await store.update(tx, caller.tenant, id, {
    ...columns,
    ...(moved && { proven: false }),
    ...((input.headers || moved) && sealed(keyring, caller.tenant, id, changedHeaders(kept, headers))),
  })
  const { max_per_minute: rate } = input
  if (rate !== undefined && rate !== current.max_per_minute)
    await store.repace(tx, caller.tenant, id, rate === null ? 0 : now() + perMinute(rate).everyMs)
  await audit(tx, caller, 'webhook.update', id, { fields: Object.keys(input), ...(dropped.length > 0 && { headers_dropped: dropped }) })
  return { json: (await store.findJson(tx, caller.tenant, id)) as string, dropped }
}

/** Points an endpoint of our own making, the demo's, at another address, without headers of its own; nothing checks it. */
export async function moveTo(tx: Tx, caller: Caller, id: string, url: string): Promise<void> {
  await store.update(tx, caller.tenant, id, { url, headers: null, header_names: [], proven: false })
}

/** Deletes the endpoint: nothing more is sent to it, and neither it nor its log is shown again. @throws {Problem} 404, 412 */
export async function remove(tx: Tx, caller: Caller, id: string, unchanged: Precondition): Promise<string> {
  const current = await store.lock(tx, caller.tenant, id)
  if (!current) throw notFound('webhook')
  unchanged({ body: current.json, updatedAt: current.updated_at })
  await leave(tx, caller.tenant, current)
  await store.remove(tx, caller.tenant, id)
  await audit(tx, caller, 'webhook.delete', id)
  return JSON.stringify({ object: 'webhook', id, deleted: true })
}

/**
 * Makes a new secret. The old one signs as well for 24 hours, or until the new one is confirmed. Rotating again before that replaces the
 * unconfirmed secret, so that a rotation whose answer was lost leaves no receiver behind.
 * @returns the public JSON, and the secret, which is shown this once
 */
export async function rotateSecret(
  tx: Tx,
  caller: Caller,
  id: string,
  { keyring }: Pick<EndpointContext, 'keyring'>,
): Promise<{ secret: string; json: string }> {
  if (!(await store.lock(tx, caller.tenant, id))) throw notFound('webhook')
  const secret = newSecret()
  await store.rotate(tx, caller.tenant, id, encrypt(keyring, secret, secretBinding(caller.tenant, id)))
  await audit(tx, caller, 'webhook.rotate_secret', id)
  return { secret, json: (await store.findJson(tx, caller.tenant, id)) as string }
}

/** Ends a rotation: from now on the new secret alone signs. Without one under way nothing changes. */
export async function confirmSecret(tx: Tx, caller: Caller, id: string): Promise<string> {
  if (!(await store.lock(tx, caller.tenant, id))) throw notFound('webhook')
  await store.forgetPrevious(tx, caller.tenant, id)
  await audit(tx, caller, 'webhook.confirm_secret', id)
  return (await store.findJson(tx, caller.tenant, id)) as string
}

// The proof of its origin outlives the endpoint.
async function leave(tx: Tx, tenant: string, { url, proven }: store.Locked): Promise<void> {
  if (proven) await origins.leave(tx, tenant, originOf(url))
}

const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`

function sealed(
  keyring: Keyring,
  tenant: string,
  id: string,
  headers: Record<string, string>,
): { headers: string | null; header_names: string[] } {
  const names = Object.keys(headers)
  return {
    headers: names.length > 0 ? encrypt(keyring, JSON.stringify(headers), headersBinding(tenant, id)) : null,
    header_names: names,
  }
}

const unsealed = (keyring: Keyring, tenant: string, id: string, headers: string): Record<string, string> =>
  JSON.parse(decrypt(keyring, headers, headersBinding(tenant, id))) as Record<string, string>

function refuseUrl(url: string, policy: Policy): void {
  const problem = checkUrl(url, policy)
  if (problem) throw invalid({ field: 'url', code: problem.code, message: problem.message })
}
