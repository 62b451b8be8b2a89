// Every statement of codes and tokens. Each is looked up by its hash, and its row says of which workspace it is.
import { ACCESS_TOKEN_SECONDS, GRANT_UNUSED_DAYS, TOKENS_PER_GRANT_MINUTE } from '../limits/oauth.ts'
import { type Prune, pruneExpired } from '../postgres/prune.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'

/** A grant, by one of its credentials. */
export interface Held {
  tenant: string
  grant: string
  user: string
  scopes: string[]
}

export interface CodeUse {
  hash: Buffer
  client: string
  /** Where the client names it. */
  redirectUri: string | undefined
  challenge: string
}

// A window begins anew with the first token after its minute.
const isOver = part`g.counted_since <= clock_timestamp() - interval '1 minute'`
const hasRoom = part`(${isOver} or g.counted_tokens < ${TOKENS_PER_GRANT_MINUTE})`
const used = (times: Fragment) => part`
  last_used_at = greatest(g.last_used_at, now()),
  counted_since = case when ${isOver} then clock_timestamp() else g.counted_since end,
  counted_tokens = case when ${isOver} then 0 else g.counted_tokens end + ${times}`

/** Uses up a code that is good for exactly this. */
export async function useCode(tx: Tx, { hash, client, redirectUri, challenge }: CodeUse): Promise<Held | undefined> {
  const [row] = await tx<Held[]>`
    update oauth_codes c
       set used_at = now()
      from oauth_grants g
     where c.hash = ${hash}
       and c.used_at is null
       and c.expires_at > clock_timestamp()
       and c.client_id = ${client}
       ${redirectUri === undefined ? part`` : part`and c.redirect_uri = ${redirectUri}`}
       and c.challenge = ${challenge}
       and g.tenant_id = c.tenant_id
       and g.id = c.grant_id
       and g.revoked_at is null
    returning g.tenant_id as tenant, g.id as grant, g.user_id as "user", g.scopes`
  return row
}

/** The grant of a code that was used before, by this client. */
export async function usedCode(tx: Tx, hash: Buffer, client: string): Promise<{ tenant: string; grant: string } | undefined> {
  const [row] = await tx<{ tenant: string; grant: string }[]>`
    select c.tenant_id as tenant, c.grant_id as grant from oauth_codes c where c.hash = ${hash} and c.client_id = ${client} and c.used_at is not null`
  return row
}

/** A refresh token that comes, and what takes its place if it was not used before. Hashes in hex. */
export interface Rotation {
  hash: string
  client: string
  access: string
  successor: string
  /** The id of the SECRET_KEY by which the successor was made. */
  key: string
}

const ROTATIONS = columns({ hash: 'text', client: 'text', access: 'text', successor: 'text', key: 'text' })

/**
 * Gives unused refresh tokens of people who are still in the workspace their successors, and access tokens of all that was granted, as long as the
 * grant's minute has room. One that comes
 * twice in a set has one successor, as one that comes again has. Rows are locked in the order of their hashes, each token before its grant.
 * @returns in the order asked, the scopes; undefined for what is not such a token
 */
export async function rotateUnused(sql: Queryable, rotations: Rotation[]): Promise<(string[] | undefined)[]> {
  const rows = await sql<{ n: number; scopes: string[] }[]>`
    with held as materialized (
      select r.n, r.access, r.successor, r.key, t.tenant_id, t.hash, g.id as grant_id, g.scopes
        from ${ROTATIONS.numbered(rotations)}
        join oauth_refresh_tokens t on t.hash = decode(r.hash, 'hex')
        join oauth_grants g on g.tenant_id = t.tenant_id and g.id = t.grant_id
        join memberships m on m.tenant_id = g.tenant_id and m.user_id = g.user_id
        join users u on u.id = m.user_id and u.disabled_at is null
       where t.rotated_at is null
         and t.expires_at > clock_timestamp()
         and g.client_id = r.client
         and g.revoked_at is null
         and ${hasRoom}
       order by t.hash
         for no key update of t, g
    ), rotated as (
      update oauth_refresh_tokens t
         set rotated_at = clock_timestamp(), successor_key = h.key
        from held h
       where t.tenant_id = h.tenant_id and t.hash = h.hash
    ), used as (
      update oauth_grants g
         set ${used(part`h.times`)}
        from (select h.tenant_id, h.grant_id, count(*)::integer as times from held h group by 1, 2) h
       where g.tenant_id = h.tenant_id and g.id = h.grant_id
    ), next as (
      insert into oauth_refresh_tokens (tenant_id, hash, grant_id, expires_at)
      select h.tenant_id, decode(h.successor, 'hex'), h.grant_id, now() + make_interval(days => ${GRANT_UNUSED_DAYS})
        from held h
      on conflict (tenant_id, hash) do nothing
    ), opened as (
      insert into oauth_access_tokens (tenant_id, hash, grant_id, scopes, expires_at)
      select h.tenant_id, decode(h.access, 'hex'), h.grant_id, h.scopes, now() + make_interval(secs => ${ACCESS_TOKEN_SECONDS})
        from held h
    )
    select h.n::integer as n, h.scopes from held h`
  const scopes: (string[] | undefined)[] = rotations.map(() => undefined)
  for (const row of rows) scopes[row.n - 1] = row.scopes
  return scopes
}

