import { type Static, Type } from 'typebox'
import { ContactId } from '../contacts/schema.ts'
import { idPattern } from '../ids.ts'
import { CONVERSATION_MESSAGES, MESSAGE_PREVIEW_CHARS } from '../limits.ts'
import { choice, Email, Name, nullable, Tags, Time, Url } from '../schemas.ts'

export const PLATFORMS = ['web', 'telegram', 'whatsapp', 'instagram', 'facebook', 'viber', 'email', 'api'] as const
export const STATUSES = ['open', 'closed'] as const
export const AI_STATUSES = ['on', 'paused'] as const
const PAUSE_REASONS = ['human_reply', 'manual', 'escalation', 'policy'] as const
const DIRECTIONS = ['inbound', 'outbound'] as const
const AUTHORS = ['customer', 'ai', 'operator', 'app', 'system'] as const
const WAYS = ['dashboard', 'mcp', 'channel', 'flow'] as const
const MESSAGE_STATUSES = ['received', 'queued', 'sent', 'delivered', 'read', 'failed'] as const
const ATTACHMENTS = ['image', 'video', 'audio', 'file'] as const

const ConversationId = Type.String({ pattern: idPattern('conv') })
const MessageId = Type.String({ pattern: idPattern('msg') })

const Author = Type.Object({
  type: choice(AUTHORS),
  id: nullable(Type.String(), { description: 'The contact, the user or the app; null for the assistant.' }),
  name: nullable(Type.String()),
  via: nullable(choice(WAYS), { description: 'Where it was written.' }),
})
export type Author = Static<typeof Author>

const Attachment = Type.Object({
  id: Type.String({ pattern: idPattern('att') }),
  type: choice(ATTACHMENTS),
  url: Url,
  mime_type: Type.String(),
  size_bytes: Type.Integer({ minimum: 0 }),
  name: nullable(Type.String()),
})

export const Message = Type.Object(
  {
    object: Type.Literal('message'),
    id: MessageId,
    conversation_id: ConversationId,
    direction: choice(DIRECTIONS, { description: 'inbound: from the customer.' }),
    author: Author,
    text: nullable(Type.String()),
    attachments: Type.Array(Attachment),
    private: Type.Boolean({ description: 'A note among your staff: the customer never sees it.' }),
    status: choice(MESSAGE_STATUSES, { description: 'received: from the customer. The others tell how far an outbound one has come.' }),
    error: nullable(Type.String(), { description: 'Why an outbound message failed.' }),
    in_reply_to: nullable(MessageId),
    external_id: nullable(Type.String(), { description: 'Its id on the platform.' }),
    ai: nullable(
      Type.Object({
        skills: Type.Array(Type.String()),
        sources: Type.Array(Type.String()),
        proposal_id: nullable(Type.String()),
      }),
      { description: 'What the assistant used, where it wrote the message.' },
    ),
    created_at: Time,
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

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
  channel_id: Type.String({ description: 'The connected account of the platform that it runs over.' }),
  status: choice(STATUSES),
  ai_status: choice(AI_STATUSES, { description: 'Whether the assistant answers.' }),
  ai_paused_at: nullable(Time),
  ai_paused_reason: nullable(choice(PAUSE_REASONS)),
  ai_paused_by: nullable(Type.String()),
  assigned_to: nullable(Type.String(), { description: 'A user’s id.' }),
  escalation: nullable(Type.Object({ requested_at: Time, reason: nullable(Type.String()) })),
  tags: Tags,
  version: Type.Integer({ description: 'Grows by one with each write of the conversation itself; not with its messages.' }),
  created_at: Time,
  updated_at: Time,
  contact: Type.Object({ id: ContactId, name: nullable(Name), email: nullable(Email) }, { description: 'As the contact is now.' }),
  unread_count: Type.Integer({ minimum: 0, description: 'The customer’s messages since somebody of your staff last answered.' }),
  messages_count: Type.Integer({ minimum: 0 }),
  waiting_since: nullable(Time, { description: 'Since when the customer waits for an answer.' }),
  last_message: nullable(LastMessage, { description: 'Notes among your staff are left out.' }),
}

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
