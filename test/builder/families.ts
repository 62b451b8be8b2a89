// Families of sentences on which the builder failed, each with the row of another author that showed it, where there was one, and siblings of our own.
// They were looked at: they say what is read, and nothing of how well unseen text is read.
import { drop, fieldOf, fieldsOf, row } from './edited.ts'
import * as expected from './expected.ts'

const { app, call, DAY, flow, HOUR, known, off, record, resource, say, setting, skill, tag, tell, total, view, wait, warn, when } = expected

const named = (name: string, of: ReturnType<typeof flow>) => ({ ...of, name })
/** A shop's app with something of everything. */
const shop = app(
  {
    resources: [
      resource('tickets', 'subject!, status:open|closed, priority:number', { of: 'contact', read: true }),
      resource('pickups', 'day:date!, slot', { of: 'order' }),
    ],
    views: [{ ...view('contact.tabs', 'tickets'), id: 'tickets', name: 'Tickets' }],
    skills: [{ ...skill('https://quote.example/price', 'width height'), name: 'Price' }],
    knowledge: [{ id: 'returns', title: 'Returns', content: 'Returns are accepted within 14 days.' }],
    config: setting('region:eu|us'),
    flows: [
      named('Big orders', flow('order.paid', [tag('vip'), tell], total('gt', 20_000, 'EUR'))),
      named('Shipping note', flow('order.shipped', [wait(DAY), say])),
      named('Low stock alert', flow('product.low_stock', [tell])),
    ],
  },
  [
    'read:contacts',
    'read:orders',
    'read:records',
    'write:records',
    'write:contacts',
    'write:messages',
    'notify:team',
    'subscribe:order.paid',
    'subscribe:order.shipped',
    'subscribe:product.low_stock',
  ],
)
const paidBy = (op: string, method: string) => when('event.order.payment.method', op, method)
const to = (country: string) => when('event.order.shipping_address.country', 'eq', country)

