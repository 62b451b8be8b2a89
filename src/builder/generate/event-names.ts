// What flows are called by what they begin with, and what the team is told where nothing else is said.

interface Words {
  name: string
  title: string
  body: string
}

const OF_ORDER = 'Customer: {{event.order.customer.name}} {{event.order.customer.email}}'
const OF_CONTACT = '{{event.contact.name}} {{event.contact.email}}'
const OF_TALK = 'On {{event.conversation.platform}}.'

const order = (what: string): Words => ({ name: `Order ${what}`, title: `Order {{event.order.number}} ${what}`, body: OF_ORDER })
const product = (name: string, title: string, body: string): Words => ({ name, title, body })

const WORDS: Record<string, Words> = {
  'order.created': order('placed'),
  'order.paid': order('paid'),
  'order.shipped': order('shipped'),
  'order.cancelled': { ...order('cancelled'), body: `${OF_ORDER}. Reason: {{event.reason}}` },
  'order.refunded': order('refunded'),
  'order.status_changed': { name: 'Order changes', title: 'Order {{event.order.number}} is {{event.to}}', body: OF_ORDER },
  'product.created': product('New product', 'New product: {{event.product.name}}', '{{event.product.name}}'),
  'product.updated': product('Product changed', '{{event.product.name}} was changed', '{{event.product.name}}'),
  'product.low_stock': product('Low stock', '{{event.product.name}} runs low', '{{event.available}} are left.'),
  'contact.created': { name: 'New customer', title: 'New customer: {{event.contact.name}}', body: OF_CONTACT },
  'contact.tagged': { name: 'Customer tagged', title: '{{event.contact.name}} was tagged', body: OF_CONTACT },
  'contact.merged': { name: 'Customers merged', title: '{{event.contact.name}} was merged', body: OF_CONTACT },
  'message.received': { name: 'Message received', title: '{{event.contact.name}} wrote', body: '{{event.message.text}}' },
  'message.sent': { name: 'Message sent', title: '{{event.contact.name}} was written to', body: '{{event.message.text}}' },
  'message.failed': { name: 'Message failed', title: 'A message to {{event.contact.name}} failed', body: '{{event.message.text}}' },
  'conversation.started': { name: 'Conversation started', title: '{{event.contact.name}} began a conversation', body: OF_TALK },
  'conversation.closed': { name: 'Conversation closed', title: 'The conversation with {{event.contact.name}} was closed', body: OF_TALK },
  'conversation.reopened': { name: 'Conversation reopened', title: 'The conversation with {{event.contact.name}} goes on', body: OF_TALK },
  'ai.paused': { name: 'Assistant paused', title: 'The assistant was paused', body: OF_TALK },
  'ai.resumed': { name: 'Assistant resumed', title: 'The assistant answers again', body: OF_TALK },
  'ai.escalation_requested': { name: 'Assistant asks for help', title: 'The assistant asks for a person', body: '{{event.summary}}' },
}

const plain = (event: string): string => {
  const words = event.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `order.paid` → `Order paid` */
export const eventName = (event: string): string => WORDS[event]?.name ?? plain(event)

/** @returns what the team is told of the event */
export function eventTold(event: string): { title: string; body: string } {
  const { title, body } = WORDS[event] ?? { title: plain(event), body: `${plain(event)}.` }
  return { title, body }
}
