// Every statement of a source: made, woken, leased, given back.
import type { Ref } from '../ids.ts'
import { columns } from '../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import { leased } from '../queue/leased.ts'
import type { Requeue } from '../queue/requeuing.ts'
import type { KindName } from './kind.ts'

const isWaiting = part`c.tenant_id = r.tenant_id and c.source_id = r.id and c.status = 'waiting'`

/** The priority is that of a customer who waits: before live deliveries. */
export const leases = leased({
  table: 'callback_sources',
  task: 'callbacks/apply',
  key: 'sourceId',
  open: part`r.enabled and exists (select from callbacks c where ${isWaiting} and c.due_at <= clock_timestamp())`,
})

/** Gives jobs to sources that waited for a place when their worker died (turn.ts). @param noticed when that was */
export const requeueForgotten: Requeue = (sql, noticed) => leases.rescueForgotten(sql, noticed, part`r.queued`)

export async function insert(tx: Tx, { tenant, id }: Ref, kind: KindName): Promise<void> {
  await tx`insert into callback_sources (tenant_id, id, kind) values (${tenant}, ${id}, ${kind}) on conflict do nothing`
}

export async function exists(sql: Queryable, { tenant, id }: Ref): Promise<boolean> {
  const rows = await sql`select 1 from callback_sources r where r.tenant_id = ${tenant} and r.id = ${id}`
  return rows.length > 0
}

export async function disable(tx: Tx, { tenant, id }: Ref): Promise<void> {
  await tx`update callback_sources r set enabled = false where r.tenant_id = ${tenant} and r.id = ${id}`
}

/** Its callbacks are applied from now on, those that have waited as well. */
export async function enable(tx: Tx, { tenant, id }: Ref): Promise<void> {
  await tx`
    with r as (
      update callback_sources r set enabled = true, queued = true, ${leases.queued} where r.tenant_id = ${tenant} and r.id = ${id}
      returning r.*
    )
    select ${leases.job()} from r`
}

const SOURCE = columns({ tenant_id: 'text', id: 'text' })

/**
 * Adds a job for each source that has neither job nor lease. A row that is about to be given back is waited for: the turn that holds it may not have seen what
 * the source is woken for. One with a job is not even locked: its turn begins later, and sees all. It does not wait for the disk: what a crash of the
 * server undoes is found by the sweep.
 */
export async function wake(sql: Queryable, sources: Ref[]): Promise<void> {
  const rows = sources.map(({ tenant, id }) => ({ tenant_id: tenant, id }))
  await sql`
    with locked as materialized (
      select s.tenant_id, s.id, s.lease_until is null or s.lease_until < clock_timestamp() as asleep
        from callback_sources s
       where (s.tenant_id, s.id) in (select r.tenant_id, r.id from ${SOURCE.of(rows)}) and s.enabled and not s.queued
       order by s.tenant_id, s.id
         for no key update
    ), r as (
      update callback_sources r set queued = true, ${leases.queued}
        from locked l
       where r.tenant_id = l.tenant_id and r.id = l.id and l.asleep
      returning r.*
    )
    select ${leases.job()} from set_config('synchronous_commit', 'off', true), r`
}

/**
 * Takes the lease, without waiting for the disk: the callbacks themselves are locked while they are applied.
 * @returns false: another worker holds it, or the source is disabled
 */
export async function take(sql: Queryable, { tenant, id }: Ref, token: string): Promise<boolean> {
  const rows = await sql`
    update callback_sources r set queued = false, ${leases.leaseTo(token)}
      from set_config('synchronous_commit', 'off', true)
     where r.tenant_id = ${tenant} and r.id = ${id} and r.enabled and ${leases.isFree}
    returning 1`
  return rows.length > 0
}

/**
 * Gives the lease back, for good, and queues the next turn for when there is something to apply later. Were a crash of the server to take this back, the row
 * would name a process that lives and says nothing more of it, until the lease ran out.
 * @returns `due`: there is something by now, without a job. `lost`: the lease was not ours any more, as where such a crash took back its taking
 */
export async function release(sql: Queryable, { tenant, id }: Ref, token: string): Promise<'due' | 'done' | 'lost'> {
  const [row] = await sql<[{ state: 'due' | 'done' | 'lost' }]>`
    with held as materialized (
      select r.tenant_id, r.id
        from callback_sources r
       where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isHeldBy(token)}
         for no key update
    ), r as (
      update callback_sources r
         set ${leases.givenBack}, ${leases.queued}, queued = false
        from held h
        left join lateral (select callback_next_due(h.tenant_id, h.id) as due_at) n on true
       where r.tenant_id = h.tenant_id and r.id = h.id
      returning r.*, n.due_at, r.enabled and n.due_at is not null as has_next, coalesce(n.due_at <= clock_timestamp(), false) as is_due
    )
    select case when r.id is null then 'lost' when r.has_next and r.is_due then 'due' else 'done' end as state,
           case when r.has_next and not r.is_due then ${leases.job(part`(r.due_at - clock_timestamp())`)} end as job
      from (select) one
      left join r on true`
  return row.state
}

/** Queues the next turn of a source that is not leased, for when there is something to apply. */
export async function schedule(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`
    with r as materialized (
      select r.tenant_id, r.id, callback_next_due(r.tenant_id, r.id) as due_at
        from callback_sources r
       where r.tenant_id = ${tenant} and r.id = ${id} and r.enabled
    )
    select ${leases.job(part`greatest(r.due_at - clock_timestamp(), interval '0')`)}
      from set_config('synchronous_commit', 'off', true), r
     where r.due_at is not null`
}
