// A contact's representation: a new one, and one after a change.
import { isDeepStrictEqual } from 'node:util'
import { newId } from '../ids.ts'
import type { Contact, ContactSnapshot, Learnt, NewContact } from './schema.ts'

/** The fields that orders and conversations change. */
export type Moved = Omit<ContactSnapshot, keyof Contact>

/** Before the first order and the first message. */
export const UNMOVED: Moved = { orders_count: 0, total_spent_amount: 0, last_message_at: null, channels: [] }

/** @param currency the workspace's, in which the contact's spending is counted */
export function newContact(input: NewContact, currency: string): Contact {
  const at = new Date().toISOString()
  return {
    object: 'contact',
    id: newId('con'),
    name: input.name ?? null,
    email: input.email ?? null,
    phone: input.phone ?? null,
    language: input.language ?? null,
    avatar_url: input.avatar_url ?? null,
    tags: input.tags ?? [],
    summary: null,
    summary_updated_at: null,
    currency,
    blocked: input.blocked ?? false,
    external_id: input.external_id ?? null,
    attributes: input.attributes ?? {},
    version: 1,
    created_at: at,
    updated_at: at,
    email_claimed: false,
  }
}

/** The next version; the very same contact when nothing changes. An e-mail address that is given is confirmed, unless the change says that it is a claim. */
export function changed(contact: Contact, input: Learnt): Contact {
  const after = { ...contact, ...('email' in input && { email_claimed: false }), ...(input as Partial<Contact>) }
  if (changedFields(contact, after).length === 0) return contact
  return { ...after, version: contact.version + 1, updated_at: new Date().toISOString() }
}

export const changedFields = (before: Contact, after: Contact): string[] =>
  (Object.keys(after) as (keyof Contact)[]).filter(
    name => name !== 'version' && name !== 'updated_at' && !isDeepStrictEqual(before[name], after[name]),
  )

export const addedTags = (before: Contact, after: Contact): string[] => after.tags.filter(tag => !before.tags.includes(tag))

/** The public representation. The store makes the same JSON when it reads a contact. */
export const snapshot = (contact: Contact, moved: Moved): ContactSnapshot => ({ ...contact, ...moved })
