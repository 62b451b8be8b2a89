// What a recovery takes from its endpoint beside live slices: a request of its rate, or, where it is ordered, the endpoint itself for one request.

import type { Ref } from '../../ids.ts'
import { LEASE_SECONDS } from '../../limits/queue.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { perMinute } from '../endpoints/rate.ts'
import { ofOneEvent } from './selection-store.ts'

/**
 * Takes one request of the endpoint's rate, where live traffic has left one: only while nothing of the rate is used ahead, and not beside a live
 * slice, which alone knows what it has used until it ends.
 * @returns whether there was one
 */
export async function takePermit(sql: Queryable, { tenant, id }: Ref): Promise<boolean> {
  const rows = await sql`
    update webhook_endpoints
       set ${permitUsed}
     where tenant_id = ${tenant} and id = ${id} and ${permitFree} and ${notLeased}
    returning 1`
  return rows.length > 0
}

/**
 * Takes the endpoint itself for one request, with a request of its rate: whatever its status, and also while it is silent. Live deliveries that
 * are due come first, unless their job has been queued for so long that it may be lost; then come recoveries of one event.
 * @returns whether the endpoint was free
 */
export async function takeEndpoint(sql: Queryable, { tenant, id }: Ref, recovery: string, token: string): Promise<boolean> {
  const rows = await sql`
    update webhook_endpoints
       set ${permitUsed}, lease_token = ${token}, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     where tenant_id = ${tenant} and id = ${id} and ${permitFree} and ${notLeased}
       and (queued_at is null or queued_at < clock_timestamp() - interval '10 seconds' or status <> 'enabled' or silent_until > clock_timestamp())
       and not exists (
             select 1
               from webhook_recoveries m
               join webhook_recoveries o on o.tenant_id = m.tenant_id and o.endpoint_id = m.endpoint_id
              where m.tenant_id = ${tenant} and m.id = ${recovery} and not ${ofOneEvent(part`m.scope`)}
                and ${ofOneEvent(part`o.scope`)} and o.state = 'running' and o.lease_until > clock_timestamp())
    returning 1`
  return rows.length > 0
}

// What a request uses up, and a millisecond more, for `paced_until` is rounded to whole ones.
const permitUsed = part`
  paced_until = case when max_per_minute is null then paced_until
                     else clock_timestamp() + make_interval(secs => (${perMinute(1).everyMs}::float8 / max_per_minute + 1) / 1000) end`
const permitFree = part`(max_per_minute is null or paced_until is null or paced_until <= clock_timestamp())`
// A lease without a holder may go on for a moment: webhook_release keeps the endpoint for a recovery that waits.
const notLeased = part`(lease_token is null or lease_until < clock_timestamp())`

/** Gives the endpoint back. Deliveries that came while it was held woke no slice: the second statement sees them. A queued job stays queued. */
export async function giveBack(sql: Queryable, { tenant, id }: Ref, token: string): Promise<void> {
  await sql`
    update webhook_endpoints set lease_token = null, lease_until = null
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
  await sql`
    select webhook_wake(array[${tenant}]::text[], array[${id}]::text[])
     where exists (
       select 1 from webhook_deliveries d
        where d.tenant_id = ${tenant} and d.endpoint_id = ${id} and d.state = 'pending' and d.due_at <= clock_timestamp())`
}
