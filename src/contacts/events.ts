import { Type } from 'typebox'
import { defineEvent } from '../events/emit.ts'
import { Tags } from '../schemas.ts'
import { contact } from './example.ts'
import { Contact, ContactId } from './schema.ts'

const snapshot = { contact_id: ContactId, contact: Contact }
const example = { contact_id: contact.id, contact }

export const ContactCreated = defineEvent('contact.created', 'A contact was made, other than by an order.', Type.Object(snapshot), {
  webhook: false,
  example,
})

export const ContactTagged = defineEvent('contact.tagged', 'Tags were added to a contact.', Type.Object({ ...snapshot, added: Tags }), {
  webhook: false,
  example: { ...example, added: ['vip'] },
})

export const ContactMerged = defineEvent(
  'contact.merged',
  'Two contacts became one: the other one has its channels, conversations and orders now.',
  Type.Object({ ...snapshot, merged_contact_id: ContactId }),
  { webhook: false, example: { ...example, merged_contact_id: 'con_01jz0000000000000000000001' } },
)

export const events = [ContactCreated, ContactTagged, ContactMerged]
