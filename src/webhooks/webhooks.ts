// Endpoints: where a tenant wants its events sent.
import { randomBytes } from 'node:crypto'
import { newId } from '../ids.ts'
import type { Precondition } from '../ingress/route.ts'
import { ENDPOINT_CAP } from '../limits.ts'
import { checkUrl, type Policy } from '../outbound/address.ts'
import { audit, type Caller } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
import { invalid, notFound } from '../problems.ts'
import { encrypt, type Keyring } from '../secrets.ts'
import type { NewWebhook, WebhookChange } from './schema.ts'
import * as store from './store.ts'

/** What the verbs need of the process: how secrets are kept, and where may be sent. */
export interface Setting {
  keyring: Keyring
  outbound: Policy
}

/** What a secret's ciphertext is bound to, so that it decrypts for this endpoint alone. */
export const secretBinding = (tenant: string, endpoint: string): string => `${tenant} ${endpoint} secret`

/**
 * @returns the public JSON with the secret, which is shown this once: `whsec_` and 64 hex digits of 32 random bytes
 * @throws {Problem} 422 for an address that may not be called
 */
export async function create(
  tx: Tx,
  caller: Caller,
  input: NewWebhook,
  { keyring, outbound }: Setting,
): Promise<{ id: string; secret: string; json: string }> {
  refuseUrl(input.url, outbound)
  const id = newId('whk')
  const secret = `whsec_${randomBytes(32).toString('hex')}`
  await store.insert(tx, caller.tenant, {
    id,
    url: input.url,
    events: input.events,
    description: input.description ?? null,
    max_parallel: input.max_parallel ?? ENDPOINT_CAP,
    secret: encrypt(keyring, secret, secretBinding(caller.tenant, id)),
  })
  await audit(tx, caller, 'webhook.create', id, { url: input.url, events: input.events })
  const json = await store.json1(tx, caller.tenant, id)
  return { id, secret, json: `${json?.slice(0, -1)},"secret":${JSON.stringify(secret)}}` }
}

/** @throws {Problem} 404, 412, 422 */
export async function change(
  tx: Tx,
  caller: Caller,
  id: string,
  input: WebhookChange,
  unchanged: Precondition,
  { outbound }: Pick<Setting, 'outbound'>,
): Promise<string> {
  const current = await store.lock(tx, caller.tenant, id)
  if (!current) throw notFound('webhook')
  unchanged({ body: current.json, updatedAt: current.updated_at })
  if (input.url !== undefined) refuseUrl(input.url, outbound)
  await store.update(tx, caller.tenant, id, input)
  await audit(tx, caller, 'webhook.update', id, { fields: Object.keys(input) })
  return (await store.json1(tx, caller.tenant, id)) as string
}

/** Points an endpoint of our own making, the demo's, at another address; nothing checks it. */
export async function moveTo(tx: Tx, caller: Caller, id: string, url: string): Promise<void> {
  await store.update(tx, caller.tenant, id, { url })
}

/** Deletes the endpoint with what is owed to it and its log. */
export async function remove(tx: Tx, caller: Caller, id: string, unchanged: Precondition): Promise<string> {
  const current = await store.lock(tx, caller.tenant, id)
  if (!current) throw notFound('webhook')
  unchanged({ body: current.json, updatedAt: current.updated_at })
  await store.remove(tx, caller.tenant, id)
  await audit(tx, caller, 'webhook.delete', id)
  return JSON.stringify({ object: 'webhook', id, deleted: true })
}

/** Enables an endpoint whose receiver was mended, with a clean slate. What was pending is sent. */
export async function enable(tx: Tx, caller: Caller, id: string): Promise<string> {
  if (!(await store.enable(tx, caller.tenant, id))) throw notFound('webhook')
  await audit(tx, caller, 'webhook.enable', id)
  return (await store.json1(tx, caller.tenant, id)) as string
}

/** Disables an endpoint by hand. What is pending is kept; events meanwhile are not owed. */
export async function disable(tx: Tx, caller: Caller, id: string): Promise<string> {
  if (!(await store.disable(tx, caller.tenant, id, 'disabled by hand'))) throw notFound('webhook')
  await audit(tx, caller, 'webhook.disable', id)
  return (await store.json1(tx, caller.tenant, id)) as string
}

function refuseUrl(url: string, policy: Policy): void {
  const problem = checkUrl(url, policy)
  if (problem) throw invalid({ field: 'url', ...problem })
}
