// The table of contents: each noun and what it offers. Nothing is found by scanning folders.

import { Type } from 'typebox'
import { routes as attachmentRoutes, linkRoutes } from './attachments/routes.ts'
import type { FileContext } from './attachments/serve.ts'
import type { Kind } from './callbacks/kind.ts'
import { sealedChannels } from './channels/accounts/credentials.ts'
import { events as channelEvents } from './channels/accounts/events.ts'
import { channelKind } from './channels/receiving/kind.ts'
import { routes as channelRoutes } from './channels/routes.ts'
import type { Config } from './config.ts'
import { events as contactEvents } from './contacts/events.ts'
import type { Keeper } from './contacts/keepers.ts'
import { routes as contactRoutes, exported as exportedContacts } from './contacts/routes.ts'
import { events as conversationEvents } from './conversations/events.ts'
import { keeper as conversationKeeper } from './conversations/of-contact.ts'
import { routes as conversationRoutes } from './conversations/routes.ts'
import type { EventType, Listener } from './events/emit.ts'
import { routes as eventRoutes } from './events/routes.ts'
import { typeRoute } from './events/type-route.ts'
import type { Exportable } from './exports/exportable.ts'
import type { DownloadContext } from './exports/exports.ts'
import { routes as exportRoutes } from './exports/routes.ts'
import { type ImportContext, routes as importRoutes } from './imports/routes.ts'
import { encodings } from './ingress/encoded.ts'
import type { Tool } from './ingress/mcp/tool.ts'
import { openApi } from './ingress/openapi/document.ts'
import { type Route, read } from './ingress/route.ts'
import type { Live } from './live/live.ts'
import { routes as liveRoutes } from './live/routes.ts'
import { events as orderEvents } from './orders/events.ts'
import { keeper as orderKeeper } from './orders/of-contact.ts'
import { exported as exportedOrders, routes as orderRoutes } from './orders/routes.ts'
import { paymentKind } from './payments/callbacks.ts'
import { events as paymentEvents } from './payments/ledger/events.ts'
import { sealedProviders } from './payments/providers/secrets.ts'
import { routes as paymentRoutes } from './payments/routes.ts'
import type { SealedTable } from './postgres/sealed.ts'
import { events as productEvents } from './products/events.ts'
import { exported as exportedProducts, routes as productRoutes } from './products/routes.ts'
import type { Keyring } from './secrets.ts'
import { deliveryListener } from './webhooks/delivery/fan-out.ts'
import type { EndpointContext } from './webhooks/endpoints/endpoints.ts'
import { events as webhookEvents } from './webhooks/endpoints/events.ts'
import { routes as webhookRoutes } from './webhooks/endpoints/routes.ts'
import { sealedWebhooks } from './webhooks/endpoints/secrets.ts'
import { logRoutes } from './webhooks/log/routes.ts'
import { described } from './webhooks/openapi.ts'
import { recoveryRoutes } from './webhooks/recovery/routes.ts'

/** Every event type. */
export const eventTypes: EventType[] = [
  ...orderEvents,
  ...paymentEvents,
  ...productEvents,
  ...contactEvents,
  ...conversationEvents,
  ...channelEvents,
  ...webhookEvents,
]

const webhookEventTypes = eventTypes.filter(type => type.webhook)
/** What a tenant's webhook may subscribe to. */
export const webhookEventNames = webhookEventTypes.map(type => type.name)

/** What can be exported. */
export const exportables: Exportable[] = [exportedOrders, exportedProducts, exportedContacts]

const GROUPS = [
  { name: 'Orders', description: 'Placed, moved through their lifecycle, annotated.' },
  { name: 'Payments', description: 'What came for orders, what was given back, and what a person has to decide.' },
  { name: 'Products', description: 'The catalogue and its stock.' },
  { name: 'Contacts', description: 'Customers, and what identifies them.' },
  { name: 'Conversations', description: 'What customers write, and what they are answered.' },
  { name: 'Channels', description: 'The accounts of platforms over which customers write. They are made on the command line.' },
  { name: 'Attachments', description: 'The files of messages, of either side.' },
  { name: 'Imports', description: 'Files of rows, applied by a worker.' },
  { name: 'Exports', description: 'All rows of a resource as one file, NDJSON or CSV.' },
  { name: 'Webhooks', description: 'Where this workspace wants its events sent.' },
  { name: 'Events', description: 'What happened, in the order it happened.' },
  { name: 'Description', description: 'The API about itself.' },
]

/** What listens to events, whichever process emits them: see `setListeners`. */
export const listeners: Listener[] = [deliveryListener]

/** What is encrypted with SECRET_KEY. */
export const sealedTables: SealedTable[] = [sealedWebhooks, sealedChannels, sealedProviders]

/** What a kind of callback needs of its process. */
export interface CallbackContext {
  keyring: Keyring
}

/** Every kind of callback. */
export const callbackKinds = (context: CallbackContext): Kind[] => [channelKind(context) as Kind, paymentKind(context.keyring) as Kind]

/** What follows a contact that is merged or blocked, in the order in which it is locked: see `setKeepers`. */
export const keepers: Keeper[] = [orderKeeper, conversationKeeper]

/** Every tool of the agent server, in the order in which they are listed. They are imported when an agent first calls. */
export async function agentTools(): Promise<Tool[]> {
  const orders = await import('./orders/tools.ts')
  return [orders.getOrders]
}

/** Every route of REST v1, the document that describes them included. */
export function restRoutes(
  config: Config,
  context: EndpointContext,
  files: DownloadContext & ImportContext & { live: Pick<Live, 'open'>; attachments: FileContext },
): { routes: Route[]; document: object } {
  const routes: Route[] = [
    ...orderRoutes(config),
    ...paymentRoutes(config),
    ...productRoutes(config),
    ...contactRoutes(config),
    ...conversationRoutes(config),
    ...channelRoutes(config),
    ...liveRoutes(files),
    ...attachmentRoutes(config, files.attachments),
    ...importRoutes(config, files),
    ...exportRoutes(config, exportables, files),
    ...webhookRoutes(config, webhookEventNames, context),
    ...logRoutes(config, webhookEventNames),
    ...recoveryRoutes(config, webhookEventTypes),
    ...eventRoutes(
      eventTypes.map(type => type.name),
      context.keyring,
    ),
    typeRoute(eventTypes),
  ]
  const self = read({
    path: '/api/v1/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Description',
    summary: 'This document',
    public: true,
    query: Type.Object({}),
    response: Type.Object({}, { additionalProperties: true }),
    encoded: true,
    handler: async ({ acceptEncoding }) => encoded(acceptEncoding),
  })
  routes.push(self)
  const document = openApi(routes, GROUPS, described(webhookEventTypes), config)
  const encoded = encodings(JSON.stringify(document), { 'Cache-Control': 'public, no-cache' })
  return { routes: [...routes, ...linkRoutes(context.keyring, files.attachments)], document }
}
