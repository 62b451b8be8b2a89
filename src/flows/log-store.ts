// Every statement of runs as people and programs read them, and change them.
import { lacksConfigPart } from '../apps/parts.ts'
import type { Ref } from '../ids.ts'
import { HEALTH_SAMPLE } from '../limits/outbound.ts'
import { type Filter, listPage, timeFilters } from '../postgres/list-page.ts'
import { iso, object, type Page, type PageRequest } from '../postgres/page.ts'
import { type Fragment, part, type Queryable, type Text, type Tx } from '../postgres/sql.ts'
import type { RunFilters } from './schema.ts'

// Such a run goes on when the setting has a value; what its row says of it is of before.
const isHeldUp = part`(t.due_at <= now() and ${lacksConfigPart(part`t.tenant_id`, part`t.app_id`)})`
const HELD_UP = 'The app has no value for a setting that it needs; the run goes on when it has.'

const members = part`
  'run' as object, t.id, t.app_id, t.flow_id, t.revision, ${object(part`t.event_id as id, t.event_type as type`)} as event,
  t.depth, t.is_replay, t.state as status,
  case when ${isHeldUp} then 'config_required' else t.code end as code,
  case when ${isHeldUp} then ${HELD_UP} else t.reason end as reason,
  ${iso(part`t.due_at`)} as due_at, ${iso(part`t.created_at`)} as created_at, ${iso(part`t.started_at`)} as started_at, ${iso(part`t.ended_at`)} as ended_at`

// What was under way when its run was ended elsewhere, or a wait that it cut short, has no end of its own.
const isCutShort = part`(t.due_at is null and s.state in ('running', 'waiting'))`
// A wait is over when its run goes on.
const stepStatus = part`
  case when ${isCutShort} then t.state when t.state = 'waiting' and t.code = 'wait' and s.place = t.place - 1 then 'waiting' else s.state end`

const steps = part`
  select coalesce(json_agg(json_build_object(
           'id', s.step_id, 'status', ${stepStatus}, 'input', s.input::json, 'output', s.output::json,
           'error', case when ${stepStatus} = 'failed' then json_build_object(
                      'code', case when ${isCutShort} then t.code else s.code end, 'message', case when ${isCutShort} then t.reason else s.reason end) end,
           'reason', case when ${stepStatus} <> 'failed' then s.reason end, 'attempts', s.attempts, 'started_at', ${iso(part`s.started_at`)},
           'ended_at', case when ${isCutShort} then ${iso(part`t.ended_at`)} when ${stepStatus} <> 'waiting' then ${iso(part`s.ended_at`)} end)
         order by s.place), '[]')
    from flow_steps s
   where s.tenant_id = t.tenant_id and s.run_id = t.id`

/** @param app `app_…` */
export const list = (sql: Queryable, { tenant, id: app }: Ref, filters: RunFilters, page: PageRequest): Promise<Page> =>
  listPage(
    sql,
    {
      from: part`flow_runs t`,
      json: part`${object(members)}::text`,
      scope: part`t.tenant_id = ${tenant} and t.app_id = ${app}`,
      sorts: { created_at: { by: part`t.created_at`, type: 'time' } },
    },
    filtersOf(filters),
    page,
  )

function filtersOf({ status, flow_id, event_id, ...times }: RunFilters): Filter[] {
  const found: Filter[] = timeFilters(times)
  if (event_id !== undefined) found.push({ kind: 'residual', where: part`t.event_id = ${event_id}` })
  if (flow_id !== undefined) found.push({ kind: 'residual', where: part`t.flow_id = ${flow_id}` })
  if (status !== undefined) found.push({ kind: 'residual', where: part`t.state = any(${status}::text[])` })
  return found
}

export async function findJson(sql: Queryable, { tenant, id: app }: Ref, run: string): Promise<string | undefined> {
  const [row] = await sql<{ json: string }[]>`
    select ${object(part`${members}, (${steps}) as steps`)}::text as json
      from flow_runs t
     where t.tenant_id = ${tenant} and t.app_id = ${app} and t.id = ${run}`
  return row?.json
}

export interface Held {
  state: string
  event_id: string
  flow_id: string
  has_event: boolean
}

/** The run's row, locked. */
export async function lock(tx: Tx, { tenant, id: app }: Ref, run: string): Promise<Held | undefined> {
  const [row] = await tx<Held[]>`
    select d.state, d.event_id, d.flow_id,
           d.event is not null or exists (select from events e where e.tenant_id = d.tenant_id and e.id = d.event_id) as has_event
      from flow_runs d
     where d.tenant_id = ${tenant} and d.app_id = ${app} and d.id = ${run}
       for no key update of d`
  return row
}

/** It goes on at the step that failed. */
export async function again(tx: Tx, tenant: string, run: string): Promise<void> {
  await tx`
    update flow_runs d set state = 'queued', due_at = clock_timestamp(), code = null, reason = null, since = null, attempts = 0, ended_at = null
     where d.tenant_id = ${tenant} and d.id = ${run}`
}

/** An event as a flow may be replayed on it; of a run that caused it, what led there. */
export interface Past {
  type: string
  body: string
  depth: number
  lineage: string[] | null
}

export async function pastEvent(sql: Queryable, tenant: string, id: string): Promise<Past | undefined> {
  const [row] = await sql<Past[]>`
    select e.type, e.body, e.depth, c.lineage
      from events e
      left join flow_runs c on c.tenant_id = e.tenant_id and c.id = e.run_id
     where e.tenant_id = ${tenant} and e.id = ${id} and e.test_of is null`
  return row
}

/** Keeps the event of a run that is not stored elsewhere: an example. */
export async function keepEvent(tx: Tx, tenant: string, run: string, body: string): Promise<void> {
  await tx`update flow_runs d set event = ${body} where d.tenant_id = ${tenant} and d.id = ${run}`
}

/** The runs of an app that began after this time, with their steps; the oldest first. */
export async function since(sql: Queryable, { tenant, id: app }: Ref, time: Date, most: number): Promise<string[]> {
  const rows = await sql<{ json: string }[]>`
    select ${object(part`${members}, (${steps}) as steps`)}::text as json
      from flow_runs t
     where t.tenant_id = ${tenant} and t.app_id = ${app} and t.created_at > ${time}
     order by t.created_at desc, t.id desc
     limit ${most}`
  return rows.map(row => row.json).reverse()
}

/** How many runs of the last day are in each state; of the latest HEALTH_SAMPLE, where there were more. */
export async function states(sql: Queryable, { tenant, id: app }: Ref): Promise<Record<string, number>> {
  const [row] = await sql<{ states: Record<string, number> }[]>`
    with sample as materialized (
      select t.state
        from flow_runs t
       where t.tenant_id = ${tenant} and t.app_id = ${app} and t.created_at > now() - interval '24 hours'
       order by t.created_at desc, t.id desc
       limit ${HEALTH_SAMPLE})
    select coalesce(json_object_agg(o.state, o.count), '{}') as states
      from (select s.state, count(*) as count from sample s group by 1) o`
  return row?.states ?? {}
}

export const isOver = (tenant: Text, run: Text): Fragment =>
  part`not exists (select from flow_runs u where u.tenant_id = ${tenant} and u.id = ${run} and u.due_at is not null)`

/** The app of a run, `app_…`. */
export async function appOfRun(sql: Queryable, tenant: string, run: string): Promise<string | undefined> {
  const [row] = await sql`select app_id from flow_runs where tenant_id = ${tenant} and id = ${run}`
  return row?.['app_id']
}
