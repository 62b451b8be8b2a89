// Leases of endpoints, as the engine takes them.
import type { Locked } from '../../src/postgres/past-lock.ts'
import type { Queryable } from '../../src/postgres/sql.ts'
import type { TellOfDropped } from '../../src/webhooks/delivery/claim-store.ts'
import type { AskingSlice } from '../../src/webhooks/delivery/lease-store.ts'
import { type Taken, takeAll, unmarkAll } from '../../src/webhooks/delivery/take-store.ts'

/** Takes the leases, and looks at the endpoints that were not taken. */
export async function takeOrUnmark(sql: Queryable, slices: AskingSlice[], tell?: TellOfDropped): Promise<(Taken | Locked | undefined)[]> {
  const taken = await takeAll(sql, slices, tell)
  const others = slices.filter((_, index) => !taken[index])
  const unmarked = others.length > 0 ? await unmarkAll(sql, others) : []
  return taken.map(each => each ?? unmarked.shift())
}
