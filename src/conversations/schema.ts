import { type Static, Type } from 'typebox'
import { AttachmentId, MessageFile } from '../attachments/schema.ts'
import { ContactId } from '../contacts/schema.ts'
import { idPattern } from '../ids.ts'
import { JSON_BODY_BYTES } from '../limits/bodies.ts'
import { CHOICE_TITLE_CHARS, CHOICES_MAX, CONVERSATION_MESSAGES, MESSAGE_PREVIEW_CHARS, TEXT_CHARS } from '../limits/conversations.ts'
import { choice, Email, GivenTags, Name, nullable, strict, Tags, Time } from '../schemas.ts'

export const PLATFORMS = ['web', 'telegram', 'whatsapp', 'instagram', 'facebook', 'viber', 'email', 'api'] as const
export const STATUSES = ['open', 'closed'] as const
export const AI_STATUSES = ['on', 'paused'] as const
const PAUSE_REASONS = ['human_reply', 'manual', 'escalation', 'policy'] as const
const DIRECTIONS = ['inbound', 'outbound'] as const
const AUTHORS = ['customer', 'ai', 'operator', 'app', 'system'] as const
const WAYS = ['dashboard', 'api', 'cli', 'mcp', 'channel', 'flow'] as const
const MESSAGE_STATUSES = ['received', 'queued', 'sent', 'delivered', 'read', 'failed', 'unknown'] as const

export const ConversationId = Type.String({ pattern: idPattern('conv') })
export const MessageId = Type.String({ pattern: idPattern('msg') })

const Author = Type.Object({
  type: choice(AUTHORS),
  id: nullable(Type.String(), {
    description: 'The contact, the user, the key or the app; null for the assistant, and for a person who wrote in the platform’s app.',
  }),
  name: nullable(Type.String()),
  via: nullable(choice(WAYS), { description: 'Where it was written; channel: on the platform itself.' }),
})
export type Author = Static<typeof Author>

const Failure = Type.Object({
  code: Type.String({ description: 'Why, for programs. New ones may be added.' }),
  message: Type.String({ description: 'Why, for people.' }),
})
export type Failure = Static<typeof Failure>

export const Attachment = MessageFile
export type Attachment = Static<typeof Attachment>

const Location = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  name: nullable(Type.String()),
  address: nullable(Type.String()),
})

export const Choice = Type.Object(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: '1 to 64 of A-Z, a-z, 0-9, _ and -. It comes back as choice_id.' }),
    title: Type.String({ minLength: 1, maxLength: CHOICE_TITLE_CHARS, description: 'What the customer presses.' }),
  },
  { additionalProperties: false },
)

const Template = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 512 }),
    language: Type.String({ minLength: 2, maxLength: 20, description: 'As the platform writes it, such as en_US.' }),
    parameters: Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
      maxItems: 20,
      description: 'What takes the places of its text.',
    }),
  },
  { additionalProperties: false },
)

const Reaction = Type.Object({ emoji: Type.String(), by: choice(['customer', 'operator']), at: Time })

export const Message = Type.Object(
  {
    object: Type.Literal('message'),
    id: MessageId,
    conversation_id: ConversationId,
    direction: choice(DIRECTIONS, { description: 'inbound: from the customer.' }),
    author: Author,
    text: nullable(Type.String()),
    attachments: Type.Array(Attachment),
    location: nullable(Location),
    choices: nullable(Type.Array(Choice, { maxItems: CHOICES_MAX })),
    choice_id: nullable(Type.String(), { description: 'The choice that the customer pressed; its title is the text.' }),
    template: nullable(Template),
    unsupported: nullable(Type.String(), { description: 'The platform’s word for a message of a kind that cannot be shown.' }),
    private: Type.Boolean({ description: 'A note among your staff: the customer never sees it.' }),
    status: choice(MESSAGE_STATUSES, {
      description:
        'received: from the customer. The others tell how far an outbound one has come; unknown: the platform may have taken it, and it is not sent again by itself.',
    }),
    error: nullable(Failure, { description: 'Why an outbound message failed, or is unknown.' }),
    attempts: Type.Integer({ minimum: 0, description: 'How often it was sent to the platform.' }),
    next_attempt_at: nullable(Time),
    in_reply_to: nullable(MessageId),
    external_id: nullable(Type.String(), { description: 'Its id on the platform.' }),
    reactions: Type.Array(Reaction),
    ai: nullable(
      Type.Object({
        skills: Type.Array(Type.String()),
        sources: Type.Array(Type.String()),
        proposal_id: nullable(Type.String()),
      }),
      { description: 'What the assistant used, where it wrote the message.' },
    ),
    sent_at: nullable(Time, {
      description: 'When it was sent by the platform’s clock. Messages that came late stand after those that were there.',
    }),
    edited_at: nullable(Time),
    deleted_at: nullable(Time, { description: 'Its text and files are gone then.' }),
    created_at: Time,
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

export const NewMessage = strict({
  // What the channel takes is asked where it is known, to say its number; a longer text than any body is none.
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: JSON_BODY_BYTES,
      description: `At most ${TEXT_CHARS} characters, or what the channel takes (its \`limits\`): a longer one is a 422 too_long with \`max\`.`,
    }),
  ),
  attachments: Type.Optional(
    Type.Array(strict({ id: AttachmentId }), { minItems: 1, maxItems: 1, description: 'A file that was uploaded.' }),
  ),
  choices: Type.Optional(Type.Array(Choice, { minItems: 1, maxItems: CHOICES_MAX, description: 'Answers to press.' })),
  private: Type.Optional(Type.Boolean({ description: 'A note among your staff.' })),
  template: Type.Optional(Template),
  in_reply_to: Type.Optional(MessageId),
  last_seen: Type.Optional(
    Type.String({
      pattern: idPattern('msg'),
      description: 'The newest message that the writer saw: refused with 409 answered_meanwhile where the customer was answered after it.',
    }),
  ),
})
export type NewMessage = Static<typeof NewMessage>

