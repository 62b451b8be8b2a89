// Every statement of keys.
import type { Actor } from '../caller.ts'
import type { Ref } from '../ids.ts'
import { KEYS_LISTED } from '../limits/access.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { recordLastUses } from '../postgres/last-use.ts'
import { iso } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Text } from '../postgres/sql.ts'
import type { Kind } from './key.ts'

export interface KeyRow {
  id: string
  tenant: string
  kind: string
  hash: Buffer
  prefix: string
  lastFour: string
  scopes: string[]
  name?: string
  by: Actor
}

export async function insert(sql: Queryable, key: KeyRow, entry: AuditEntry): Promise<void> {
  await sql`
    with audited as (${auditPart([entry])}), made as (
      insert into api_keys (tenant_id, id, kind, hash, prefix, last_four, name, scopes, made_by_type, made_by_id)
      values (${key.tenant}, ${key.id}, ${key.kind}, ${key.hash}, ${key.prefix}, ${key.lastFour}, ${key.name ?? null}, ${key.scopes},
              ${key.by.type}, ${key.by.id ?? null})
      returning ring)
    select rate_prepare(ring) from made`
}

/** @returns whether the key existed and was not revoked before */
export async function revoke(sql: Queryable, tenant: string, id: string, entry: AuditEntry): Promise<boolean> {
  const rows = await sql`
    with revoked as (
      update api_keys set revoked_at = now() where tenant_id = ${tenant} and id = ${id} and revoked_at is null returning 1
    ), audited as (${auditPart([entry], part`where exists (select from revoked)`)})
    select 1 from revoked`
  return rows.length > 0
}

export const nameOf = (tenant: Text, id: Text): Fragment =>
  part`select k.name from api_keys k where k.tenant_id = ${tenant} and k.id = ${id}`

