// Every statement of a recovery's turns: their job, their lease, their results. What they ask of the endpoint is in endpoint-lease-store.ts.

import { LEASE_SECONDS, RECOVERY_FAILURES_MAX } from '../../limits.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import type { AttemptLog } from '../delivery/attempt.ts'
import type { TargetRow } from '../delivery/target.ts'
import { delivered } from '../log/store.ts'
import { ofOneEvent, type Selection } from './selection-store.ts'

export interface RecoveryRef {
  tenant: string
  recovery: string
}

export interface Lease extends Selection, TargetRow {
  max_per_second: number
  cursor: string | null
  max_parallel: number
  max_per_minute: number | null
  /** The endpoint's. */
  version: number
  /** Its origin has answered with 2xx. */
  proven: boolean
}

/**
 * Takes the recovery's lease, whatever its endpoint's status. Undefined: somebody holds it, it is over, or it is of one event,
 * its endpoint is ordered, and another such is in its turn: they would only wait for each other, each in a place of its own.
 */
export async function take(sql: Queryable, { tenant, recovery }: RecoveryRef, token: string): Promise<Lease | undefined> {
  const [row] = await sql<Lease[]>`
    update webhook_recoveries r
       set lease_token = ${token}, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      from webhook_endpoints w
     where r.tenant_id = ${tenant} and r.id = ${recovery} and r.state = 'running'
       and (r.lease_until is null or r.lease_until < clock_timestamp())
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
  /** The endpoint's, as it was when the lease was taken. */
  version: number
  event: string
  attempt: number
  succeeded: boolean
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
}

/**
 * Records one result: the log and the delivery in any case, for it happened; the cursor and the counts under the lease. A delivery that waits
 * for its own next attempt still does after a failure here. The endpoint's health is never touched.
 * @returns whether the recovery is still ours and running, and its endpoint as it was
 */
export async function record(sql: Queryable, { tenant, recovery }: RecoveryRef, token: string, result: Result): Promise<boolean> {
  const { endpoint, event, attempt, succeeded } = result
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = result.timings
  const started = part`to_timestamp(${result.startedAt}::float8 / 1000)`
  const ended = part`to_timestamp(${result.endedAt}::float8 / 1000)`
  const inRow = succeeded ? part`0` : part`(r.failures_in_row + 1)`
  const hopeless = part`(${inRow} >= ${RECOVERY_FAILURES_MAX} and r.state = 'running')`
  const [row] = await sql<{ current: boolean }[]>`
    with endpoint as (
      -- With the event, which must not be pruned meanwhile; where it was, nothing is kept of it.
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
             ${tlsMs ?? null}::real, ${firstByteMs ?? null}::real, ${totalMs}::real, ${recovery}
        from endpoint w
    ), changed as (
      update webhook_deliveries d
         set state = case when d.state = 'succeeded' or ${succeeded} then 'succeeded' else 'failed' end,
             attempts = greatest(d.attempts, ${attempt}::smallint),
             first_attempt_at = coalesce(d.first_attempt_at, ${started}),
             finished_at = ${ended}
       where d.tenant_id = ${tenant} and d.endpoint_id = ${endpoint} and d.event_id = ${event} and (${succeeded} or d.state <> 'pending')
    ), added as (
      -- Of what was never owed. Not beside a row that is just being changed by a live attempt, and not of what was delivered.
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
           lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where r.tenant_id = ${tenant} and r.id = ${recovery} and r.lease_token = ${token}
    returning r.state = 'running' and exists (
      select 1 from webhook_endpoints w where w.tenant_id = ${tenant} and w.id = ${endpoint} and w.version = ${result.version}) as current`
  return row?.current ?? false
}

/** @returns whether it is running; undefined when the lease is no longer ours */
export async function renew(sql: Queryable, { tenant, recovery }: RecoveryRef, token: string): Promise<boolean | undefined> {
  const [row] = await sql<{ running: boolean }[]>`
    update webhook_recoveries set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where tenant_id = ${tenant} and id = ${recovery} and lease_token = ${token}
    returning state = 'running' as running`
  return row?.running
}

/** What is left of a recovery that is running. */
export async function standing(
  sql: Queryable,
  { tenant, recovery }: RecoveryRef,
): Promise<(Selection & { cursor: string | null }) | undefined> {
  const [row] = await sql<(Selection & { cursor: string | null })[]>`
    select endpoint_id as endpoint, scope, first_id, end_id, types, cursor
      from webhook_recoveries
     where tenant_id = ${tenant} and id = ${recovery} and state = 'running'`
  return row
}

export async function fail(sql: Queryable, { tenant, recovery }: RecoveryRef, reason: string): Promise<void> {
  await sql`
    update webhook_recoveries set state = 'failed', reason = ${reason}, finished_at = now(), lease_token = null, lease_until = null
     where tenant_id = ${tenant} and id = ${recovery} and state = 'running'`
}

/** All of the selection was gone through. */
export async function complete(sql: Queryable, { tenant, recovery }: RecoveryRef, token: string): Promise<void> {
  await sql`
    update webhook_recoveries set state = 'completed', finished_at = now(), lease_token = null, lease_until = null
     where tenant_id = ${tenant} and id = ${recovery} and lease_token = ${token} and state = 'running'`
}

/** Ends the lease, and owes the next job where there is more to do. @param restMs not sooner than in so long */
export async function release(sql: Queryable, { tenant, recovery }: RecoveryRef, token: string, restMs = 0): Promise<void> {
  await sql`
    with r as (
      update webhook_recoveries set lease_token = null, lease_until = null, queued_at = clock_timestamp()
       where tenant_id = ${tenant} and id = ${recovery} and lease_token = ${token}
      returning tenant_id, id, total, state, make_interval(secs => ${restMs / 1000}) as wait
    )
    select ${addJob} from r where r.state = 'running'`
}

/** Not now: too many are under way in this process, or another event is being sent again to the same ordered endpoint. */
export async function postpone(sql: Queryable, { tenant, recovery }: RecoveryRef): Promise<void> {
  await sql`
    with r as (
      update webhook_recoveries n set queued_at = clock_timestamp()
        from webhook_endpoints w
       where n.tenant_id = ${tenant} and n.id = ${recovery} and n.state = 'running' and (n.lease_until is null or n.lease_until < clock_timestamp())
         and w.tenant_id = n.tenant_id and w.id = n.endpoint_id
      returning n.tenant_id, n.id, n.total, interval '1 second' as wait
    )
    select ${addJob} from r`
}

/** Brings back recoveries whose worker died, or whose job was lost: neither leased nor in the queue. */
export async function wakeNeglected(sql: Queryable): Promise<void> {
  await sql`
    with r as (
      update webhook_recoveries n set queued_at = clock_timestamp()
       where n.state = 'running' and n.queued_at < clock_timestamp() - interval '10 seconds'
         and (n.lease_until is null or n.lease_until < clock_timestamp())
         and not exists (select 1 from graphile_worker._private_jobs j where j.payload ->> 'recoveryId' = n.id and j.locked_at is null)
      returning tenant_id, id, total, interval '0' as wait
    )
    select ${addJob} from r`
}

// After live deliveries, but one of a single event before them: a person waits for it. One attempt: a recovery's own lease and the sweep bring it back,
// whatever became of the job.
export const addJob = part`
  graphile_worker.add_job('webhooks/recover', json_build_object('tenantId', r.tenant_id, 'recoveryId', r.id), max_attempts => 1,
                          priority => case when r.total = 1 then 0 else 30001 end, run_at => clock_timestamp() + r.wait)`