export interface HeldRefreshToken extends Held {
  hash: Buffer
  /** Seconds since its successor was given out first. */
  age: number | null
  /** Seconds until the grant's minute has room; 0 where it has. */
  wait: number
  successorKey: string | null
}

/** A refresh token of this client that is still good, locked. */
export async function holdRefreshToken(tx: Tx, hash: Buffer, client: string): Promise<HeldRefreshToken | undefined> {
  const [row] = await tx<HeldRefreshToken[]>`
    select g.tenant_id as tenant, g.id as grant, g.user_id as "user", g.scopes, r.hash, r.successor_key as "successorKey",
           extract(epoch from clock_timestamp() - r.rotated_at)::float8 as age,
           case when ${hasRoom} then 0 else extract(epoch from g.counted_since + interval '1 minute' - clock_timestamp()) end::float8 as wait
      from oauth_refresh_tokens r
      join oauth_grants g on g.tenant_id = r.tenant_id and g.id = r.grant_id
     where r.hash = ${hash}
       and r.expires_at > clock_timestamp()
       and g.client_id = ${client}
       and g.revoked_at is null
       for no key update of r`
  return row
}

export async function rotate(tx: Tx, { tenant, hash, successorKey }: HeldRefreshToken, key: string): Promise<void> {
  if (successorKey === key) return
  await tx`
    update oauth_refresh_tokens r
       set rotated_at = coalesce(r.rotated_at, clock_timestamp()), successor_key = ${key}
     where r.tenant_id = ${tenant} and r.hash = ${hash}`
}

/** Keeps the tokens, and that the grant was used. The refresh token may be there: it was given out before. */
export async function insertTokens(
  tx: Tx,
  { tenant, grant }: Held,
  scopes: string[],
  access: Buffer,
  refresh: Buffer | null,
): Promise<void> {
  const refreshed = part`, refreshed as (
    insert into oauth_refresh_tokens (tenant_id, hash, grant_id, expires_at)
    values (${tenant}, ${refresh}, ${grant}, now() + make_interval(days => ${GRANT_UNUSED_DAYS}))
    on conflict (tenant_id, hash) do nothing
  )`
  await tx`
    with used as (
      update oauth_grants g set ${used(part`1`)} where g.tenant_id = ${tenant} and g.id = ${grant}
    )${refresh === null ? part`` : refreshed}
    insert into oauth_access_tokens (tenant_id, hash, grant_id, scopes, expires_at)
    values (${tenant}, ${access}, ${grant}, ${scopes}, now() + make_interval(secs => ${ACCESS_TOKEN_SECONDS}))`
}

export async function deleteAccessToken(sql: Queryable, hash: Buffer, client: string): Promise<void> {
  await sql`
    delete from oauth_access_tokens t
     using oauth_grants g
     where t.hash = ${hash} and g.tenant_id = t.tenant_id and g.id = t.grant_id and g.client_id = ${client}`
}

/** The grant of a refresh token of this client, used or not. */
export async function grantOf(tx: Tx, hash: Buffer, client: string): Promise<{ tenant: string; grant: string; user: string } | undefined> {
  const [row] = await tx<{ tenant: string; grant: string; user: string }[]>`
    select g.tenant_id as tenant, g.id as grant, g.user_id as "user"
      from oauth_refresh_tokens r
      join oauth_grants g on g.tenant_id = r.tenant_id and g.id = r.grant_id
     where r.hash = ${hash} and g.client_id = ${client}`
  return row
}

const TABLES = ['oauth_codes', 'oauth_access_tokens', 'oauth_refresh_tokens'].map(table =>
  pruneExpired({ table, key: ['tenant_id', 'hash'], by: 'expires_at', expired: part`o.expires_at < now() - interval '1 day'` }),
)

/** What expired over a day ago: until then a reuse is known for what it is. */
export async function* pruneTokens(sql: Queryable): ReturnType<Prune> {
  for (const prune of TABLES) yield* prune(sql)
}
