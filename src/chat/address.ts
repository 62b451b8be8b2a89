// Where answers reach a visitor who is not there: the address that their contact is known by, else the one that they typed last. What they type may be another contact's
// already, for many who write have ordered before; it is answered to all the same, and no visitor learns by it which addresses are known.
import { contactOn, handleOn } from '../contacts/on-channel.ts'
import type { Contact } from '../contacts/schema.ts'
import type { Queryable } from '../postgres/sql.ts'

export interface Addressed {
  contact: Contact
  /** An e-mail address; null where none is known. */
  address: string | null
  /** Nothing has proven that it is the visitor's. */
  isTyped: boolean
}

/** @param visitor `vis_…` @returns undefined of a visitor who has not written yet */
export async function addressed(sql: Queryable, tenant: string, channel: string, visitor: string): Promise<Addressed | undefined> {
  const contact = await contactOn(sql, tenant, channel, visitor)
  if (!contact) return undefined
  if (contact.email !== null && !contact.email_claimed) return { contact, address: contact.email, isTyped: false }
  return { contact, address: (await handleOn(sql, tenant, channel, visitor)) ?? contact.email, isTyped: true }
}
