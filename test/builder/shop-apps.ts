// The apps of three shops, as they are edited.
import type { Manifest } from '../../src/apps/manifest/shape.ts'

export const spoke: Manifest = {
  manifestVersion: 1,
  id: 'spoke:workshop',
  version: '1.2.0',
  name: 'Workshop',
  description: 'Repairs of bikes.',
  author: 'Spoke & Sons',
  scopes: ['read:contacts', 'write:contacts', 'notify:team', 'subscribe:order.paid', 'subscribe:order.shipped'],
  resources: [
    {
      id: 'repairs',
      name: 'Repairs',
      fields: [
        { name: 'bike', type: 'string', required: true },
        { name: 'frame_number', type: 'string' },
        { name: 'status', type: 'enum', enumValues: ['received', 'in progress', 'ready'], required: true },
        { name: 'due', type: 'date' },
        { name: 'cost', type: 'number' },
      ],
      relations: [{ target: 'builtin:contact', type: 'belongs_to' }],
      exposeToAi: true,
    },
  ],
  views: [{ id: 'repairs', name: 'Repairs', target: 'contact.tabs', component: 'list:repairs' }],
  flows: [
    { id: 'paid', name: 'Tag buyers', trigger: 'order.paid', steps: [{ id: 'tag', type: 'tag_contact', tag: 'customer' }] },
    {
      id: 'follow-up',
      name: 'Call after shipping',
      trigger: 'order.shipped',
      steps: [
        { id: 'pause', type: 'wait', minutes: 2880 },
        {
          id: 'tell',
          type: 'notify',
          title: 'Call {{event.order.customer.name}}',
          body: 'Order {{event.order.number}} went out two days ago.',
          level: 'info',
        },
      ],
    },
  ],
}

export const cellar: Manifest = {
  manifestVersion: 1,
  id: 'cellar:club',
  version: '0.4.1',
  name: 'Wine club',
  author: 'Cellar Ltd',
  scopes: ['read:products', 'write:contacts', 'notify:team', 'subscribe:order.paid'],
  resources: [
    {
      id: 'tastings',
      name: 'Tastings',
      fields: [
        { name: 'wine', type: 'string', required: true },
        { name: 'rating', type: 'number' },
        { name: 'tasted_on', type: 'date' },
        { name: 'notes', type: 'string' },
      ],
      relations: [{ target: 'builtin:product', type: 'belongs_to' }],
    },
  ],
  views: [{ id: 'tastings', name: 'Tastings', target: 'product.tabs', component: 'list:tastings' }],
  knowledge: [
    { id: 'shipping', title: 'Shipping', content: 'We ship on Tuesdays and Thursdays, in boxes of six.' },
    { id: 'returns', title: 'Returns', content: 'Unopened bottles may be returned within 14 days.' },
  ],
  config: [{ key: 'club_name', type: 'string', required: true, description: 'What the club is called.' }],
  flows: [
    {
      id: 'big-order',
      name: 'Big orders',
      trigger: 'order.paid',
      conditions: [{ field: 'event.order.total_amount', op: 'gte', value: 20000 }],
      steps: [
        { id: 'tag', type: 'tag_contact', tag: 'wine-lover' },
        {
          id: 'tell',
          type: 'notify',
          title: 'A large order for {{config.club_name}}',
          body: 'Order {{event.order.number}} by {{event.order.customer.name}}.',
          level: 'info',
        },
      ],
    },
  ],
}

export const leafy: Manifest = {
  manifestVersion: 1,
  id: 'leafy:care',
  version: '2.0.0',
  name: 'Plant care',
  author: 'Leafy GmbH',
  scopes: [
    'read:products',
    'read:contacts',
    'read:messages',
    'read:records',
    'write:records',
    'notify:team',
    'subscribe:product.low_stock',
    'subscribe:message.received',
  ],
  resources: [
    {
      id: 'care_notes',
      name: 'Care notes',
      fields: [
        { name: 'light', type: 'enum', enumValues: ['shade', 'half shade', 'full sun'], required: true },
        { name: 'water_ml', type: 'number' },
        { name: 'toxic', type: 'boolean' },
      ],
      relations: [{ target: 'builtin:product', type: 'belongs_to' }],
      exposeToAi: true,
    },
    {
      id: 'complaints',
      name: 'Complaints',
      fields: [
        { name: 'text', type: 'string', required: true },
        { name: 'settled', type: 'boolean' },
      ],
      relations: [{ target: 'builtin:contact', type: 'belongs_to' }],
    },
  ],
  skills: [
    {
      id: 'diagnose',
      name: 'Diagnose a plant',
      description: 'Call this when a customer says that a plant is unwell. Tell them the advice.',
      endpoint: 'https://doctor.leafy.example/diagnose',
      inputSchema: { type: 'object', properties: { symptoms: { type: 'string' }, key: { type: 'string' } }, required: ['symptoms'] },
      outputSchema: { type: 'object', properties: { advice: { type: 'string' } }, required: ['advice'] },
    },
  ],
  views: [
    { id: 'care', name: 'Care', target: 'product.tabs', component: 'list:care_notes' },
    { id: 'board', name: 'Board', target: 'dashboard.page', component: 'custom:https://board.leafy.example/' },
  ],
  config: [{ key: 'doctor_key', type: 'secret', required: true, description: 'The key of the plant doctor.' }],
  flows: [
    {
      id: 'low',
      name: 'Low stock',
      trigger: 'product.low_stock',
      steps: [
        { id: 'tell', type: 'notify', title: '{{event.product.name}} runs low', body: '{{event.available}} are left.', level: 'warning' },
      ],
    },
    {
      id: 'wilted',
      name: 'Wilted plants',
      trigger: 'message.received',
      conditions: [{ field: 'event.message.text', op: 'contains', value: 'wilted' }],
      steps: [
        {
          id: 'keep',
          type: 'create_record',
          resource: 'complaints',
          external_id: '{{event.message.id}}',
          values: { text: '{{event.message.text}}', settled: false },
        },
        { id: 'ask', type: 'call_skill', skill: 'diagnose', input: { symptoms: '{{event.message.text}}', key: '{{config.doctor_key}}' } },
      ],
    },
  ],
}