export const Typing = Type.Object(
  {
    object: Type.Literal('typing'),
    conversation_id: ConversationId,
    until: Type.String({ format: 'date-time', description: 'Until when it is shown.' }),
  },
  { title: 'Typing' },
)
export type Typing = Static<typeof Typing>

export const Settled = strict({ status: choice(['sent', 'failed'], { description: 'What became of a message whose fate was unknown.' }) })
export type Settled = Static<typeof Settled>

const LastMessage = Type.Object({
  id: MessageId,
  direction: Message.properties.direction,
  author: Author,
  text: nullable(Type.String({ description: `Its first ${MESSAGE_PREVIEW_CHARS} characters.` })),
  created_at: Time,
})

const fields = {
  object: Type.Literal('conversation'),
  id: ConversationId,
  platform: choice(PLATFORMS),
  channel_id: Type.String({ pattern: idPattern('chn'), description: 'The connected account of the platform that it runs over.' }),
  status: choice(STATUSES),
  ai_status: choice(AI_STATUSES, { description: 'Whether the assistant answers.' }),
  ai_paused_at: nullable(Time),
  ai_paused_reason: nullable(choice(PAUSE_REASONS)),
  ai_paused_by: nullable(Type.String()),
  assigned_to: nullable(Type.String(), { description: 'A user’s id.' }),
  escalation: nullable(Type.Object({ requested_at: Time, reason: nullable(Type.String()) })),
  closed_at: nullable(Time),
  tags: Tags,
  version: Type.Integer({ description: 'Grows by one with each write of the conversation itself; not with its messages.' }),
  created_at: Time,
  updated_at: Time,
  contact: Type.Object(
    {
      id: ContactId,
      name: nullable(Name),
      email: nullable(Email),
      email_claimed: Type.Boolean({ description: 'The customer typed the address in web chat, and nothing has proven that it is theirs.' }),
    },
    { description: 'As the contact is now.' },
  ),
  unread_count: Type.Integer({ minimum: 0, description: 'The customer’s messages since a member of your staff last answered or read.' }),
  failed_count: Type.Integer({
    minimum: 0,
    description: 'Messages to the customer that failed or whose fate is unknown, and that were neither sent again nor settled.',
  }),
  messages_count: Type.Integer({ minimum: 0 }),
  waiting_since: nullable(Time, { description: 'Since when the customer waits for an answer.' }),
  last_message: nullable(LastMessage, { description: 'Notes among your staff are left out.' }),
  reply_until: nullable(Time, { description: 'Until when the platform takes a reply; null where nothing limits it.' }),
}

const { status, ai_status } = fields
export const ConversationChange = strict(
  {
    status: Type.Optional(status),
    assigned_to: Type.Optional(
      nullable(Type.String({ pattern: idPattern('usr') }), { description: 'A user of the workspace; null: it is assigned to no user.' }),
    ),
    tags: Type.Optional(GivenTags),
    ai_status: Type.Optional(ai_status),
  },
  { minProperties: 1 },
)
export type ConversationChange = Static<typeof ConversationChange>

export const Conversation = Type.Object(fields, { title: 'Conversation' })
export type Conversation = Static<typeof Conversation>

export const ConversationDetail = Type.Object(
  {
    ...fields,
    messages: Type.Array(Message, {
      maxItems: CONVERSATION_MESSAGES,
      description: `The newest ${CONVERSATION_MESSAGES}, the newest first. The whole list is at …/messages.`,
    }),
  },
  { title: 'ConversationDetail' },
)
