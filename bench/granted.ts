// People of the shops who have allowed a client something: the rows as consent and a token request leave them.
import { mintToken } from '../src/access/token.ts'
import { newId } from '../src/ids.ts'
import type { Sql } from '../src/postgres/sql.ts'
import { sha256 } from '../src/secrets.ts'
import type { Dataset, Key } from './dataset.ts'

export interface Granted extends Key {
  user: string
  grant: string
  accessToken: string
  refreshToken: string
}

export interface Grants {
  client: string
  grants: Granted[]
}

/** One grant beside each of these keys, by a person of its shop, all to one public client. */
export async function grantBeside({ db: { sql } }: Dataset, keys: Key[]): Promise<Grants> {
  await clearGrants(sql)
  const client = newId('cli')
  const people = new Map([...new Set(keys.map(({ tenant }) => tenant))].map(tenant => [tenant, newId('usr')]))
  const grants = keys.map(key => ({
    ...key,
    user: people.get(key.tenant) as string,
    grant: newId('gra'),
    accessToken: mintToken('oat'),
    refreshToken: mintToken('ort'),
  }))
  const metadata = { client_name: 'Bench', redirect_uris: ['http://localhost/'], token_endpoint_auth_method: 'none' }
  const kept = { ...metadata, grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
  await sql`insert into oauth_clients (id, metadata, granted_at) values (${client}, ${JSON.stringify(kept)}::text::jsonb, now())`
  const rows = [...people].map(([tenant, user]) => ({ tenant, user, email: `${user}@bench.example` }))
  await sql`
    with r as (select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (tenant text, "user" text, email text)),
         u as (insert into users (id, email, password_hash) select r."user", r.email, 'none' from r)
    insert into memberships (tenant_id, user_id, role) select r.tenant, r."user", 'admin' from r`
  const tokens = grants.map(each => ({
    tenant: each.tenant,
    id: each.grant,
    user: each.user,
    access: sha256(each.accessToken).toString('hex'),
    refresh: sha256(each.refreshToken).toString('hex'),
  }))
  await sql`
    with r as (
      select * from jsonb_to_recordset(${JSON.stringify(tokens)}::text::jsonb) as r (tenant text, id text, "user" text, access text, refresh text)
    ), g as (
      insert into oauth_grants (tenant_id, id, client_id, user_id, scopes) select r.tenant, r.id, ${client}, r."user", '{read,write}' from r
    ), a as (
      insert into oauth_access_tokens (tenant_id, hash, grant_id, scopes, expires_at)
      select r.tenant, decode(r.access, 'hex'), r.id, '{read,write}', now() + interval '1 hour' from r
    )
    insert into oauth_refresh_tokens (tenant_id, hash, grant_id, expires_at)
    select r.tenant, decode(r.refresh, 'hex'), r.id, now() + interval '30 days' from r`
  await sql`select rate_prepare(ring) from oauth_grants where client_id = ${client}`
  await sql`analyze oauth_grants, oauth_access_tokens, oauth_refresh_tokens, memberships, users`
  return { client, grants }
}

export async function clearGrants(sql: Sql): Promise<void> {
  await sql`delete from oauth_grants where client_id in (select id from oauth_clients where metadata ->> 'client_name' = 'Bench')`
  await sql`delete from oauth_clients where metadata ->> 'client_name' = 'Bench'`
  await sql`delete from users where email like '%@bench.example'`
}
