import { Type } from 'typebox'
import { defineEvent } from '../events/emit.ts'
import { nullable } from '../shapes.ts'

// The snapshots of a message, its conversation and its contact; their shapes are settled with the channels that emit them.
const Snapshot = Type.Object({ id: Type.String() })

const message = { id: 'msg_01jz0000000000000000000000' }
const conversation = { id: 'conv_01jz0000000000000000000000' }
const contact = { id: 'con_01jz0000000000000000000000' }

const MessageReceived = defineEvent(
  'message.received',
  'A customer’s message arrived on a channel.',
  Type.Object({ message: Snapshot, conversation: Snapshot, contact: Snapshot }),
  { example: { message, conversation, contact } },
)

const ConversationStarted = defineEvent(
  'conversation.started',
  'A customer began a conversation.',
  Type.Object({ conversation: Snapshot, contact: Snapshot, first_message: nullable(Snapshot) }),
  { example: { conversation, contact, first_message: message } },
)

export const events = [MessageReceived, ConversationStarted]
