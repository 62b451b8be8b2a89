// API keys: created once and shown once; admitted and limited on every request, and cached by the process.
import type { Actor, Caller } from '../caller.ts'
import { isId, newId, type Ref } from '../ids.ts'
import type { Admission, Authenticator, Bucket } from '../ingress/admission.ts'
import type { Admitted, Slot } from '../ingress/mcp/credentials.ts'
import { KEYS_PER_PAGE, REVOCATION_LOOK_MS } from '../limits/access.ts'
import { batched } from '../postgres/batch.ts'
import type { Fragment, Queryable, Sql, Text } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import { type Kind, kindOf, mintKey } from './key.ts'
import { createRevocationWatch } from './revocation-watch.ts'
import * as store from './store.ts'
import { createQuestions } from './unknown-tokens.ts'

export interface NewKey {
  tenant: string
  kind: Kind
  scopes: string[]
  name?: string
}

export type { OpenKey } from './store.ts'

/** Creates a key. The key itself is only in the answer: its hash, its prefix and its last four characters are stored. @param trace of the request */
export async function createKey(
  sql: Queryable,
  input: NewKey,
  by: Actor = { type: 'system' },
  trace?: string,
): Promise<{ id: string; key: string; scopes: string[] }> {
  const { tenant, kind, scopes, name } = input
  const id = newId('key')
  const key = mintKey(kind)
  const prefix = key.slice(0, key.indexOf('_') + 1)
  const entry = {
    caller: { tenant, actor: by, ...(trace !== undefined && { traceId: trace }) },
    action: 'key.create',
    subject: id,
    details: { kind, scopes, ...(name !== undefined && { name }) },
  }
  await store.insert(sql, { ...input, id, hash: sha256(key), prefix, lastFour: key.slice(-4), by }, entry)
  return { id, key, scopes }
}

/**
 * Revokes a key: it is refused from the next request on.
 * @param trace of the request
 * @returns false where there is no such key, or it is revoked already
 */
export const revokeKey = (sql: Queryable, tenant: string, id: string, by: Actor = { type: 'system' }, trace?: string): Promise<boolean> =>
  store.revoke(sql, tenant, id, {
    caller: { tenant, actor: by, ...(trace !== undefined && { traceId: trace }) },
    action: 'key.revoke',
    subject: id,
  })

/** The keys of a workspace, the newest first, revoked ones included. They are told apart by their names and last characters. */
export const listKeys = (sql: Queryable, tenant: string): Promise<store.ListedKey[]> => store.list(sql, tenant)

/**
 * The keys of a kind that are not revoked, the newest first, so many at a time.
 * @param before any text: where it is the id of a key, those that are older
 * @returns `next`: what to pass as `before` for more; undefined where there are none
 */
export async function openKeys(
  sql: Queryable,
  tenant: string,
  kind: Kind,
  before?: string | null,
): Promise<{ keys: store.OpenKey[]; next: string | undefined }> {
  const rows = await store.open(sql, tenant, kind, KEYS_PER_PAGE + 1, isId('key', before ?? '') ? (before as string) : undefined)
  const keys = rows.slice(0, KEYS_PER_PAGE)
  return { keys, next: rows.length > KEYS_PER_PAGE ? keys.at(-1)?.id : undefined }
}

/** A key that is not revoked. @param id any text: what is no id names none */
export const openKey = (sql: Queryable, tenant: string, kind: Kind, id: string): Promise<store.OpenKey | undefined> =>
  isId('key', id) ? store.openOne(sql, tenant, kind, id) : Promise.resolve(undefined)

/** The name that a key was given; null where it has none. */
export const namePart = (tenant: Text, id: Text): Fragment => store.nameOf(tenant, id)

interface CachedKey {
  /** Its SHA-256 in hex. */
  hash: string
  /** Undefined until the key was admitted. Made once: one of each request would grow old with the key before the next one takes its place. */
  caller: Caller | undefined
  /** Whether the bucket had room left after the last request: if not, no work is begun before the next one is admitted. */
  hasRoom: { read: boolean; write: boolean }
}

const CACHED_MAX = 10_000
/** Takes in one statement, which keeps their rings locked until it ends. */
const TAKES_MAX = 50

const ACTOR = { rest: 'api_key', mcp: 'agent_key' } as const

/** What authenticates keys, one request or a set of requests at a time. */
export interface KeyAuthenticator extends Authenticator {
  /** Takes a slot of a known key for each of these requests, in one statement; none: finds the key alone. Undefined: the key was revoked. */
  admitAll(token: string, buckets: Bucket[]): Promise<Admitted | undefined>
}

