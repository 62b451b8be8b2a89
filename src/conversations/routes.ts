import { type Static, Type } from 'typebox'
import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import * as contacts from '../contacts/contacts.ts'
import { ContactId } from '../contacts/schema.ts'
import { idPattern } from '../ids.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import type { Route } from '../ingress/route.ts'
import { CONVERSATIONS_PAGE_DEFAULT } from '../limits.ts'
import { invalid, notFound } from '../problems.ts'
import { anyCase, choices } from '../schemas.ts'
import * as lists from './list-store.ts'
import { AI_STATUSES, Conversation, ConversationDetail, Message, PLATFORMS, STATUSES } from './schema.ts'

const path = '/api/v1/conversations'
const listing: Listing = {
  path,
  idPrefix: 'conv',
  sorts: { updated_at: 'time', created_at: 'time' },
  defaultLimit: CONVERSATIONS_PAGE_DEFAULT,
  offers: { offset: true },
}
const messageListing: Listing = { path: `${path}/{id}/messages`, idPrefix: 'msg', sorts: { created_at: 'time' }, offers: { offset: false } }

const query = listQuery(listing, {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The customer: the beginning of their name in any case, or their whole e-mail address, phone number or external_id.',
    }),
  ),
  platform: Type.Optional(choices(PLATFORMS, 'Any of these, comma-separated, in any case.')),
  status: Type.Optional(choices(STATUSES, 'Any of these, comma-separated, in any case.')),
  ai_status: Type.Optional(anyCase(AI_STATUSES, { description: 'Whether the assistant answers.' })),
  contact_id: Type.Optional(ContactId),
  assigned_to: Type.Optional(
    Type.String({
      pattern: `^(me|none|${idPattern('usr').slice(1, -1)})$`,
      description: 'me, none, or a user’s id. Nothing is assigned to an API key, so me with a key is a 422.',
    }),
  ),
  channel_id: Type.Optional(Conversation.properties.channel_id),
  failed: Type.Optional(
    Type.Boolean({
      description: 'With messages that failed or whose fate is unknown, and that nobody has sent again or settled; or without.',
    }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'With messages that nobody of your staff has answered, or without.' })),
})
const messageQuery = Type.Omit(listQuery(messageListing, {}), ['updated_after', 'updated_before'])
const one = { idPrefix: 'conv', noun: 'conversation', tag: 'Conversations' }

function filtersOf(caller: Caller, { q, assigned_to, ...rest }: Static<typeof query>): lists.Filters {
  return {
    ...rest,
    ...(q !== undefined && { customers: contacts.searched(caller, q) }),
    ...(assigned_to !== undefined && { assigned_to: assigneeOf(caller, assigned_to) }),
  }
}

function assigneeOf({ actor }: Caller, asked: string): string | null {
  if (asked === 'none') return null
  if (asked !== 'me') return asked
  if (actor.type === 'user' && actor.id !== undefined) return actor.id
  throw invalid({ field: 'assigned_to', code: 'not_a_user', message: 'me is a user, and you call with a key; give a user’s id, or none.' })
}

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
    page: async ({ sql, caller, id, query }, asked) => {
      const [page, exists] = await Promise.all([lists.messages(sql, caller.tenant, id, query, asked), lists.exists(sql, caller.tenant, id)])
      if (!exists) throw notFound('conversation')
      return page
    },
  }),
]