/** @returns the ids of those keys that are revoked or do not exist */
export async function revoked(sql: Queryable, keys: Ref[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select r.id
      from ${KEY.of(keys)}
     where not exists (select from api_keys a where a.tenant_id = r.tenant and a.id = r.id and a.revoked_at is null)`
  return new Set(rows.map(row => row.id))
}

const KEY = columns({ tenant: 'text', id: 'text' })

export interface Take {
  /** The key's SHA-256 in hex. */
  hash: string
  bucket: 'read' | 'write'
}

export interface Taken {
  key_id: string
  tenant_id: string
  scopes: string[]
  rate_limit: number
  remaining: number
  reset_ms: number
  allowed: boolean
}

/**
 * Finds keys and takes a slot in each one's bucket.
 * @returns in the order asked; undefined for a key that is unknown or revoked, and perhaps for one whose unlogged log was lost in a crash of the
 * database: asked again, that key is found
 */
export async function takeAll(sql: Queryable, takes: Take[]): Promise<(Taken | undefined)[]> {
  const [first, more] = takes
  return first && !more ? [await takeOne(sql, first)] : takeSeveral(sql, takes)
}

// By ring_take in sql/0036_oauth_limits.sql, which keeps the same log by two short statements: PostgreSQL begins those of access_take for any number of
// keys, and that was half of what a lone take cost.
async function takeOne(sql: Queryable, { hash, bucket }: Take): Promise<Taken | undefined> {
  const [taken] = await sql<Taken[]>`
    select k.key_id, k.tenant_id, k.scopes, k.rate_limit, t.remaining, t.reset_ms, t.allowed
      from (
        select a.id as key_id, a.tenant_id, a.scopes, a.ring, ${bucket === 'read' ? part`p.read_per_minute` : part`p.write_per_minute`} as rate_limit
          from api_keys a
          join tenants o on o.id = a.tenant_id
          join plans p on p.plan = o.plan
         where a.hash = decode(${hash}, 'hex') and a.revoked_at is null
      ) k,
      ring_take(k.ring, ${bucketNumber(bucket)}, k.rate_limit) t`
  return taken
}

// By access_take in sql/0002_access.sql. Rings are locked in the order of the hashes, so two processes cannot deadlock.
async function takeSeveral(sql: Queryable, takes: Take[]): Promise<(Taken | undefined)[]> {
  const sorted = takes.map((take, index) => ({ ...take, index })).sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
  const [hashes, buckets] = [sorted.map(each => each.hash), sorted.map(each => bucketNumber(each.bucket))]
  const rows = await sql<(Taken & { n: number })[]>`
    select n, key_id, tenant_id, scopes, rate_limit, remaining, reset_ms, allowed
      from access_take(${arrayText(hashes)}::text::text[], ${arrayText(buckets)}::text::integer[])`
  const found: (Taken | undefined)[] = takes.map(() => undefined)
  for (const row of rows) found[(sorted[row.n - 1] as (typeof sorted)[number]).index] = row
  return found
}

/** The number of a bucket in the log of a limiter. */
export const bucketNumber = (bucket: Take['bucket']): number => (bucket === 'read' ? 0 : 1)

/** As `takeAll`, for sets of takes: each is answered by a set. */
export async function takeSets(sql: Queryable, sets: Take[][]): Promise<(Taken | undefined)[][]> {
  const taken = await takeAll(sql, sets.flat())
  let from = 0
  return sets.map(({ length }) => {
    from += length
    return taken.slice(from - length, from)
  })
}

export type FoundKey = Pick<Taken, 'key_id' | 'tenant_id' | 'scopes'>

/** Finds keys, and takes nothing. @param hashes in hex @returns in the order asked; undefined for a key that is unknown or revoked */
export async function found(sql: Queryable, hashes: string[]): Promise<(FoundKey | undefined)[]> {
  const rows = await sql<(FoundKey & { hash: string })[]>`
    select u.hash, a.id as key_id, a.tenant_id, a.scopes
      from unnest(${arrayText([...new Set(hashes)])}::text::text[]) as u (hash)
      join api_keys a on a.hash = decode(u.hash, 'hex') and a.revoked_at is null`
  const byHash = new Map(rows.map(row => [row.hash, row]))
  return hashes.map(hash => byHash.get(hash))
}

export const recordUses = recordLastUses('api_keys')

export interface ListedKey {
  id: string
  kind: string
  name: string | null
  last_four: string
  scopes: string[]
  /** ISO 8601, as the other times. */
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export async function list(sql: Queryable, tenant: string): Promise<ListedKey[]> {
  const rows = await sql<ListedKey[]>`
    select k.id, k.kind, k.name, k.last_four, k.scopes, ${iso(part`k.created_at`)} as created_at, ${iso(part`k.last_used_at`)} as last_used_at,
           ${iso(part`k.revoked_at`)} as revoked_at
      from api_keys k
     where k.tenant_id = ${tenant}
     order by k.created_at desc, k.id desc
     limit ${KEYS_LISTED}`
  return [...rows]
}

/** A key that opens something, as its admins see it. */
export interface OpenKey {
  id: string
  kind: Kind
  name: string | null
  prefix: string
  last_four: string
  scopes: string[]
  created_at: Date
  last_used_at: Date | null
  /** Null of keys whose making was not kept. */
  made_by_type: Actor['type'] | null
  made_by_id: string | null
  /** The address of the person who made it; null when they are not in the workspace. */
  made_by_email: string | null
}

const ofOpenKey = part`
  k.id, k.kind, k.name, k.prefix, k.last_four, k.scopes, k.created_at, k.last_used_at, k.made_by_type, k.made_by_id, u.email as made_by_email`

const withMakers = part`
  api_keys k
  left join memberships m on m.tenant_id = k.tenant_id and m.user_id = k.made_by_id and k.made_by_type = 'user'
  left join users u on u.id = m.user_id`

/** The keys of a kind that are not revoked, the newest first. @param before the id of a key: those that are older */
export const open = (sql: Queryable, tenant: string, kind: Kind, limit: number, before: string | undefined): Promise<OpenKey[]> =>
  sql<OpenKey[]>`
    select ${ofOpenKey}
      from ${withMakers}
     where k.tenant_id = ${tenant} and k.kind = ${kind} and k.revoked_at is null
       ${before === undefined ? part`` : part`and k.id < ${before}`}
     order by k.id desc
     limit ${limit}`

/** How many keys of either kind are not revoked, or were made within a day: who makes and revokes by turns must not fill the table either. */
export async function countMade(sql: Queryable, tenant: string): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*) as count
      from api_keys
     where tenant_id = ${tenant} and (revoked_at is null or created_at > now() - interval '1 day')`
  return row.count
}

export async function openOne(sql: Queryable, tenant: string, kind: Kind, id: string): Promise<OpenKey | undefined> {
  const [row] = await sql<OpenKey[]>`
    select ${ofOpenKey}
      from ${withMakers}
     where k.tenant_id = ${tenant} and k.id = ${id} and k.kind = ${kind} and k.revoked_at is null`
  return row
}

/** @param hashes in hex @returns those that belong to a key that is not revoked */
export async function existing(sql: Queryable, hashes: string[]): Promise<Set<string>> {
  const rows = await sql<{ hash: string }[]>`
    select u.hash from unnest(${arrayText(hashes)}::text::text[]) as u (hash) join api_keys a on a.hash = decode(u.hash, 'hex') and a.revoked_at is null`
  return new Set(rows.map(row => row.hash))
}
