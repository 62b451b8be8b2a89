// Every statement of catching up: what was held is dropped, and deliveries of what was missed are inserted, both in batches.

import type { Ref } from '../../ids.ts'
import { CATCH_UP_BATCH } from '../../limits.ts'
import { epoch } from '../../postgres/epoch.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import type { CatchUp } from '../endpoints/store.ts'
import { delivered } from '../log/store.ts'

/** Where catching up has got to: the plan, and from the first batch on the line it ends at and the last event looked at. */
export interface Progress extends CatchUp {
  /** Transactions from here on saw that deliveries are made for the endpoint. No two plans have the same, so it tells one from the next. */
  horizon: string
  horizon_epoch: number
  epoch?: number
  xid?: string
  seq?: string
}

/** Undefined when there is nothing to catch up with: it is done, or was called off. */
export async function progress(sql: Queryable, { tenant, id }: Ref): Promise<Progress | undefined> {
  const [row] = await sql<{ catching_up: Progress }[]>`
    update webhook_endpoints
       -- The first time it is asked, which is after the endpoint's new status was committed. One without an epoch, from before there were any, is
       -- fixed anew: later than needed is as good, for a second delivery of an event is never inserted.
       set catching_up = case when catching_up ? 'horizon_epoch' then catching_up
           else catching_up || jsonb_build_object('horizon', pg_snapshot_xmax(pg_current_snapshot())::text, 'horizon_epoch', ${epoch}) end
     where tenant_id = ${tenant} and id = ${id} and catching_up is not null
    returning catching_up`
  return row?.catching_up
}

// A worker that was taken for dead may still be at it, beside its successor, or after the plan was called off and another made.
const stillPlanned = ({ horizon, horizon_epoch }: Progress) => part`
  (w.catching_up ->> 'horizon' = ${horizon} and (w.catching_up ->> 'horizon_epoch')::integer = ${horizon_epoch}::integer)`

/**
 * Drops only while this plan has that to do: once it is noted as done, the deliveries of missed events must stay.
 * @returns whether there may be more
 */
export async function dropBatch(sql: Queryable, endpoint: Ref, at: Progress): Promise<boolean> {
  // A slice of before may be recording: it locks its deliveries in the order of their answers. The rows it holds are waited for at the end, while
  // this transaction holds none that it may want.
  return (await drop(sql, endpoint, at, CATCH_UP_BATCH, part`skip locked`)) || drop(sql, endpoint, at, 1, part``)
}

async function drop(sql: Queryable, { tenant, id }: Ref, at: Progress, size: number, locked: Fragment): Promise<boolean> {
  const rows = await sql`
    with batch as (
      select d.event_id
        from webhook_deliveries d
       where d.tenant_id = ${tenant} and d.endpoint_id = ${id} and d.state = 'pending'
         -- What was tried is due when it is tried again.
         and coalesce(d.first_attempt_at, d.due_at) < ${at.drop_before}::text::timestamptz
         and exists (
           select 1 from webhook_endpoints w
            where w.tenant_id = ${tenant} and w.id = ${id} and ${stillPlanned(at)} and w.catching_up ->> 'drop_before' is not null)
       order by d.event_id
       limit ${size}
         for update ${locked}
    )
    update webhook_deliveries d set state = 'dropped', finished_at = now()
      from batch
     where d.tenant_id = ${tenant} and d.endpoint_id = ${id} and d.event_id = batch.event_id
    returning 1`
  return rows.length > 0
}

/** Nothing is left to be dropped. */
export async function markDropped(sql: Queryable, { tenant, id }: Ref, at: Progress): Promise<void> {
  await sql`
    update webhook_endpoints w set catching_up = w.catching_up || '{"drop_before": null}'
     where w.tenant_id = ${tenant} and w.id = ${id} and ${stillPlanned(at)}`
}

/**
 * Inserts deliveries of the next missed events, in the order of their commits, and remembers how far it came. Only what is settled is looked at: a
 * transaction under way may still commit an event that saw the endpoint disabled.
 * @returns `more`: go on; `wait`: such a transaction is under way; `done`, also where the plan was called off
 */
export async function insertMissedBatch(sql: Queryable, { tenant, id }: Ref, at: Progress): Promise<'more' | 'wait' | 'done'> {
  // One bound alone, or each batch would begin at the first of them.
  const from =
    at.xid === undefined
      ? part`(e.epoch, e.xid) >= (${at.missed_epoch ?? 0}::integer, ${at.missed_from as string}::text::xid8)`
      : part`(e.epoch, e.xid, e.seq) > (${at.epoch ?? 0}::integer, ${at.xid}::text::xid8, ${at.seq as string}::text::bigint)`
  const horizon = part`(${at.horizon_epoch}::integer, ${at.horizon}::text::xid8)`
  const settled = part`(${epoch}, pg_snapshot_xmin(pg_current_snapshot()))`
  const [row] = await sql<{ last: { epoch: number; xid: string; seq: string } | null; settled: boolean }[]>`
    with batch as materialized (
      select e.id, e.type, e.created_at, e.epoch, e.xid, e.seq
        from events e
       where e.tenant_id = ${tenant} and ${from} and (e.epoch, e.xid) < ${horizon} and (e.epoch, e.xid) < ${settled} and e.test_of is null
       order by e.epoch, e.xid, e.seq
       limit ${CATCH_UP_BATCH}
         -- Retention may be deleting old events: those that it holds are waited for and get no delivery, those that we hold are kept.
         for key share of e
    ), last as (
      select jsonb_build_object('epoch', s.epoch, 'xid', s.xid::text, 'seq', s.seq::text) as last
        from batch s order by s.epoch desc, s.xid desc, s.seq desc limit 1
    ), moved as (
      update webhook_endpoints w set catching_up = w.catching_up || last.last
        from last
       where w.tenant_id = ${tenant} and w.id = ${id} and ${stillPlanned(at)}
      returning w.tenant_id, w.id, w.events, w.created_at, last.last
    ), inserted as (
      -- Due since it happened, so that what is older goes first.
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
      select moved.tenant_id, moved.id, s.id, least(s.created_at, clock_timestamp())
        from batch s, moved
       where s.type = any(moved.events) and s.created_at >= moved.created_at
         -- A recovery may have delivered it meanwhile; one that did so live has no row.
         and ${delivered(part`moved.tenant_id`, part`moved.id`, part`s.id`)} is null
          on conflict do nothing
    )
    select (select last from moved) as last, ${settled} >= ${horizon} as settled`
  if (row?.last) {
    Object.assign(at, row.last)
    return 'more'
  }
  return row?.settled ? 'done' : 'wait'
}

export async function finish(sql: Queryable, { tenant, id }: Ref, at: Progress): Promise<void> {
  await sql`
    update webhook_endpoints w
       set status = w.catching_up ->> 'next_status', catching_up = null, version = w.version + 1, updated_at = now()
     where w.tenant_id = ${tenant} and w.id = ${id} and ${stillPlanned(at)}`
}
