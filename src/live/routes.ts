import { Type } from 'typebox'
import { exists } from '../conversations/live.ts'
import { ConversationId } from '../conversations/schema.ts'
import { EVENT_STREAM, eventStream } from '../ingress/live.ts'
import { type Route, read } from '../ingress/route.ts'
import { notFound } from '../problems.ts'
import type { Live } from './live.ts'
import { LiveEvent, TooManyLiveStreams } from './schema.ts'

/** @param context holds the streams of the process */
export const routes = (context: { live: Pick<Live, 'open'> }): Route[] => [
  read({
    path: '/api/v1/conversations/live',
    operationId: 'followConversations',
    tag: 'Conversations',
    summary: 'Follow conversations',
    description:
      'Server-sent events: conversation and message, each whole, whenever one has changed; typing while a message is being written; reset when too much was missed. With Last-Event-ID what was missed comes first, from half a minute before it on and up to a day back, so some events come again. A stream ends after an hour.',
    query: Type.Object({
      conversation_id: Type.Optional(Type.Unsafe({ ...ConversationId, description: 'Of this conversation alone.' })),
    }),
    response: LiveEvent,
    file: [EVENT_STREAM],
    resumes: true,
    looksFor: true,
    conflicts: [TooManyLiveStreams],
    handler: async ({ sql, caller, query, lastEventId }) => {
      const conversation = query.conversation_id as string | undefined
      if (conversation !== undefined && !(await exists(sql, caller.tenant, conversation))) throw notFound('conversation')
      return eventStream(() => context.live.open(caller, conversation, lastEventId))
    },
  }),
]
