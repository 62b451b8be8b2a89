// Statements of the mails about failing endpoints.

import type { Ref } from '../../ids.ts'
import type { Queryable } from '../../postgres/sql.ts'

export interface Streak {
  url: string
  since: Date
  silent_until: Date | null
}

/** Marks the streak of failures as warned of. Undefined: it was already, or there is none any more. */
export async function markWarned(tx: Queryable, { tenant, id }: Ref): Promise<Streak | undefined> {
  const [row] = await tx<Streak[]>`
    update webhook_endpoints
       set warned_of = failing_since
     where tenant_id = ${tenant} and id = ${id} and status = 'enabled' and failing_since is not null
       and warned_of is distinct from failing_since
    returning url, failing_since as since, silent_until`
  return row
}

/** The error of the last attempt that failed, in words. */
export async function lastError(tx: Queryable, { tenant, id }: Ref): Promise<string> {
  const [row] = await tx`select last_error from webhook_endpoints where tenant_id = ${tenant} and id = ${id}`
  return row?.['last_error'] ?? 'unknown'
}