export const FAMILIES: expected.Described[] = [
  // Exceptions, wherever they stand.
  {
    text: 'When an order is paid, unless paid by cash on delivery, thank the customer.',
    gives: { flows: [flow('order.paid', [say], [paidBy('ne', 'cod')])] },
  },
  {
    text: 'Thank everyone who pays, but not if they paid by bank transfer.',
    gives: { flows: [flow('order.paid', [say], [paidBy('ne', 'bank_transfer')])] },
  },
  {
    text: 'Send "Thanks for your order!" to anyone who orders for at least fifty pounds, except when it\'s paid by cash on delivery.',
    gives: { flows: [flow('order.created', [say], [...total('gte', 5_000, 'GBP'), paidBy('ne', 'cod')])] },
  },
  {
    text: 'When an order is paid, tag the customer vip, but not if under two hundred euros.',
    gives: { flows: [flow('order.paid', [tag('vip')], total('gte', 20_000))] },
  },
  {
    text: 'When an order is shipped, notify the team. This does not apply to orders to Poland.',
    gives: { flows: [flow('order.shipped', [tell], [when('event.order.shipping_address.country', 'ne', 'PL')])] },
  },
  {
    text: 'When an order is paid and it is worth less than 30 euros, do nothing; otherwise tag the customer regular.',
    gives: { flows: [flow('order.paid', [tag('regular')], total('gte', 3_000))] },
  },
  row(shop, 'No shipping note for orders below 20 euros please.', ({ flows }) => {
    Object.assign(flows[1] as object, { conditions: total('gte', 2_000) })
  }),
  // The same of something else.
  {
    text: 'When an order over 100 euros is paid, tag the customer vip. Same for orders from Germany.',
    gives: { flows: [flow('order.paid', [tag('vip')], total('gt', 10_000, 'EUR')), flow('order.paid', [tag('vip')], [to('DE')])] },
  },
  {
    text: 'When an order is paid, tag the customer buyer. Same for refunded orders, but tag them refunded.',
    gives: { flows: [flow('order.paid', [tag('buyer')]), flow('order.refunded', [tag('refunded')])] },
  },
  {
    text: 'Warn the team when an order is cancelled, and do the same for returned orders.',
    gives: {
      flows: [flow('order.cancelled', [warn]), flow('order.status_changed', [warn], [when('event.to', 'eq', 'RETURNED')])],
    },
  },
  {
    text: 'Keep loans with a title. Keep fines with an amount. Loans belong to the customer. The same goes for fines.',
    gives: { resources: [resource('loans', 'title', { of: 'contact' }), resource('fines', 'amount:number', { of: 'contact' })] },
  },
  // One message, and another a while later.
  {
    text: 'When an order is paid, send "Thanks" and a week later "How was it?".',
    gives: { flows: [flow('order.paid', [say, wait(7 * DAY), say])] },
  },
  {
    text: 'Every time an order over 75 dollars ships, wait 5 days and then ask how it went: "How did you like it?"',
    gives: { flows: [flow('order.shipped', [wait(5 * DAY), say], total('gt', 7_500, 'USD'))] },
  },
  // Lists under bare headings.
  {
    text: 'We keep warranties.\n- serial number\n- purchase date\n- level: gold, silver',
    gives: { resources: [resource('warranties', 'serial_number, purchase_date:date, level:gold|silver')] },
  },
  {
    text: 'Resource: rentals\nFields:\n  item\n  start date\n  deposit (number)',
    gives: { resources: [resource('rentals', 'item, start_date:date, deposit:number')] },
  },
  {
    text: 'Rentals\n  * item (required)\n  * start date\n  * deposit, number\nShown under each customer.',
    gives: {
      resources: [resource('rentals', 'item!, start_date:date, deposit:number', { of: 'contact' })],
      views: [view('contact.tabs', 'rentals')],
    },
  },
  {
    text: 'Piano tuning\n1. piano (required)\n2. last tuned on\n3. next due date\n4. shown in a tab on the contact',
    gives: {
      resources: [resource('tuning', 'piano!, last_tuned_on:date, next_due_date:date', { of: 'contact' })],
      views: [view('contact.tabs', 'tuning')],
    },
  },
  // What is told of several fields, and of what they are.
  {
    text: 'Please add size charts to products. Every size chart has a size, a chest width, a waist width and a length, all three in centimetres. Let the assistant read them.',
    gives: {
      resources: [resource('charts', 'size, chest_width:number, waist_width:number, length:number', { of: 'product', read: true })],
    },
  },
  {
    text: 'Hi! We are a small bakery. Could you make something to keep cake orders with the flavour, the number of tiers, a pickup date and a message on the cake? Pickup date is mandatory. Thanks!',
    gives: { resources: [resource('cakes', 'flavour, number_of_tiers:number, pickup_date:date!, message_on_cake')] },
  },
  {
    text: "I want to record warranty claims against orders. A claim has a description, a claim date, and an outcome that's either accepted, rejected or pending. Only the description is mandatory.",
    gives: { resources: [resource('claims', 'description!, claim_date:date, outcome:accepted|rejected|pending', { of: 'order' })] },
  },
  {
    text: 'Track each knife: brand, blade length in cm, drop-off date, and ready (yes or no). Knives belong to customers.',
    gives: { resources: [resource('knives', 'brand, blade_length:number, drop_off_date:date, ready:boolean', { of: 'contact' })] },
  },
  {
    text: "Loans should have the game, when it was borrowed, when it's due back, and a condition which can be new, good or worn.",
    gives: { resources: [resource('loans', 'game, borrowed_on:date, due_back:date, condition:new|good|worn')] },
  },
  {
    text: 'Let the assistant add new callbacks. A callback has a phone number, a reason and a preferred time of morning, afternoon or evening.',
    gives: { resources: [resource('callbacks', 'phone_number, reason, preferred_time:morning|afternoon|evening', { write: true })] },
  },
  {
    text: 'The assistant should be able to save callback requests with a phone number, a preferred day and a reason. They belong to the contact.',
    gives: { resources: [resource('callbacks', 'phone_number, preferred_day:date, reason', { of: 'contact', write: true })] },
  },
  {
    text: 'We want a stamp card. A stamp has a date and a kind (coffee, cake) and belongs to a customer. When an order is paid, create a stamp with kind coffee and the payment date, and tag the customer as regular.',
    gives: {
      resources: [resource('stamps', 'date:date, kind:coffee|cake', { of: 'contact' })],
      flows: [flow('order.paid', [record('stamps', { date: '{{trigger.created_at}}', kind: 'coffee' }), tag('regular')])],
    },
  },
  // What begins a flow, and for whom.
  {
    text: 'What we want:\n- tag customers when they pay as buyer\n- notify the team when stock is low',
    gives: { flows: [flow('order.paid', [tag('buyer')]), flow('product.low_stock', [tell])] },
    quoted: ['What we want'],
  },
  {
    text: 'Notify our team when fewer than 5 pieces of a product are available.',
    gives: { flows: [flow('product.low_stock', [tell], [when('event.available', 'lt', 5)])] },
  },
  {
    text: 'When a customer leaves a note on the order, notify the team.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.note', 'exists', true)])] },
  },
  {
    text: 'When a customer who has ordered three times before places an order, tag them as loyal.',
    gives: { flows: [off(flow('order.created', [tag('loyal')]))] },
    quoted: ['three times before'],
  },
  {
    text: 'When a customer who lives near our shop writes to us, notify the team.',
    gives: { flows: [off(flow('message.received', [tell]))] },
    quoted: ['lives near our shop'],
  },
  // What is written down, and what a service is told.
  {
    text: 'Keep refunds_log with an amount, a reason and an order number. When an order is refunded, make a record in it with the refund amount, the refund reason and the order number.',
    gives: {
      resources: [resource('refunds', 'amount:number, reason, order_number:number')],
      flows: [
        flow('order.refunded', [
          record('refunds', {
            amount: '{{event.refund.amount}}',
            order_number: '{{event.order.number}}',
            reason: '{{event.refund.reason}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'When an order is refunded, log it in a table called refunds with the order number, the amount and the reason.',
    gives: {
      resources: [resource('refunds', 'order_number:number, amount:number, reason')],
      flows: [
        flow('order.refunded', [
          record('refunds', {
            amount: '{{event.refund.amount}}',
            order_number: '{{event.order.number}}',
            reason: '{{event.refund.reason}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'Send all messages from customers to https://translate.example/in with the text and the conversation id.',
    gives: {
      skills: [skill('https://translate.example/in', 'text conversation_id')],
      flows: [
        flow('message.received', [
          call('https://translate.example/in', { text: '{{event.message.text}}', conversation_id: '{{event.conversation.id}}' }),
        ]),
      ],
    },
  },
  {
    text: 'The assistant may find stores near a city at https://stores.example/near, and check gift card balances at https://gift.example/balance with a code.',
    gives: { skills: [skill('https://stores.example/near', 'city'), skill('https://gift.example/balance', 'code')] },
  },
  {
    text: 'Give the bot a skill that looks up delivery slots (https://slots.example/find). Input: postcode (required), date.',
    gives: { skills: [skill('https://slots.example/find', 'postcode date')] },
  },
  {
    text: 'The shop owner can choose a language (uk, en or pl), must enter an account number and may switch on test mode (yes/no).',
    gives: { config: setting('language:uk|en|pl, account_number!, test_mode:boolean') },
  },
  {
    text: 'Add knowledge about gift wrapping: we wrap gifts for free.',
    gives: { knowledge: known('We wrap gifts for free.') },
  },
  // What is told beside a thing that is kept, and where it is seen.
  {
    text: "A rental has a boat and a deposit, which is a number. It belongs to a customer. I'd like to see the rentals on the contact.",
    gives: { resources: [resource('rentals', 'boat, deposit:number', { of: 'contact' })], views: [view('contact.tabs', 'rentals')] },
  },
  {
    text: 'Keep a register of keys we hand out: key number, given to, given on and returned (yes or no).',
    gives: { resources: [resource('keys', 'key_number, given_to, given_on:date, returned:boolean')] },
  },
  {
    text: 'Store the dimensions of each product, that is width, height and depth in cm.',
    gives: { resources: [resource('dimensions', 'width:number, height:number, depth:number', { of: 'product' })] },
  },
  {
    text: 'Products should get a tab with their suppliers: supplier name, price and lead time in days.',
    gives: {
      resources: [resource('suppliers', 'supplier_name, price:number, lead_time:number', { of: 'product' })],
      views: [view('product.tabs', 'suppliers')],
    },
  },
  {
    text: 'I\'d like a table "events" with title, place, date and capacity; title and date required.',
    gives: { resources: [resource('events', 'title!, place, date:date!, capacity:number')] },
  },
  {
    text: 'Hello! Our florist shop would like to store bouquets with the flowers and a card on the bouquet. The flowers are required.',
    gives: { resources: [resource('bouquets', 'flowers!, card_on_bouquet')] },
  },
  {
    text: 'When an order is paid, give the customer points: amount 5, reason purchase. Points have an amount and a reason (purchase, birthday).',
    gives: {
      resources: [resource('points', 'amount:number, reason:purchase|birthday')],
      flows: [flow('order.paid', [record('points', { amount: 5, reason: 'purchase' })])],
    },
  },
  {
    text: 'When an order is paid, call https://x.example/license with the email and send the customer the key from the answer.',
    gives: {
      skills: [skill('https://x.example/license', 'email')],
      flows: [flow('order.paid', [call('https://x.example/license', { email: '{{event.order.customer.email}}' }), say])],
    },
  },
  {
    text: 'When a customer with more than 5 orders writes to us, notify the team.',
    gives: { flows: [flow('message.received', [tell], [when('event.contact.orders_count', 'gt', 5)])] },
  },
  {
    text: 'Settings: an optional greeting, a required secret called api secret and a limit which is a number.',
    gives: { config: setting('greeting, api_secret:secret!, limit:number') },
  },
  // More exceptions, amounts and repeats.
  {
    text: 'When an order is placed (but not if it was paid by card), tell the team.',
    gives: { flows: [flow('order.created', [tell], [paidBy('ne', 'card')])] },
  },
  {
    text: 'Notify the team about every new order, but not about those under fifty euros.',
    gives: { flows: [flow('order.created', [tell], total('gte', 5_000))] },
  },
  {
    text: 'All paid orders except those paid by bank transfer get the tag instant.',
    gives: { flows: [flow('order.paid', [tag('instant')], [paidBy('ne', 'bank_transfer')])] },
  },
  {
    text: 'When an order costs less than twenty-five pounds, tag the customer small.',
    gives: { flows: [flow('order.created', [tag('small')], total('lt', 2_500, 'GBP'))] },
  },
  {
    text: 'When an order to Germany is paid, tag the customer de. Same for Austria, but with the tag at.',
    gives: { flows: [flow('order.paid', [tag('de')], [to('DE')]), flow('order.paid', [tag('at')], [to('AT')])] },
  },
  {
    text: 'Keep loans with a book. The assistant may read loans. The same goes for fines. Fines have an amount.',
    gives: { resources: [resource('loans', 'book', { read: true }), resource('fines', 'amount:number', { read: true })] },
  },
  {
    text: 'First thank the customer when an order is paid, then a week later ask for a review.',
    gives: { flows: [flow('order.paid', [say, wait(7 * DAY), say])] },
  },
  {
    text: 'After an order is shipped, send "Shipped!" and three days after that "Did it arrive?".',
    gives: { flows: [flow('order.shipped', [say, wait(3 * DAY), say])] },
  },
  // More lists.
  {
    text: 'Fields for repairs:\n- bike (required)\n- fault\n- price, number\n- status: new, done',
    gives: { resources: [resource('repairs', 'bike!, fault, price:number, status:new|done')] },
  },
  {
    text: 'Repairs (per customer)\n• bike\n• fault\n• done yes/no',
    gives: { resources: [resource('repairs', 'bike, fault, done:boolean', { of: 'contact' })] },
  },
  {
    text: 'Settings\n- api key (secret, required)\n- language: de, en',
    gives: { config: setting('api_key:secret!, language:de|en') },
  },
  {
    text: 'Pages:\n- Sales: https://stats.example/sales\n- Stock: https://stats.example/stock',
    gives: { views: [view('dashboard.page', 'https://stats.example/sales'), view('dashboard.page', 'https://stats.example/stock')] },
  },
  {
    text: 'Knowledge:\n- We ship within two days.\n- Returns are free.',
    gives: { knowledge: known('We ship within two days.', 'Returns are free.') },
  },
  // What is said of several at once, and whose it is.
  {
    text: 'Please keep prescriptions for each customer: left eye and right eye (numbers), the date of the test, and the optician.',
    gives: { resources: [resource('rx', 'left_eye:number, right_eye:number, date_of_test:date, optician', { of: 'contact' })] },
  },
  {
    text: "I'd like to store packing instructions with our products. A packing instruction consists of a box size (S, M, L) and a remark.",
    gives: { resources: [resource('packing', 'box_size:S|M|L, remark', { of: 'product' })] },
  },
  {
    text: 'Make me a list of suppliers: company, phone and payment terms in days. It needs a page of its own.',
    gives: {
      resources: [resource('suppliers', 'company, phone, payment_terms:number')],
      views: [view('dashboard.page', 'suppliers')],
    },
  },
  {
    text: 'Build an app that keeps tyre sets for customers (size, season: summer or winter) and tells the team when an order is paid.',
    gives: {
      resources: [resource('tyres', 'size, season:summer|winter', { of: 'contact' })],
      flows: [flow('order.paid', [tell])],
    },
  },
  {
    text: 'The bot should know: "Engraving takes three days." and "Returns are free."',
    gives: { knowledge: known('Engraving takes three days.', 'Returns are free.') },
  },
  {
    text: 'I need a setting for the sender email, required, and one for the tone, either formal or casual.',
    gives: { config: setting('sender_email!, tone:formal|casual') },
  },
  {
    text: 'If someone orders with express in the note, notify the team.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.note', 'contains', 'express')])] },
  },
  {
    text: 'When an order is paid and its note says "gift", tag the customer giver.',
    gives: { flows: [flow('order.paid', [tag('giver')], [when('event.order.note', 'contains', 'gift')])] },
  },
  {
    text: 'Send a voucher text "Use CODE10" to customers whose order was refunded in full.',
    gives: { flows: [flow('order.refunded', [say], [when('event.refund.full', 'eq', true)])] },
  },
  // Lists of values beside other fields.
  {
    text: 'A packing instruction contains a box size (S, M, L) and a remark. Each pet needs a species (dog, cat) and a name.',
    gives: { resources: [resource('packing', 'box_size:S|M|L, remark'), resource('pets', 'species:dog|cat, name')] },
  },
  {
    text: 'Track lamps (type: desk or floor, wattage) and chairs (colour).',
    gives: { resources: [resource('lamps', 'type:desk|floor, wattage:number'), resource('chairs', 'colour')] },
  },
  {
    text: 'Store a size (S, M, L) and a colour for every product.',
    gives: { resources: [resource('details', 'size:S|M|L, colour', { of: 'product' })] },
  },
  // Edits that name what there is by what it does.
  row(shop, 'Tag them gold instead.', ({ flows }) => Object.assign(flows[0]?.steps[0] as object, { tag: 'gold' })),
  row(shop, 'Tag big spenders "gold" instead of vip.', ({ flows }) => Object.assign(flows[0]?.steps[0] as object, { tag: 'gold' })),
  row(shop, 'Only tag paid orders of at least 300 instead of 200.', ({ flows }) => {
    const [limit] = flows[0]?.conditions ?? []
    Object.assign(limit as object, { op: 'gte', value: 30_000 })
  }),
  row(shop, 'Wait 3 hours instead of a day before sending the shipping note.', ({ flows }) =>
    Object.assign(flows[1]?.steps[0] as object, { minutes: 3 * HOUR }),
  ),
  row(shop, 'Wait two days instead of one before the shipping message.', ({ flows }) =>
    Object.assign(flows[1]?.steps[0] as object, { minutes: 2 * DAY }),
  ),
  row(shop, 'After the message, tag the customer shipped.', ({ flows }) =>
    flows[1]?.steps.push({ id: 'more', type: 'tag_contact', tag: 'shipped' }),
  ),
  row(shop, "Don't notify us about big orders any more; just tag them.", ({ flows }) => flows[0]?.steps.pop()),
  row(shop, 'Send the shipping note only if the order is above 50 euros.', ({ flows }) =>
    Object.assign(flows[1] as object, { conditions: total('gt', 5_000, 'EUR') }),
  ),
  row(shop, 'Big orders start at five hundred dollars.', ({ flows }) => {
    Object.assign(flows[0] as object, { conditions: total('gt', 50_000, 'USD') })
  }),
  row(shop, 'The big orders flow should also apply from 150 euros on.', ({ flows }) =>
    Object.assign(flows[0] as object, { conditions: total('gt', 15_000, 'EUR') }),
  ),
  row(shop, 'When an order is shipped, say "Gone!" instead.', () => {}),
  row(shop, 'Send the customer the message right away instead of waiting a day.', ({ flows }) => flows[1]?.steps.shift()),
  row(shop, 'Only warn us about low stock when less than 2 are left.', ({ flows }) =>
    Object.assign(flows[2] as object, { conditions: [when('event.available', 'lt', 2)] }),
  ),
  row(shop, 'No notification for paid orders to France.', ({ flows }) =>
    Object.assign(flows[0]?.steps[1] as object, { conditions: [when('event.order.shipping_address.country', 'ne', 'FR')] }),
  ),
  row(shop, 'Send the shipping note when the order is delivered instead of when it is shipped.', ({ flows }) =>
    Object.assign(flows[1] as object, { trigger: 'order.status_changed', conditions: [when('event.to', 'eq', 'DELIVERED')] }),
  ),
  row(shop, 'Open should be called new.', parts => fieldOf(parts, 'status').enumValues?.splice(0, 1, 'new')),
  row(shop, 'Rename the status value open to new.', parts => fieldOf(parts, 'status').enumValues?.splice(0, 1, 'new')),
  row(shop, 'Status also has a waiting level.', parts => fieldOf(parts, 'status').enumValues?.push('waiting')),
  row(shop, 'Please delete the knowledge entry on returns and add one on pets: dogs are welcome.', ({ knowledge }) =>
    knowledge.splice(0, 1, { id: 'pets', title: 'Pets', content: 'Dogs are welcome.' }),
  ),
  row(shop, 'The limit of big orders should be 80.', ({ flows }) => {
    Object.assign(flows[0] as object, { conditions: total('gt', 8_000, 'EUR') })
  }),
  row(shop, 'Instead of a day, wait 30 minutes before the shipping message.', ({ flows }) =>
    Object.assign(flows[1]?.steps[0] as object, { minutes: 30 }),
  ),
  row(shop, 'Tag customers only when the order is above 70 euros.', ({ flows }) => {
    Object.assign(flows[0] as object, { conditions: total('gt', 7_000, 'EUR') })
  }),
  row(shop, 'Notify us about low stock only if fewer than 10 are left.', ({ flows }) =>
    Object.assign(flows[2] as object, { conditions: [when('event.available', 'lt', 10)] }),
  ),
  row(shop, 'Tickets must have a priority.', parts => {
    fieldOf(parts, 'priority').required = true
  }),
  row(shop, 'Make a page for tickets and remove their tab.', ({ views }) =>
    Object.assign(views[0] as object, { target: 'dashboard.page' }),
  ),
  {
    text: 'Paid orders of 100 and more should get the tag big-client as well.',
    gives: { flows: [flow('order.paid', [tag('big-client')], total('gte', 10_000))] },
  },
  // Edits of what is kept, set and known.
  row(shop, 'Make the subject optional and the priority required.', parts => {
    delete fieldOf(parts, 'subject').required
    fieldOf(parts, 'priority').required = true
  }),
  row(shop, 'Also keep the room (number) and a note of each ticket.', parts =>
    fieldsOf(parts).push({ name: 'room', type: 'number' }, { name: 'note', type: 'string' }),
  ),
  row(shop, 'Add a field called floor, a number, to pickups.', parts => fieldsOf(parts, 1).push({ name: 'floor', type: 'number' })),
  row(shop, 'Add "waiting" between open and closed to status.', parts => fieldOf(parts, 'status').enumValues?.splice(1, 0, 'waiting')),
  row(shop, 'Replace slot by two fields: row and seat, both numbers.', parts =>
    fieldsOf(parts, 1).splice(1, 1, { name: 'row', type: 'number' }, { name: 'seat', type: 'number' }),
  ),
  row(shop, 'The price skill needs a material too, which is optional.', ({ skills }) =>
    Object.assign(skills[0]?.inputSchema as object, { properties: { width: {}, height: {}, material: {} } }),
  ),
  row(shop, 'Priority is not needed any more, please delete it.', parts => drop(fieldsOf(parts), 'priority')),
  row(shop, 'Drop the slot from pickups and add a window (morning, afternoon or evening) instead.', parts => {
    drop(fieldsOf(parts, 1), 'slot')
    fieldsOf(parts, 1).push({ name: 'window', type: 'enum', enumValues: ['morning', 'afternoon', 'evening'] })
  }),
  row(shop, 'Tickets should get a new status: on hold.', parts => fieldOf(parts, 'status').enumValues?.push('on hold')),
  row(shop, 'The region setting also needs uk.', ({ config }) => config[0]?.enumValues?.push('uk')),
  row(shop, 'Returns are accepted within 30 days now.', ({ knowledge }) =>
    Object.assign(knowledge[0] as object, { content: 'Returns are accepted within 30 days.' }),
  ),
  row(shop, 'The price service has moved to https://quotes.example/v2.', ({ skills }) =>
    Object.assign(skills[0] as object, { endpoint: 'https://quotes.example/v2' }),
  ),
  row(shop, 'Link pickups to products instead of orders.', ({ resources }) =>
    Object.assign(resources[1] as object, { relations: [{ target: 'builtin:product', type: 'belongs_to' }] }),
  ),
]
