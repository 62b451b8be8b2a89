// Every statement about all orders of one contact.
import { type Fragment, part } from '../postgres/sql.ts'

/**
 * Gives orders of one contact to another, and returns their ids, as a part of a statement: no new version, for nothing was done to the order. The text
 * that is replaced cannot stand inside a value, where its quotes would be escaped.
 */
export const give = (tenant: string, from: string, to: string, most: number): Fragment => part`
  update orders t
     set contact_id = ${to}, doc = replace(t.doc, ${customerOf(from)}, ${customerOf(to)})
    from (
      select o.id from orders o
       where o.tenant_id = ${tenant} and o.contact_id = ${from}
       order by o.id
       limit ${most}
         for no key update
    ) given
   where t.tenant_id = ${tenant} and t.id = given.id
  returning t.id`

const customerOf = (contact: string): string => `"customer":{"contact_id":"${contact}"`
