// The generic format, in which any other messenger is joined to a channel: what its integrator sends to the callback's address.
import { type Static, Type } from 'typebox'
import { choice, Email, ExternalId, Name, nullable, Phone, strict, Time, Url } from '../../../schemas.ts'
import { FILES_IN_MAX, ID_MAX, TEXT_IN_MAX } from '../bounds.ts'

export const TYPES = ['message', 'edit', 'delete', 'reaction', 'delivered', 'read', 'failed', 'echo'] as const
export type Type_ = (typeof TYPES)[number]

const Id = Type.String({ minLength: 1, maxLength: ID_MAX })
const Text = Type.String({ minLength: 1, maxLength: TEXT_IN_MAX })

const From = strict(
  {
    id: Type.String({
      ...Id,
      description: 'Who the customer is in your messenger: what they say is one conversation, and answers go to this id.',
    }),
    name: Type.Optional(Name),
    handle: Type.Optional(Name),
    email: Type.Optional(Email),
    phone: Type.Optional(Phone),
    external_id: Type.Optional(ExternalId),
    language: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  },
  { description: 'The customer; of an echo or a receipt too. You vouch for email, phone and external_id: a contact is found by them.' },
)

const Attachment = strict({
  url: Type.String({ ...Url, description: 'Where the file can be fetched, for a day.' }),
  name: Type.Optional(Name),
  mime_type: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
})

const Location = strict({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  name: Type.Optional(nullable(Name)),
  address: Type.Optional(nullable(Name)),
})

export const ApiUpdate = strict(
  {
    id: Type.String({
      ...Id,
      description: 'Your id of the message, or of this update where it is about another message. A repeated one changes nothing.',
    }),
    type: Type.Optional(
      choice(TYPES, { default: 'message', description: 'echo: a message of the shop that was written in your messenger itself.' }),
    ),
    from: From,
    text: Type.Optional(Text),
    attachments: Type.Optional(Type.Array(Attachment, { minItems: 1, maxItems: FILES_IN_MAX })),
    location: Type.Optional(Location),
    choice_id: Type.Optional(Type.String({ ...Id, description: 'The choice that was pressed; its title is the text.' })),
    in_reply_to: Type.Optional(Type.String({ ...Id, description: 'The message that is quoted, by your id or by ours, msg_….' })),
    message_id: Type.Optional(
      Type.String({
        ...Id,
        description: 'The message that an edit, deletion, reaction or receipt is about, by your id or by ours, msg_….',
      }),
    ),
    emoji: Type.Optional(nullable(Type.String({ maxLength: 64 }), { description: 'The reaction; null or empty: it is withdrawn.' })),
    error: Type.Optional(strict({ code: Type.Optional(Id), message: Type.String({ minLength: 1, maxLength: 500 }) })),
    timestamp: Type.Optional(Time),
  },
  { title: 'ChannelUpdate' },
)
export type ApiUpdate = Static<typeof ApiUpdate>

/** What an update of each type must have beside `id` and `from`: a member, or one of several. */
export const REQUIRED: Record<Type_, (readonly (keyof ApiUpdate)[])[]> = {
  message: [['text', 'attachments', 'location']],
  echo: [['text', 'attachments', 'location']],
  edit: [['message_id'], ['text']],
  delete: [['message_id']],
  reaction: [['message_id']],
  delivered: [['message_id']],
  read: [['message_id']],
  failed: [['message_id']],
}
