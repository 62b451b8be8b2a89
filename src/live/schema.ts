import { Type } from 'typebox'
import { Conversation, ConversationId, Message } from '../conversations/schema.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { choice, Time } from '../schemas.ts'

/** The data of the events, by their names. */
export const LiveEvent = Type.Object(
  {
    conversation: Type.Optional(Conversation),
    message: Type.Optional(Type.Object({ conversation_id: ConversationId, message: Message })),
    typing: Type.Optional(
      Type.Object({
        conversation_id: ConversationId,
        by: choice(['customer', 'operator']),
        until: Type.Unsafe({ ...Time, description: 'After that they no longer write, unless another event says so.' }),
      }),
    ),
    reset: Type.Optional(Type.Object({}, { description: 'Too much was missed: read the lists anew.' })),
  },
  { title: 'LiveEvent' },
)

export const TooManyLiveStreams = conflict('too_many_live_streams')
