// What web chat's script and the service say to each other, below `/api/chat/{channel_id}/`. Not in the OpenAPI document, whose subject is the API
// with keys.
import { type Static, Type } from 'typebox'
import { Attachment, Choice, MessageId } from '../conversations/schema.ts'
import { idPattern } from '../ids.ts'
import { CHAT_TEXT_CHARS } from '../limits/chat.ts'
import { CHOICES_MAX } from '../limits/conversations.ts'
import { Email, Name, nullable, strict, Time, Url } from '../schemas.ts'

/** A random text of the script's, 16 to 64 characters: a message that is sent again has the one it had. */
const OwnId = Type.String({ pattern: '^[A-Za-z0-9_-]{16,64}$' })

/**
 * POST visitors → 200 Session. With a visitor's token in `Authorization` it is the same visitor, and the token is renewed.
 * Both members are texts that a browser was given; one that is forged, too old or another channel's is a 422 that says so.
 */
export const NewVisitor = strict({
  /** Who it is, signed by the shop's server. */
  identity: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  /** The token of a link in a mail: goes on with the talk that the mail is about. Once, but for the visitor who has used it: their answer may be lost. */
  resume: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
})
export type NewVisitor = Static<typeof NewVisitor>

export const Session = Type.Object({
  object: Type.Literal('visitor'),
  /** Another one than before where the identity is another person's: then nothing of the talk so far is shown. */
  id: Type.String({ pattern: idPattern('vis') }),
  visitor_token: Type.String(),
  /** Null where the shop has set none: the script has its own. */
  title: nullable(Type.String()),
  greeting: nullable(Type.String()),
  /** `#rrggbb`. */
  color: nullable(Type.String()),
  away_text: nullable(Type.String()),
  /** Outside the channel's hours. */
  away: Type.Boolean(),
  /** When `away` is another; null where there are no hours. */
  changes_at: nullable(Time),
  /** By the clock of the service, to which the browser's is compared. */
  now: Time,
  /** Unread answers can be mailed: the visitor is asked for no address. It does not say whose address it is: one that another contact has is as good. */
  has_email: Type.Boolean(),
  files: Type.Object({
    max_bytes: Type.Integer(),
    mime_types: Type.Array(Type.String(), { description: 'Such as image/png or audio/*.' }),
  }),
})
export type Session = Static<typeof Session>

/** POST messages → 200 Kept, when it is durable. With neither text nor file it only tells a name or an address. */
export const NewChatMessage = strict({
  id: OwnId,
  text: Type.Optional(Type.String({ minLength: 1, maxLength: CHAT_TEXT_CHARS })),
  attachments: Type.Optional(Type.Array(strict({ id: Type.String({ pattern: idPattern('att') }) }), { minItems: 1, maxItems: 1 })),
  /** The id of a pressed choice, whose title is the text. */
  choice_id: Type.Optional(Choice.properties.id),
  name: Type.Optional(Name),
  email: Type.Optional(Email),
  /** The address of the page that the chat stands on, without its query and fragment. */
  page: Type.Optional(Url),
})
export type NewChatMessage = Static<typeof NewChatMessage>

const Kept = Type.Object({ object: Type.Literal('callback'), id: Type.String({ pattern: idPattern('cbk') }) })
export type Kept = Static<typeof Kept>

/** A message as a visitor may see it: never a note, never one that failed. */
export const ChatMessage = Type.Object({
  object: Type.Literal('message'),
  id: MessageId,
  /** The script's own id of a message of the visitor; else null. */
  own_id: nullable(OwnId),
  from: Type.Enum(['visitor', 'shop']),
  /** The name of a person of the shop; null for the assistant and for the visitor. */
  name: nullable(Type.String()),
  text: nullable(Type.String()),
  /** Their `url` is signed, so an `<img>` can load it. */
  attachments: Type.Array(Attachment),
  choices: nullable(Type.Array(Choice, { maxItems: CHOICES_MAX })),
  edited_at: nullable(Time),
  deleted_at: nullable(Time),
  /** Orders messages, later and larger after earlier. */
  created_at: Time,
})
export type ChatMessage = Static<typeof ChatMessage>

/**
 * GET messages → 200 ChatMessages, the oldest first: the newest CHAT_PAGE; with `before=msg_…` as many before that one, with `after=msg_…` what stands
 * behind it. `has_more`: there are later ones where `after` was asked, else earlier ones.
 * GET live streams `event: message` with a ChatMessage, also when it was edited or deleted; `typing` with Typing; `reset`. `Last-Event-ID` as anywhere.
 */
export const ChatMessages = Type.Object({ object: Type.Literal('list'), data: Type.Array(ChatMessage), has_more: Type.Boolean() })
export type ChatMessages = Static<typeof ChatMessages>

export const Typing = Type.Object({ until: Time })
export type Typing = Static<typeof Typing>

/** POST files?name=, whose body is the file → 201 ChatFile. */
export const ChatFile = Attachment
export type ChatFile = Static<typeof ChatFile>

/** POST seen → 204: everything up to this message of the shop was seen. POST typing has no body and is a 204 too. */
export const Seen = strict({ message_id: MessageId })
export type Seen = Static<typeof Seen>
