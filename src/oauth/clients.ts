// Clients: programs that ask people for access. They belong to no workspace: one registration serves the people of all.
import { mintToken } from '../access/token.ts'
import { takeWindow } from '../access/windows.ts'
import { newId } from '../ids.ts'
import { subscriber } from '../ingress/connections/caller-address.ts'
import { batchedOn } from '../postgres/batch.ts'
import { begin, type Queryable, type Sql } from '../postgres/sql.ts'
import { equalSecrets, sha256 } from '../secrets.ts'
import * as store from './client-store.ts'
import { OAuthRefusal } from './refusal.ts'
import type { ClientMetadata } from './registration.ts'

export type { Client } from './client-store.ts'

/** As RFC 7591 §3.2.1 has it. */
export interface Registered extends ClientMetadata {
  client_id: string
  /** Seconds since 1970. */
  client_id_issued_at: number
  client_secret?: string
  /** 0: never. */
  client_secret_expires_at?: number
}

/**
 * Registers a client; its secret, where it has one, is only in the answer.
 * @param address of the caller: so many an hour
 * @throws {OAuthRefusal} 429
 */
export async function register(sql: Sql, metadata: ClientMetadata, address: string, perHour: number): Promise<Registered> {
  const id = newId('cli')
  const secret = metadata.token_endpoint_auth_method === 'none' ? undefined : mintToken('ocs')
  const issuedAt = await begin(sql, async tx => {
    const { retryAfter } = await takeWindow(tx, { kind: 'oauth.register', subject: subscriber(address), most: perHour, seconds: 3600 })
    if (retryAfter !== undefined) return { retryAfter }
    return { at: await store.insert(tx, { id, metadata, secretHash: secret === undefined ? null : sha256(secret) }) }
  })
  if ('retryAfter' in issuedAt) throw tooMany(perHour, issuedAt.retryAfter)
  return {
    client_id: id,
    client_id_issued_at: Math.floor(issuedAt.at.getTime() / 1000),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    ...metadata,
  }
}

/** Clients looked up by one statement. */
const LOOKED_UP_MAX = 64
const find = batchedOn(store.find, LOOKED_UP_MAX)

/** @param id of a registered client, or the address of a client's document that was read before */
export const findClient = (sql: Queryable, id: string): Promise<store.Client | undefined> =>
  id.length > CLIENT_ID_CHARS || id.includes('\0') ? Promise.resolve(undefined) : find(sql, id)

/** A client that has registered: one of a document is asked about there. */
export async function findRegistered(sql: Queryable, id: string): Promise<store.Client | undefined> {
  const client = await findClient(sql, id)
  return client?.freshUntil ? undefined : client
}

export const CLIENT_ID_CHARS = 2_000

/** Whether this is the client's secret. */
export const hasSecret = ({ secretHash }: store.Client, secret: string): boolean =>
  secretHash !== null && equalSecrets(secretHash.toString('hex'), sha256(secret).toString('hex'))

const tooMany = (perHour: number, seconds: number): OAuthRefusal =>
  new OAuthRefusal(
    'temporarily_unavailable',
    `Over ${perHour} clients were registered from this address within an hour; try again in ${seconds} s, or use the registration you have.`,
    429,
    { 'Retry-After': String(seconds) },
  )
