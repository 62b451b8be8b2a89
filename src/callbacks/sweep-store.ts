// The sweep of sources: has workers told once more of those whose callbacks are due and of whom none was told, or by a word that was lost; and gives a job to
// those that were left. What is due later relies on it as well, where the job for it was lost.
import type { Ref } from '../ids.ts'
import { arrayText } from '../postgres/row-set.ts'
import type { Queryable } from '../postgres/sql.ts'
import { leases, wake } from './lease-store.ts'
import { tellSources } from './told.ts'

/** How late callbacks are before that: a turn that was told of begins within milliseconds, unless a worker is busy. */
const LATE_SECONDS = 1
/** How late they are before a job. */
const LEFT_SECONDS = 2
/** Sources of one statement. */
const WOKEN_AT_A_TIME = 1_000

let waitingHere: () => string[] = () => []

/** From here on sources that have a turn of this process, or wait for one, get no job beside: jobs cost more than shared turns, and a process that is behind would fall further behind. */
export function setWaitingHere(by: typeof waitingHere): void {
  waitingHere = by
}

/**
 * A loose index scan: one descent for each source with callbacks that wait, however many. A source that is locked has its turn just now. One whose job was
 * lost is left to `rescueStalled`, and one whose worker died to the lookout: both read the queue.
 */
export async function sweepCallbacks(sql: Queryable): Promise<number> {
  const rows = await sql<(Ref & { is_told: boolean })[]>`
    with recursive walk as (
      (select c.tenant_id, c.source_id, c.due_at from callbacks c where c.status = 'waiting'
        order by c.tenant_id, c.source_id, c.due_at limit 1)
      union all
      select n.* from walk w, lateral (
        select c.tenant_id, c.source_id, c.due_at from callbacks c
         where c.status = 'waiting' and (c.tenant_id, c.source_id) > (w.tenant_id, w.source_id)
         order by c.tenant_id, c.source_id, c.due_at limit 1) n
    ), late as materialized (
      select s.tenant_id, s.id, w.due_at < clock_timestamp() - make_interval(secs => ${LEFT_SECONDS}) as is_left
        from walk w
        join callback_sources s on s.tenant_id = w.tenant_id and s.id = w.source_id
       where w.due_at < clock_timestamp() - make_interval(secs => ${LATE_SECONDS}) and s.enabled and not s.queued
         and s.lease_token is null and s.id <> all (${arrayText(waitingHere())}::text::text[])
       limit ${WOKEN_AT_A_TIME}
         for no key update of s skip locked
    ), r as (
      update callback_sources r set queued = true, ${leases.queued}
        from late l
       where r.tenant_id = l.tenant_id and r.id = l.id and l.is_left
      returning r.*
    ), queued as materialized (
      select r.tenant_id, r.id, ${leases.job()} as job from r
    )
    select l.tenant_id as tenant, l.id, not l.is_left as is_told, q.job
      from set_config('synchronous_commit', 'off', true), late l
      left join queued q on q.tenant_id = l.tenant_id and q.id = l.id`
  const fresh = rows.filter(row => row.is_told)
  if (fresh.length > 0 && !(await tellSources(sql, fresh))) await wake(sql, fresh)
  return rows.length
}
