// Every statement about all conversations of one contact.
import { giving } from '../postgres/of-contact.ts'
import { part, type Tx } from '../postgres/sql.ts'

export const give = giving({ table: part`conversations` })

/** The ids of a contact's open conversations: one of each of its threads. */
export async function openOf(tx: Tx, tenant: string, contact: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select t.id from conversations t where t.tenant_id = ${tenant} and t.contact_id = ${contact} and t.status = 'open'`
  return rows.map(row => row.id)
}
