// Every statement of keys.
import type { Queryable } from '../postgres/sql.ts'

export interface KeyRow {
  id: string
  tenant: string
  kind: string
  hash: Buffer
  prefix: string
  lastFour: string
  scopes: string[]
  name?: string
}

export async function insert(sql: Queryable, key: KeyRow): Promise<void> {
  await sql`
    with made as (
      insert into api_keys (tenant_id, id, kind, hash, prefix, last_four, name, scopes)
      values (${key.tenant}, ${key.id}, ${key.kind}, ${key.hash}, ${key.prefix}, ${key.lastFour}, ${key.name ?? null}, ${key.scopes})
      returning ring)
    select rate_prepare(ring) from made`
}

export async function revoke(sql: Queryable, tenant: string, id: string): Promise<boolean> {
  const rows =
    await sql`update api_keys set revoked_at = now() where tenant_id = ${tenant} and id = ${id} and revoked_at is null returning 1`
  return rows.length > 0
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

/** Finds the key and takes a slot of its bucket: see access_take in sql/0002_access.sql. */
export async function take(sql: Queryable, hash: Buffer, bucket: 'read' | 'write'): Promise<Taken | undefined> {
  const [row] = await sql<Taken[]>`
    select key_id, tenant_id, scopes, rate_limit, remaining, reset_ms, allowed from access_take(${hash}, ${bucket === 'read' ? 0 : 1})`
  return row
}
