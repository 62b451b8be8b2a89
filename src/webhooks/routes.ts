import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { type Listing, listAnswer, listOf, listQuery, pageRequest } from '../ingress/list.ts'
import { type Route, read, write } from '../ingress/route.ts'
import { notFound } from '../problems.ts'
import { webhookShapes } from './schema.ts'
import * as store from './store.ts'
import * as webhooks from './webhooks.ts'

const path = '/api/v1/webhooks'
const listing: Listing = { path, idPrefix: 'whk', sorts: { created_at: 'time' }, offers: { offset: false } }
const one = { idPrefix: 'whk', noun: 'webhook', tag: 'Webhooks', path: `${path}/{id}` }

export function routes(config: Config, eventNames: string[], setting: webhooks.Setting): Route[] {
  const { Webhook, CreatedWebhook, NewWebhook, WebhookChange } = webhookShapes(eventNames)
  const query = listQuery(listing, {})
  const found = (body: string | undefined) => {
    if (body === undefined) throw notFound('webhook')
    return body
  }
  return [
    read({
      path,
      operationId: 'listWebhooks',
      tag: 'Webhooks',
      summary: 'List webhooks',
      query,
      response: listOf(Webhook),
      handler: async ({ sql, caller, query, project, url }) => {
        const asked = pageRequest(listing, query, config)
        return listAnswer(await store.list(sql, caller.tenant, query, asked), url, asked, project, config.docsUrl)
      },
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
      handler: async ({ tx, caller, body }) => {
        const { id, json } = await webhooks.create(tx, caller, body, setting)
        return { body: json, location: `${path}/${id}`, shownOnce: ['secret'] }
      },
    }),
    read({
      ...one,
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      query: Type.Object({ fields: query.properties.fields }),
      response: Webhook,
      handler: async ({ sql, caller, id, project }) => {
        const json = found(await store.json1(sql, caller.tenant, id))
        return { body: project ? JSON.stringify(project(JSON.parse(json))) : json }
      },
    }),
    write({
      ...one,
      method: 'PATCH',
      operationId: 'updateWebhook',
      summary: 'Change a webhook',
      body: WebhookChange,
      example: { events: ['order.created'] },
      status: 200,
      response: Webhook,
      conditional: true,
      handler: async ({ tx, caller, id, body, unchanged }) => ({ body: await webhooks.change(tx, caller, id, body, unchanged, setting) }),
    }),
    write({
      ...one,
      method: 'DELETE',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'What is pending for it and its log go with it.',
      status: 200,
      response: Type.Object({ object: Type.Literal('webhook'), id: Webhook.properties.id, deleted: Type.Literal(true) }),
      conditional: true,
      handler: async ({ tx, caller, id, unchanged }) => ({ body: await webhooks.remove(tx, caller, id, unchanged) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/enable`,
      operationId: 'enableWebhook',
      summary: 'Enable a webhook',
      description: 'With a clean slate: its failures are forgotten, and what is pending is sent.',
      status: 200,
      response: Webhook,
      handler: async ({ tx, caller, id }) => ({ body: await webhooks.enable(tx, caller, id) }),
    }),
    write({
      ...one,
      method: 'POST',
      path: `${path}/{id}/disable`,
      operationId: 'disableWebhook',
      summary: 'Disable a webhook',
      description: 'What is pending is kept; events that happen meanwhile are not sent.',
      status: 200,
      response: Webhook,
      handler: async ({ tx, caller, id }) => ({ body: await webhooks.disable(tx, caller, id) }),
    }),
  ]
}
