// Text of authors who never saw the builder, and voices of our own that it failed on, with what each should give.
import * as expected from './expected.ts'

const {
  call,
  flow,
  HOUR,
  known,
  off,
  points,
  record,
  resource,
  say,
  setting,
  skill,
  tag,
  tell,
  total,
  view,
  warn,
  wait,
  when,
  whole,
  wrote,
} = expected

const DAY = 24 * HOUR
const failed = (step: ReturnType<typeof tag>, of: string) => ({ ...step, conditions: [when(`steps.${of}.error.code`, 'exists', true)] })

export const BY_OTHERS: expected.Described[] = [
  {
    text: "A repair log for our music shop. Every repair has an instrument, a date received, an estimated number of hours and a status, which is received, in workshop, ready or collected. Instrument and status are required. Each repair belongs to a customer, and I want to see a customer's repairs in a tab on their page.",
    gives: {
      resources: [
        resource(
          'repairs',
          'instrument!, date_received:date, estimated_number_of_hours:number, status:received|in workshop|ready|collected!',
          { of: 'contact' },
        ),
      ],
      views: [view('contact.tabs', 'repairs')],
    },
  },
  {
    text: 'Add care instructions to the products of a plant nursery: each has a watering interval in days, a light requirement of shade, half shade or full sun, and a note. List them under each product and let the assistant read them.',
    gives: {
      resources: [
        resource('care', 'watering_interval:number, light_requirement:shade|half shade|full sun, note', { of: 'product', read: true }),
      ],
      views: [view('product.tabs', 'care')],
    },
  },
  {
    text: 'When an order is paid, create a record in "stamps" with the order number and the date it was paid, linked to the customer, and tag the customer stamp-collector.',
    gives: {
      resources: [resource('stamps', 'order_number:number, date_paid:date', { of: 'contact' })],
      flows: [
        flow('order.paid', [
          record('stamps', { date_paid: '{{trigger.created_at}}', order_number: '{{event.order.number}}' }),
          tag('stamp-collector'),
        ]),
      ],
    },
  },
  {
    text: "When an order is paid, call https://erp.meinerhof.example/in with the order id and the customer's email. If the call fails, carry on and notify the team.",
    gives: {
      skills: [skill('https://erp.meinerhof.example/in', 'order_id email')],
      flows: [
        flow('order.paid', [
          call('https://erp.meinerhof.example/in', { order_id: '{{event.order_id}}', email: '{{event.order.customer.email}}' }),
          failed(tell, 'call'),
        ]),
      ],
    },
  },
  {
    text: 'The app needs an API key, kept secret and required, and a depot name.',
    gives: { config: setting('api_key:secret!, depot_name') },
  },
  {
    text: 'Teach the assistant our return policy: "Sale items are exchanged only." Also add knowledge titled Opening hours: Monday to Friday 9 to 18.',
    gives: { knowledge: known('Sale items are exchanged only.', 'Monday to Friday 9 to 18.') },
  },
  {
    text: 'An appointment book for a dog groomer. Pets have a name and a temper (calm, nervous). Appointments have a start date and a flag for done. Pets and appointments belong to the contact; both get a tab on the contact.',
    gives: {
      resources: [
        resource('pets', 'name, temper:calm|nervous', { of: 'contact' }),
        resource('appointments', 'start_date:date, done:boolean', { of: 'contact' }),
      ],
      views: [view('contact.tabs', 'pets'), view('contact.tabs', 'appointments')],
    },
  },
  {
    text: 'Two automations: on a new conversation greet the customer with "Welcome!", and when a conversation is closed wait one day and notify the team to ask for a review.',
    gives: { flows: [flow('conversation.started', [say]), flow('conversation.closed', [wait(DAY), tell])] },
  },
  {
    text: 'Give the assistant a tool that checks delivery dates at https://api.parcelwise.example/eta. It takes a postcode, which is required, and an optional weight in kg.',
    gives: { skills: [skill('https://api.parcelwise.example/eta', 'postcode weight')] },
  },
  {
    text: 'When the assistant asks for a human, alert the team with the reason and the summary; it should be mailed to the admins as well.',
    gives: { flows: [flow('ai.escalation_requested', [warn])] },
  },
  {
    text: 'For every shipped order keep the order number, the carrier and the waybill number in a resource called dispatches, related to the order. There must be only one dispatch per order.',
    gives: {
      resources: [resource('dispatches', 'order_number:number, carrier, waybill_number', { of: 'order' })],
      flows: [
        flow('order.shipped', [
          record('dispatches', {
            carrier: '{{event.fulfillment.carrier}}',
            order_number: '{{event.order.number}}',
            waybill_number: '{{event.fulfillment.waybill_number}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'Settings only: a shop name (text, required), the number of days for returns, a switch for test mode, and a region that is one of EU, UK or US.',
    gives: { config: setting('shop_name!, number_of_days_for_returns:number, test_mode:boolean, region:EU|UK|US') },
  },
  {
    text: 'tea shop subscriptions:\n- record: subscription (blend, grams per month, next delivery date, paused yes/no)\n- linked to contact, tab there\n- when an order is shipped: tag "subscriber"\n- when an order is cancelled: tell the team',
    gives: {
      resources: [resource('s', 'blend, grams_per_month:number, next_delivery_date:date, paused:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 's')],
      flows: [flow('order.shipped', [tag('subscriber')]), flow('order.cancelled', [tell])],
    },
  },
  {
    text: 'Could you set it up so that anyone who orders for more than 300 euros gets the tag "big-spender" and a thank you message: "Thanks!"?',
    gives: { flows: [flow('order.created', [tag('big-spender'), say], total('gt', 30_000, 'EUR'))] },
  },
  {
    text: 'Call https://wms.example/pick with the order number as soon as an order has been paid. The warehouse key, a required secret, should be sent along.',
    gives: {
      skills: [skill('https://wms.example/pick', 'order_number warehouse_key')],
      config: setting('warehouse_key:secret!'),
      flows: [
        flow('order.paid', [
          call('https://wms.example/pick', { order_number: '{{event.order.number}}', warehouse_key: '{{config.warehouse_key}}' }),
        ]),
      ],
    },
  },
  {
    text: 'Our assistant ought to know that we only ship on Tuesdays, and it may look up a parcel at https://ship.example/where by tracking number.',
    gives: { knowledge: known('We only ship on Tuesdays.'), skills: [skill('https://ship.example/where', 'tracking_number')] },
  },
  {
    text: 'We\'d like subscribers kept as records. Each has a plan, which can be monthly, quarterly or yearly; a start date; an end date if there is one; and a note. When someone writes "unsubscribe", inform the team as a warning.',
    gives: {
      resources: [resource('subscribers', 'plan:monthly|quarterly|yearly, start_date:date, end_date:date, note')],
      flows: [flow('message.received', [warn], wrote('unsubscribe'))],
    },
  },
  {
    text: 'Tag everybody who writes to us on WhatsApp with "wa", and everybody who writes on Telegram with "tg".',
    gives: {
      flows: ['whatsapp', 'telegram'].map((on, at) =>
        flow('message.received', [tag(['wa', 'tg'][at] as string)], [when('event.conversation.platform', 'eq', on)]),
      ),
    },
  },
  {
    text: "Low stock? Call https://supply.example/order with the sku. If that doesn't work, warn the team.",
    gives: {
      skills: [skill('https://supply.example/order', 'sku')],
      flows: [flow('product.low_stock', [call('https://supply.example/order', { sku: '{{event.product.sku}}' }), failed(warn, 'call')])],
    },
  },
  {
    text: "Please keep notes about deliveries: driver, arrived at, damaged (yes/no). They're about an order. A page in the dashboard should list them all.",
    gives: {
      resources: [resource('notes', 'driver, arrived_at:date, damaged:boolean', { of: 'order' })],
      views: [view('dashboard.page', 'notes')],
    },
  },
  {
    text: 'Rename the resource to credits and its amount to value.',
    from: whole,
    gives: {
      resources: [resource('credits', 'value:number, reason:order|gift', { of: 'contact' })],
      views: [view('contact.tabs', 'credits')],
      flows: [flow('order.paid', [record('credits', { value: 10, reason: 'order' }), tag('member')])],
    },
  },
  {
    text: 'Please get rid of the tab and show the points on a dashboard page instead.',
    from: whole,
    gives: { ...whole, views: [view('dashboard.page', 'points')] },
  },
  {
    text: 'Keep services for our bikes: work done (text, required) and hours worked. They belong to the contact and are listed on a page called Maintenance.',
    gives: {
      resources: [resource('services-for-our-bikes', 'work_done!, hours_worked:number', { of: 'contact' })],
      views: [view('dashboard.page', 'services-for-our-bikes')],
    },
  },
  {
    text: 'When an order is paid, if the total is over 100 EUR tag the customer as big, otherwise do nothing.',
    gives: { flows: [flow('order.paid', [tag('big')], total('gt', 10_000, 'EUR'))] },
  },
  {
    text: 'Keep allergies of our customers: name (required) and severity: mild, moderate, severe. When a customer is tagged "allergic", notify the team.',
    gives: {
      resources: [resource('allergies', 'name!, severity:mild|moderate|severe', { of: 'contact' })],
      flows: [flow('contact.tagged', [tell], [when('event.added', 'contains', 'allergic')])],
    },
  },
  {
    text: 'Rename the app to Star Club and the points to stars.',
    from: whole,
    gives: {
      resources: [{ ...points(), id: 'stars' }],
      views: [view('contact.tabs', 'stars')],
      flows: [flow('order.paid', [record('stars', { amount: 10, reason: 'order' }), tag('member')])],
    },
  },
  // What a part of them leaves out may never be silent: a flow of which a condition is not read is off.
  {
    text: 'Customers who complain should get the tag unhappy: if a message contains "broken", tag the sender unhappy and alert the team.',
    gives: { flows: [off(flow('message.received', [tag('unhappy'), tell]))] },
    quoted: ['if a message contains "broken"'],
  },
  {
    text: 'After delivery wait a week, then ask "How do you like your new lamp?" But skip it for customers tagged trade.',
    gives: { flows: [off(flow('order.status_changed', [wait(7 * DAY), say], [when('event.to', 'eq', 'DELIVERED')]))] },
    quoted: ['skip it for customers tagged trade'],
  },
  {
    text: 'When an order is paid, tag the customer as buyer. But not for orders below 20 euros.',
    gives: { flows: [flow('order.paid', [tag('buyer')], [when('event.order.total_amount', 'gte', 2_000)])] },
  },
  {
    text: 'If an order gets cancelled because we ran out of stock, apologise to the customer: "Sorry, we sold out." and notify the team.',
    gives: { flows: [flow('order.cancelled', [say, tell], [when('event.reason', 'eq', 'out_of_stock')])] },
  },
  {
    text: 'If a WhatsApp message comes in that says "stop", tag them no-ads; do not message them.',
    gives: {
      flows: [flow('message.received', [tag('no-ads')], [...wrote('stop'), when('event.conversation.platform', 'eq', 'whatsapp')])],
    },
  },
  {
    text: 'Anyone writing the word "catalogue" gets tagged catalogue-request.',
    gives: { flows: [flow('message.received', [tag('catalogue-request')], wrote('catalogue'))] },
  },
  {
    text: 'Payment disputes scare me. If one comes in, warn the team and call https://legal.example/dispute with the payment id.',
    gives: {
      skills: [skill('https://legal.example/dispute', 'payment_id')],
      flows: [flow('payment.disputed', [warn, call('https://legal.example/dispute', { payment_id: '{{event.payment_id}}' })])],
    },
  },
  {
    text: 'When an order under 20 is placed, tag the customer small-order, otherwise tag the customer normal-order.',
    gives: {
      flows: [
        flow('order.created', [
          { ...tag('small-order'), conditions: total('lt', 2_000) },
          { ...tag('normal-order'), conditions: total('gte', 2_000) },
        ]),
      ],
    },
  },
  {
    text: 'When an order ships, tell the customer it is on its way, but only if it goes to Germany.',
    gives: { flows: [flow('order.shipped', [say], [when('event.order.shipping_address.country', 'eq', 'DE')])] },
  },
  {
    text: 'Whenever an order is refunded for more than 40, tag the customer refunded-big.',
    gives: { flows: [flow('order.refunded', [tag('refunded-big')], [when('event.refund.amount', 'gt', 4_000)])] },
  },
  {
    text: 'When stock is low, call https://supply.example/reorder with the product sku and how many are left.',
    gives: {
      skills: [skill('https://supply.example/reorder', 'sku available')],
      flows: [
        flow('product.low_stock', [
          call('https://supply.example/reorder', { sku: '{{event.product.sku}}', available: '{{event.available}}' }),
        ]),
      ],
    },
  },
  {
    text: 'I want a page in the dashboard that shows https://stats.example/today, and a tab on every customer that shows https://stats.example/customer.',
    gives: { views: [view('contact.tabs', 'https://stats.example/customer'), view('dashboard.page', 'https://stats.example/today')] },
  },
  {
    text: 'Put https://report.example/weekly on the dashboard, named Weekly report.',
    gives: { views: [view('dashboard.page', 'https://report.example/weekly')] },
  },
  {
    text: 'The assistant knows: Delivery takes 2-3 days. We accept Visa and Mastercard. When an order is paid, notify the team.',
    gives: { knowledge: known('Delivery takes 2-3 days.', 'We accept Visa and Mastercard.'), flows: [flow('order.paid', [tell])] },
  },
  {
    text: 'The app must have the setting shop_name and a required secret called webhook_token.',
    gives: { config: setting('shop_name, webhook_token:secret!') },
  },
  {
    text: 'Our courses: title, starts on, number of seats, price, level beginner or advanced. Show courses under the product they belong to.',
    gives: {
      resources: [
        resource('courses', 'title, starts_on:date, number_of_seats:number, price:number, level:beginner|advanced', { of: 'product' }),
      ],
      views: [view('product.tabs', 'courses')],
    },
  },
  {
    text: 'For every bike we sell I want a service log: date, mileage, what was done, price, and whether the chain was replaced.',
    gives: {
      resources: [resource('service-log', 'date:date, mileage:number, work_done, price:number, chain_replaced:boolean', { of: 'product' })],
    },
  },
  {
    text: 'Warranty cards (serial, bought at, expires, extended yes/no) go with products and the assistant can look at them.',
    gives: {
      resources: [resource('warranty-cards', 'serial, bought_at:date, expires:date, extended:boolean', { of: 'product', read: true })],
    },
  },
  {
    text: 'For each loan note the carrier, the borrower, start date, end date, and status: reserved, out, returned or overdue. Put all loans on their own page.',
    gives: {
      resources: [resource('loan', 'carrier, borrower, start_date:date, end_date:date, status:reserved|out|returned|overdue')],
      views: [view('dashboard.page', 'loan')],
    },
  },
  {
    text: 'Please build an app with gift wrapping requests (paper colour, ribbon, card text, express yes or no) attached to orders, editable by the assistant.',
    gives: { resources: [resource('requests', 'paper_colour, ribbon, card_text, express:boolean', { of: 'order', write: true })] },
  },
  {
    text: 'Let me store measurements per client (neck, chest, sleeve) plus remarks.',
    gives: { resources: [resource('measurements', 'neck, chest, sleeve, remarks', { of: 'contact' })] },
  },
  {
    text: 'Add a table for our stockists: shop name, city, contact, phone and since when.',
    gives: { resources: [resource('stockists', 'shop_name, city, contact, phone, since:date')] },
  },
]
