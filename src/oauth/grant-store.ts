// Every statement of grants.
import type { Caller } from '../caller.ts'
import { GRANT_UNUSED_DAYS, GRANTS_LISTED } from '../limits/oauth.ts'
import { PRUNE_BATCH } from '../limits/retention.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { iso } from '../postgres/page.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'

export interface NewGrant {
  tenant: string
  id: string
  client: string
  user: string
  scopes: string[]
  redirectUri: string
  challenge: string
  codeHash: Buffer
  /** For which the code is good. */
  seconds: number
}

export async function insert(tx: Tx, grant: NewGrant, entry: AuditEntry): Promise<void> {
  const { tenant, id, client } = grant
  await tx`
    with audited as (${auditPart([entry])}), made as (
      insert into oauth_grants (tenant_id, id, client_id, user_id, scopes)
      values (${tenant}, ${id}, ${client}, ${grant.user}, ${grant.scopes})
      returning ring)
    select rate_prepare(ring) from made`
  await tx`
    insert into oauth_codes (tenant_id, hash, grant_id, client_id, redirect_uri, challenge, expires_at)
    values (${tenant}, ${grant.codeHash}, ${id}, ${client}, ${grant.redirectUri}, ${grant.challenge}, now() + make_interval(secs => ${grant.seconds}))`
  await tx`update oauth_clients set granted_at = now() where id = ${client} and granted_at is null`
}

export interface GrantRow {
  id: string
  /** As the client calls itself; its id where it has no name. */
  client: string
  client_id: string
  user: string
  scopes: string[]
  /** ISO 8601. */
  created_at: string
  last_used_at: string
  /** The client's addresses; null where the client is not kept any more. */
  redirect_uris: string[] | null
}

/** Those that have not ended, of one person alone, or one. */
export async function list(sql: Queryable, tenant: string, { user, id }: { user?: string; id?: string }): Promise<GrantRow[]> {
  const rows = await sql<GrantRow[]>`
    select g.id, coalesce(c.metadata->>'client_name', g.client_id) as client, g.client_id, g.user_id as "user", g.scopes,
           ${iso(part`g.created_at`)} as created_at, ${iso(part`g.last_used_at`)} as last_used_at,
           c.metadata->'redirect_uris' as redirect_uris
      from oauth_grants g
      left join oauth_clients c on c.id = g.client_id
     where g.tenant_id = ${tenant}
       and g.revoked_at is null
       and g.last_used_at > now() - make_interval(days => ${GRANT_UNUSED_DAYS})
       ${user === undefined ? part`` : part`and g.user_id = ${user}`}
       ${id === undefined ? part`` : part`and g.id = ${id}`}
     order by g.last_used_at desc, g.id desc
     limit ${GRANTS_LISTED}`
  return [...rows]
}

/**
 * Ends grants: their tokens are worth nothing from then on.
 * @param which with `beyond`, those alone that come after so many others of the person, the latest used first
 * @param why where no person asked for it
 * @returns the ids of those that ended
 */
export async function end(
  tx: Queryable,
  tenant: string,
  which: { id?: string; user?: string; beyond?: number },
  caller: Omit<Caller, 'tenant'>,
  why?: string,
): Promise<string[]> {
  const rows = await tx<{ id: string; client_id: string; user_id: string }[]>`
    update oauth_grants g
       set revoked_at = now()
     where g.tenant_id = ${tenant}
       and g.revoked_at is null
       ${which.id === undefined ? part`` : part`and g.id = ${which.id}`}
       ${which.user === undefined ? part`` : part`and g.user_id = ${which.user}`}
       ${which.user === undefined || which.beyond === undefined ? part`` : part`and g.id in (${latest(tenant, which.user)} offset ${which.beyond})`}
    returning g.id, g.client_id, g.user_id`
  const entries = rows.map(({ id, client_id, user_id }) => ({
    caller: { ...caller, tenant },
    action: 'oauth.revoke',
    subject: id,
    details: { client: client_id, user: user_id, ...(why !== undefined && { why }) },
  }))
  if (entries.length > 0) await tx`${auditPart(entries)}`
  return rows.map(row => row.id)
}

const latest = (tenant: string, user: string): Fragment => part`
  select o.id
    from oauth_grants o
   where o.tenant_id = ${tenant} and o.user_id = ${user} and o.revoked_at is null
   order by o.last_used_at desc, o.id desc`

/** Ends those that were unused for so long that their refresh tokens are of no use any more. */
export const pruneGrants: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      with ended as (
        update oauth_grants g
           set revoked_at = now()
          from (
           select o.tenant_id, o.id
             from oauth_grants o
            where o.revoked_at is null
              and o.last_used_at < now() - make_interval(days => ${GRANT_UNUSED_DAYS})
            order by o.last_used_at
            limit ${PRUNE_BATCH}
              for update skip locked) old
         where g.tenant_id = old.tenant_id and g.id = old.id
        returning g.tenant_id, g.id, g.client_id, g.user_id
      )
      insert into audit_log (tenant_id, actor_type, action, subject_id, details)
      select e.tenant_id, 'system', 'oauth.revoke', e.id,
             jsonb_build_object('client', e.client_id, 'user', e.user_id, 'why', ${`unused for ${GRANT_UNUSED_DAYS} days`}::text)
        from ended e`
    return count
  })
