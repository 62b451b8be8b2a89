// One wish in many moods, voices and orders of words: as wished for, allowed, demanded, told as done or as not done any longer.
import { drop, fieldOf, fieldsOf, flowOf, row, same } from './edited.ts'
import * as expected from './expected.ts'

const { app, call, flow, HOUR, known, record, resource, say, setting, skill, tag, tell, total, view, wait, warn, when, wrote } = expected

const named = (id: string, name: string, of: ReturnType<typeof flow>) => ({ ...of, id, name })
export const boats = app(
  {
    resources: [
      resource('trips', 'boat!, day:date!, seats:number, state:open|full', { of: 'contact', read: true }),
      resource('damages', 'text!, weight:low|high', { of: 'order' }),
    ],
    views: [
      { ...view('contact.tabs', 'trips'), id: 'trips', name: 'Trips' },
      { ...view('dashboard.page', 'damages'), id: 'damages', name: 'Damages' },
    ],
    knowledge: [{ ...known('Dogs may come along.')[0], id: 'dogs', title: 'Dogs', content: 'Dogs may come along.' }],
    config: setting('harbour:string!, radio_key:secret'),
    flows: [
      named('hello', 'Hello', flow('conversation.started', [say])),
      named(
        'keep',
        'Keep trips',
        flow('order.created', [record('trips', { boat: 'any', day: '{{trigger.created_at}}', seats: 2 }), wait(2 * HOUR), tell]),
      ),
      named('paid', 'Paid orders', flow('order.paid', [tag('sailor'), tell], total('gte', 5_000))),
    ],
  },
  ['read:contacts', 'read:orders', 'read:records', 'write:records', 'write:contacts', 'write:messages', 'notify:team'].concat([
    'subscribe:conversation.started',
    'subscribe:order.created',
    'subscribe:order.paid',
  ]),
)
boats.flows = boats.flows?.map(({ id, ...rest }, at) => ({ ...rest, id: ['hello', 'keep', 'paid'][at] ?? id })) ?? []
const STOCK = flow('product.low_stock', [tell])
export const stepsOf = (parts: Required<typeof boats>, id: string) => flowOf(parts, id).steps

