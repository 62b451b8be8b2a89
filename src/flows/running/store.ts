// Every statement of runs while they go on: claimed, and moved from step to step.
import { isActivePart } from '../../apps/parts.ts'
import type { Ref } from '../../ids.ts'
import { OUTPUT_KEPT_BYTES } from '../../limits/flows.ts'
import { arrayText } from '../../postgres/row-set.ts'
import { part, type Queryable } from '../../postgres/sql.ts'

/** A run that is due. */
export interface Run {
  tenant: string
  id: string
  app_id: string
  flow_id: string
  revision: number
  depth: number
  /** Which step is next. */
  place: number
  attempts: number
  /** Since when it goes on without a wait; null: it has not begun to. */
  since: Date | null
  /** The envelope of its event; null where that is gone. */
  event: string | null
  steps: LoggedStep[] | null
}

/** A step that the run has come past, or to. */
export interface LoggedStep {
  place: number
  step_id: string
  state: 'running' | 'waiting' | 'succeeded' | 'failed' | 'skipped'
  /** Null also where it is large: see outputs.ts. */
  output: string | null
  output_bytes: number | null
  code: string | null
  reason: string | null
  attempts: number
}

/** Runs that are due, the oldest first. @param token of the app's lease @param known under way already */
export const claim = (sql: Queryable, { tenant, id }: Ref, token: string, most: number, known: string[]): Promise<Run[]> => sql<Run[]>`
  select d.tenant_id as tenant, d.id, d.app_id, d.flow_id, d.revision, d.depth, d.place, d.attempts, d.since, coalesce(d.event, e.body) as event, s.steps
    from flow_queues r
   cross join lateral (
     select d.*
       from flow_runs d
      where d.tenant_id = r.tenant_id and d.app_id = r.id and d.due_at <= clock_timestamp()
        and d.id <> all (${arrayText(known)}::text::text[])
      order by d.due_at, d.id
      limit ${most}) d
    left join lateral (select e.body from events e where e.tenant_id = d.tenant_id and e.id = d.event_id offset 0) e on true
    left join lateral (
      select json_agg(json_build_object('place', s.place, 'step_id', s.step_id, 'state', s.state, 'output_bytes', octet_length(s.output),
                                        'output', case when octet_length(s.output) <= ${OUTPUT_KEPT_BYTES}::integer then s.output end, 'code', s.code,
                                        'reason', s.reason, 'attempts', s.attempts) order by s.place) as steps
        from flow_steps s
       where s.tenant_id = d.tenant_id and s.run_id = d.id) s on true
   where r.tenant_id = ${tenant} and r.id = ${id} and r.lease_token = ${token} and ${isActivePart(part`r.tenant_id`, part`r.id`)}
   order by d.due_at, d.id`

/** What earlier steps gave. */
export const outputs = (
  sql: Queryable,
  { tenant, id, place }: Pick<Run, 'tenant' | 'id' | 'place'>,
  steps: string[],
): Promise<{ step_id: string; output: string }[]> => sql`
  select s.step_id, s.output
    from flow_steps s
   where s.tenant_id = ${tenant} and s.run_id = ${id} and s.place < ${place}::smallint and s.step_id = any (${arrayText(steps)}::text::text[])
     and s.output is not null`

/** What becomes of a run by a step. */
export interface Move {
  state: 'running' | 'waiting' | 'succeeded' | 'failed'
  place: number
  /** When it goes on; at once unless given. Of a run that is over it says nothing. */
  afterSeconds?: number
  code?: string
  reason?: string
  /** Since when it goes on without a wait; null after a wait. */
  since: Date | null
  attempts?: number
  /** It may wait for longer than its event is kept, and keeps it from there on: one that fails may be tried again. */
  keepsEvent?: boolean
}

/** A line of its log. */
export interface StepLine {
  place: number
  step_id: string
  state: LoggedStep['state']
  /** JSON. */
  input?: string | undefined
  output?: string | undefined
  code?: string | undefined
  reason?: string | undefined
  attempts: number
  startedAt: Date
  endedAt?: Date | undefined
  message?: string | undefined
}

