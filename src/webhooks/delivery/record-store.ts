// The statements that record results. They are most of what PostgreSQL does for a delivery, so a success costs one line in the log and the row of its
// pending delivery, no more.

import { LOCKED, type Locked } from '../../postgres/past-lock.ts'
import { begin, type Fragment, part, type Queryable, type Sql } from '../../postgres/sql.ts'
import { HEALTHY } from './health.ts'
import type { Recorded, Result } from './result.ts'
import { resultRows, type SliceResults, sliceRows, slicesOf } from './result-rows-store.ts'

/**
 * Records results of many endpoints in one statement. The log takes every attempt, for it was made. A success ends its delivery, also where others have
 * the lease by now: what it delivered is claimed no more. A failure changes the delivery only under the lease that the attempt was made with, and the
 * health only on the slate that it was begun with: enabling an endpoint gives it a new slate. For an ordered endpoint the wait for the next attempt
 * holds on any slate, or each change of the endpoint would use up an attempt.
 * A slice that may end does so with its record, in one write of its endpoint's row. LOCKED: another transaction holds the endpoint's row, and nothing
 * was recorded.
 * @param only a condition on what is logged
 */
export async function record(sql: Queryable, results: Result[], only?: Fragment): Promise<(Recorded | Locked)[]> {
  const [result] = results
  if (results.length === 1 && !only && result && isLastSuccess(result)) return [await recordLast(sql, result)]
  const slices = slicesOf(results)
  const failing = results.some(each => each.state !== 'succeeded')
  const waiting = results.some(each => each.waits !== undefined)
  const rows = await sql<{ n: number; locked: boolean; current: boolean; judged: boolean; ended: boolean }[]>`
    with slice as materialized (
      ${sliceRows([...slices.values()])}
    ), quiet as materialized (
      -- The success of a healthy endpoint changes its row once a second. Otherwise the row must only not be deleted meanwhile, so that a wake-up need not
      -- wait for this commit.
      select ${standing}
        from slice t
        join webhook_endpoints e on e.tenant_id = t.tenant and e.id = t.endpoint
       where not t.ends and t.failures = 0 and e.failures = 0 and t.failed_at is null
         and e.last_success_at > to_timestamp(t.succeeded_at / 1000 - 1)
         for key share of e skip locked
    ), told as materialized (
      -- Locked in the order in which wake-ups lock, or the two could deadlock.
      select ${standing}
        from slice t
        join webhook_endpoints e on e.tenant_id = t.tenant and e.id = t.endpoint
       where t.n not in (select q.n from quiet q)
       order by e.tenant_id, e.id
         for no key update of e skip locked
    ), locked as materialized (
      select * from quiet union all select * from told
    ), r as materialized (
      ${resultRows(results, slices)}
    ), mine as materialized (
      select l.tenant_id, l.id, r.* from r join locked l on l.n = r.slice and (l.held or r.error is null)
    ), delivered as (
      delete from webhook_deliveries d
       using mine m
       where m.error is null and ${byPrimaryKey}
      returning m.place
    ), logged as (
      insert into webhook_attempts (
        tenant_id, endpoint_id, event_id, attempt, started_at, duration_ms, url, status, error, final, signature, header_names,
        response_headers, response_body, truncated, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
      select l.tenant_id, l.id, r.event, r.attempt, to_timestamp(r.started / 1000), r.ended - r.started, t.url, r.status, r.error,
             -- not a join: without knowing the number of rows, the planner would compare each with each
             r.place in (select d.place from delivered d),
             r.signature, t.header_names::text[], r.headers::json, r.body, r.truncated, r.dns, r.connect, r.tls, r.first_byte, r.total
        from r
        join locked l on l.n = r.slice
        join slice t on t.n = r.slice
        ${only ?? part``}
    ) ${failing ? kept : part``} ${waiting ? waited : part``}, ended as materialized (
      -- A function sees what was committed while this statement waited for the locks. Counting what was delivered makes the deletes come first.
      select o.places[idle.place] as n
        from (
          select array_agg(l.tenant_id) as tenants, array_agg(l.id) as ids, array_agg(t.job) as jobs, array_agg(t.n) as places
            from slice t
            join told l on l.n = t.n and l.current
           where t.ends
          having count(*) > 0 and (select count(*) from delivered) >= 0
        ) o, webhook_end_turns(o.tenants, o.ids, o.jobs) as idle (place)
    ), judged as (
      update webhook_endpoints e
         set lease_token = case when x.n is null then e.lease_token end,
             lease_until = case when x.n is null then e.lease_until end,
             failures = t.failures,
             failing_since = to_timestamp(t.failing_since / 1000),
             failure_known_at = to_timestamp(t.failure_known_at / 1000),
             silent_until = to_timestamp(t.silent_until / 1000),
             last_success_at = greatest(e.last_success_at, to_timestamp(t.succeeded_at / 1000)), proven = e.proven or t.succeeded_at is not null,
             last_failure_at = greatest(e.last_failure_at, to_timestamp(t.failed_at / 1000)),
             last_error = coalesce(t.error, e.last_error),
             last_error_status = case when t.error is null then e.last_error_status else t.status end
        from slice t
        join told l on l.n = t.n and l.judged
        left join ended x on x.n = t.n
       where e.tenant_id = l.tenant_id and e.id = l.id
    )
    select t.n, l.n is null as locked, coalesce(l.current, false) as current, coalesce(l.judged, false) as judged, x.n is not null as ended
      from slice t
      left join locked l on l.n = t.n
      left join ended x on x.n = t.n
     where l.judged or l.n is null and exists (select 1 from webhook_endpoints e where e.tenant_id = t.tenant and e.id = t.endpoint)`
  const known = new Map(rows.map(row => [row.n, row]))
  return results.map(({ slice }) => {
    const row = known.get((slices.get(slice) as SliceResults).n)
    return row?.locked ? LOCKED : { current: row?.current === true, judged: row?.judged === true, ended: row?.ended === true }
  })
}

