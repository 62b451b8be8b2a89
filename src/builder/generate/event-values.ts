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
const AI = /^ai\./
const ESCALATION = /^ai\.escalation_requested$/
const LOW = /^product\.low_stock$/
const REFUND = /^order\.refunded$/
const PAYMENTS = /^payment\./
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
  {
    names:
      /^(?:available|(?:available_|remaining_|current_)?stock(?:_left|_level)?|(?:the_)?rest|remainder|remaining(?:_(?:quantity|amount|stock|items|pieces|units|number))?|left(?:_over)?|(?:number|amount|quantity|count|stock)_(?:left|available|remaining|in_stock)|how_(?:many|much)_?(?:\w+_)?(?:(?:is|are)_(?:still_)?)?(?:left|available|remain(?:ing)?|in_stock|there)|what_is_left|available_(?:quantity|amount|number)|(?:number|quantity|amount)(?:_of_pieces)?)$/,
    events: LOW,
    path: 'event.available',
  },
  { names: /^price$|^product_price$/, events: PRODUCTS, path: 'event.product.price_amount' },
  { names: /^category$|^product_category$/, events: PRODUCTS, path: 'event.product.category' },
  {
    names: /^reason$|^why$|^reason_(?:why|given)$/,
    events: /^(?:ai\.(?:escalation_requested|paused)|channel\.|webhook\.)/,
    path: 'event.reason',
  },
  { names: /^summary$/, events: ESCALATION, path: 'event.summary' },
  {
    names: /^(?:customer|contact|buyer|client)?_?name$|^(?:customer|contact|client)$/,
    events: AI,
    path: 'event.conversation.contact.name',
  },
  { names: /^(?:customer_|contact_|buyer_|client_)?e?_?mail(?:_address)?$/, events: AI, path: 'event.conversation.contact.email' },
  { names: /^(?:payment_)?(?:amount|total|sum)$/, events: PAYMENTS, path: 'event.payment.amount' },
  { names: /^(?:payment_)?currency$/, events: PAYMENTS, path: 'event.payment.currency' },
  { names: /^order(?:_id)?$/, events: PAYMENTS, path: 'event.order_id' },
  { names: /^payment(?:_id)?$/, events: PAYMENTS, path: 'event.payment_id' },
  { names: /^(?:customer_|order_|buyer_)?(?:note|comment|remark)s?$/, events: ORDERS, path: 'event.order.note' },
  { names: /^(?:order_)?source$/, events: ORDERS, path: 'event.order.source' },
  { names: /^payment_method$|^how_it_was_paid$/, events: ORDERS, path: 'event.order.payment.method' },
  { names: /^(?:order_)?discount(?:_amount)?$/, events: ORDERS, path: 'event.order.discount_amount' },
  { names: /^(?:shipping_|delivery_)(?:costs?|amount|fee)$/, events: ORDERS, path: 'event.order.shipping_amount' },
  { names: /^tax(?:_amount)?$|^vat$/, events: ORDERS, path: 'event.order.tax_amount' },
  { names: /^carrier$/, events: /^order\.shipped$/, path: 'event.fulfillment.carrier' },
  {
    names:
      /^(?:first_)?(?:product|item|article)(?:_name)?$|^name_of_the_(?:first_)?(?:product|item)$|^what_(?:they|was|he|she)_(?:bought|ordered)$/,
    events: ORDERS,
    path: 'event.order.items.0.name',
  },
  { names: /^(?:old_|previous_)status$/, events: /^order\.status_changed$/, path: 'event.from' },
  { names: /^language$/, events: /^(?:contact|message|conversation)\./, path: 'event.contact.language' },
  { names: /^decision$/, events: /^proposal\.decided$/, path: 'event.decision' },
  { names: /^summary$/, events: /^proposal\./, path: 'event.proposal.summary' },
  { names: /^(?:new_|added_)?tags?$/, events: /^contact\.tagged$/, path: 'event.added.0' },
  {
    names: /^(?:refund(?:ed)?_)?(?:amount|sum)(?:_refunded|_of_the_refund)?$|^refund$|^how_much$/,
    events: REFUND,
    path: 'event.refund.amount',
  },
  {
    names: /^(?:order_)?total(?:_amount|_price|_sum|_value)?$|^order_(?:value|amount|sum)$|^(?:grand_total|sum|value)$/,
    events: ORDERS,
    path: 'event.order.total_amount',
  },
  { names: /^(?:order_)?currency$/, events: ORDERS, path: 'event.order.currency' },
  { names: /^(?:order_)?(?:number|no)$/, events: ORDERS, path: 'event.order.number' },
  { names: /^order(?:_id)?$/, events: ORDERS, path: 'event.order_id' },
  { names: /^(?:order_)?items$/, events: ORDERS, path: 'event.order.items' },
  { names: /^(?:shipping_|delivery_)?country$/, events: ORDERS, path: 'event.order.shipping_address.country' },
  { names: /^(?:shipping_|delivery_)?city$/, events: ORDERS, path: 'event.order.shipping_address.city' },
  { names: /^(?:postal_code|post_?code|zip(?:_code)?)$/, events: ORDERS, path: 'event.order.shipping_address.postal_code' },
  { names: /^(?:waybill|tracking)(?:_number|_code)?$/, events: /^order\.shipped$/, path: 'event.fulfillment.waybill_number' },
  { names: /^tracking_(?:url|link)$/, events: /^order\.shipped$/, path: 'event.fulfillment.tracking_url' },
  {
    names: /^(?:cancell?ation_)?reason(?:_given|_for_(?:it|the_cancell?ation)|_why_(?:it|they|he|she)_(?:was|were|is|are)_\w+)?$|^why$/,
    events: /^order\.cancelled$/,
    path: 'event.reason',
  },
  {
    names: /^(?:refund_)?reason(?:_given|_for_(?:it|the_refund)|_why_(?:it|they|he|she)_(?:was|were|is|are)_\w+)?$|^why$/,
    events: REFUND,
    path: 'event.refund.reason',
  },
  { names: /^(?:new_|order_)?status$/, events: /^order\.status_changed$/, path: 'event.to' },
  { names: /^product(?:_id)?$/, events: PRODUCTS, path: 'event.product_id' },
  {
    names:
      /^(?:message(?:_text)?|text(?:_of_(?:the_)?message)?|body|question|comment|words|content|what_(?:they|he|she|was|(?:the_)?(?:customer|client|contact|person))_(?:wrote|said|written|asked|has_written)|what_(?:the_message|it|the_text)_(?:said|says|was)|their_(?:words|message|text))$/,
    events: MESSAGES,
    path: 'event.message.text',
  },
  { names: /^(?:platform|channel)$/, events: TALKS, path: 'event.conversation.platform' },
  { names: /^(?:contact|customer)(?:_id)?$/, events: /^contact\./, path: 'event.contact_id' },
  { names: /^(?:contact|customer|client|buyer|sender)_(?:id|number)$/, events: ORDERS, path: 'event.order.customer.contact_id' },
  { names: /^(?:contact|customer|client|sender)_(?:id|number)$/, events: /^(?:message\.|conversation\.started)/, path: 'event.contact.id' },
  { names: /^(?:contact|customer|client)_(?:id|number)$/, events: TALKS, path: 'event.conversation.contact.id' },
  { names: /^(?:conversation|chat|talk)_id$/, events: /^(?:message|conversation|ai)\./, path: 'event.conversation.id' },
  { names: /^message_id$/, events: MESSAGES, path: 'event.message.id' },
  { names: /^(?:shipping_|delivery_|street_)?(?:address|street)$/, events: ORDERS, path: 'event.order.shipping_address.line1' },
  { names: /^event_id$/, events: /./, path: 'trigger.id' },
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
