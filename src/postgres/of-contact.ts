// Rows that follow a contact when it becomes a part of another: see contacts/keepers.ts.
import { type Fragment, part } from './sql.ts'

interface Rows {
  /** It has `tenant_id`, `id` and `contact_id`. */
  table: Fragment
  /** How the stored text, `doc`, names a contact, where it does: with quotes, which would be escaped inside a value. */
  named?: (contact: string) => string
}

/**
 * Gives rows of one contact to another, and returns their ids, as a part of a statement. They are locked in the order of their ids, and get no new version,
 * for nothing was done to what they are. The ids are an array, which is made once: as a table to join they were found and locked anew for each row of the
 * workspace, by a plan from before the contact had many.
 */
export const giving =
  ({ table, named }: Rows) =>
  (tenant: string, from: string, to: string, most: number): Fragment =>
    part`
    update ${table} t
       set contact_id = ${to} ${named ? part`, doc = replace(t.doc, ${named(from)}, ${named(to)})` : part``}
     where t.tenant_id = ${tenant} and t.id = any(array(
        select r.id from ${table} r
         where r.tenant_id = ${tenant} and r.contact_id = ${from}
         order by r.id
         limit ${most}
           for no key update))
    returning t.id`
