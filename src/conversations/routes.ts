import { Type } from 'typebox'
import { AttachmentSent } from '../attachments/schema.ts'
import type { Config } from '../config.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { type Route, sharedWrite, write } from '../ingress/route.ts'
import { Problem } from '../problems.ts'
import { filtersOf, listing, query } from './asked.ts'
import {
  AnsweredMeanwhile,
  ChannelDeleted,
  ChannelDisabled,
  ContactBlocked,
  ConversationClosed,
  DuplicateMessage,
  NotResendable,
  NotUnknown,
  ReplyWindowClosed,
} from './conflicts.ts'
import * as conversations from './conversations.ts'
import * as lists from './list-store.ts'
import { messagesOf } from './messages.ts'
import { typing } from './presence.ts'
import { replyAll } from './reply.ts'
import { resend, settle } from './resend.ts'
import { Conversation, ConversationChange, ConversationDetail, Message, NewMessage, Settled, Typing } from './schema.ts'

const path = listing.path
const messageListing: Listing = { path: `${path}/{id}/messages`, idPrefix: 'msg', sorts: { created_at: 'time' }, offers: { offset: false } }

const messageQuery = Type.Omit(listQuery(messageListing, {}), ['updated_after', 'updated_before'])
const one = { idPrefix: 'conv', noun: 'conversation', tag: 'Conversations' }
const message = { ...one, inner: { name: 'message_id', idPrefix: 'msg', noun: 'message' } } as const
/** Why nothing can be sent now. */
const UNSENDABLE = [ConversationClosed, ReplyWindowClosed, ContactBlocked, ChannelDisabled, ChannelDeleted]

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    operationId: 'listConversations',
    tag: 'Conversations',
    summary: 'List conversations',
    query,
    item: Conversation,
    page: ({ sql, caller, query }, page) => lists.list(sql, caller.tenant, filtersOf(caller, query), page),
  }),
  itemRoute({
    ...one,
    path: `${path}/{id}`,
    operationId: 'getConversation',
    summary: 'Read a conversation',
    description: 'With its newest messages, the newest first.',
    response: ConversationDetail,
    json: (sql, { caller, id }) => lists.findDetail(sql, caller.tenant, id),
  }),
  listRoute(config, messageListing, {
    ...one,
    operationId: 'listMessages',
    summary: 'List a conversation’s messages',
    description: 'The newest first, unless dir is asc.',
    query: messageQuery,
    item: Message,
    page: ({ sql, caller, id, query }, asked) =>
      messagesOf({ sql, point: sql }, { tenant: caller.tenant, conversation: id, filters: query }, asked),
  }),
  write({
    ...one,
    method: 'PATCH',
    path: `${path}/{id}`,
    operationId: 'updateConversation',
    summary: 'Close, reopen, assign or tag a conversation, or switch the assistant',
    description: 'Closing clears what is unread, failed or waiting. Resuming the assistant answers nothing that was said before.',
    body: ConversationChange,
    example: { status: 'closed', tags: ['sizes'] },
    status: 200,
    response: ConversationDetail,
    conditional: true,
    conflicts: [ConversationClosed, ContactBlocked],
    handler: async ({ tx, caller, id, body, unchanged }) => ({ body: await conversations.change(tx, caller, id, body, unchanged) }),
  }),
  write({
    ...one,
    method: 'POST',
    path: `${path}/{id}/read`,
    operationId: 'readConversation',
    summary: 'Mark a conversation as read',
    description: 'Nothing in it is unread then; where the channel says so, the customer sees it.',
    status: 200,
    response: ConversationDetail,
    handler: async ({ tx, caller, id }) => ({ body: await conversations.read(tx, caller, id) }),
  }),
  write({
    ...one,
    method: 'POST',
    path: `${path}/{id}/typing`,
    operationId: 'typeInConversation',
    summary: 'Show that your staff is typing',
    description:
      'To those who follow the conversation live, to a visitor of web chat, and at most every five seconds to the platform. It is kept nowhere.',
    status: 200,
    response: Typing,
    conflicts: [ChannelDisabled, ChannelDeleted],
    handler: async ({ tx, caller, id }) => ({ body: JSON.stringify(await typing(tx, caller, id)) }),
  }),
  sharedWrite({
    ...one,
    method: 'POST',
    path: `${path}/{id}/messages`,
    operationId: 'createMessage',
    summary: 'Write to the customer, or a note among your staff',
    description:
      'The message is queued and sent over the conversation’s channel; its status tells how far it has come. The assistant is paused, and a closed conversation is reopened. The same text and file within a minute are a 409.',
    body: NewMessage,
    example: { text: 'Yes, shall I put one aside for you?' },
    status: 201,
    response: Message,
    conflicts: [...UNSENDABLE, DuplicateMessage, AnsweredMeanwhile, AttachmentSent],
    handleAll: async (tx, asked) => {
      const outcomes = await replyAll(
        tx,
        asked.map(({ caller, id, body }) => ({ caller, id, input: body })),
      )
      return outcomes.map((each, index) =>
        each instanceof Problem ? each : { body: JSON.stringify(each), location: `${path}/${asked[index]?.id}/messages/${each.id}` },
      )
    },
  }),
  itemRoute({
    ...message,
    path: `${path}/{id}/messages/{message_id}`,
    operationId: 'getMessage',
    summary: 'Read a message',
    response: Message,
    json: (sql, { caller, id, innerId }) => lists.findMessage(sql, caller.tenant, id, innerId),
  }),
  write({
    ...message,
    method: 'PATCH',
    path: `${path}/{id}/messages/{message_id}`,
    operationId: 'settleMessage',
    summary: 'Say what became of a message whose fate is unknown',
    body: Settled,
    example: { status: 'sent' },
    status: 200,
    response: Message,
    conditional: true,
    conflicts: [NotUnknown],
    handler: async ({ tx, caller, id, innerId, body, unchanged }) => ({
      body: JSON.stringify(await settle(tx, caller, id, innerId, body, unchanged)),
    }),
  }),
  write({
    ...message,
    method: 'POST',
    path: `${path}/{id}/messages/{message_id}/resend`,
    operationId: 'resendMessage',
    summary: 'Send a message again',
    description: 'One that has failed or whose fate is unknown, as the same message.',
    status: 200,
    response: Message,
    conflicts: [...UNSENDABLE, NotResendable],
    handler: async ({ tx, caller, id, innerId }) => ({ body: JSON.stringify(await resend(tx, caller, id, innerId)) }),
  }),
]
