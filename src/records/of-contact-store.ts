// Every statement about all records of one contact.
import { type Fragment, part } from '../postgres/sql.ts'

/**
 * Gives records of one contact to another, and returns their ids, as a part of a statement: no new version, for nothing was done to the record. The text
 * that is replaced cannot stand inside a value, where its quotes would be escaped.
 */
export const give = (tenant: string, from: string, to: string, most: number): Fragment => part`
  update records t
     set contact_id = ${to}, doc = replace(t.doc, ${linkTo(from)}, ${linkTo(to)})
    from (
      select r.id from records r
       where r.tenant_id = ${tenant} and r.contact_id = ${from}
       order by r.id
       limit ${most}
         for no key update
    ) given
   where t.tenant_id = ${tenant} and t.id = given.id
  returning t.id`

const linkTo = (contact: string): string => `{"target":"builtin:contact","id":"${contact}"}`
