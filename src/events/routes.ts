// The pull endpoint: events in the order of their commits, so that a receiver can take those it missed.
import { Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { envelope, glanced, listOf, listQuery, refuseOffset } from '../ingress/list.ts'
import { TOO_MANY_LONG_READS } from '../ingress/problem-schemas.ts'
import { type Route, read } from '../ingress/route.ts'
import { PAGE_DEFAULT } from '../limits/lists.ts'
import { invalid } from '../problems.ts'
import { choice, choices, nullable, Time } from '../schemas.ts'
import type { Keyring } from '../secrets.ts'
import { cursorOf, listing, path, positionAfter } from './cursor.ts'
import * as store from './store.ts'

export function routes(eventNames: string[], keyring: Keyring): Route[] {
  const Event = Type.Object(
    {
      object: Type.Literal('event'),
      id: Type.String({ pattern: idPattern('evt') }),
      type: choice(eventNames),
      created_at: Time,
      data: Type.Object({}, { additionalProperties: true, description: 'As the webhook carries it: a snapshot of that moment.' }),
    },
    { title: 'Event' },
  )
  return [
    read({
      path,
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'List events',
      description:
        'In the order of their commits, oldest first: a program that reads on from the last event it has misses none, also of those that were being written at the same time.',
      query: Type.Object({
        after: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 2000,
            description: 'What came later than this: a resume_cursor, a next_cursor or the id of an event. From the oldest unless given.',
          }),
        ),
        cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'The same as after.' })),
        types: Type.Optional(choices(eventNames, 'Only these, comma-separated.')),
        ...Type.Pick(listQuery(listing, {}), ['limit', 'fields', 'offset']).properties,
      }),
      response: Type.Object({
        ...listOf(Event).properties,
        resume_cursor: nullable(Type.String(), {
          description:
            'On every page, the last too: give it as after, now or later, for what came after this page. It stays good when events are pruned, and passes over those that types left out. null while nothing has ever happened.',
        }),
        held_back_since: nullable(Time, {
          description:
            'At the end of the events: when the first of those happened that are not here yet, because a transaction of the database that began before them has lasted for more than 5 seconds. They come once it ends. null as a rule.',
        }),
      }),
      conflicts: [TOO_MANY_LONG_READS],
      handler: async ({ sql, apart, caller, query, project, url }) => {
        refuseOffset(query)
        if (query.after !== undefined && query.cursor !== undefined)
          throw invalid({ field: 'after', code: 'cursor_conflict', message: 'cannot be combined with cursor; they are the same.' })
        const [field, from] = query.after === undefined ? ['cursor', query.cursor] : ['after', query.after]
        const after = from === undefined ? undefined : await positionAfter(sql, keyring, caller.tenant, from, field)
        const page = await glanced({ sql, apart }, (on, scan) =>
          store.listByCommit(on, caller.tenant, after, query.types, query.limit ?? PAGE_DEFAULT, scan),
        )
        const position = page.next ?? page.end ?? after
        const resume = position ? cursorOf(keyring, caller.tenant, position) : null
        return {
          pieces: envelope(url, page.data, page.next ? resume : null, project, {
            resume_cursor: resume,
            held_back_since: page.heldBackSince,
          }),
        }
      },
    }),
    itemRoute({
      path: `${path}/{id}`,
      operationId: 'getEvent',
      tag: 'Events',
      summary: 'Read an event',
      idPrefix: 'evt',
      noun: 'event',
      response: Event,
      json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id),
    }),
  ]
}
