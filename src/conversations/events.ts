import { Type } from 'typebox'
import { contact } from '../contacts/example.ts'
import { Contact } from '../contacts/schema.ts'
import { defineEvent } from '../events/emit.ts'
import { nullable } from '../schemas.ts'
import { conversation, message } from './example.ts'
import { Conversation, Message } from './schema.ts'

export const MessageReceived = defineEvent(
  'message.received',
  'A customer’s message arrived on a channel.',
  Type.Object({ message: Message, conversation: Conversation, contact: Contact }),
  { example: { message, conversation, contact } },
)

export const ConversationStarted = defineEvent(
  'conversation.started',
  'A customer began a conversation.',
  Type.Object({ conversation: Conversation, contact: Contact, first_message: nullable(Message) }),
  { example: { conversation, contact, first_message: message } },
)

export const AiPaused = defineEvent(
  'ai.paused',
  'The assistant stopped answering in a conversation.',
  Type.Object({
    conversation_id: Conversation.properties.id,
    conversation: Conversation,
    reason: Conversation.properties.ai_paused_reason,
    by: Conversation.properties.ai_paused_by,
  }),
  { webhook: false, example: { conversation_id: conversation.id, conversation, reason: 'human_reply', by: `usr_${'0'.repeat(26)}` } },
)

export const events = [MessageReceived, ConversationStarted, AiPaused]
