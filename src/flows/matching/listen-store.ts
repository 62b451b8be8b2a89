// The statement of the listener of events: see listen.ts.
import { beginsWithPart, versionPart } from '../../apps/parts.ts'
import { columns } from '../../postgres/row-set.ts'
import { type Fragment, part } from '../../postgres/sql.ts'

/** An event that begins nothing, if the workspace's apps are still of this version. */
export interface Idle {
  id: string
  version: string
}

const IDLE = columns({ id: 'text', version: 'text' })
const begins = beginsWithPart(part`h.tenant_id`, part`h.type`)

/** A row for each event that `happened` and that some flow may begin with, whatever the number of flows. */
export const insertEvents = (idle: Idle[]): Fragment => part`
  insert into flow_events (tenant_id, event_id)
  select h.tenant_id, h.id
    from happened h ${idle.length === 0 ? part`` : part`left join ${IDLE.few(idle)} on r.id = h.id`}
   where ${idle.length === 0 ? begins : part`case when r.version = ${versionPart(part`h.tenant_id`)} then false else ${begins} end`}
  returning tenant_id as tenant, event_id as event`