/**
 * Authenticates the keys of one kind. The cache saves hashing and a round trip; whether a key is revoked is asked every time.
 * @param used told of each use
 */
export function keyAuthenticator(sql: Sql, kind: Kind, used: (key: Ref) => void = () => {}): KeyAuthenticator {
  const known = new Map<string, CachedKey>()
  // Requests that arrive together share a statement: under load that halves what a take costs.
  const take = batched((takes: store.Take[]) => store.takeAll(sql, takes), TAKES_MAX)
  const takeEach = batched((sets: store.Take[][]) => store.takeSets(sql, sets), TAKES_MAX)
  const look = batched((hashes: string[]) => store.found(sql, hashes), TAKES_MAX)

  const questions = createQuestions(async tokens => {
    const asked = tokens.map(token => ({ token, key: uncached(token) }))
    const keys = await store.existing(
      sql,
      asked.map(({ key }) => key.hash),
    )
    for (const { token, key } of asked) if (keys.has(key.hash)) cache(token, key)
    return asked.map(({ key }) => keys.has(key.hash))
  })

  function cache(token: string, key: CachedKey): void {
    known.set(token, key)
    if (known.size > CACHED_MAX) known.delete(known.keys().next().value as string)
  }

  async function takeSet(token: string, { hash }: CachedKey, buckets: Bucket[]): Promise<store.Taken[] | undefined> {
    const asked = buckets.map(bucket => ({ hash, bucket }))
    const taken = await takeEach(asked)
    if (taken.every(each => each !== undefined)) return taken
    const again = (await stillExists(token)) ? await takeEach(asked) : []
    return again.length > 0 && again.every(each => each !== undefined) ? again : undefined
  }

  function callerOf(tenant: string, id: string): Caller {
    used({ tenant, id })
    return { tenant, actor: { type: ACTOR[kind], id } }
  }

  // A key that could not be admitted is usually revoked. After a crash of the database the unlogged log is empty, and access_take has just made it anew.
  function stillExists(token: string): Promise<boolean> | undefined {
    known.delete(token)
    return questions.ask(token, false)
  }

  return {
    knows: token => known.has(token),
    find: (token, late) => (kindOf(token) === kind ? questions.ask(token, late) : Promise.resolve(false)),
    async admit(token: string, bucket: Bucket): Promise<Admission | undefined> {
      const key = known.get(token) ?? uncached(token)
      const asked = { hash: key.hash, bucket }
      const taken = (await take(asked)) ?? ((await stillExists(token)) ? await take(asked) : undefined)
      if (!taken) return undefined
      const { tenant_id: tenant, key_id, scopes, rate_limit: limit, remaining, reset_ms: resetMs, allowed } = taken
      const caller = callerOf(tenant, key_id)
      key.caller ??= { ...caller }
      key.hasRoom[bucket] = remaining > 0
      if (!known.has(token)) cache(token, key)
      return { caller, scopes, quota: { limit, remaining, resetMs }, allowed }
    },
    async admitAll(token, buckets) {
      const key = known.get(token) ?? uncached(token)
      const taken = buckets.length > 0 ? await takeSet(token, key, buckets) : undefined
      const [first] = taken ?? (buckets.length > 0 ? [] : [await look(key.hash)])
      if (!first) {
        known.delete(token)
        return undefined
      }
      const caller = callerOf(first.tenant_id, first.key_id)
      key.caller ??= { ...caller }
      taken?.forEach(({ remaining }, index) => {
        key.hasRoom[buckets[index] as Bucket] = remaining > 0
      })
      if (!known.has(token)) cache(token, key)
      return { caller, credential: first.key_id, scopes: first.scopes, role: 'admin', slots: taken?.map(slotOf) ?? [] }
    },
    watch: createRevocationWatch(keys => store.revoked(sql, keys), REVOCATION_LOOK_MS),
    expect(token: string): Caller | undefined {
      const key = known.get(token)
      return key?.hasRoom.read ? key.caller : undefined
    },
  }
}

const slotOf = ({ rate_limit: limit, remaining, reset_ms: resetMs, allowed }: store.Taken): Slot => ({
  quota: { limit, remaining, resetMs },
  allowed,
})

const uncached = (token: string): CachedKey => ({
  hash: sha256(token).toString('hex'),
  caller: undefined,
  hasRoom: { read: false, write: false },
})

/** Keeps when keys were last used. */
export const recordKeyUses = store.recordUses
