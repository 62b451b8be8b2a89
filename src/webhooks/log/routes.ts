// The delivery log and the health of a webhook, as REST. `GET …/deliveries` answers "did it arrive", its items "why not, and when again".
import type { Config } from '../../config.ts'
import { itemRoute } from '../../ingress/item-route.ts'
import { listRoute } from '../../ingress/list.ts'
import type { Route } from '../../ingress/route.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { notFound } from '../../problems.ts'
import * as store from '../endpoints/store.ts'
import { Delivery, DeliveryDetail, deliveryListing, deliveryQuery, Health } from './schema.ts'
import * as log from './store.ts'

const webhook = { idPrefix: 'whk', noun: 'webhook', tag: 'Webhooks' }

export function logRoutes(config: Config, eventNames: string[]): Route[] {
  return [
    listRoute(config, deliveryListing, {
      ...webhook,
      operationId: 'listWebhookDeliveries',
      summary: 'List a webhook’s deliveries',
      description: 'One for each event, the newest event first. Kept for 30 days.',
      query: deliveryQuery(eventNames),
      item: Delivery,
      page: async ({ sql, caller, id, query }, asked) => {
        const [page] = await Promise.all([log.listDeliveries(sql, caller.tenant, id, query, asked), requireWebhook(sql, caller.tenant, id)])
        return page
      },
    }),
    itemRoute({
      ...webhook,
      path: `${deliveryListing.path}/{event_id}`,
      inner: { name: 'event_id', idPrefix: 'evt', noun: 'delivery' },
      operationId: 'getWebhookDelivery',
      summary: 'Read a delivery',
      description: 'With the event it carries, and every attempt: request, response, timings.',
      response: DeliveryDetail,
      json: (sql, { caller, id, innerId }) => log.findDelivery(sql, caller.tenant, id, innerId),
    }),
    itemRoute({
      ...webhook,
      path: '/api/v1/webhooks/{id}/health',
      operationId: 'getWebhookHealth',
      summary: 'Read a webhook’s health',
      description:
        'How its receiver has been doing in the last 24 hours, or over the latest 10 000 attempts, where there were more. Recoveries and tests are not counted.',
      response: Health,
      long: true,
      json: (sql, { caller, id }) => log.health(sql, caller.tenant, id),
    }),
  ]
}

async function requireWebhook(sql: Queryable, tenant: string, id: string): Promise<void> {
  if (!(await store.exists(sql, tenant, id))) throw notFound('webhook')
}
