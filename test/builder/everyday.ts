// What shops say and the readers did not read, one row for each cause: how people shorten and mistype, ask twice at once, and say of what they already have.
import * as expected from './expected.ts'

const { app, call, flow, known, ORDER, record, resource, say, setting, skill, tag, tell, total, view, warn, when, wrote } = expected

const FEED = 'https://feeds.example/new'
const cakes = app(
  {
    resources: [
      resource('cakes', 'flavour!, tiers:number, icing:butter|fondant', { of: 'contact' }),
      resource('tastings', 'day:date, guests:number'),
    ],
    views: [view('product.tabs', 'https://cakes.example/wall'), view('dashboard.page', 'cakes')].map((each, at) => ({
      ...each,
      id: `view-${at}`,
      name: ['Wall', 'Cakes'][at] as string,
    })),
    skills: [{ ...skill('https://cakes.example/quote', 'flavour'), name: 'Quote a price' }],
    knowledge: known('We bake from Tuesday to Sunday.').map(each => ({ ...each, title: 'Opening hours' })),
    config: setting('region:eu|us'),
    flows: [
      { ...flow('order.paid', [tag('cake-fan'), tell], total('gte', 10_000)), name: 'Big orders' },
      { ...flow('message.received', [warn], wrote('broken')), name: 'Broken cakes' },
    ],
  },
  ['read:contacts', 'read:records', 'write:records', 'write:contacts', 'notify:team', 'subscribe:order.paid', 'subscribe:message.received'],
)
/** The cakes with one of their parts changed. */
const changed = (
  change: (manifest: Required<Pick<typeof cakes, 'resources' | 'views' | 'skills' | 'knowledge' | 'config' | 'flows'>>) => void,
) => {
  const manifest = structuredClone(cakes)
  change(manifest as never)
  return manifest
}
const edit = (text: string, change: Parameters<typeof changed>[0]): expected.Described => ({ text, from: cakes, gives: changed(change) })
const values = (manifest: Pick<typeof cakes, 'resources'>, ...all: string[]): void => {
  const field = manifest.resources?.[0]?.fields[2]
  if (field) field.enumValues = all
}
const paid = (...steps: Parameters<typeof flow>[1]) => flow('order.paid', steps)

