// Statements that wake channels: for what was just queued, and the sweep's, for what has come due or was left by a worker that died.
import type { Ref } from '../../ids.ts'
import { MESSAGE_EXPIRES_HOURS } from '../../limits/channels.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { leases } from './lease.ts'

/** Adds a job for each channel that has neither a job nor a lease. Rows that another transaction has locked are left to the sweep. */
export async function wake(sql: Queryable, channels: Ref[]): Promise<void> {
  await sql`
    with free as materialized (
      select r.tenant_id, r.id
        from channels r
        join (select distinct u.* from unnest(${channels.map(each => each.tenant)}::text[], ${channels.map(each => each.id)}::text[]) as u (tenant_id, id)) w
          on w.tenant_id = r.tenant_id and w.id = r.id
       where r.queued_at is null and ${leases.isFree}
       order by r.tenant_id, r.id
         for no key update of r skip locked
    ), r as (
      update channels r set ${leases.queued} from free f where r.tenant_id = f.tenant_id and r.id = f.id
      returning r.*
    )
    select ${leases.job()} from r`
}

/** The age at which a message that still waits is given up: see MESSAGE_EXPIRES_HOURS. */
const IS_OLD = part`s.queued_at < clock_timestamp() - make_interval(hours => ${MESSAGE_EXPIRES_HOURS})`

/** A condition: the channel has something to send, a probe to make or something to give up. */
export const isReady = part`
  (r.status = 'deleted' or ${leases.mayGo} and (r.status = 'failing' or w.due_at <= clock_timestamp())
   or exists (
     select from channel_sends s
      where s.tenant_id = w.tenant_id and s.channel_id = w.id and ${IS_OLD}))`
