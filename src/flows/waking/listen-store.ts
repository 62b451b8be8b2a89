// The statement of the listener of events: see listen.ts.
import { beginsWithPart } from '../../apps/parts.ts'
import { type Fragment, part } from '../../postgres/sql.ts'

/** A row for each event that `happened` and that some flow may begin with, whatever the number of flows. */
export const insertEvents: Fragment = part`
  insert into flow_events (tenant_id, event_id)
  select h.tenant_id, h.id from happened h where ${beginsWithPart(part`h.tenant_id`, part`h.type`)}
  returning tenant_id as tenant`
