// How a message changes its conversation. Pure: no clock, no store.
import { newId } from '../ids.ts'
import { MESSAGE_PREVIEW_CHARS } from '../limits.ts'
import type { Author, Conversation, Message } from './schema.ts'

/** The channel and the contact of a conversation. */
export type Origin = Pick<Conversation, 'platform' | 'channel_id' | 'contact'>

export const newConversation = ({ platform, channel_id, contact }: Origin, at: string): Conversation => ({
  object: 'conversation',
  id: newId('conv'),
  platform,
  channel_id,
  status: 'open',
  ai_status: 'on',
  ai_paused_at: null,
  ai_paused_reason: null,
  ai_paused_by: null,
  assigned_to: null,
  escalation: null,
  closed_at: null,
  tags: [],
  version: 1,
  created_at: at,
  updated_at: at,
  contact,
  unread_count: 0,
  failed_count: 0,
  messages_count: 0,
  waiting_since: null,
  last_message: null,
  reply_until: null,
})

/** The content of a message of either side. */
export type Content = Partial<
  Pick<
    Message,
    'text' | 'attachments' | 'location' | 'choices' | 'choice_id' | 'template' | 'unsupported' | 'in_reply_to' | 'external_id' | 'sent_at'
  >
>

type Draft = Content & Pick<Message, 'direction' | 'author' | 'status'> & Partial<Pick<Message, 'id' | 'private' | 'ai'>>

export const newMessage = (conversation: Conversation, draft: Draft, at: string): Message => ({
  object: 'message',
  id: draft.id ?? newId('msg'),
  conversation_id: conversation.id,
  direction: draft.direction,
  author: draft.author,
  text: draft.text ?? null,
  attachments: draft.attachments ?? [],
  location: draft.location ?? null,
  choices: draft.choices ?? null,
  choice_id: draft.choice_id ?? null,
  template: draft.template ?? null,
  unsupported: draft.unsupported ?? null,
  private: draft.private ?? false,
  status: draft.status,
  error: null,
  attempts: 0,
  next_attempt_at: null,
  in_reply_to: draft.in_reply_to ?? null,
  external_id: draft.external_id ?? null,
  reactions: [],
  ai: draft.ai ?? null,
  sent_at: draft.sent_at ?? null,
  edited_at: null,
  deleted_at: null,
  created_at: at,
})

/** The conversation after this message. A message as such makes no new version of it. */
export function after(conversation: Conversation, message: Message): Conversation {
  const counted = { ...conversation, messages_count: conversation.messages_count + 1, updated_at: message.created_at }
  if (message.private) return counted
  const updated = { ...counted, last_message: preview(message) }
  if (message.direction === 'inbound')
    return { ...updated, unread_count: updated.unread_count + 1, waiting_since: updated.waiting_since ?? message.created_at }
  const answered = { ...updated, waiting_since: null }
  return message.author.type === 'operator' ? takenOver({ ...answered, unread_count: 0 }, message.author, message.created_at) : answered
}

// An operator's reply pauses the assistant in the conversation; a conversation that is paused already keeps its reason.
function takenOver(conversation: Conversation, by: Author, at: string): Conversation {
  if (conversation.ai_status === 'paused') return conversation
  return {
    ...conversation,
    ai_status: 'paused',
    ai_paused_at: at,
    ai_paused_reason: 'human_reply',
    ai_paused_by: by.id,
    version: conversation.version + 1,
  }
}

const preview = ({ id, direction, author, text, created_at }: Message): NonNullable<Conversation['last_message']> => ({
  id,
  direction,
  author,
  // By characters, so that no surrogate pair is cut in two.
  text: text && [...text.slice(0, MESSAGE_PREVIEW_CHARS * 2)].slice(0, MESSAGE_PREVIEW_CHARS).join(''),
  created_at,
})
