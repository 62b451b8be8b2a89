// What of an event is meant where a person says "the customer's email", and what fills a field of that name.

interface Source {
  /** Names that mean it, as fields have them. */
  names: RegExp
  /** The types of the events that have it. */
  events: RegExp
  path: string
}

const ORDERS = /^order\./
const ABOUT_CONTACT = /^(?:contact|conversation\.started|message)\b/
const MESSAGES = /^message\./
const TALKS = /^(?:message|conversation|ai)\./
const PRODUCTS = /^product\./

const SOURCES: Source[] = [
  { names: /^(?:customer_|contact_|buyer_)?e?_?mail(?:_address)?$/, events: ORDERS, path: 'event.order.customer.email' },
  { names: /^(?:customer_|contact_|buyer_)?e?_?mail(?:_address)?$/, events: ABOUT_CONTACT, path: 'event.contact.email' },
  { names: /^(?:customer_|contact_|buyer_)?phone(?:_number)?$/, events: ORDERS, path: 'event.order.customer.phone' },
  { names: /^(?:customer_|contact_|buyer_)?phone(?:_number)?$/, events: ABOUT_CONTACT, path: 'event.contact.phone' },
  { names: /^(?:customer|contact|buyer)(?:_name)?$|^name$/, events: ORDERS, path: 'event.order.customer.name' },
  { names: /^(?:customer|contact|buyer)(?:_name)?$|^name$/, events: ABOUT_CONTACT, path: 'event.contact.name' },
  { names: /^(?:product_)?name$|^product$/, events: PRODUCTS, path: 'event.product.name' },
  { names: /^sku$/, events: PRODUCTS, path: 'event.product.sku' },
  { names: /^(?:available|stock|available_stock)$/, events: /^product\.low_stock$/, path: 'event.available' },
  { names: /^(?:order_)?total(?:_amount)?$|^order_(?:value|amount)$/, events: ORDERS, path: 'event.order.total_amount' },
  { names: /^(?:order_)?currency$/, events: ORDERS, path: 'event.order.currency' },
  { names: /^order_number$|^number$/, events: ORDERS, path: 'event.order.number' },
  { names: /^order(?:_id)?$/, events: ORDERS, path: 'event.order_id' },
  { names: /^(?:order_)?items$/, events: ORDERS, path: 'event.order.items' },
  { names: /^(?:shipping_)?country$/, events: ORDERS, path: 'event.order.shipping_address.country' },
  { names: /^(?:shipping_)?city$/, events: ORDERS, path: 'event.order.shipping_address.city' },
  { names: /^(?:postal_code|post_?code|zip(?:_code)?)$/, events: ORDERS, path: 'event.order.shipping_address.postal_code' },
  { names: /^(?:waybill|tracking)(?:_number|_code)?$/, events: /^order\.shipped$/, path: 'event.fulfillment.waybill_number' },
  { names: /^tracking_(?:url|link)$/, events: /^order\.shipped$/, path: 'event.fulfillment.tracking_url' },
  { names: /^(?:cancellation_)?reason$/, events: /^order\.cancelled$/, path: 'event.reason' },
  { names: /^(?:refund_)?reason$/, events: /^order\.refunded$/, path: 'event.refund.reason' },
  { names: /^(?:refund(?:ed)?_)?amount$/, events: /^order\.refunded$/, path: 'event.refund.amount' },
  { names: /^(?:new_|order_)?status$/, events: /^order\.status_changed$/, path: 'event.to' },
  { names: /^product(?:_id)?$/, events: PRODUCTS, path: 'event.product_id' },
  { names: /^(?:message(?:_text)?|text|body|question|comment)$/, events: MESSAGES, path: 'event.message.text' },
  { names: /^(?:platform|channel)$/, events: TALKS, path: 'event.conversation.platform' },
  { names: /^(?:contact|customer)(?:_id)?$/, events: /^contact\./, path: 'event.contact_id' },
]

/** A moment that is the event's own, unlike an expiry or a birth. */
const NOW =
  /^(?:date|time|day)$|^(?:purchase|start|creation|created|order|payment|paid|issue|issued|registration|begin|award|awarded|visit|entry|received|request|requested)_(?:date|day|time|on|at)$|^(?:date|time|day)_of_(?:purchase|order|payment|issue|creation|award)$/

/** @returns the path of what the event has by that name */
export function pathFor(name: string, event: string): string | undefined {
  const known = SOURCES.find(({ names, events }) => names.test(name) && events.test(event))
  return known?.path ?? (NOW.test(name) ? 'trigger.created_at' : undefined)
}

const IDS: [RegExp, string, string][] = [
  [ORDERS, 'order_id', 'event.order_id'],
  [PRODUCTS, 'product_id', 'event.product_id'],
  [/^contact\./, 'contact_id', 'event.contact_id'],
  [MESSAGES, 'message_id', 'event.message.id'],
  [/^conversation\.|^ai\./, 'conversation_id', 'event.conversation.id'],
  [/^payment\./, 'payment_id', 'event.payment_id'],
  [/^channel\./, 'channel_id', 'event.channel_id'],
  [/^webhook\./, 'webhook_id', 'event.webhook_id'],
  [/^proposal\./, 'proposal_id', 'event.proposal.id'],
]

/** What a service is told of an event where nothing else is said: which one it is about. */
export function idFor(event: string): { name: string; path: string } {
  const [, name, path] = IDS.find(([events]) => events.test(event)) ?? [/./, 'event_id', 'trigger.id']
  return { name, path }
}
