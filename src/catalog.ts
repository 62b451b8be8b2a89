// The table of contents: each noun and what it offers to every process. Nothing is found by scanning folders. REST has one of
// its own (rest.ts), which web alone needs, and so has what follows from changes (reactions.ts), which every command needs.

import { sealedApps } from './apps/sealed.ts'
import { events as assistantEvents } from './assistant/events.ts'
import type { Kind } from './callbacks/kind.ts'
import { sealedChannels } from './channels/accounts/credentials.ts'
import { events as channelEvents } from './channels/accounts/events.ts'
import { channelKind } from './channels/receiving/kind.ts'
import { events as contactEvents } from './contacts/events.ts'
import { exported as exportedContacts } from './contacts/routes.ts'
import { events as conversationEvents } from './conversations/events.ts'
import type { EventType } from './events/emit.ts'
import type { Exportable } from './exports/exportable.ts'
import type { Tool } from './ingress/mcp/tool.ts'
import { events as orderEvents } from './orders/events.ts'
import { exported as exportedOrders } from './orders/routes.ts'
import { paymentKind } from './payments/callbacks.ts'
import { events as paymentEvents } from './payments/ledger/events.ts'
import { sealedProviders } from './payments/providers/secrets.ts'
import type { SealedTable } from './postgres/sealed.ts'
import { events as productEvents } from './products/events.ts'
import { exported as exportedProducts } from './products/routes.ts'
import type { Keyring } from './secrets.ts'
import { sealedCalls } from './skills/sealed.ts'
import { events as webhookEvents } from './webhooks/endpoints/events.ts'
import { sealedWebhooks } from './webhooks/endpoints/secrets.ts'

/** Every event type. */
export const eventTypes: EventType[] = [
  ...orderEvents,
  ...paymentEvents,
  ...productEvents,
  ...contactEvents,
  ...conversationEvents,
  ...assistantEvents,
  ...channelEvents,
  ...webhookEvents,
]

/** What a tenant's webhook may subscribe to. */
export const webhookEventTypes = eventTypes.filter(type => type.webhook)
export const webhookEventNames = webhookEventTypes.map(type => type.name)

/** What can be exported. */
export const exportables: Exportable[] = [exportedOrders, exportedProducts, exportedContacts]

/** What is encrypted with SECRET_KEY. */
export const sealedTables: SealedTable[] = [sealedWebhooks, sealedChannels, sealedProviders, sealedApps, sealedCalls]

/** What a kind of callback needs of its process. */
export interface CallbackContext {
  keyring: Keyring
}

/** Every kind of callback. */
export const callbackKinds = (context: CallbackContext): Kind[] => [channelKind(context) as Kind, paymentKind(context.keyring) as Kind]

/** Every tool of the agent server, in the order in which they are listed. They are imported when an agent first calls. */
export async function agentTools(): Promise<Tool[]> {
  const [orders, products, contacts, conversations, analytics, assistant] = await Promise.all([
    import('./orders/tools.ts'),
    import('./products/tools.ts'),
    import('./contacts/tools.ts'),
    import('./conversations/tools.ts'),
    import('./analytics/tools.ts'),
    import('./assistant/tools.ts'),
  ])
  return [
    orders.getOrders,
    conversations.getConversations,
    products.getProducts,
    contacts.getContacts,
    analytics.getAnalytics,
    assistant.getAiConfig,
    conversations.getMessages,
    conversations.replyToConversation,
    orders.updateOrderStatus,
    contacts.tagContact,
    assistant.updateAiPersona,
    conversations.pauseAiForContact,
  ]
}
