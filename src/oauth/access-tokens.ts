// Access tokens, as the agent server knows credentials. One statement finds the token, what its person is in the workspace, and takes the slots.
import { prefixOf } from '../access/token.ts'
import { createQuestions } from '../access/unknown-tokens.ts'
import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'
import type { Credentials } from '../ingress/mcp/credentials.ts'
import { batched } from '../postgres/batch.ts'
import type { Sql } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import { existing, type Take, type Taken, takeAll } from './access-store.ts'

/** Tokens that a process remembers: they save a lookup of those that are unknown, and let a read begin early. */
const KNOWN_MAX = 10_000
/** Tokens in one statement, which keeps their rings locked until it ends. */
const TAKES_MAX = 50

interface Known {
  /** Its SHA-256 in hex. */
  hash: string
  /** Undefined until the token was admitted. Made once: one of each request would grow old with the token before the next one takes its place. */
  caller: Caller | undefined
  /** Whether the bucket of reads had room after the last request. */
  hasRoom: boolean
}

/** @param used told of each use of a grant */
export function accessTokens(sql: Sql, used: (grant: Ref) => void): Credentials {
  const known = new Map<string, Known>()
  const take = batched(async (sets: Take[][]) => {
    const taken = await takeAll(sql, sets.flat())
    let from = 0
    return sets.map(({ length }) => {
      from += length
      return taken.slice(from - length, from)
    })
  }, TAKES_MAX)
  const questions = createQuestions(async tokens => {
    const hashes = tokens.map(hashOf)
    const found = await existing(sql, hashes)
    for (const [index, token] of tokens.entries()) {
      const hash = hashes[index] as string
      if (found.has(hash)) remember(token, uncached(hash))
    }
    return hashes.map(hash => found.has(hash))
  })

  // The oldest goes first, as it is the first to expire.
  function remember(token: string, found: Known): void {
    known.set(token, found)
    if (known.size > KNOWN_MAX) known.delete(known.keys().next().value as string)
  }

  return {
    claims: token => prefixOf(token) === 'oat',
    knows: token => known.has(token),
    find: (token, late) => questions.ask(token, late),
    async admit(token, buckets) {
      const entry = known.get(token) ?? uncached(hashOf(token))
      const { hash } = entry
      const taken = await take(buckets.length > 0 ? buckets.map(bucket => ({ hash, bucket })) : [{ hash, bucket: 'none' }])
      const [first] = taken
      if (!first || taken.some(each => each === undefined)) {
        known.delete(token)
        return undefined
      }
      used({ tenant: first.tenant, id: first.grant })
      const caller: Caller = { tenant: first.tenant, actor: { type: 'user', id: first.user }, grant: first.grant }
      const slots = buckets.length > 0 ? (taken as Taken[]).map(slotOf) : []
      entry.caller ??= { ...caller }
      entry.hasRoom = slots.every((slot, index) => buckets[index] !== 'read' || slot.quota.remaining > 0)
      if (!known.has(token)) remember(token, entry)
      return { caller, credential: first.grant, scopes: first.scopes, role: first.role, slots }
    },
    expect(token) {
      const entry = known.get(token)
      return entry?.hasRoom ? entry.caller : undefined
    },
  }
}

const uncached = (hash: string): Known => ({ hash, caller: undefined, hasRoom: false })

const hashOf = (token: string): string => sha256(token).toString('hex')

const slotOf = ({ rate_limit: limit, remaining, reset_ms: resetMs, allowed }: Taken) => ({ quota: { limit, remaining, resetMs }, allowed })
