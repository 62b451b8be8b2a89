// API keys: made once and shown once; admitted, limited and remembered on every request.
import type { Actor, Caller } from '../caller.ts'
import { newId } from '../ids.ts'
import type { Admission, Authenticator, Bucket } from '../ingress/admission.ts'
import { REVOCATION_LOOK_MS } from '../limits.ts'
import { batched } from '../postgres/batch.ts'
import type { Queryable, Sql } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import { type Kind, kindOf, mintKey } from './key.ts'
import { createWatch } from './outliving.ts'
import { createQuestions } from './questions.ts'
import * as store from './store.ts'

export interface NewKey {
  tenant: string
  kind: Kind
  scopes: string[]
  name?: string
}

/** The key itself is in the answer and nowhere else: stored are its hash, its prefix and its last four characters. */
export async function createKey(
  sql: Queryable,
  input: NewKey,
  by: Actor = { type: 'system' },
): Promise<{ id: string; key: string; scopes: string[] }> {
  const { tenant, kind, scopes, name } = input
  const id = newId('key')
  const key = mintKey(kind)
  const prefix = key.slice(0, key.indexOf('_') + 1)
  const entry = {
    caller: { tenant, actor: by },
    action: 'key.create',
    subject: id,
    details: { kind, scopes, ...(name !== undefined && { name }) },
  }
  await store.insert(sql, { ...input, id, hash: sha256(key), prefix, lastFour: key.slice(-4) }, entry)
  return { id, key, scopes }
}

/** It is refused from the next request on. @returns false where there is no such key, or it is revoked already */
export const revokeKey = (sql: Queryable, tenant: string, id: string, by: Actor = { type: 'system' }): Promise<boolean> =>
  store.revoke(sql, tenant, id, { caller: { tenant, actor: by }, action: 'key.revoke', subject: id })

interface Remembered {
  /** In hex. */
  hash: string
  /** Undefined until it was admitted. */
  caller: Caller | undefined
  /** Whether the last answer left room: where it did not, no work is begun ahead of the next one. */
  roomy: { read: boolean; write: boolean }
}

const REMEMBERED_MAX = 10_000
/** Takes of one statement: their rings stay locked until it ends. */
const TAKES_MAX = 50

/** Authenticates the keys of one kind. What is remembered saves hashing and a round trip; whether a key still counts is asked every time. */
export function keyAuthenticator(sql: Sql, kind: Kind): Authenticator {
  const known = new Map<string, Remembered>()
  // Requests that arrive together share a statement: under load that halves what a take costs.
  const take = batched((takes: store.Take[]) => store.takeAll(sql, takes), TAKES_MAX)

  const questions = createQuestions(async tokens => {
    const asked = tokens.map(token => ({ token, memory: forgotten(token) }))
    const keys = await store.existing(
      sql,
      asked.map(({ memory }) => memory.hash),
    )
    for (const { token, memory } of asked) if (keys.has(memory.hash)) remember(token, memory)
    return asked.map(({ memory }) => keys.has(memory.hash))
  })

  function remember(token: string, memory: Remembered): void {
    known.set(token, memory)
    if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value as string)
  }

  // Revoked, as a rule; or its log went with a crash of the database, and is there by now.
  function isStill(token: string): Promise<boolean> | undefined {
    known.delete(token)
    return questions.ask(token, false)
  }

  return {
    knows: token => known.has(token),
    find: (token, late) => (kindOf(token) === kind ? questions.ask(token, late) : Promise.resolve(false)),
    async admit(token: string, bucket: Bucket): Promise<Admission | undefined> {
      const memory = known.get(token) ?? forgotten(token)
      const asked = { hash: memory.hash, bucket }
      const taken = (await take(asked)) ?? ((await isStill(token)) ? await take(asked) : undefined)
      if (!taken) return undefined
      const { tenant_id: tenant, key_id, scopes, rate_limit: limit, remaining, reset_ms: resetMs, allowed } = taken
      const caller: Caller = { tenant, actor: { type: 'api_key', id: key_id } }
      memory.caller = caller
      memory.roomy[bucket] = remaining > 0
      if (!known.has(token)) remember(token, memory)
      return { caller, scopes, quota: { limit, remaining, resetMs }, allowed }
    },
    watch: createWatch(keys => store.revoked(sql, keys), REVOCATION_LOOK_MS),
    expect(token: string): Caller | undefined {
      const memory = known.get(token)
      return memory?.roomy.read ? memory.caller : undefined
    },
  }
}

const forgotten = (token: string): Remembered => ({
  hash: sha256(token).toString('hex'),
  caller: undefined,
  roomy: { read: false, write: false },
})
