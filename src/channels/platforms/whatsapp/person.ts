// A person on WhatsApp has a number, a business-scoped user id, or both:
// https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
import type { Person } from '../../../contacts/person.ts'
import { id, type Json, name, object } from '../value.ts'

/** What a callback tells about the sender. The only one of its contacts is the sender of its only message, whatever the ids. */
export function contactOf(message: Json, messages: Json[], contacts: Json[]): Json | undefined {
  return contacts.find(each => sameAs(each, message)) ?? (messages.length === 1 && contacts.length === 1 ? contacts[0] : undefined)
}

export function personOf(message: Json, told: Json | undefined): Person {
  const own = [id(message['from']), id(message['from_user_id'])]
  const ids = [...own, id(told?.['wa_id']), id(told?.['user_id'])].filter(each => each !== undefined)
  const profile = object(told?.['profile'])
  const [called, handle] = [name(profile?.['name']), name(profile?.['username'])]
  const phone = phoneOf(ids.find(each => phoneOf(each) !== undefined))
  return { ids: [...new Set(ids)], ...(called && { name: called }), ...(handle && { handle }), ...(phone && { proven: { phone } }) }
}

const sameAs = (contact: Json, message: Json): boolean =>
  (id(contact['wa_id']) !== undefined && id(contact['wa_id']) === id(message['from'])) ||
  (id(contact['user_id']) !== undefined && id(contact['user_id']) === id(message['from_user_id']))

/** The number that a WhatsApp id is; undefined of a user id, which opens with a country, as in `US.13491208655302741918`. */
export const phoneOf = (wa_id: string | undefined): string | undefined =>
  wa_id !== undefined && /^[1-9]\d{6,14}$/.test(wa_id) ? `+${wa_id}` : undefined