export const EVERYDAY: expected.Described[] = [
  {
    text: 'Whenever a new product is added to the catalogue, tell the team and send the product id to https://feeds.example/new.',
    gives: {
      skills: [skill(FEED, 'product_id')],
      flows: [flow('product.created', [tell, call(FEED, { product_id: '{{event.product_id}}' })])],
    },
  },
  {
    text: 'When an order is paid, send the order to our CRM at https://feeds.example/new.',
    gives: { skills: [skill(FEED, 'order_id')], flows: [paid(call(FEED, ORDER))] },
  },
  {
    text: 'Orders to Switzerland or Norway: after payment, notify the team.',
    gives: { flows: [flow('order.paid', [tell], [when('event.order.shipping_address.country', 'in', ['CH', 'NO'])])] },
  },
  {
    text: 'Notify the team when the price or the stock of a product changes.',
    gives: {
      flows: ['price_amount', 'stock'].map(member => flow('product.updated', [tell], [when('event.changed', 'contains', member)])),
    },
  },
  {
    text: 'Proposals that were denied should alert the team.',
    gives: { flows: [flow('proposal.decided', [tell], [when('event.decision', 'eq', 'denied')])] },
  },
  { text: 'A low stock must trigger a warning.', gives: { flows: [flow('product.low_stock', [warn])] } },
  {
    text: 'Please inform the team every time the AI gets paused, and again when it has been resumed.',
    gives: { flows: [flow('ai.paused', [tell]), flow('ai.resumed', [tell])] },
  },
  {
    text: 'Whenever an order is shipped with DHL, notify the team.',
    gives: { flows: [flow('order.shipped', [tell], [when('event.fulfillment.carrier', 'eq', 'DHL')])] },
  },
  {
    text: 'Can we have it so that after someone buys for 80 or more they are tagged "free-shipping" and get the message "Next parcel is on us"?',
    gives: { flows: [flow('order.created', [tag('free-shipping'), say], total('gte', 8_000))] },
  },
  {
    text: 'When an order is shipped, remember it in "dispatches" with the order number and the carrier. Also every Sunday print a report.',
    gives: {
      resources: [resource('dispatches', 'order_number:number, carrier')],
      flows: [
        flow('order.shipped', [record('dispatches', { order_number: '{{event.order.number}}', carrier: '{{event.fulfillment.carrier}}' })]),
      ],
    },
    quoted: ['every Sunday print a report'],
  },
  { text: 'When a costumer pays an order, notfy the team.', gives: { flows: [paid(tell)] } },
  {
    text: 'Create a resorce for stamps w/ count (num), last stamp date & card type (gold|silver|none).',
    gives: { resources: [resource('stamps', 'count:number, last_stamp_date:date, card_type:gold|silver|none')] },
  },
  {
    text: '- Resource: plant passports\n- Fields: number (text, required), valid until (date), size: S/M/B/C\n- Linked to: product\n- Tab on the product page',
    gives: {
      resources: [resource('plant-passports', 'number!, valid_until:date, size:S|M|B|C', { of: 'product' })],
      views: [view('product.tabs', 'plant-passports')],
    },
  },
  {
    text: 'Need: table "trade-ins". Columns = model, year (int).',
    gives: { resources: [resource('trade-ins', 'model, year:number')] },
  },
  {
    text: 'A "batch" is something with a batch code and a best before date. Batches hang off products and should appear as a tab there.',
    gives: {
      resources: [resource('batch', 'batch_code, best_before_date:date', { of: 'product' })],
      views: [view('product.tabs', 'batch')],
    },
  },
  {
    text: 'Hello, we are a driving school and have got some wishes. Firstly, lessons with a date, an instructor and a length in minutes should be kept for each student. Secondly, whenever a student pays an order, the team has to be notified.',
    gives: { resources: [resource('lessons', 'date:date, instructor, length:number', { of: 'contact' })], flows: [paid(tell)] },
  },
  {
    text: 'Could you set up something to store prescriptions for each of our customers? We need the left eye and the right eye as numbers and the name of the optometrist.',
    gives: { resources: [resource('prescriptions', 'left_eye:number, right_eye:number, name_of_optometrist', { of: 'contact' })] },
  },
  {
    text: 'The owner needs to configure: an API token (secret, required) and a default carrier (dpd, ups or dhl).',
    gives: { config: setting('api_token:secret!, default_carrier:dpd|ups|dhl') },
  },
  {
    text: 'Teach the assistant: returns are accepted within 30 days. Gift cards never expire.',
    gives: { knowledge: known('Returns are accepted within 30 days. Gift cards never expire.') },
  },
  edit('Could the icing have one more option, marzipan?', manifest => values(manifest, 'butter', 'fondant', 'marzipan')),
  edit('The icing can also be "cream", and "fondant" is to be called "sugar paste".', manifest =>
    values(manifest, 'butter', 'sugar paste', 'cream'),
  ),
  edit('guests shall be a choice of: 1-5, 6-10, more', ({ resources }) => {
    Object.assign(resources[1]?.fields[1] ?? {}, { type: 'enum', enumValues: ['1-5', '6-10', 'more'] })
  }),
  edit('The region list needs "apac" as well.', ({ config }) => {
    Object.assign(config[0] ?? {}, { enumValues: ['eu', 'us', 'apac'] })
  }),
  edit('Big orders should mean 250 and up instead.', ({ flows }) => {
    Object.assign(flows[0]?.conditions?.[0] ?? {}, { value: 25_000 })
  }),
  edit('Use the tag "cake-lover" rather than "cake-fan".', ({ flows }) => {
    Object.assign(flows[0]?.steps[0] ?? {}, { tag: 'cake-lover' })
  }),
  edit('React to "damaged" as the keyword, not "broken".', ({ flows }) => {
    Object.assign(flows[1]?.conditions?.[0] ?? {}, { value: 'damaged' })
  }),
  edit('Run the big orders flow when an order is placed, not when it is paid.', ({ flows }) => {
    Object.assign(flows[0] ?? {}, { trigger: 'order.created' })
  }),
  edit('We now bake on Mondays too: change the opening hours to "We bake every day."', ({ knowledge }) => {
    Object.assign(knowledge[0] ?? {}, { content: 'We bake every day.' })
  }),
  edit('Replace the wall page with https://cakes.example/gallery.', ({ views }) => {
    Object.assign(views[0] ?? {}, { component: 'custom:https://cakes.example/gallery' })
  }),
  edit('Expose the tastings to the assistant.', ({ resources }) => {
    Object.assign(resources[1] ?? {}, { exposeToAi: true })
  }),
  edit('The assistant should not be able to quote prices any more.', manifest => {
    manifest.skills = []
  }),
  { text: '- trigger: low stock; action: notify team', gives: { flows: [flow('product.low_stock', [tell])] } },
  {
    text: '- when: order paid, if: total >= 75, do: tag "75plus"',
    gives: { flows: [flow('order.paid', [tag('75plus')], total('gte', 7_500))] },
  },
  {
    text: 'After refunding an order, post the order number and the refund amount to https://feeds.example/new.',
    gives: {
      skills: [skill(FEED, 'order_number refund_amount')],
      flows: [flow('order.refunded', [call(FEED, { order_number: '{{event.order.number}}', refund_amount: '{{event.refund.amount}}' })])],
    },
  },
  {
    text: 'For each cancelled order create a complaint with reason from the order and state open. Complaints have a reason and a state (open, closed).',
    gives: {
      resources: [resource('complaints', 'reason, state:open|closed')],
      flows: [flow('order.cancelled', [record('complaints', { reason: '{{event.reason}}', state: 'open' })])],
    },
  },
  {
    text: 'Notify us for each order that contains a discount.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.discount_amount', 'gt', 0)])] },
  },
  {
    text: 'When a new contact without email is created, tag it incomplete.',
    gives: { flows: [flow('contact.created', [tag('incomplete')], [when('event.contact.email', 'exists', false)])] },
  },
  {
    text: 'If a proposal from the AI gets approved, notify the team; if it is rejected, warn them.',
    gives: {
      flows: [
        flow('proposal.decided', [tell], [when('event.decision', 'eq', 'approved')]),
        flow('proposal.decided', [warn], [when('event.decision', 'eq', 'denied')]),
      ],
    },
  },
  {
    text: 'Dear team, I would be very grateful if the app could keep the shoe sizes of our customers: EU size (number), width (narrow, normal, wide) and remarks.',
    gives: { resources: [resource('shoe-sizes', 'eu_size:number, width:narrow|normal|wide, remarks', { of: 'contact' })] },
  },
  {
    text: 'For every product we want to store its ingredients, allergens and country of origin.',
    gives: { resources: [resource('details', 'ingredients, allergens, country_of_origin', { of: 'product' })] },
  },
  {
    text: 'Please set up a log of visits per customer: purpose, valid from, was it billed?',
    gives: { resources: [resource('visits', 'purpose, valid_from:date, billed:boolean', { of: 'contact' })] },
  },
  {
    text: "We need two settings - the API key (secret) and the sender's email (optional).",
    gives: { config: setting('api_key:secret!, sender_email') },
  },
  {
    text: 'The shop owner chooses the language, de or en, and must give a VAT number.',
    gives: { config: setting('language:de|en, vat_number!') },
  },
  {
    text: 'Add knowledge titled "Care": Wash at 30 degrees. Do not tumble dry.',
    gives: { knowledge: known('Wash at 30 degrees. Do not tumble dry.') },
  },
  {
    text: 'Settings: api key (secret, required); retries (number); mode test/live.',
    gives: { config: setting('api_key:secret!, retries:number, mode:test|live') },
  },
  {
    text: 'Region becomes a required setting, the wall page goes away.',
    from: cakes,
    gives: cakes,
    quoted: ['Region becomes a required setting'],
  },
  edit('Please add "vanilla cream" as another icing.', manifest => values(manifest, 'butter', 'fondant', 'vanilla cream')),
  edit('Make guests mandatory for tastings.', ({ resources }) => {
    Object.assign(resources[1]?.fields[1] ?? {}, { required: true })
  }),
  edit('Bump the big orders threshold to 150.', ({ flows }) => {
    Object.assign(flows[0]?.conditions?.[0] ?? {}, { value: 15_000 })
  }),
  edit('Tag big orders "whale" too.', ({ flows }) => {
    flows[0]?.steps.push({ id: 'whale', type: 'tag_contact', tag: 'whale' })
  }),
  edit('Broken cakes: tell us when the message is on WhatsApp.', ({ flows }) => {
    flows[1]?.conditions?.push(when('event.conversation.platform', 'eq', 'whatsapp'))
  }),
  edit('Cakes no longer belong to a customer but to an order.', ({ resources }) => {
    Object.assign(resources[0] ?? {}, { relations: [{ target: 'builtin:order', type: 'belongs_to' }] })
  }),
  edit('The assistant may read tastings, never write them.', ({ resources }) => {
    Object.assign(resources[1] ?? {}, { exposeToAi: true })
  }),
  {
    text: 'Stop telling the team about big orders, but keep tagging.',
    from: cakes,
    gives: changed(({ flows }) => {
      flows[0]?.steps.pop()
    }),
    quoted: ['keep tagging'],
  },
]
