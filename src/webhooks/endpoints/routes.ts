import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { itemRoute } from '../../ingress/item-route.ts'
import { listRoute } from '../../ingress/list.ts'
import { type Route, write } from '../../ingress/route.ts'
import { QuotaReached } from '../../tenants/quota.ts'
import * as endpoints from './endpoints.ts'
import { Enabling, WebhookDisabled, webhookListing, webhookQuery, webhookShapes } from './schema.ts'
import * as status from './status.ts'
import * as store from './store.ts'

const { path } = webhookListing
const one = { idPrefix: 'whk', noun: 'webhook', tag: 'Webhooks', path: `${path}/{id}` }

export function routes(config: Config, eventNames: string[], context: endpoints.EndpointContext): Route[] {
  const { Webhook, CreatedWebhook, ChangedWebhook, NewWebhook, WebhookChange } = webhookShapes(eventNames)
  return [
    listRoute(config, webhookListing, {
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'List webhooks',
      query: webhookQuery,
      item: Webhook,
      page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
    }),
    write({
      method: 'POST',
      path,
      operationId: 'createWebhook',
      tag: 'Webhooks',
      summary: 'Create a webhook',
      description: 'The answer holds the signing secret, which is shown this once.',
      body: NewWebhook,
      example: { url: 'https://shop.example/hooks', events: ['order.created', 'order.shipped'] },
      status: 201,
      response: CreatedWebhook,
      conflicts: [QuotaReached],
      showsSecret: true,
      inTurns: true,
      handler: async ({ tx, caller, body }) => {
        const { id, secret, json } = await endpoints.create(tx, caller, body, context)
        return { body: json, location: `${path}/${id}`, shownOnce: { secret } }
      },
    }),
    itemRoute({
      ...one,
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      response: Webhook,
      json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id),
    }),
    write({
      ...one,
      method: 'PATCH',
      operationId: 'updateWebhook',
      summary: 'Change a webhook',
      description:
        'With a url of another origin (scheme, host or port) the webhook’s own headers are dropped, unless the same request gives them again: they were meant for the receiver before.',
      body: WebhookChange,
      example: { events: ['order.created'] },
      status: 200,
      response: ChangedWebhook,
      conditional: true,
      conflicts: [QuotaReached],
      inTurns: true,
      handler: async ({ tx, caller, id, body, unchanged }) => {
        const { json, dropped } = await endpoints.change(tx, caller, id, body, unchanged, context)
        return { body: json, ...(dropped.length > 0 && { shownOnce: { headers_dropped: dropped } }) }
      },
    }),
    write({
      ...one,
      method: 'DELETE',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'At once: what is pending for it is not sent, and neither it nor its log can be read any more.',
      status: 200,
      response: Type.Object({ object: Type.Literal('webhook'), id: Webhook.properties.id, deleted: Type.Literal(true) }),
      conditional: true,
      handler: async ({ tx, caller, id, unchanged }) => ({ body: await endpoints.remove(tx, caller, id, unchanged) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/pause`,
      operationId: 'pauseWebhook',
      summary: 'Pause a webhook',
      description: 'Deliveries are made and wait, until it is resumed. What is in flight is finished.',
      status: 200,
      response: Webhook,
      conflicts: [WebhookDisabled],
      handler: async ({ tx, caller, id }) => ({ body: await status.pause(tx, caller, id) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/resume`,
      operationId: 'resumeWebhook',
      summary: 'Resume a webhook',
      description: 'What has waited is sent.',
      status: 200,
      response: Webhook,
      conflicts: [WebhookDisabled],
      handler: async ({ tx, caller, id }) => ({ body: await status.resume(tx, caller, id) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/enable`,
      operationId: 'enableWebhook',
      summary: 'Enable a webhook',
      description:
        'With a clean slate: its failures are forgotten. You say what becomes of what was held and of what happened meanwhile; where that takes work the webhook is paused, with catching_up, until it is done.',
      body: Enabling,
      bodyOptional: true,
      example: { pending: 'send', missed: 'send' },
      status: 200,
      response: Webhook,
      handler: async ({ tx, caller, id, body }) => ({ body: await status.enable(tx, caller, id, body) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/disable`,
      operationId: 'disableWebhook',
      summary: 'Disable a webhook',
      description: 'What is pending is kept; for events that happen meanwhile no deliveries are made.',
      status: 200,
      response: Webhook,
      handler: async ({ tx, caller, id }) => ({ body: await status.disable(tx, caller, id) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/rotate-secret`,
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate a webhook’s secret',
      description:
        'The answer holds the new secret, which is shown this once. For 24 hours, or until you confirm the new one, the old one signs as well. Rotating again before that replaces the new one.',
      status: 200,
      response: CreatedWebhook,
      showsSecret: true,
      handler: async ({ tx, caller, id }) => {
        const { secret, json } = await endpoints.rotateSecret(tx, caller, id, context)
        return { body: json, shownOnce: { secret } }
      },
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/rotate-secret/confirm`,
      operationId: 'confirmWebhookSecret',
      summary: 'Confirm a webhook’s new secret',
      description: 'Your receivers have it: from now on the old one does not sign any more.',
      status: 200,
      response: Webhook,
      handler: async ({ tx, caller, id }) => ({ body: await endpoints.confirmSecret(tx, caller, id) }),
    }),
  ]
}
