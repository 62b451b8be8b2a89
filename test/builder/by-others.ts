// Text of authors who never saw the builder, and voices of our own that it failed on, with what each should give.
import * as expected from './expected.ts'

const { call, flow, HOUR, known, points, record, resource, say, setting, skill, tag, tell, total, view, warn, wait, when, whole, wrote } =
  expected

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
]
