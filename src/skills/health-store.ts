// The statement of how the calls of an app have gone.
import { HEALTH_SAMPLE } from '../limits/outbound.ts'
import { iso } from '../postgres/page.ts'
import { part, type Queryable } from '../postgres/sql.ts'

export interface CallsHealth {
  /** ISO 8601, to the minute: a day ago, or the oldest of the calls that are looked at. */
  since: string
  total: number
  succeeded: number
  /** By code; `done` of those that succeeded. */
  outcomes: Record<string, number>
  p50: number | null
  p95: number | null
  last_error: { at: string; skill_id: string; code: string; error: string | null } | null
  /** ISO 8601: the app is spared until then. */
  spared_until: string | null
  failures: number
}

/** The health of calls that have ended, trials aside: those of the last day, or the latest HEALTH_SAMPLE. */
export async function callsHealth(sql: Queryable, tenant: string, app: string): Promise<CallsHealth> {
  const [row] = await sql<CallsHealth[]>`
    with sample as materialized (
      select c.id, c.skill_id, c.stage, c.code, c.error, c.duration_ms, c.created_at, c.ended_at
        from skill_calls c
       where c.tenant_id = ${tenant} and c.app = ${app} and c.created_at > now() - interval '24 hours'
         and c.purpose <> 'test' and c.stage is not null
       order by c.created_at desc, c.id desc
       limit ${HEALTH_SAMPLE}
    ), failed as (
      select s.* from sample s where s.stage <> 'done' order by s.created_at desc, s.id desc limit 1
    ), spared as (
      select b.failures, b.spared_until from skill_breakers b where b.tenant_id = ${tenant} and b.app = ${app}
    )
    select ${iso(part`greatest(date_trunc('minute', now() - interval '24 hours'), case when count(*) = ${HEALTH_SAMPLE} then min(s.created_at) end)`)} as since,
           count(*)::integer as total, (count(*) filter (where s.stage = 'done'))::integer as succeeded,
           coalesce((select json_object_agg(o.outcome, o.count)
                       from (select coalesce(x.code, 'done') as outcome, count(*) as count from sample x group by 1) o), '{}') as outcomes,
           (percentile_disc(0.5) within group (order by s.duration_ms))::integer as p50,
           (percentile_disc(0.95) within group (order by s.duration_ms))::integer as p95,
           (select json_build_object('at', ${iso(part`coalesce(f.ended_at, f.created_at)`)}, 'skill_id', f.skill_id, 'code', f.code, 'error', f.error)
              from failed f) as last_error,
           (select ${iso(part`p.spared_until`)} from spared p where p.spared_until > now()) as spared_until,
           coalesce((select p.failures from spared p), 0) as failures
      from sample s`
  return row as CallsHealth
}