/** The last success of a slice whose endpoint is healthy. */
const isLastSuccess = ({ state, ends, waits, health }: Result): boolean =>
  ends && state === 'succeeded' && waits === undefined && Object.values({ ...HEALTHY, ...health }).every(each => !each)

// Records it by webhook_record, whose statements are short: see sql/0060_late_successes.sql.
async function recordLast(
  sql: Queryable,
  { slice, event, attempt, made: { startedAt, endedAt, log } }: Result,
): Promise<Recorded | Locked> {
  const { tenant, id } = slice.endpoint
  const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null, totalMs = null } = log.timings
  const [row] = await sql<{ current: boolean | null; judged: boolean; ended: boolean }[]>`
    select is_current as current, is_judged as judged, is_ended as ended
      from webhook_record(
             ${tenant}, ${id}, ${slice.token}::uuid, ${slice.job}::bigint, ${slice.lease.version}, ${slice.lease.slate}, ${event}, ${attempt},
             ${startedAt}::float8, ${endedAt}::float8, ${log.url}, ${log.status}, ${log.signature}, ${log.headerNames}::text[], ${log.responseHeaders},
             ${log.responseBody}, ${log.truncated}, ${dnsMs}::real, ${connectMs}::real, ${tlsMs}::real, ${firstByteMs}::real, ${totalMs}::real)`
  if (!row) return { current: false, judged: false, ended: false }
  return row.current === null ? LOCKED : { current: row.current, judged: row.judged, ended: row.ended }
}

const standing = part`
  t.n, e.tenant_id, e.id, coalesce(e.lease_token = t.token, false) as held,
  coalesce(e.lease_token = t.token, false) and e.version = t.version as current,
  coalesce(e.lease_token = t.token, false) and e.slate = t.slate as judged`

// Finds deliveries by their primary key, whatever the planner knew of the table. On a table without pending deliveries the planner takes any path to
// no rows for as good as another, and keeps it when there is a backlog: each row would then be looked for among all pending ones. So neither the
// index of what is due can be used (`= 'pending'` would allow it), nor a merge join over the primary key (`any` rules it out).
const byPrimaryKey = part`d.tenant_id = any (array[m.tenant_id]) and d.endpoint_id = m.id and d.event_id = m.event
         and d.state not in ('succeeded', 'failed', 'dropped')`

/** Records results that may have been recorded already: the connection was lost, or the statement failed. */
export function recordAgain(sql: Sql, results: Result[]): Promise<(Recorded | Locked)[]> {
  return begin(sql, async tx => {
    // Locked first: the statement that was cut off may still be running and hold the rows. The next statement then sees what it did.
    const locked = await lockedByOthers(tx, results)
    const free = results.filter(each => !locked.has(each))
    const recorded = new Map(free.length > 0 ? (await record(tx, free, notLogged)).map((each, index) => [free[index], each]) : [])
    return results.map(each => recorded.get(each) ?? LOCKED)
  })
}

/** Locks the endpoints of results. @returns those whose endpoints another transaction holds */
async function lockedByOthers(tx: Queryable, results: Result[]): Promise<Set<Result>> {
  const tenants = results.map(each => each.slice.endpoint.tenant)
  const ids = results.map(each => each.slice.endpoint.id)
  const [row] = await tx<{ locked: number[] }[]>`
    with asked as materialized (
      select * from unnest(${tenants}::text[], ${ids}::text[]) with ordinality as a (tenant_id, id, n)
    ), ours as materialized (
      select e.tenant_id, e.id
        from webhook_endpoints e
       where (e.tenant_id, e.id) in (select a.tenant_id, a.id from asked a)
       order by e.tenant_id, e.id
         for update skip locked
    )
    select array(
      select a.n::integer
        from asked a
        join webhook_endpoints e on e.tenant_id = a.tenant_id and e.id = a.id
       where (a.tenant_id, a.id) not in (select o.tenant_id, o.id from ours o)) as locked`
  return new Set((row?.locked ?? []).map(n => results[n - 1] as Result))
}

const notLogged = part`
       where not exists (
               select 1
                 from webhook_attempts a
                where a.tenant_id = l.tenant_id and a.endpoint_id = l.id and a.event_id = r.event and a.attempt = r.attempt
                  and a.signature = r.signature and a.started_at = to_timestamp(r.started / 1000)::timestamptz(3))`

const kept = part`, kept as (
      update webhook_deliveries d
         set state = m.state,
             attempts = m.attempt,
             first_attempt_at = coalesce(d.first_attempt_at, to_timestamp(m.started / 1000)),
             due_at = to_timestamp(m.due / 1000),
             finished_at = case when m.state = 'failed' then to_timestamp(m.ended / 1000) end
        from mine m
       where m.error is not null and ${byPrimaryKey}
    )`

// Where the health is written, its silence includes the wait already.
const waited = part`, waited as (
      update webhook_endpoints e
         set silent_until = greatest(e.silent_until, to_timestamp(t.waits / 1000))
        from slice t
        join told l on l.n = t.n and l.held and not l.judged
       where e.tenant_id = l.tenant_id and e.id = l.id and t.waits is not null
    )`
