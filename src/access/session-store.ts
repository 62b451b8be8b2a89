// Every statement of sessions.
import { SESSION_DAYS, SESSION_IDLE_DAYS, SESSIONS_PER_PERSON } from '../limits/access.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { USE, type Use } from '../postgres/last-use.ts'
import { type Prune, pruneExpired } from '../postgres/prune.ts'
import { arrayText } from '../postgres/row-set.ts'
import { slotsTaken } from '../postgres/slots.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { Role } from '../tenants/roles.ts'
import { bucketNumber } from './store.ts'

const living = part`
  s.last_used_at > now() - make_interval(days => ${SESSION_IDLE_DAYS}) and s.created_at > now() - make_interval(days => ${SESSION_DAYS})`

export interface SessionRow {
  id: string
  tenant: string
  user: string
  email: string
  name: string | null
  role: Role
  workspace: string
  /** Since the password was last given. */
  password_seconds: number
}

export interface NewSession {
  id: string
  hash: Buffer
  tenant: string
  user: string
  address: string
  userAgent: string
}

/** @param entries one for each workspace of the person */
export async function insert(
  sql: Queryable,
  { id, hash, tenant, user, address, userAgent }: NewSession,
  entries: AuditEntry[],
): Promise<void> {
  await sql`
    with audited as (${auditPart(entries)})
    insert into sessions (id, token_hash, tenant_id, user_id, address, user_agent)
    values (${id}, ${hash}, ${tenant}, ${user}, ${address}, ${userAgent})`
}

