// The rows behind Idempotency-Key: a claim, then its answer. ingress/idempotency.ts says what they mean to HTTP.
import { IDEMPOTENCY_CLAIM_SECONDS, IDEMPOTENCY_HOURS } from '../limits/requests.ts'
import { pruneExpired } from './prune.ts'
import { part, type Queryable } from './sql.ts'

export interface Recorded {
  /** Null while the first request is still running. */
  status: number | null
  body: string | null
  location: string | null
}

/** @returns whether the caller now has the key: it was free, its claim had lapsed, or it had expired */
export async function claim(sql: Queryable, tenant: string, key: string, token: string): Promise<boolean> {
  const rows = await sql`
    insert into idempotency_keys (tenant_id, key, claim, claimed_until)
    values (${tenant}, ${key}, ${token}, clock_timestamp() + make_interval(secs => ${IDEMPOTENCY_CLAIM_SECONDS}))
    on conflict (tenant_id, key) do update
       set claim = excluded.claim, claimed_until = excluded.claimed_until, created_at = now(), status = null, body = null, location = null
     where (idempotency_keys.status is null and idempotency_keys.claimed_until < clock_timestamp())
        or idempotency_keys.created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS})
    returning 1`
  return rows.length > 0
}

export async function recorded(sql: Queryable, tenant: string, key: string): Promise<Recorded | undefined> {
  const [row] = await sql<Recorded[]>`select status, body, location from idempotency_keys where tenant_id = ${tenant} and key = ${key}`
  return row
}

/** @returns false when the caller no longer has the claim */
export async function record(tx: Queryable, tenant: string, key: string, token: string, answer: Recorded): Promise<boolean> {
  const rows = await tx`
    update idempotency_keys set status = ${answer.status}, body = ${answer.body}, location = ${answer.location}
     where tenant_id = ${tenant} and key = ${key} and claim = ${token}
    returning 1`
  return rows.length > 0
}

/** Extends the claim. */
export async function renew(sql: Queryable, tenant: string, key: string, token: string): Promise<void> {
  await sql`
    update idempotency_keys set claimed_until = clock_timestamp() + make_interval(secs => ${IDEMPOTENCY_CLAIM_SECONDS})
     where tenant_id = ${tenant} and key = ${key} and claim = ${token} and status is null`
}

export async function release(sql: Queryable, tenant: string, key: string, token: string): Promise<void> {
  await sql`delete from idempotency_keys where tenant_id = ${tenant} and key = ${key} and claim = ${token} and status is null`
}

export const prune = pruneExpired({
  table: 'idempotency_keys',
  key: ['tenant_id', 'key'],
  by: 'created_at',
  expired: part`o.created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS}) and o.claimed_until < clock_timestamp()`,
})
