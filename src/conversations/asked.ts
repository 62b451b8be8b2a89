// What lists of conversations may be asked for, by REST and on the command line.
import { type Static, Type } from 'typebox'
import type { Caller } from '../caller.ts'
import { ContactId } from '../contacts/schema.ts'
import { searched } from '../contacts/searched.ts'
import { idPattern } from '../ids.ts'
import { type Listing, listQuery } from '../ingress/list.ts'
import { CONVERSATIONS_PAGE_DEFAULT } from '../limits/conversations.ts'
import { invalid } from '../problems.ts'
import { anyCase, choices } from '../schemas.ts'
import type * as lists from './list-store.ts'
import { AI_STATUSES, Conversation, PLATFORMS, STATUSES } from './schema.ts'

export const listing: Listing = {
  path: '/api/v1/conversations',
  idPrefix: 'conv',
  sorts: { updated_at: 'time', created_at: 'time' },
  defaultLimit: CONVERSATIONS_PAGE_DEFAULT,
  offers: { offset: true },
}
export const query = listQuery(listing, {
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
      description: 'With messages that failed or whose fate is unknown, and that were neither sent again nor settled; or without.',
    }),
  ),
  unread: Type.Optional(Type.Boolean({ description: 'With messages that your staff have not answered, or without.' })),
})
/** @throws {Problem} 422 for `me` of a caller who is no user */
export function filtersOf(caller: Caller, { q, assigned_to, ...rest }: Static<typeof query>): lists.Filters {
  return {
    ...rest,
    ...(q !== undefined && { customers: searched(caller, q) }),
    ...(assigned_to !== undefined && { assigned_to: assigneeOf(caller, assigned_to) }),
  }
}

function assigneeOf({ actor }: Caller, asked: string): string | null {
  if (asked === 'none') return null
  if (asked !== 'me') return asked
  if (actor.type === 'user' && actor.id !== undefined) return actor.id
  throw invalid({
    field: 'assigned_to',
    code: 'not_a_user',
    message: 'cannot be me where the caller is no user; give a user’s id, or none.',
  })
}
