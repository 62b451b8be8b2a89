// Every statement of catching up: held deliveries are dropped, and deliveries of missed events are inserted, both in batches.

import type { Ref } from '../../ids.ts'
import { CATCH_UP_BATCH } from '../../limits/webhooks.ts'
import { epoch } from '../../postgres/epoch.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import type { CatchUp } from '../endpoints/store.ts'
import { delivered } from '../log/store.ts'

/** How far a catch-up has come: its plan; its horizon, once it has begun; and the last event it looked at, once it has inserted a batch. */
export interface Progress extends CatchUp {
  /** Transactions from here on insert the endpoint's deliveries themselves. No two plans have the same horizon, so it identifies the plan. */
  horizon: string
  horizon_epoch: number
  epoch?: number
  xid?: string
  seq?: string
}

/** Undefined when there is nothing to catch up with: the catch-up is done, or was called off. */
export async function progress(sql: Queryable, { tenant, id }: Ref): Promise<Progress | undefined> {
  const [row] = await sql<{ catching_up: Progress }[]>`
    update webhook_endpoints
       -- The first call, after the endpoint's new status was committed, sets the horizon. A horizon without an epoch, from before there were epochs,
       -- is set again: later than needed does no harm, for an event never gets a second delivery.
       set catching_up = case when catching_up ? 'horizon_epoch' then catching_up
           else catching_up || jsonb_build_object('horizon', pg_snapshot_xmax(pg_current_snapshot())::text, 'horizon_epoch', ${epoch}) end
     where tenant_id = ${tenant} and id = ${id} and catching_up is not null
    returning catching_up`
  return row?.catching_up
}

// A worker that was taken for dead may still run the plan beside its successor, or after the plan was called off and another one made.
const stillPlanned = ({ horizon, horizon_epoch }: Progress) => part`
  (w.catching_up ->> 'horizon' = ${horizon} and (w.catching_up ->> 'horizon_epoch')::integer = ${horizon_epoch}::integer)`

/**
 * Drops only while this plan is still to drop: once dropping is marked as done, the deliveries of missed events must stay.
 * @returns whether there may be more
 */
export async function dropBatch(sql: Queryable, endpoint: Ref, at: Progress): Promise<boolean> {
  // A delivery slice from before may still be recording, and locks its deliveries in the order of their answers. Its rows are skipped, and waited for
  // one at a time at the end: this transaction then holds no row that the slice may want, so the two cannot deadlock.
  return (await drop(sql, endpoint, at, CATCH_UP_BATCH, part`skip locked`)) || drop(sql, endpoint, at, 1, part``)
}

async function drop(sql: Queryable, { tenant, id }: Ref, at: Progress, size: number, locked: Fragment): Promise<boolean> {
  const rows = await sql`
    with batch as (
      select d.event_id
        from webhook_deliveries d
       where d.tenant_id = ${tenant} and d.endpoint_id = ${id} and d.state = 'pending'
         -- A delivery that was tried has its next attempt in due_at, so its first attempt dates it.
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

/** Marks that nothing is left to drop. */
export async function markDropped(sql: Queryable, { tenant, id }: Ref, at: Progress): Promise<void> {
  await sql`
    update webhook_endpoints w set catching_up = w.catching_up || '{"drop_before": null}'
     where w.tenant_id = ${tenant} and w.id = ${id} and ${stillPlanned(at)}`
}

/**
 * Inserts deliveries of the next missed events, in the order of their transactions, and records how far it came. It reads settled events only: an open
 * transaction that saw the endpoint disabled may still commit an event.
 * @returns `more`: go on; `wait`: such a transaction is open; `done`, also where the plan was called off
 */
export async function insertMissedBatch(sql: Queryable, { tenant, id }: Ref, at: Progress): Promise<'more' | 'wait' | 'done'> {
  // One bound only: with both, each batch would start its scan at the first missed event.
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
         -- Retention may be deleting old events: rows it has locked are waited for and get no delivery, rows locked here are kept.
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
      -- Due since the event happened, so that older events go first.
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
      select moved.tenant_id, moved.id, s.id, least(s.created_at, clock_timestamp())
        from batch s, moved
       where s.type = any(moved.events) and s.created_at >= moved.created_at
         -- A recovery may have delivered the event meanwhile; a live delivery that succeeded has no row.
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
