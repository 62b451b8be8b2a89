// The statement that admits access tokens, and that of their grants' last uses.
import { recordLastUses } from '../postgres/last-use.ts'
import { arrayText } from '../postgres/row-set.ts'
import { slotsTaken } from '../postgres/slots.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import type { Role } from '../tenants/roles.ts'

export interface Take {
  /** The token's SHA-256 in hex. */
  hash: string
  /** None: the token is found, and nothing taken. */
  bucket: 'read' | 'write' | 'none'
}

export interface Taken {
  tenant: string
  grant: string
  user: string
  scopes: string[]
  /** As what the person is in the workspace at this moment. */
  role: Role
  rate_limit: number
  remaining: number
  reset_ms: number
  allowed: boolean
}

const BUCKETS = { read: 0, write: 1, none: 2 }

/** What a token is worth: its grant has not ended, and the person who gave it is still in the workspace. */
const living = part`
  join oauth_grants g on g.tenant_id = a.tenant_id and g.id = a.grant_id and g.revoked_at is null
  join memberships m on m.tenant_id = g.tenant_id and m.user_id = g.user_id
  join users p on p.id = g.user_id and p.disabled_at is null`

/**
 * Finds tokens, and takes a slot of each one's grant. Rings are locked in the order of their numbers, so two processes cannot deadlock.
 * @returns in the order asked; undefined for a token that is worth nothing
 */
export async function takeAll(sql: Queryable, takes: Take[]): Promise<(Taken | undefined)[]> {
  const [hashes, buckets] = [takes.map(each => each.hash), takes.map(each => BUCKETS[each.bucket])]
  const rows = await sql<(Taken & { n: number })[]>`
    with f as materialized (
      select u.n, u.bucket, g.ring, g.tenant_id as tenant, g.id as grant, g.user_id as "user", a.scopes, m.role,
             case u.bucket when 1 then l.write_per_minute else l.read_per_minute end as rate_limit,
             row_number() over (order by u.bucket = 2, u.n) as place
        from unnest(${arrayText(hashes)}::text::text[], ${arrayText(buckets)}::text::integer[]) with ordinality as u (hash, bucket, n)
        join oauth_access_tokens a on a.hash = decode(u.hash, 'hex') and a.expires_at > clock_timestamp()
        ${living}
        join tenants w on w.id = g.tenant_id
        join plans l on l.plan = w.plan
    )
    select f.n::integer as n, f.tenant, f.grant, f."user", f.scopes, f.role, f.rate_limit, t.remaining, t.reset_ms, t.allowed
      from f
      left join ${slotsTaken(part`where f.bucket < 2`)} t on t.n = f.place`
  const found: (Taken | undefined)[] = takes.map(() => undefined)
  for (const row of rows) found[row.n - 1] = row
  return found
}

/** @param hashes in hex @returns those of tokens that are worth something */
export async function existing(sql: Queryable, hashes: string[]): Promise<Set<string>> {
  const rows = await sql<{ hash: string }[]>`
    select u.hash
      from unnest(${arrayText(hashes)}::text::text[]) as u (hash)
      join oauth_access_tokens a on a.hash = decode(u.hash, 'hex') and a.expires_at > clock_timestamp()
      ${living}`
  return new Set(rows.map(row => row.hash))
}

export const recordUses = recordLastUses('oauth_grants')
