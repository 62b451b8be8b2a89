// The rest of an endpoint that could not be sent to through no fault of its receiver.

import type { Ref } from '../../ids.ts'
import type { Queryable } from '../../postgres/sql.ts'

/** Nothing is sent to it for so long, by the clock that judges it. Under its lease. */
export async function rest(sql: Queryable, { tenant, id }: Ref, token: string, ms: number): Promise<void> {
  await sql`
    update webhook_endpoints
       set silent_until = greatest(silent_until, clock_timestamp() + make_interval(secs => ${ms / 1000}))
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}
