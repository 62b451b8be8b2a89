// Every statement of a recovery's slices: its lease and its results. What a slice takes from the endpoint is in endpoint-lease-store.ts.

import type { Ref } from '../../ids.ts'
import { RECOVERY_FAILURES_MAX } from '../../limits/webhooks.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { leased } from '../../queue/leased.ts'
import type { AttemptLog } from '../delivery/attempt.ts'
import type { TargetRow } from '../delivery/target.ts'
import { delivered } from '../log/store.ts'
import { ofOneEvent, type Selection } from './selection-store.ts'

/** The jobs come after live deliveries, except the job of a single event: a person waits for that one. */
export const leases = leased({
  table: 'webhook_recoveries',
  task: 'webhooks/recover',
  key: 'recoveryId',
  // Recoveries of a deleted endpoint only wait to be pruned.
  open: part`(r.state = 'running' and exists (select from webhook_endpoints e where e.tenant_id = r.tenant_id and e.id = r.endpoint_id))`,
  priority: part`case when r.total = 1 then 0 else 30001 end`,
})

export interface Lease extends Selection, TargetRow {
  max_per_second: number
  cursor: string | null
  max_parallel: number
  max_per_minute: number | null
  /** The endpoint's version. */
  version: number
  /** The endpoint's origin has answered with 2xx. */
  proven: boolean
}

/**
 * Takes the recovery's lease, whatever its endpoint's status.
 * @returns undefined: another worker holds it, or it is over, or it sends one event to an ordered endpoint while another such recovery has its slice
 * (the two would only wait for each other, each in a slot of its own)
 */
export async function take(sql: Queryable, { tenant, id }: Ref, token: string): Promise<Lease | undefined> {
  const [row] = await sql<Lease[]>`
    update webhook_recoveries r
       set ${leases.leaseTo(token)}
      from webhook_endpoints w
     where r.tenant_id = ${tenant} and r.id = ${id} and r.state = 'running' and ${leases.isFree}
       and w.tenant_id = r.tenant_id and w.id = r.endpoint_id
       and (w.max_parallel > 1 or not ${ofOneEvent(part`r.scope`)} or not exists (
             select 1 from webhook_recoveries o
              where o.tenant_id = w.tenant_id and o.endpoint_id = w.id and o.state = 'running' and ${ofOneEvent(part`o.scope`)}
                and o.lease_until > clock_timestamp()))
    returning r.endpoint_id as endpoint, r.scope, r.first_id, r.end_id, r.types, r.max_per_second, r.cursor, w.max_parallel, w.max_per_minute, w.version, w.proven,
              w.url, w.secret, case when w.previous_secret_until > clock_timestamp() then w.previous_secret end as previous_secret, w.headers`
  return row
}

export interface Result extends AttemptLog {
  endpoint: string
  /** The endpoint's version when the lease was taken. */
  version: number
  event: string
  attempt: number
  succeeded: boolean
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
}

/**
 * Records one result: the log and the delivery in any case, for the attempt was made; the cursor and the counts under the lease. A delivery that
 * waits for its own next attempt goes on waiting after a failure here. The endpoint's health is never touched.
 * @returns whether the recovery is still ours and running, and its endpoint unchanged
 */
