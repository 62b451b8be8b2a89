// Every statement about all conversations of one contact.
import { type Fragment, part, type Tx } from '../postgres/sql.ts'

/** Gives conversations of one contact to another, and returns their ids, as a part of a statement. They are locked in the order of their ids. */
export const give = (tenant: string, from: string, to: string, most: number): Fragment => part`
  update conversations t
     set contact_id = ${to}
    from (
      select c.id from conversations c
       where c.tenant_id = ${tenant} and c.contact_id = ${from}
       order by c.id
       limit ${most}
         for no key update
    ) given
   where t.tenant_id = ${tenant} and t.id = given.id
  returning t.id`

/** The ids of a contact's open conversations: one of each of its threads. */
export async function openOf(tx: Tx, tenant: string, contact: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select t.id from conversations t where t.tenant_id = ${tenant} and t.contact_id = ${contact} and t.status = 'open'`
  return rows.map(row => row.id)
}