export const MOODS: expected.Described[] = [
  // Wished for, allowed, demanded.
  { text: 'We would like our team to be informed as soon as the stock of any product is getting low.', gives: { flows: [STOCK] } },
  row(boats, 'We want the radio key to be mandatory.', ({ config }) => Object.assign(config[1] as object, { required: true })),
  row(boats, "The day of trips doesn't need to be mandatory any longer.", parts => delete fieldOf(parts, 'day').required),
  row(boats, 'It should be possible for a trip to be "cancelled" too.', parts => fieldOf(parts, 'state').enumValues?.push('cancelled')),
  row(boats, "The assistant mustn't be able to see the trips.", ({ resources }) => delete resources[0]?.exposeToAi),
  row(boats, 'The assistant should be allowed to record damages as well.', ({ resources }) =>
    Object.assign(resources[1] as object, { allowAiWrite: true }),
  ),
  row(boats, 'Please let the notification for paid orders be a warning.', parts =>
    Object.assign(stepsOf(parts, 'paid')[1] as object, { level: 'warning' }),
  ),
  {
    text: 'The assistant needs to be able to look at the bookings, but it must not change them. A booking has a room, a date and the number of guests.',
    gives: { resources: [resource('bookings', 'room, date:date, number_of_guests:number', { read: true })] },
  },
  {
    text: 'Our shop needs to hand over every paid order to https://erp.example/orders together with the order number and the total.',
    gives: {
      skills: [skill('https://erp.example/orders', 'order_number total')],
      flows: [
        flow('order.paid', [
          call('https://erp.example/orders', { order_number: '{{event.order.number}}', total: '{{event.order.total_amount}}' }),
        ]),
      ],
    },
  },
  {
    text: 'The assistant must know that we are closed on Mondays. It also should know that parking is free.',
    gives: { knowledge: known('We are closed on Mondays.', 'Parking is free.') },
  },
  // Told as done, or as not done any longer.
  row(boats, "The team doesn't have to be notified about paid orders any more.", parts => stepsOf(parts, 'paid').pop()),
  row(boats, "Trips aren't to be shown on the contact any more; put them on a page instead.", ({ views }) =>
    Object.assign(views[0] as object, { target: 'dashboard.page' }),
  ),
  row(boats, 'The weight of damages is to be removed.', parts => drop(fieldsOf(parts, 1), 'weight')),
  row(boats, 'The damages page should be deleted.', ({ views }) => views.pop()),
  { text: 'When an order is paid, the team gets a heads-up.', gives: { flows: [flow('order.paid', [tell])] } },
  {
    text: "When an order is paid by bank transfer, don't tag the customer, just notify the team.",
    gives: { flows: [flow('order.paid', [tell], [when('event.order.payment.method', 'eq', 'bank_transfer')])] },
  },
  {
    text: 'If an order is cancelled, send the customer "Sorry!" as well as warning the team.',
    gives: { flows: [flow('order.cancelled', [say, warn])] },
  },
  {
    text: 'It would be great if the team were warned as soon as a product is nearly sold out.',
    gives: { flows: [flow('product.low_stock', [warn])] },
  },
  {
    text: 'Each time an order gets cancelled, have the team warned and the customer tagged as "lost".',
    gives: { flows: [flow('order.cancelled', [warn, tag('lost')])] },
  },
  {
    text: 'The order number, the total and the phone must be sent to https://acc.example/in every time an order is refunded.',
    gives: {
      skills: [skill('https://acc.example/in', 'order_number total phone')],
      flows: [
        flow('order.refunded', [
          call('https://acc.example/in', {
            order_number: '{{event.order.number}}',
            total: '{{event.order.total_amount}}',
            phone: '{{event.order.customer.phone}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'Gift vouchers ought to be stored with a code (mandatory) and a flag whether they were redeemed; they should be visible on the contact.',
    gives: {
      resources: [resource('vouchers', 'code!, redeemed:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'vouchers')],
    },
  },
  {
    text: 'The following should be known to the assistant: gift wrapping costs 3 euros.',
    gives: { knowledge: known('Gift wrapping costs 3 euros.') },
  },
  { text: 'Whenever a chat is opened, "Nice to see you!" should be answered.', gives: { flows: [flow('conversation.started', [say])] } },
  row(boats, 'Could the state be dropped from the trips?', parts => drop(fieldsOf(parts), 'state')),
  row(boats, 'It must no longer be possible for the assistant to read trips.', ({ resources }) => delete resources[0]?.exposeToAi),
  row(boats, "We'd like the damages to appear in a tab on the customer, too.", ({ resources, views }) => {
    resources[1]?.relations?.push({ target: 'builtin:contact', type: 'belongs_to' })
    views.push(view('contact.tabs', 'damages'))
  }),
  row(boats, 'The weight "high" should read "heavy".', parts =>
    Object.assign(fieldOf(parts, 'weight', 1), { enumValues: ['low', 'heavy'] }),
  ),
  row(boats, 'Paying customers are to be tagged as "captain" rather than sailor.', parts =>
    stepsOf(parts, 'paid').splice(0, 1, tag('captain')),
  ),
  row(boats, 'Stop showing damages on the dashboard.', ({ views }) => views.pop()),
  row(boats, 'Add the field cost to damages, required.', parts =>
    fieldsOf(parts, 1).push({ name: 'cost', type: 'number', required: true }),
  ),
  {
    text: 'The app needs a required secret called crm key, a number called max items and a mode (fast or cheap).',
    gives: { config: setting('crm_key:secret!, max_items:number, mode:fast|cheap') },
  },
  // What it was, and what it is.
  row(boats, 'Paid orders should tag the customer as "captain" and no longer as "sailor".', parts =>
    stepsOf(parts, 'paid').splice(0, 1, tag('captain')),
  ),
  row(boats, 'The paid orders flow should start once an order has been shipped, not paid.', parts =>
    Object.assign(flowOf(parts, 'paid'), { trigger: 'order.shipped' }),
  ),
  row(boats, 'Trips should be recorded when the order is paid rather than when it is created.', parts =>
    Object.assign(flowOf(parts, 'keep'), { trigger: 'order.paid' }),
  ),
  row(boats, 'The paid orders flow should start when they are created.', parts =>
    Object.assign(flowOf(parts, 'paid'), { trigger: 'order.created' }),
  ),
  row(boats, 'Make damages readable and writable for the assistant.', ({ resources }) =>
    Object.assign(resources[1] as object, { exposeToAi: true, allowAiWrite: true }),
  ),
  row(boats, 'Notify the team about paid orders only if they are paid by card.', parts =>
    Object.assign(stepsOf(parts, 'paid')[1] as object, { conditions: [when('event.order.payment.method', 'eq', 'card')] }),
  ),
  row(boats, 'New trips should have 4 seats instead of 2.', parts =>
    stepsOf(parts, 'keep').splice(0, 1, record('trips', { boat: 'any', day: '{{trigger.created_at}}', seats: 4 })),
  ),
  row(boats, 'The text of damages should be a choice of sail, hull or engine instead of free text.', parts =>
    Object.assign(fieldOf(parts, 'text', 1), { type: 'enum', enumValues: ['sail', 'hull', 'engine'] }),
  ),
  row(boats, 'Every damage should also have a date and say whether it was repaired.', parts =>
    fieldsOf(parts, 1).push({ name: 'date', type: 'date' }, { name: 'repaired', type: 'boolean' }),
  ),
  // What it is for stands in front, or what is shown before it is told.
  {
    text: 'For every product, there must be a place to store safety sheets. A safety sheet has a title and an expiry date.',
    gives: { resources: [resource('sheets', 'title, expiry_date:date', { of: 'product' })] },
  },
  {
    text: 'I need a page in the dashboard with all assembly jobs. An assembly job has an address and a floor (number).',
    gives: { resources: [resource('jobs', 'address, floor:number')], views: [view('dashboard.page', 'jobs')] },
  },
  {
    text: 'Suppliers (name, phone) should be listed under each product.',
    gives: { resources: [resource('suppliers', 'name, phone', { of: 'product' })], views: [view('product.tabs', 'suppliers')] },
  },
  {
    text: 'I have a flower shop and would like a list of subscriptions with a start date and whether it is paused.',
    gives: { resources: [resource('subscriptions', 'start_date:date, paused:boolean')] },
  },
  {
    text: 'For each customer we want to remember the bikes they own: brand, frame number and delivery window - morning, noon or evening.',
    gives: { resources: [resource('bikes', 'brand, frame_number, delivery_window:morning|noon|evening', { of: 'contact' })] },
  },
  {
    text: 'The bot must not see the salaries. Salaries have an employee and an amount.',
    gives: { resources: [resource('salaries', 'employee, amount:number')] },
  },
  row(boats, 'Show damages in a tab on the product as well as under each contact.', ({ resources, views }) => {
    for (const each of ['product', 'contact']) {
      resources[1]?.relations?.push({ target: `builtin:${each}` as 'builtin:product', type: 'belongs_to' })
      views.push(view(`${each}.tabs` as 'product.tabs', 'damages'))
    }
  }),
  // What a condition, a text and a failure belong to.
  {
    text: 'When an order is paid, tag the customer as buyer, and if it is over 50 euros, warn the team.',
    gives: { flows: [flow('order.paid', [tag('buyer'), { ...warn, conditions: total('gt', 5_000, 'EUR') }])] },
  },
  {
    text: 'As soon as an order is shipped, call https://survey.example/start with the email, and if that fails, warn the team.',
    gives: {
      skills: [skill('https://survey.example/start', 'email')],
      flows: [
        flow('order.shipped', [
          call('https://survey.example/start', { email: '{{event.order.customer.email}}' }),
          { ...warn, conditions: [when('steps.call.error.code', 'exists', true)] },
        ]),
      ],
    },
  },
  {
    text: 'Thank the customer two days after the order was paid with "Thanks again!".',
    gives: { flows: [flow('order.paid', [wait(48 * HOUR), say])] },
  },
  {
    text: 'As soon as a conversation is started, say "Hi!", and when it is closed, tag the contact as served.',
    gives: { flows: [flow('conversation.started', [say]), flow('conversation.closed', [tag('served')])] },
  },
  row(boats, 'Only tag customers when the order is paid by card.', parts =>
    Object.assign(stepsOf(parts, 'paid')[0] as object, { conditions: [when('event.order.payment.method', 'eq', 'card')] }),
  ),
  row(boats, 'The state of a trip can be cancelled, too.', parts => fieldOf(parts, 'state').enumValues?.push('cancelled')),
  row(boats, "Don't keep the weight any longer.", parts => drop(fieldsOf(parts, 1), 'weight')),
  row(boats, 'Let the bot only read trips.', same),
  // What holds of an event.
  {
    text: 'When the price of a product is changed, notify the team.',
    gives: { flows: [flow('product.updated', [tell], [when('event.changed', 'contains', 'price_amount')])] },
  },
  {
    text: 'When someone on Telegram writes "puppy", tag them as puppy-friend.',
    gives: {
      flows: [flow('message.received', [tag('puppy-friend')], [when('event.conversation.platform', 'eq', 'telegram'), ...wrote('puppy')])],
    },
  },
  {
    text: 'When an order of at least 100 and less than 500 euros is paid, tag the customer as silver.',
    gives: { flows: [flow('order.paid', [tag('silver')], [...total('gte', 10_000), ...total('lt', 50_000, 'EUR')])] },
  },
]
