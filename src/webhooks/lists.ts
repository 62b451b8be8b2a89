// What the lists of webhooks, of deliveries and of recoveries may be asked for: the same over REST and on the command line.
import { Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { type Listing, listQuery } from '../ingress/list.ts'
import { choices } from '../schemas.ts'
import { DELIVERY_STATES } from './log-schema.ts'

const path = '/api/v1/webhooks'
const offers = { offset: false }

export const webhookListing: Listing = { path, idPrefix: 'whk', sorts: { created_at: 'time' }, offers }
export const webhookQuery = listQuery(webhookListing, {})

/** Ids of events are made in the order of time. */
export const deliveryListing: Listing = { path: `${path}/{id}/deliveries`, idPrefix: 'evt', sorts: { event_id: 'text' }, offers }
export const deliveryQuery = (eventNames: string[]) =>
  Type.Omit(
    listQuery(deliveryListing, {
      state: Type.Optional(choices(DELIVERY_STATES, 'Only these, comma-separated.')),
      type: Type.Optional(choices([...eventNames, 'webhook.test'], 'Only these, comma-separated.')),
      event_id: Type.Optional(Type.String({ pattern: idPattern('evt'), description: 'Only of this event.' })),
    }),
    ['updated_after', 'updated_before'],
  )

export const recoveryListing: Listing = { path: `${path}/{id}/recoveries`, idPrefix: 'rcv', sorts: { created_at: 'time' }, offers }
export const recoveryQuery = Type.Pick(listQuery(recoveryListing, {}), ['cursor', 'limit', 'fields', 'sort', 'dir', 'offset'])
