// Parts of statements that ask about a call `c`.
import { part } from '../postgres/sql.ts'

/** A condition: its maker has it under way, as far as is known. Null where no process has. */
export const isHeld = part`
  (c.lease_until > clock_timestamp() and not exists (select from skill_callers_gone g where g.process = left(c.lease_token::text, 18)))`

/** What it gave, as JSON. A long output stands apart, and is gone after a day. */
export const outputOf = part`coalesce(c.output, (select o.output from skill_outputs o where o.tenant_id = c.tenant_id and o.call_id = c.id))`