/** The living session of a token, with what the person is in its workspace now. */
export async function find(sql: Queryable, hash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select s.id, s.tenant_id as tenant, s.user_id as user, u.email, u.name, m.role, t.name as workspace,
           extract(epoch from now() - s.password_at)::float8 as password_seconds
      from sessions s
      join users u on u.id = s.user_id and u.disabled_at is null
      join memberships m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
      join tenants t on t.id = s.tenant_id
     where s.token_hash = ${hash} and ${living}`
  return row
}

export interface Take {
  /** The token's SHA-256 in hex. */
  hash: string
  bucket: 'read' | 'write'
}

export interface Taken {
  id: string
  tenant: string
  user: string
  rate_limit: number
  remaining: number
  reset_ms: number
  allowed: boolean
}

/**
 * Finds living sessions, and takes a slot of each one's person in its workspace. Rings are locked in the order of their numbers, so two processes cannot
 * deadlock.
 * @returns in the order asked; undefined where there is no such session
 */
export async function takeAll(sql: Queryable, takes: Take[]): Promise<(Taken | undefined)[]> {
  const [hashes, buckets] = [takes.map(each => each.hash), takes.map(each => bucketNumber(each.bucket))]
  const rows = await sql<(Taken & { n: number })[]>`
    with f as materialized (
      select o.n, o.bucket, m.ring, s.id, s.tenant_id as tenant, s.user_id as "user",
             case o.bucket when 1 then l.write_per_minute else l.read_per_minute end as rate_limit,
             row_number() over (order by o.n) as place
        from unnest(${arrayText(hashes)}::text::text[], ${arrayText(buckets)}::text::integer[]) with ordinality as o (hash, bucket, n)
        join sessions s on s.token_hash = decode(o.hash, 'hex') and ${living}
        join users u on u.id = s.user_id and u.disabled_at is null
        join memberships m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
        join tenants w on w.id = s.tenant_id
        join plans l on l.plan = w.plan
    )
    select f.n::integer as n, f.id, f.tenant, f."user", f.rate_limit, t.remaining, t.reset_ms, t.allowed
      from f
      join ${slotsTaken()} t on t.n = f.place`
  const found: (Taken | undefined)[] = takes.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

/** @param hashes in hex @returns those of living sessions */
export async function existing(sql: Queryable, hashes: string[]): Promise<Set<string>> {
  const rows = await sql<{ hash: string }[]>`
    select o.hash
      from unnest(${arrayText(hashes)}::text::text[]) as o (hash)
      join sessions s on s.token_hash = decode(o.hash, 'hex') and ${living}`
  return new Set(rows.map(row => row.hash))
}

export interface ListedSession {
  id: string
  address: string
  user_agent: string
  created_at: Date
  last_used_at: Date
}

/** Ends those beyond SESSIONS_PER_PERSON, the last used staying. */
export async function removeExcess(sql: Queryable, user: string): Promise<void> {
  await sql`
    delete from sessions
     where id in (
       select s.id
         from sessions s
        where s.user_id = ${user}
        order by s.last_used_at desc, s.id desc
       offset ${SESSIONS_PER_PERSON})`
}

/** A person's living sessions, the last used first. */
export const list = (sql: Queryable, user: string): Promise<ListedSession[]> => sql<ListedSession[]>`
  select s.id, s.address, s.user_agent, s.created_at, s.last_used_at
    from sessions s
   where s.user_id = ${user} and ${living}
   order by s.last_used_at desc, s.id desc`

/** @returns whether there was one of this person */
export async function remove(sql: Queryable, user: string, id: string): Promise<boolean> {
  return (await sql`delete from sessions where id = ${id} and user_id = ${user} returning 1`).length > 0
}

/** @param except a session that stays @returns how many ended */
export async function removeAll(sql: Queryable, user: string, except = ''): Promise<number> {
  return (await sql`delete from sessions where user_id = ${user} and id <> ${except} returning 1`).length
}

/** Whether a session has not been ended. */
export const exists = async (sql: Queryable, id: string): Promise<boolean> =>
  (await sql`select 1 from sessions where id = ${id}`).length > 0

/** Holds a session until the transaction ends. @returns whether it has not been ended */
export const hold = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx`select 1 from sessions where id = ${id} for key share`).length > 0

/** Moves a session into another workspace of its person. @returns false where they do not belong to it */
export async function moveTo(sql: Queryable, { id, user }: { id: string; user: string }, tenant: string): Promise<boolean> {
  const rows = await sql`
    update sessions s
       set tenant_id = m.tenant_id
      from memberships m
     where s.id = ${id} and s.user_id = ${user} and m.user_id = s.user_id and m.tenant_id = ${tenant}
    returning 1`
  return rows.length > 0
}

export async function givenAgain(sql: Queryable, id: string): Promise<void> {
  await sql`update sessions set password_at = now() where id = ${id}`
}

/**
 * Records the last uses of sessions, by their ids alone, for a session may have gone to another workspace since. It locks them in one
 * order, so that two processes cannot deadlock.
 */
export async function recordUses(sql: Queryable, uses: Use[]): Promise<void> {
  await sql`
    update sessions s
       set last_used_at = greatest(s.last_used_at, now() - u.ago_ms * interval '1 millisecond')
      from (
        select o.id, r.ago_ms
          from ${USE.of(uses)}
          join sessions o on o.id = r.id
         order by o.id
           for no key update of o
      ) u
     where s.id = u.id`
}

export async function noteAddress(sql: Queryable, user: string, address: string): Promise<void> {
  await sql`
    insert into known_addresses (user_id, address)
    values (${user}, ${address})
    on conflict (user_id, address) do update set last_at = now()`
}

/** @param days within which they signed in from there */
export async function isKnownAddress(sql: Queryable, user: string, address: string, days: number): Promise<boolean> {
  const rows = await sql`
    select 1
      from known_addresses
     where user_id = ${user} and address = ${address} and last_at > now() - make_interval(days => ${days})`
  return rows.length > 0
}

export const pruneSessions = pruneExpired({
  table: 'sessions',
  key: ['id'],
  by: 'last_used_at',
  expired: part`o.last_used_at < now() - make_interval(days => ${SESSION_IDLE_DAYS})`,
})

export const pruneAddresses = (days: number): Prune =>
  pruneExpired({
    table: 'known_addresses',
    key: ['user_id', 'address'],
    by: 'last_at',
    expired: part`o.last_at < now() - make_interval(days => ${days})`,
  })
