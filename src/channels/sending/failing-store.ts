// Statements of a channel's health, under its lease: failures counted, the channel stopped, probed and started again.
import type { Ref } from '../../ids.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import type { Health } from './health.ts'
import type { Lease } from './lease-store.ts'

/** Writes the failures in a row. */
export async function count(
  sql: Queryable,
  { tenant, id }: Ref,
  token: string,
  { failures, failures_of }: Health,
  error: string | null,
): Promise<void> {
  await sql`
    update channels set failures = ${failures}, failures_of = ${failures_of}, last_error = coalesce(${error}, last_error)
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}

/** Another conversation of the channel has something to send. */
export async function hasOthers(sql: Queryable, { tenant, id }: Ref, conversation: string | null): Promise<boolean> {
  const rows = await sql`
    select 1 from channel_queues
     where tenant_id = ${tenant} and channel_id = ${id} and due_at is not null and conversation_id <> ${conversation ?? ''}
     limit 1`
  return rows.length > 0
}

/** Credentials that were replaced since the lease was taken: that they are refused says nothing of those that are there by now. */
const areTheSame = ({ credentials, failing_reason }: Refused): Fragment => part`
  (credentials is not distinct from ${credentials} or ${failing_reason !== 'credentials'})`

type Refused = Health & Pick<Lease, 'credentials'>

/** Stops an enabled channel. @returns whether it was enabled, with the credentials that were used */
export async function stop(
  sql: Queryable,
  { tenant, id }: Ref,
  token: string,
  health: Refused,
  probeAt: number,
  error: string,
): Promise<boolean> {
  const rows = await sql`
    update channels
       set status = 'failing', failing_since = ${health.failing_since}, failing_reason = ${health.failing_reason}, probes = 0, probed = null,
           failures = ${health.failures}, failures_of = ${health.failures_of}, quiet_until = to_timestamp(${probeAt}::float8 / 1000),
           last_error = ${error}, version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'enabled' and ${areTheSame(health)}
    returning 1`
  return rows.length > 0
}

/** Notes a probe that failed. */
export async function probed(
  sql: Queryable,
  { tenant, id }: Ref,
  token: string,
  health: Refused,
  probeAt: number,
  error: string,
): Promise<void> {
  await sql`
    update channels
       set probes = ${health.probes}, probed = ${health.probed}, failing_reason = ${health.failing_reason},
           quiet_until = to_timestamp(${probeAt}::float8 / 1000), last_error = ${error}
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'failing' and ${areTheSame(health)}`
}

/** A probe was answered well: the channel works again. */
export async function goOn(sql: Queryable, { tenant, id }: Ref, token: string): Promise<void> {
  await sql`
    update channels
       set status = 'enabled', failures = 0, failures_of = null, failing_since = null, failing_reason = null, probes = 0, probed = null, quiet_until = null,
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'failing'`
}
