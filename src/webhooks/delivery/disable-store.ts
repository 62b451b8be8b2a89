// Statements about endpoints that are disabled because workers died while sending to them, or because their receivers failed again and again.

import type { Ref } from '../../ids.ts'
import { HELD_BACK_SECONDS, WEBHOOK_DEATHS_MAX } from '../../limits/queue.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { missedFromNow } from '../endpoints/store.ts'
import type { SliceRef } from './lease-store.ts'

/** Notes how many workers in a row died while they held the endpoint's lease. For a slice that is tried alone, its own death is counted in advance. */
export async function note(sql: Queryable, { tenant, id, token }: SliceRef, deaths: number): Promise<void> {
  await sql`update webhook_endpoints set deaths = ${deaths} where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}

/** Keeps the endpoint silent for a while, under its lease: worker_gone says what becomes of it where a worker dies meanwhile. */
export async function holdBack(sql: Queryable, { tenant, id, token }: SliceRef): Promise<void> {
  await sql`
    update webhook_endpoints
       set silent_until = greatest(silent_until, clock_timestamp() + make_interval(secs => ${HELD_BACK_SECONDS}))
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}

/** Endpoints that are disabled because too many workers died, the latest first. */
export async function listSetAside(sql: Queryable, limit: number): Promise<(Ref & { reason: string })[]> {
  return sql<(Ref & { reason: string })[]>`
    select tenant_id as tenant, id, disabled_reason as reason
      from webhook_endpoints
     where status = 'disabled' and deaths >= ${WEBHOOK_DEATHS_MAX}
     order by disabled_at desc
     limit ${limit}`
}

/** Notes that a slice of the endpoint has ended without a death, or has got past the place of one, unless another holds the lease by now: that one counts for itself. */
export async function settle(sql: Queryable, { tenant, id, token }: SliceRef, deaths: number): Promise<void> {
  await sql`
    update webhook_endpoints set deaths = ${deaths}
     where tenant_id = ${tenant} and id = ${id} and (lease_token is null or lease_token = ${token})`
}

/** The same, and leaves the lease without a holder until it lapses. */
export async function letLapse(sql: Queryable, { tenant, id, token }: SliceRef, deaths: number): Promise<void> {
  await sql`
    update webhook_endpoints set lease_token = null, deaths = ${deaths}
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}

/**
 * Disables an endpoint that is enabled, or catches up to be.
 * @param failures in a row that it must still have: fewer mean that it was enabled anew
 * @returns when, and its address; undefined if it was disabled already, or has fewer failures by now
 */
export async function disableFailing(
  tx: Queryable,
  { tenant, id }: Ref,
  reason: string,
  failures: number,
): Promise<{ disabled_at: Date; url: string } | undefined> {
  const [row] = await tx<{ disabled_at: Date; url: string }[]>`
    update webhook_endpoints
       set status = 'disabled', disabled_at = now(), disabled_reason = ${reason}, queued_at = null,
           ${missedFromNow}, catching_up = null,
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and (status = 'enabled' or catching_up is not null) and failures >= ${failures}
    returning disabled_at, url`
  return row
}