const isOver = ({ state }: Move): boolean => state === 'succeeded' || state === 'failed'

/**
 * Moves a run from the step at which it is, and writes the step's line. The last statement of the step's transaction.
 * @param sent called when it is sent, and not answered yet
 * @throws an error that undoes the transaction where the run was moved or ended meanwhile: see `wasMoved`
 */
export async function move(
  sql: Queryable,
  { tenant, id, place }: Pick<Run, 'tenant' | 'id' | 'place'>,
  to: Move,
  line: StepLine | undefined,
  at: Date,
  sent?: () => void,
): Promise<void> {
  const over = isOver(to)
  const moved = sql`
    with line as (${line ? insertLine(tenant, id, line) : part`select`}
    ), moved as (
      update flow_runs d
         set state = ${to.state}, place = ${to.place}, code = ${to.code ?? null}, reason = ${to.reason ?? null}, since = ${over ? null : to.since},
             attempts = ${to.attempts ?? 0},
             due_at = case when ${over} then null when ${to.afterSeconds ?? 0}::float8 = 0 then d.due_at
                           else clock_timestamp() + make_interval(secs => ${to.afterSeconds ?? 0}::float8) end,
             event = case when ${to.state === 'succeeded'} then null
                          when ${to.keepsEvent ?? false}
                            then coalesce(d.event, (select e.body from events e where e.tenant_id = ${tenant} and e.id = d.event_id))
                          else d.event end,
             started_at = coalesce(d.started_at, ${line?.startedAt ?? at}), ended_at = ${over ? at : null}
       where d.tenant_id = ${tenant} and d.id = ${id} and d.place = ${place} and d.due_at is not null
      returning 1
    )
    select flow_moved(count(*)) from moved`.execute()
  sent?.()
  await moved
}

/** Runs that are postponed at once. */
const POSTPONED_MAX = 1_000

/**
 * Lets the runs wait that are due, have not begun their step and are at the same step as this one, which was told to. Each of them would cost as much to be told
 * the same, and an app that is spared may have thousands.
 */
export async function postpone(
  sql: Queryable,
  { tenant, app_id, flow_id, revision, place }: Run,
  { afterSeconds, code, reason }: { afterSeconds: number; code: string; reason: string },
): Promise<void> {
  await sql`
    update flow_runs d set state = 'waiting', due_at = clock_timestamp() + make_interval(secs => ${afterSeconds}::float8), code = ${code}, reason = ${reason}
     where (d.tenant_id, d.id) in (
       select w.tenant_id, w.id
         from (select r.* from flow_runs r
                where r.tenant_id = ${tenant} and r.app_id = ${app_id} and r.due_at <= clock_timestamp()
                order by r.due_at, r.id
                limit ${POSTPONED_MAX}
                  for no key update skip locked) w
        where w.flow_id = ${flow_id} and w.revision = ${revision}::integer and w.place = ${place}::smallint and w.state <> 'running')`
}

const insertLine = (tenant: string, run: string, line: StepLine) => part`
  insert into flow_steps (tenant_id, run_id, place, step_id, state, input, output, code, reason, attempts, started_at, ended_at, message_id)
  values (${tenant}, ${run}, ${line.place}, ${line.step_id}, ${line.state}, ${line.input ?? null}, ${line.output ?? null}, ${line.code ?? null},
          ${line.reason ?? null}, ${line.attempts}, ${line.startedAt}, ${line.endedAt ?? null}, ${line.message ?? null})
  on conflict (tenant_id, run_id, place) do update
     set state = excluded.state, input = coalesce(excluded.input, flow_steps.input), output = excluded.output, code = excluded.code,
         reason = excluded.reason, attempts = excluded.attempts, ended_at = excluded.ended_at, message_id = excluded.message_id`

/** Whether the run was moved or ended meanwhile: by another worker, or by a person. */
export const wasMoved = (error: unknown): boolean => (error as { code?: unknown }).code === 'SDF01'
