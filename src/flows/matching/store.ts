// Every statement of matching: events taken, runs written, and the sweep of events that no worker has taken.
import { beginningBytesPart, beginningPart, versionPart } from '../../apps/parts.ts'
import type { Ref } from '../../ids.ts'
import { combine } from '../../postgres/combine.ts'
import { arrayText, columns } from '../../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../../postgres/sql.ts'
import { addJob, hasFreeJob } from '../../queue/jobs.ts'

/** An event that some flow may begin with. */
export interface Taken extends Ref {
  /** Where its row is, while it is locked. */
  place: string
  /** Null where the event is gone. */
  type: string | null
  depth: number
  body: string | null
  /** The lineage of the run that caused it; null where none did. */
  lineage: string[] | null
  /** The version of the workspace's apps, by `versionPart`. */
  version: string
}

/** What is taken at once: of each workspace so many events, and of all so many bytes, the last counted by where it begins. */
export interface Portion {
  most: number
  bytes: number
}

/** Locks events that are due, the oldest first; those that another worker has are left to it. */
export const take = (tx: Tx, tenants: string[], { most, bytes }: Portion): Promise<Taken[]> => tx<Taken[]>`
  with due as materialized (
    select f.*
      from unnest(${arrayText(tenants)}::text::text[]) as u (tenant_id)
     cross join lateral (
       select f.tenant_id, f.event_id, f.due_at, f.ctid
         from flow_events f
        where f.tenant_id = u.tenant_id and f.due_at <= clock_timestamp()
        order by f.due_at, f.event_id
        limit ${most}
          for update of f skip locked) f
  ), sized as materialized (
    select d.tenant_id, d.event_id, d.due_at, d.ctid as place, e.type, e.depth, e.run_id, e.ctid as event_place,
           coalesce(sum(octet_length(e.body)) over (order by d.due_at, d.event_id rows between unbounded preceding and 1 preceding), 0) as before
      from due d
      left join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
  ), versions as materialized (
    select u.tenant_id, ${versionPart(part`u.tenant_id`)} as version from unnest(${arrayText(tenants)}::text::text[]) as u (tenant_id)
  )
  select s.tenant_id as tenant, s.event_id as id, s.place, s.type, s.depth, e.body, c.lineage, v.version
    from sized s
    join versions v on v.tenant_id = s.tenant_id
    -- Where it was found: by its key it would be a look in an index more.
    left join lateral (select e.body from events e where e.ctid = s.event_place offset 0) e on true
    left join flow_runs c on c.tenant_id = s.tenant_id and c.id = s.run_id
   where s.before < ${bytes}
   order by s.due_at, s.event_id`

/** What a workspace begins with a type of event. */
export interface Apps {
  version: string
  /** As of `beginningPart`; null: none. */
  apps: string | null
}

export async function beginning(sql: Queryable, tenant: string, type: string): Promise<Apps> {
  const [row] = await sql<[Apps]>`select ${versionPart(tenant)} as version, (${beginningPart(tenant, type)}) as apps`
  return row
}

/** The same, and the bytes of the manifests that it is made of. */
export async function weightOf(sql: Queryable, tenant: string, type: string): Promise<{ version: string; bytes: number }> {
  const [row] = await sql<[{ version: string; bytes: number }]>`
    select ${versionPart(tenant)} as version, (${beginningBytesPart(tenant, type)}) as bytes`
  return row
}

/** The run that wrote a message. */
export interface Written {
  tenant: string
  message_id: string
  depth: number
  lineage: string[]
}

const MESSAGE = columns({ tenant_id: 'text', message_id: 'text' })

/** The runs that wrote these messages: an event about one was caused by its run. */
export const writersOf = (tx: Tx, messages: { tenant_id: string; message_id: string }[]): Promise<Written[]> => tx<Written[]>`
  select c.tenant_id as tenant, s.message_id, c.depth, c.lineage
    from ${MESSAGE.of(messages)}
    join flow_steps s on s.tenant_id = r.tenant_id and s.message_id = r.message_id
    join flow_runs c on c.tenant_id = s.tenant_id and c.id = s.run_id`

/** A run as it begins. */
export interface NewRun {
  tenant_id: string
  id: string
  app_id: string
  flow_id: string
  revision: number
  event_id: string
  event_type: string
  depth: number
  lineage: string[]
  is_replay: boolean
  /** Why it is skipped. */
  code: string | null
  reason: string | null
}

