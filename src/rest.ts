// The table of contents of REST: each noun's routes, and the document that describes them.
import { Type } from 'typebox'
import { routes as appRoutes } from './apps/routes.ts'
import { routes as attachmentRoutes, linkRoutes } from './attachments/routes.ts'
import type { FileContext } from './attachments/serve.ts'
import { routes as builderRoutes } from './builder/routes.ts'
import type { Sandbox } from './builder/sandbox/sandbox.ts'
import { eventTypes, exportables, webhookEventNames, webhookEventTypes } from './catalog.ts'
import { routes as channelRoutes } from './channels/routes.ts'
import type { Config } from './config.ts'
import { routes as contactRoutes } from './contacts/routes.ts'
import { routes as conversationRoutes } from './conversations/routes.ts'
import { routes as eventRoutes } from './events/routes.ts'
import { typeRoute } from './events/type-route.ts'
import type { DownloadContext } from './exports/exports.ts'
import { routes as exportRoutes } from './exports/routes.ts'
import { routes as flowRoutes } from './flows/routes.ts'
import { type ImportContext, routes as importRoutes } from './imports/routes.ts'
import { encodings } from './ingress/encoded.ts'
import { openApi } from './ingress/openapi/document.ts'
import { type Route, read } from './ingress/route.ts'
import type { Live } from './live/live.ts'
import { routes as liveRoutes } from './live/routes.ts'
import { routes as notificationRoutes } from './notifications/routes.ts'
import { routes as orderRoutes } from './orders/routes.ts'
import { routes as paymentRoutes } from './payments/routes.ts'
import { routes as productRoutes } from './products/routes.ts'
import { routes as recordRoutes } from './records/routes.ts'
import { routes as skillRoutes } from './skills/routes.ts'
import type { Trials } from './skills/trials.ts'
import type { EndpointContext } from './webhooks/endpoints/endpoints.ts'
import { routes as webhookRoutes } from './webhooks/endpoints/routes.ts'
import { logRoutes } from './webhooks/log/routes.ts'
import { described } from './webhooks/openapi.ts'
import { recoveryRoutes } from './webhooks/recovery/routes.ts'

const GROUPS = [
  { name: 'Orders', description: 'Placed, moved through their lifecycle, annotated.' },
  { name: 'Payments', description: 'What came for orders, what was given back, and what a person has to decide.' },
  { name: 'Products', description: 'The catalogue and its stock.' },
  { name: 'Contacts', description: 'Customers, and what identifies them.' },
  { name: 'Conversations', description: 'What customers write, and what they are answered.' },
  { name: 'Channels', description: 'The accounts of platforms over which customers write. They are made on the command line.' },
  { name: 'Attachments', description: 'The files of messages, of either side.' },
  { name: 'Records', description: 'What apps keep, of the types that they declare.' },
  { name: 'Imports', description: 'Files of rows, applied by a worker.' },
  { name: 'Exports', description: 'All rows of a resource as one file, NDJSON or CSV.' },
  { name: 'Webhooks', description: 'Where this workspace wants its events sent.' },
  { name: 'Events', description: 'What happened, in the order it happened.' },
  {
    name: 'Apps',
    description: 'What others add to the workspace. Apps are installed on the command line, or by an admin in the dashboard.',
  },
  { name: 'App builder', description: 'For authors of apps: drafts of manifests, and scripts tried out in a sandbox.' },
  { name: 'Description', description: 'The API about itself.' },
]

/**
 * Every route of REST, the document that describes them included. That is made when it is first asked for: it was half of what web took to start, and
 * few of a process's callers ask.
 */
export function restRoutes(
  config: Config,
  context: EndpointContext,
  files: DownloadContext &
    ImportContext & {
      live: Pick<Live, 'open'>
      attachments: FileContext
      links: FileContext
      sandbox: Pick<Sandbox, 'execute'>
      trials: Trials
    },
): { routes: Route[]; document: () => object } {
  const routes: Route[] = [
    ...orderRoutes(config),
    ...paymentRoutes(config),
    ...productRoutes(config),
    ...contactRoutes(config),
    ...conversationRoutes(config),
    ...channelRoutes(config),
    ...liveRoutes(files),
    ...attachmentRoutes(config, files.attachments),
    ...recordRoutes(config),
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
    ...appRoutes(config),
    ...skillRoutes(config, files),
    ...builderRoutes(config, eventTypes, files),
    ...flowRoutes(config),
    ...notificationRoutes(config),
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
  let made: object | undefined
  const document = (): object => {
    made ??= openApi(routes, GROUPS, described(webhookEventTypes), config)
    return made
  }
  let answers: ReturnType<typeof encodings> | undefined
  const encoded = (acceptEncoding: string | undefined) => {
    answers ??= encodings(JSON.stringify(document()), { 'Cache-Control': 'public, no-cache' })
    return answers(acceptEncoding)
  }
  return { routes: [...routes, ...linkRoutes(context.keyring, files.links)], document }
}
