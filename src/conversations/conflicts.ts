// The problems by which words to a customer are refused, as the reference shows them. Their rules are in refusals.ts.
import { Type } from 'typebox'
import { conflict } from '../ingress/problem-schemas.ts'
import { Conversation, ConversationId, Message, MessageId } from './schema.ts'

export const ConversationClosed = conflict('conversation_closed', {
  conversation_id: Type.String({ ...ConversationId, description: 'The one in which the customer writes now.' }),
})
export const AnsweredMeanwhile = conflict('answered_meanwhile', { message: Message })
export const DuplicateMessage = conflict('duplicate_message', { message_id: MessageId })
export const ReplyWindowClosed = conflict('reply_window_closed', { reply_until: Conversation.properties.reply_until })
export const ContactBlocked = conflict('contact_blocked')
export const ChannelDisabled = conflict('channel_disabled')
export const ChannelDeleted = conflict('channel_deleted')
export const NotResendable = conflict('not_resendable', { status: Message.properties.status })
export const NotUnknown = conflict('not_unknown', { status: Message.properties.status })