export async function record(sql: Queryable, { tenant, id }: Ref, token: string, result: Result): Promise<boolean> {
  const { endpoint, event, attempt, succeeded } = result
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = result.timings
  const started = part`to_timestamp(${result.startedAt}::float8 / 1000)`
  const ended = part`to_timestamp(${result.endedAt}::float8 / 1000)`
  const inRow = succeeded ? part`0` : part`(r.failures_in_row + 1)`
  const hopeless = part`(${inRow} >= ${RECOVERY_FAILURES_MAX} and r.state = 'running')`
  const [row] = await sql<{ current: boolean }[]>`
    with endpoint as (
      -- Locks the event, which must not be pruned meanwhile; if it was, nothing of the result is kept.
      select w.tenant_id, w.id
        from webhook_endpoints w
        join events v on v.tenant_id = w.tenant_id and v.id = ${event}
       where w.tenant_id = ${tenant} and w.id = ${endpoint}
         for key share of v
    ), logged as (
      insert into webhook_attempts (
        tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, url, status, error, signature, header_names,
        response_headers, response_body, truncated, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, recovery_id)
      select w.tenant_id, w.id, ${event}, ${attempt}::smallint, ${started}, ${result.endedAt - result.startedAt}::integer, ${result.url},
             ${result.status}::smallint, ${result.error}, ${result.signature}, ${result.headerNames}::text[],
             ${result.responseHeaders}::text::json, ${result.responseBody}, ${result.truncated}, ${dnsMs ?? null}::real, ${connectMs ?? null}::real,
             ${tlsMs ?? null}::real, ${firstByteMs ?? null}::real, ${totalMs}::real, ${id}
        from endpoint w
    ), changed as (
      update webhook_deliveries d
         set state = case when d.state = 'succeeded' or ${succeeded} then 'succeeded' else 'failed' end,
             attempts = greatest(d.attempts, ${attempt}::smallint),
             first_attempt_at = coalesce(d.first_attempt_at, ${started}),
             finished_at = ${ended}
       where d.tenant_id = ${tenant} and d.endpoint_id = ${endpoint} and d.event_id = ${event} and (${succeeded} or d.state <> 'pending')
    ), added as (
      -- A row for an event that had no delivery: not beside a row that a live attempt is changing, and not for what was delivered.
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, state, attempts, first_attempt_at, due_at, finished_at)
      select w.tenant_id, w.id, ${event}, ${succeeded ? 'succeeded' : 'failed'}, ${attempt}::smallint, ${started}, ${started}, ${ended}
        from endpoint w
       where ${delivered(part`w.tenant_id`, part`w.id`, part`${event}`)} is null
         and not exists (
           select 1 from webhook_deliveries d where d.tenant_id = w.tenant_id and d.endpoint_id = w.id and d.event_id = ${event})
          on conflict do nothing
    )
    update webhook_recoveries r
       set cursor = ${event},
           succeeded = r.succeeded + ${succeeded ? 1 : 0}::integer,
           failed = r.failed + ${succeeded ? 0 : 1}::integer,
           failures_in_row = ${inRow},
           state = case when ${hopeless} then 'failed' else r.state end,
           reason = case when ${hopeless} then ${`${RECOVERY_FAILURES_MAX} failures in a row`} else r.reason end,
           finished_at = case when ${hopeless} then now() else r.finished_at end,
           ${leases.extended}
     where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isHeldBy(token)}
    returning r.state = 'running' and exists (
      select 1 from webhook_endpoints w where w.tenant_id = ${tenant} and w.id = ${endpoint} and w.version = ${result.version}) as current`
  return row?.current ?? false
}

/** The rest of a running recovery. */
export async function remaining(sql: Queryable, { tenant, id }: Ref): Promise<(Selection & { cursor: string | null }) | undefined> {
  const [row] = await sql<(Selection & { cursor: string | null })[]>`
    select endpoint_id as endpoint, scope, first_id, end_id, types, cursor
      from webhook_recoveries
     where tenant_id = ${tenant} and id = ${id} and state = 'running'`
  return row
}

export async function fail(sql: Queryable, { tenant, id }: Ref, reason: string): Promise<void> {
  await sql`
    update webhook_recoveries set state = 'failed', reason = ${reason}, finished_at = now(), ${leases.givenBack}
     where tenant_id = ${tenant} and id = ${id} and state = 'running'`
}

/** The end of the selection was reached. */
export async function complete(sql: Queryable, { tenant, id }: Ref, token: string): Promise<void> {
  await sql`
    update webhook_recoveries r set state = 'completed', finished_at = now(), ${leases.givenBack}
     where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isHeldBy(token)} and r.state = 'running'`
}
