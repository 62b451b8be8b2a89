import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { LANGUAGE_TAG_CHARS } from '../limits/fields.ts'
import { Currency, dictionary, Email, ExternalId, GivenTags, Name, nullable, Phone, strict, Tags, Time, Total, Url } from '../schemas.ts'

export const ContactId = Type.String({ pattern: idPattern('con') })

const Language = Type.String({
  pattern: '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$',
  maxLength: LANGUAGE_TAG_CHARS,
  description: 'A language tag (BCP 47), such as uk or pt-BR.',
})
const Attributes = dictionary(
  { entries: 100, name: 64, value: 500 },
  { description: 'What you know of the customer, in names of your own. A PATCH replaces it whole.' },
)

export const ContactChannel = Type.Object({
  platform: Type.String(),
  channel_id: Type.String(),
  handle: nullable(Type.String(), {
    description: 'What the platform calls them, such as @ada; on web chat the e-mail address that they typed.',
  }),
  external_id: Type.String({ description: 'Their id on the platform.' }),
  connected_at: Time,
  unreachable_since: nullable(Time, {
    description: 'Since when the platform says that they do not want to be written to; null once they write again.',
  }),
})
export type ContactChannel = Static<typeof ContactChannel>

export const Contact = Type.Object(
  {
    object: Type.Literal('contact'),
    id: ContactId,
    name: nullable(Name),
    email: nullable(Email),
    phone: nullable(Phone),
    language: nullable(Language),
    avatar_url: nullable(Url),
    tags: Tags,
    summary: nullable(Type.String(), { description: 'What their conversations were about, as the assistant tells it.' }),
    summary_updated_at: nullable(Time),
    currency: Currency,
    blocked: Type.Boolean({
      description: 'Set by you. Their open conversations are closed, and what they write is kept unheard. Their orders are still taken.',
    }),
    external_id: nullable(ExternalId),
    attributes: Attributes,
    version: Type.Integer({ description: 'Grows by one with each write of the contact; not when counters move.' }),
    created_at: Time,
    updated_at: Time,
    orders_count: Type.Integer({ minimum: 0 }),
    total_spent_amount: Total,
    last_message_at: nullable(Time),
    channels: Type.Array(ContactChannel, { description: 'Where they have written from, the first first.' }),
    email_claimed: Type.Boolean({
      description:
        'The e-mail address was typed by a visitor of web chat, and nothing has proven that it is theirs. It identifies no contact: an order with this address, or a contact that you write it into, takes it over. A PATCH with the address confirms it.',
    }),
  },
  { title: 'Contact' },
)
export type ContactSnapshot = Static<typeof Contact>
/** The representation that is stored: the fields that orders and conversations change are spliced in when it is read. */
export type Contact = Omit<ContactSnapshot, 'orders_count' | 'total_spent_amount' | 'last_message_at' | 'channels'>

const writable = {
  name: Type.Optional(nullable(Name)),
  email: Type.Optional(nullable(Email)),
  phone: Type.Optional(nullable(Phone)),
  language: Type.Optional(nullable(Language)),
  avatar_url: Type.Optional(nullable(Url)),
  tags: Type.Optional(GivenTags),
  blocked: Type.Optional(Type.Boolean()),
  external_id: Type.Optional(nullable(ExternalId)),
  attributes: Type.Optional(Attributes),
}

const given = (name: keyof typeof writable) => ({ required: [name], properties: { [name]: { not: { type: 'null' } } } })

export const NewContact = strict(writable, {
  title: 'NewContact',
  anyOf: [given('name'), given('email'), given('phone'), given('external_id')],
  description: 'Give at least one of name, email, phone and external_id.',
})
export type NewContact = Static<typeof NewContact>

export const ContactChange = strict(writable, { title: 'ContactChange', minProperties: 1 })
export type ContactChange = Static<typeof ContactChange>
/** A change, and whether its e-mail address is only claimed. */
export type Learnt = ContactChange & { email_claimed?: boolean }

export const ContactMerge = strict(
  { contact_id: ContactId },
  { title: 'ContactMerge', description: 'The contact that becomes a part of this one.' },
)
export type ContactMerge = Static<typeof ContactMerge>
/** One of two contacts is being merged elsewhere. */
export const MERGING = conflict('being_merged')

const owner = { contact_id: Type.Optional(ContactId) }
/** The Location header names the other contact too. */
export const TakenByContact = [
  conflict('duplicate_external_id', owner, 'duplicate_contact_external_id'),
  conflict('duplicate_email', owner),
  conflict('duplicate_phone', owner),
  conflict('duplicate_contact'),
]