const RUN = columns({
  tenant_id: 'text',
  id: 'text',
  app_id: 'text',
  flow_id: 'text',
  revision: 'integer',
  event_id: 'text',
  event_type: 'text',
  depth: 'smallint',
  lineage: 'text',
  is_replay: 'boolean',
  code: 'text',
  reason: 'text',
})
const APP = columns({ tenant_id: 'text', app_id: 'text' })

const insertRuns = (runs: NewRun[], at: Date) => part`
  insert into flow_runs (tenant_id, id, app_id, flow_id, revision, event_id, event_type, depth, lineage, is_replay, code, reason,
                         state, due_at, created_at, ended_at)
  select r.tenant_id, r.id, r.app_id, r.flow_id, r.revision, r.event_id, r.event_type, r.depth, r.lineage::text[], r.is_replay, r.code, r.reason,
         case when r.code is null then 'queued' else 'skipped' end,
         case when r.code is null then clock_timestamp() end, ${at},
         case when r.code is not null then ${at}::timestamptz end
    from ${RUN.of(runs.map(each => ({ ...each, lineage: arrayText(each.lineage) })))}
  on conflict (tenant_id, event_id, app_id, flow_id) where not is_replay do nothing`

// In one order, for two workers may write the first runs of the same apps.
const insertQueues = (runs: NewRun[]) => part`
  insert into flow_queues (tenant_id, id)
  select distinct r.tenant_id, r.app_id from ${APP.of(runs.map(({ tenant_id, app_id }) => ({ tenant_id, app_id })))}
   order by 1, 2
  on conflict (tenant_id, id) do nothing`

const deleteEvents = (events: Taken[]) =>
  part`delete from flow_events f where f.ctid = any (${arrayText(events.map(({ place }) => place))}::text::tid[])`

/**
 * Writes runs, and takes away the events that they began with.
 * @param isLast the transaction ends with it, and does not wait for the disk: what a crash takes back is matched again, and whatever a run does is
 * committed after it
 */
export async function write(tx: Tx, runs: NewRun[], events: Taken[], at: Date, { isLast = false } = {}): Promise<void> {
  const begun = runs.filter(each => each.code === null)
  await combine(tx, {
    writes: [
      isLast ? part`select set_config('synchronous_commit', 'off', true)` : undefined,
      runs.length > 0 ? insertRuns(runs, at) : undefined,
      begun.length > 0 ? insertQueues(begun) : undefined,
      events.length > 0 ? deleteEvents(events) : undefined,
    ],
    isLast,
  })
}

/** Leaves an event that could not be matched until later. */
export async function postpone(tx: Tx, { place }: Taken, most: number): Promise<{ gone: boolean }> {
  const [row] = await tx<{ attempts: number; place: string }[]>`
    update flow_events f set attempts = f.attempts + 1, due_at = clock_timestamp() + make_interval(secs => power(4, f.attempts)::float8)
     where f.ctid = ${place}::text::tid
    returning f.attempts, f.ctid as place`
  if (row === undefined || row.attempts < most) return { gone: false }
  await tx`delete from flow_events f where f.ctid = ${row.place}::text::tid`
  return { gone: true }
}

/** Workspaces at one look; the next is soon. */
const TENANTS_MAX = 1_000

/** Workspaces with events that are late by so much: a loose index scan, one descent for each of them. */
export async function late(sql: Queryable, seconds: number): Promise<string[]> {
  const rows = await sql<{ tenant_id: string }[]>`
    with recursive walk as (
      (select f.tenant_id, f.due_at from flow_events f order by f.tenant_id, f.due_at limit 1)
      union all
      select n.* from walk w, lateral (
        select f.tenant_id, f.due_at from flow_events f where f.tenant_id > w.tenant_id order by f.tenant_id, f.due_at limit 1) n
    )
    select w.tenant_id from walk w where w.due_at < clock_timestamp() - make_interval(secs => ${seconds}) limit ${TENANTS_MAX}`
  return rows.map(row => row.tenant_id)
}

/** Adds a job for each workspace that has none. */
export async function queue(sql: Queryable, tenants: string[]): Promise<void> {
  await sql`
    select ${addJob('flows/match', { tenantId: part`u.tenant_id` })}
      from unnest(${arrayText(tenants)}::text::text[]) as u (tenant_id)
     where not ${hasFreeJob('flows/match', 'tenantId', part`u.tenant_id`)}`
}
