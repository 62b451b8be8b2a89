// A contact that is blocked: what is open with them ends. A verb that knows who it is about to block ends it in its own transaction; a set, such as that
// of an import, leaves it to a job, which also ends what began while the contact was being blocked.
import type { Caller } from '../caller.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { blockAll } from './keepers.ts'
import * as store from './store.ts'

/** Ends what is open with a contact, if they are still blocked. */
export async function finish(sql: Sql, caller: Caller, id: string): Promise<void> {
  const blocked = await store.isBlocked(sql, caller.tenant, id)
  if (blocked) await begin(sql, tx => blockAll(tx, caller, id))
}
