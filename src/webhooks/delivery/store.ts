// Statements of delivering: fan-out and wake-ups. Leases are in lease-store.ts, claims in claim-store.ts, results in record-store.ts, the sweep in
// sweep-store.ts.
import type { Ref } from '../../ids.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'

/**
 * A pending delivery for each event that `happened` and each endpoint that subscribes to it, as a part of a statement that returns their endpoints. The
 * due time is read once for all, so that they are sent in the order of their ids, in which the events happened, in whatever order the rows are written.
 */
export const insertDeliveries: Fragment = part`
  insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
  select e.tenant_id, e.id, h.id, (select clock_timestamp())
    from happened h
    join webhook_endpoints e on e.tenant_id = h.tenant_id and e.status <> 'disabled' and e.events @> array[h.type]
  returning tenant_id as tenant, endpoint_id as id`

/**
 * Adds a job for each endpoint that no worker serves. It does not wait for the disk: the sweep repeats a wake-up that a crash of the server undoes.
 * @returns those whose rows another transaction holds: they still need to be woken
 */
export const wake = (sql: Queryable, endpoints: Ref[]): Promise<Ref[]> => wakeBy(sql, part`webhook_wake`, endpoints)

/** Tells a living worker of each endpoint, without a job; without a living worker the same as `wake`. The sweep repeats what is lost. */
export const tell = (sql: Queryable, endpoints: Ref[]): Promise<Ref[]> => wakeBy(sql, part`webhook_tell`, endpoints)

async function wakeBy(sql: Queryable, by: Fragment, endpoints: Ref[]): Promise<Ref[]> {
  const [row] = await sql<{ locked: number[] }[]>`
    select ${by}(${endpoints.map(each => each.tenant)}::text[], ${endpoints.map(each => each.id)}::text[]) as locked
      from set_config('synchronous_commit', 'off', true)`
  return (row?.locked ?? []).map(place => endpoints[place - 1] as Ref)
}

/** Whether a recovery of the endpoint runs now, and so may be waiting for the endpoint to be free. */
export async function isRecovering(sql: Queryable, { tenant, id }: Ref): Promise<boolean> {
  const rows = await sql`
    select 1 from webhook_recoveries
     where tenant_id = ${tenant} and endpoint_id = ${id} and state = 'running' and lease_until > clock_timestamp()
     limit 1`
  return rows.length > 0
}
