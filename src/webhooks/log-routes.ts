// The delivery log and the health of a webhook, as REST. `GET …/deliveries` answers "did it arrive", its items "why not, and when again".
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { idPattern } from '../ids.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { oneRoute } from '../ingress/one.ts'
import type { Route } from '../ingress/route.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { choices } from '../shapes.ts'
import * as log from './log-store.ts'
import { DELIVERY_STATES, Delivery, DeliveryDetail, Health } from './schema.ts'
import * as store from './store.ts'

const path = '/api/v1/webhooks/{id}/deliveries'
const webhook = { idPrefix: 'whk', noun: 'webhook', tag: 'Webhooks' }
/** Ids of events are made in the order of time. */
const deliveryListing: Listing = { path, idPrefix: 'evt', sorts: { event_id: 'text' }, offers: { offset: false } }

export function logRoutes(config: Config, eventNames: string[]): Route[] {
  const query = Type.Omit(
    listQuery(deliveryListing, {
      state: Type.Optional(choices(DELIVERY_STATES, 'Only these, comma-separated.')),
      type: Type.Optional(choices([...eventNames, 'webhook.test'], 'Only these, comma-separated.')),
      event_id: Type.Optional(Type.String({ pattern: idPattern('evt'), description: 'Only of this event.' })),
    }),
    ['updated_after', 'updated_before'],
  )
  return [
    listRoute(config, deliveryListing, {
      ...webhook,
      operationId: 'listWebhookDeliveries',
      summary: 'List a webhook’s deliveries',
      description: 'One for each event, the newest event first. Kept for 30 days.',
      query,
      item: Delivery,
      page: async ({ sql, caller, id, query }, asked) => {
        const [page] = await Promise.all([log.listDeliveries(sql, caller.tenant, id, query, asked), requireWebhook(sql, caller.tenant, id)])
        return page
      },
    }),
    oneRoute({
      ...webhook,
      path: `${path}/{event_id}`,
      inner: { name: 'event_id', idPrefix: 'evt', noun: 'delivery' },
      operationId: 'getWebhookDelivery',
      summary: 'Read a delivery',
      description: 'With the event it carries, and every attempt: request, response, timings.',
      response: DeliveryDetail,
      json: (sql, { caller, id, innerId }) => log.delivery1(sql, caller.tenant, id, innerId),
    }),
    oneRoute({
      ...webhook,
      path: '/api/v1/webhooks/{id}/health',
      operationId: 'getWebhookHealth',
      summary: 'Read a webhook’s health',
      description: 'How its receiver has been doing in the last 24 hours. Recoveries and tests are not counted.',
      response: Health,
      json: (sql, { caller, id }) => log.health(sql, caller.tenant, id),
    }),
  ]
}

async function requireWebhook(sql: Queryable, tenant: string, id: string): Promise<void> {
  if (!(await store.exists(sql, tenant, id))) throw notFound('webhook')
}
