// The routes of web chat's visitors, below /api/chat/{id}/. Shapes are in schema.ts.
import type { TSchema } from 'typebox'
import type { Site } from '../channels/accounts/site.ts'
import { type GuestAnswer, type GuestInput, type GuestRoute, type Guests, guestRoute } from '../ingress/guest.ts'
import { eventStream } from '../ingress/live.ts'
import { type ChatContext, visitorOf } from './context.ts'
import { show, take } from './files.ts'
import { placeOf } from './place.ts'
import { read, say, see } from './said.ts'
import { NewChatMessage, NewVisitor, Seen } from './schema.ts'
import { type } from './typing.ts'
import { begin } from './visitors.ts'

const path = '/api/chat/{id}'

export function chatRoutes(context: ChatContext): Guests {
  // Beginning, writing and files count as callbacks of channels do; what is only read counts apart.
  const { inbound: counted, reading: others } = context
  const post = <B extends TSchema>(name: string, route: Omit<GuestRoute<Site, B>, 'method' | 'path'>) =>
    guestRoute<Site, B>({ method: 'POST', path: `${path}/${name}`, ...route })
  return {
    place: placeOf(context.sql, context.keyring, context.baseUrl),
    preflightLimit: others,
    routes: [
      post('visitors', { limit: counted, body: NewVisitor, handler: async input => ({ body: await begin(context, input) }) }),
      post('messages', { limit: counted, body: NewChatMessage, handler: input => say(context, input) }),
      guestRoute<Site, never>({ method: 'GET', path: `${path}/messages`, limit: others, handler: input => read(context, input) }),
      guestRoute<Site, never>({ method: 'GET', path: `${path}/live`, limit: others, handler: async input => follow(context, input) }),
      post('files', { limit: counted, body: 'file', handler: input => take(context, input) }),
      guestRoute<Site, never>({
        method: 'GET',
        path: `${path}/files/{innerId}`,
        innerPrefix: 'att',
        limit: others,
        handler: input => show(context, input),
      }),
      post('typing', { limit: others, handler: input => type(context, input) }),
      post('seen', { limit: others, body: Seen, handler: input => see(context, input) }),
    ],
  }
}

function follow(context: ChatContext, input: GuestInput<Site, unknown>): GuestAnswer {
  const reader = { visitor: visitorOf(context.keyring, input).visitor, guest: input.guest }
  const last = input.headers['last-event-id']
  const { type, headers, open } = eventStream(() => context.live.open(input.at, reader, typeof last === 'string' ? last : undefined))
  return { body: open(), headers: { ...headers, 'Content-Type': type } }
}
