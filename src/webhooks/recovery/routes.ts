import type { Config } from '../../config.ts'
import type { EventType } from '../../events/emit.ts'
import { itemRoute } from '../../ingress/item-route.ts'
import { listRoute } from '../../ingress/list.ts'
import { type Answer, type Route, write } from '../../ingress/route.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { notFound } from '../../problems.ts'
import * as store from '../endpoints/store.ts'
import * as recovery from './recovery.ts'
import { newRecovery, newTest, Recovery, RecoveryPreview, RecoveryRunning, recoveryListing, recoveryQuery } from './schema.ts'
import * as recoveries from './store.ts'

const webhooks = '/api/v1/webhooks'
const { path } = recoveryListing
const webhook = { idPrefix: 'whk', noun: 'webhook', tag: 'Webhooks' }
const inner = { name: 'recovery_id', idPrefix: 'rcv', noun: 'recovery' } as const

/** @param eventTypes the types that can be subscribed to */
export function recoveryRoutes(config: Config, eventTypes: EventType[]): Route[] {
  const eventNames = eventTypes.map(type => type.name)
  return [
    write({
      ...webhook,
      method: 'POST',
      path,
      operationId: 'recoverWebhook',
      summary: 'Send many events again',
      description:
        'Beside live deliveries, which it does not delay; also while the webhook is paused or disabled. A 202: its progress is at Location. With dry_run a 200 that says how many it would send.',
      body: newRecovery(eventNames),
      example: { scope: 'undelivered', since: '2026-05-25T00:00:00Z', dry_run: true },
      status: 202,
      response: Recovery,
      dryRun: RecoveryPreview,
      conflicts: [RecoveryRunning],
      inTurns: true,
      handler: async ({ tx, caller, id, body }) => {
        const begun = await recovery.recover(tx, caller, id, body)
        return 'preview' in begun ? { body: JSON.stringify(begun.preview), status: 200 } : accepted(tx, caller.tenant, id, begun.id)
      },
    }),
    listRoute(config, recoveryListing, {
      ...webhook,
      operationId: 'listWebhookRecoveries',
      summary: 'List a webhook’s recoveries',
      description: 'Redeliveries and tests included.',
      query: recoveryQuery,
      item: Recovery,
      page: async ({ sql, caller, id }, asked) => {
        const [page, found] = await Promise.all([recoveries.list(sql, caller.tenant, id, asked), store.exists(sql, caller.tenant, id)])
        if (!found) throw notFound('webhook')
        return page
      },
    }),
    itemRoute({
      ...webhook,
      path: `${path}/{recovery_id}`,
      inner,
      operationId: 'getWebhookRecovery',
      summary: 'Read a recovery’s progress',
      response: Recovery,
      json: (sql, { caller, id, innerId }) => recoveries.findJson(sql, caller.tenant, id, innerId),
    }),
    write({
      ...webhook,
      method: 'POST',
      path: `${path}/{recovery_id}/cancel`,
      inner,
      operationId: 'cancelWebhookRecovery',
      summary: 'Cancel a recovery',
      description: 'What is in flight is finished. One that is over stays as it is.',
      status: 200,
      response: Recovery,
      handler: async ({ tx, caller, id, innerId }) => ({ body: await recovery.cancel(tx, caller, id, innerId) }),
    }),
    write({
      ...webhook,
      method: 'POST',
      path: `${webhooks}/{id}/deliveries/{event_id}/redeliver`,
      inner: { name: 'event_id', idPrefix: 'evt', noun: 'event' },
      operationId: 'redeliverWebhookEvent',
      summary: 'Send one event again',
      description: 'Whatever became of it, also one that was never sent to this webhook. A 202: its progress is at Location.',
      status: 202,
      response: Recovery,
      handler: async ({ tx, caller, id, innerId }) => accepted(tx, caller.tenant, id, await recovery.redeliver(tx, caller, id, innerId)),
    }),
    write({
      ...webhook,
      method: 'POST',
      path: `${webhooks}/{id}/test`,
      operationId: 'testWebhook',
      summary: 'Send a test event',
      description:
        'webhook.test, or the example of the type you name: an event that did not happen, with the header X-Service-Test: true. A 202: its progress is at Location, and the attempt is in the delivery log.',
      body: newTest(eventNames),
      bodyOptional: true,
      example: { type: 'order.created' },
      status: 202,
      response: Recovery,
      handler: async ({ tx, caller, id, body }) =>
        accepted(tx, caller.tenant, id, await recovery.sendTest(tx, caller, id, body.type, eventTypes)),
    }),
  ]
}

async function accepted(sql: Queryable, tenant: string, webhookId: string, id: string): Promise<Answer> {
  return {
    body: (await recoveries.findJson(sql, tenant, webhookId, id)) as string,
    location: `${webhooks}/${webhookId}/recoveries/${id}`,
  }
}
