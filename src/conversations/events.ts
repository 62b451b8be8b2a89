import { Type } from 'typebox'
import { contact } from '../contacts/example.ts'
import { Contact } from '../contacts/schema.ts'
import { defineEvent } from '../events/emit.ts'
import { nullable } from '../schemas.ts'
import * as example from './example.ts'
import { Conversation, Message } from './schema.ts'

const said = Type.Object({ message: Message, conversation: Conversation, contact: Contact })

export const MessageReceived = defineEvent('message.received', 'A customer’s message arrived on a channel.', said, {
  example: { message: example.message, conversation: example.conversation, contact },
})

export const MessageSent = defineEvent('message.sent', 'The platform took a message to a customer, or your staff typed one there.', said, {
  example: { message: example.answer, conversation: example.answeredConversation, contact },
})

export const MessageFailed = defineEvent(
  'message.failed',
  'A message could not be sent to a customer, or it is unknown whether it was.',
  said,
  { example: { message: example.failure, conversation: example.failedConversation, contact } },
)

export const ConversationStarted = defineEvent(
  'conversation.started',
  'A customer began a conversation.',
  Type.Object({ conversation: Conversation, contact: Contact, first_message: nullable(Message) }),
  { example: { conversation: example.conversation, contact, first_message: example.message } },
)

const ofConversation = Type.Object({ conversation_id: Conversation.properties.id, conversation: Conversation, contact: Contact })
const { id } = example.conversation

export const ConversationClosed = defineEvent('conversation.closed', 'A conversation was closed.', ofConversation, {
  webhook: false,
  example: { conversation_id: id, conversation: example.closedConversation, contact },
})

export const ConversationReopened = defineEvent(
  'conversation.reopened',
  'A closed conversation goes on: the customer wrote again, or a member of your staff reopened it.',
  ofConversation,
  { webhook: false, example: { conversation_id: id, conversation: example.answeredConversation, contact } },
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
  { webhook: false, example: { conversation_id: id, conversation: example.pausedConversation, reason: 'manual', by: example.operator } },
)

export const AiResumed = defineEvent(
  'ai.resumed',
  'The assistant answers again in a conversation.',
  Type.Object({ conversation_id: Conversation.properties.id, conversation: Conversation, by: nullable(Type.String()) }),
  { webhook: false, example: { conversation_id: id, conversation: example.conversation, by: example.operator } },
)

const AiEscalationRequested = defineEvent(
  'ai.escalation_requested',
  'The assistant asks for a person: it cannot or may not answer.',
  Type.Object({
    conversation_id: Conversation.properties.id,
    conversation: Conversation,
    reason: Type.String({ description: 'Why it asks.' }),
    summary: Type.String({ description: 'What the customer wants, for the person who takes over.' }),
  }),
  {
    webhook: false,
    sent: false,
    example: {
      conversation_id: id,
      conversation: example.conversation,
      reason: 'The customer asks for a person.',
      summary: 'The parcel of order 1001 arrived damaged; the customer wants another.',
    },
  },
)

export const events = [
  MessageReceived,
  MessageSent,
  MessageFailed,
  ConversationStarted,
  ConversationClosed,
  ConversationReopened,
  AiPaused,
  AiResumed,
  AiEscalationRequested,
]
