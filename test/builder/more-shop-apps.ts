// The apps of three more shops, as they are edited.
import type { Manifest } from '../../src/apps/manifest/shape.ts'

export const stage: Manifest = {
  manifestVersion: 1,
  id: 'stage:tickets',
  version: '1.0.3',
  name: 'Tickets',
  author: 'Stage Door',
  scopes: [
    'read:contacts',
    'read:orders',
    'read:records',
    'write:records',
    'write:messages',
    'notify:team',
    'subscribe:order.paid',
    'subscribe:order.cancelled',
  ],
  resources: [
    {
      id: 'tickets',
      name: 'Tickets',
      fields: [
        { name: 'code', type: 'string', required: true },
        { name: 'event_name', type: 'string' },
        { name: 'seat', type: 'string' },
        { name: 'scanned', type: 'boolean' },
      ],
      relations: [
        { target: 'builtin:contact', type: 'belongs_to' },
        { target: 'builtin:order', type: 'belongs_to' },
      ],
    },
  ],
  skills: [
    {
      id: 'issue',
      name: 'Issue tickets',
      description: 'Call this to issue the tickets of an order.',
      endpoint: 'https://gate.stage.example/issue',
      inputSchema: {
        type: 'object',
        properties: { order_id: { type: 'string' }, email: { type: ['string', 'null'] } },
        required: ['order_id'],
      },
      outputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
    },
  ],
  views: [{ id: 'tickets', name: 'Tickets', target: 'contact.tabs', component: 'list:tickets' }],
  flows: [
    {
      id: 'issue',
      name: 'Issue tickets',
      trigger: 'order.paid',
      steps: [
        {
          id: 'issue',
          type: 'call_skill',
          skill: 'issue',
          input: { order_id: '{{event.order_id}}', email: '{{event.order.customer.email}}' },
        },
        {
          id: 'keep',
          type: 'create_record',
          resource: 'tickets',
          external_id: '{{event.order_id}}',
          values: { code: '{{steps.issue.output.code}}', event_name: '{{event.order.items.0.name}}', scanned: false },
        },
        { id: 'pause', type: 'wait', minutes: 1440 },
        {
          id: 'remind',
          type: 'send_message',
          text: 'Your code is {{steps.issue.output.code}}. See you at the show!',
          conditions: [{ field: 'event.order.conversation_id', op: 'exists', value: true }],
        },
      ],
    },
    {
      id: 'cancelled',
      name: 'Cancelled orders',
      trigger: 'order.cancelled',
      steps: [
        { id: 'tell', type: 'notify', title: 'Order {{event.order.number}} was cancelled', body: 'Block its tickets.', level: 'warning' },
      ],
    },
  ],
}

export const crumb: Manifest = {
  manifestVersion: 1,
  id: 'crumb:preorders',
  version: '3.1.0',
  name: 'Pre-orders',
  author: 'Crumb Bakery',
  scopes: ['read:contacts', 'write:contacts', 'write:messages', 'subscribe:message.received', 'subscribe:conversation.started'],
  resources: [
    {
      id: 'preorders',
      name: 'Pre-orders',
      fields: [
        { name: 'cake', type: 'string', required: true },
        { name: 'pickup_date', type: 'date', required: true },
        { name: 'persons', type: 'number' },
        { name: 'inscription', type: 'string' },
        { name: 'paid', type: 'boolean' },
      ],
      relations: [{ target: 'builtin:contact', type: 'belongs_to' }],
      exposeToAi: true,
      allowAiWrite: true,
    },
  ],
  views: [
    { id: 'of-contact', name: 'Pre-orders', target: 'contact.tabs', component: 'list:preorders' },
    { id: 'all', name: 'All pre-orders', target: 'dashboard.page', component: 'list:preorders' },
  ],
  knowledge: [
    { id: 'allergens', title: 'Allergens', content: 'All our cakes contain gluten, milk and eggs.' },
    { id: 'hours', title: 'Opening hours', content: 'Tuesday to Saturday from 7 to 18.' },
  ],
  config: [
    { key: 'pickup_place', type: 'enum', enumValues: ['shop', 'market'], required: true, description: 'Where cakes are picked up.' },
  ],
  flows: [
    {
      id: 'cake-question',
      name: 'Cake questions',
      trigger: 'message.received',
      conditions: [{ field: 'event.message.text', op: 'contains', value: 'cake' }],
      steps: [{ id: 'tag', type: 'tag_contact', tag: 'cake-lover' }],
    },
    {
      id: 'greet',
      name: 'Greeting',
      trigger: 'conversation.started',
      steps: [{ id: 'say', type: 'send_message', text: 'Good morning! How can we help?' }],
    },
  ],
}

export const torque: Manifest = {
  manifestVersion: 1,
  id: 'torque:rental',
  version: '1.0.0',
  name: 'Tool rental',
  author: 'Torque Hire',
  scopes: [
    'read:contacts',
    'read:products',
    'read:records',
    'write:records',
    'write:contacts',
    'notify:team',
    'subscribe:order.status_changed',
  ],
  resources: [
    {
      id: 'rentals',
      name: 'Rentals',
      fields: [
        { name: 'tool', type: 'string', required: true },
        { name: 'serialNumber', type: 'string' },
        { name: 'rentedOn', type: 'date', required: true },
        { name: 'deposit', type: 'number' },
        { name: 'state', type: 'enum', enumValues: ['out', 'returned', 'lost'] },
      ],
      relations: [
        { target: 'builtin:contact', type: 'belongs_to' },
        { target: 'builtin:product', type: 'belongs_to' },
      ],
    },
  ],
  views: [
    { id: 'of-contact', name: 'Rentals', target: 'contact.tabs', component: 'list:rentals' },
    { id: 'of-product', name: 'Rentals', target: 'product.tabs', component: 'list:rentals' },
  ],
  config: [
    { key: 'base_tag', type: 'string', required: true, description: 'The tag of those who rent.' },
    { key: 'late_fee', type: 'number', description: 'What a day too late costs.' },
  ],
  flows: [
    {
      id: 'delivered',
      name: 'Delivered tools',
      trigger: 'order.status_changed',
      conditions: [{ field: 'event.to', op: 'eq', value: 'DELIVERED' }],
      steps: [
        {
          id: 'keep',
          type: 'create_record',
          resource: 'rentals',
          external_id: '{{event.order_id}}',
          values: { tool: '{{event.order.items.0.name}}', rentedOn: '{{trigger.created_at}}', state: 'out' },
        },
        { id: 'tag', type: 'tag_contact', tag: '{{config.base_tag}}' },
        { id: 'pause', type: 'wait', minutes: 10080 },
        {
          id: 'tell',
          type: 'notify',
          title: 'Ask {{event.order.customer.name}} for the tool',
          body: 'It has been out for a week.',
          level: 'info',
        },
      ],
    },
  ],
}
