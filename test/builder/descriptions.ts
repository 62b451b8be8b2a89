// Descriptions of apps, and edits of apps, with what each should give: written before the generator was.
import {
  AWARD,
  app,
  awarding,
  call,
  calling,
  DAY,
  type Described,
  flow,
  HOUR,
  known,
  ORDER,
  points,
  RECORDS,
  record,
  resource,
  reviews,
  say,
  setting,
  skill,
  small,
  TAB,
  tag,
  tell,
  view,
  wait,
  warn,
  when,
  whole,
} from './expected.ts'

export const DESCRIPTIONS: Described[] = [
  // Resources.
  {
    text: 'Warranties with a serial number, a purchase date and a level of gold or silver.',
    gives: { resources: [resource('warranties', 'serial_number, purchase_date:date, level:gold|silver')] },
  },
  {
    text: 'Keep warranties with a serial number, a purchase date and a level of gold or silver under each product.',
    gives: {
      resources: [resource('warranties', 'serial_number, purchase_date:date, level:gold|silver', { of: 'product' })],
      views: [view('product.tabs', 'warranties')],
    },
  },
  {
    text: 'Track repairs for each customer. A repair has a title, a status (open, in progress, done) and a due date.',
    gives: { resources: [resource('repairs', 'title, status:open|in progress|done, due_date:date', { of: 'contact' })] },
  },
  {
    text: 'Store birthdays of customers: a name, a date of birth and whether a gift was sent.',
    gives: { resources: [resource('birthdays', 'name, date_of_birth:date, gift_sent:boolean', { of: 'contact' })] },
  },
  {
    text: 'I want to record loyalty points with an amount and a reason, linked to customers.',
    gives: { resources: [resource('points', 'amount:number, reason', { of: 'contact' })] },
  },
  {
    text: 'Each product has certificates with a required code, an expiry date and an optional note.',
    gives: { resources: [resource('certificates', 'code!, expiry_date:date, note', { of: 'product' })] },
  },
  {
    text: 'Keep track of appointments with a time, a number of guests, and a status that is either booked, cancelled or done. Show them under each contact.',
    gives: {
      resources: [resource('appointments', 'time:date, number_of_guests:number, status:booked|cancelled|done', { of: 'contact' })],
      views: [view('contact.tabs', 'appointments')],
    },
  },
  {
    text: 'An app called Reviews that stores reviews of products with a rating, a text and an author.',
    gives: { resources: [resource('reviews', 'rating:number, text, author', { of: 'product' })] },
  },
  {
    text: 'Complaints with a subject, a severity (low, medium, high) and a boolean called resolved, on a page of the dashboard.',
    gives: {
      resources: [resource('complaints', 'subject, severity:low|medium|high, resolved:boolean')],
      views: [view('dashboard.page', 'complaints')],
    },
  },
  {
    text: 'Save gift cards with a code, a balance and an expiry date. The assistant may read them.',
    gives: { resources: [resource('gift_cards', 'code, balance:number, expiry_date:date', { read: true })] },
  },
  {
    text: 'Bookings with a date and a number of people for every customer. The assistant can read and write bookings.',
    gives: { resources: [resource('bookings', 'date:date, number_of_people:number', { of: 'contact', read: true, write: true })] },
  },
  {
    text: 'Keep notes with a title and a body. The AI may create notes.',
    gives: { resources: [resource('notes', 'title, body', { write: true })] },
  },
  {
    text: 'Subscriptions with a plan of basic, plus or pro, a start date, an end date and an active flag, linked to the contact and shown in a tab on the contact.',
    gives: {
      resources: [resource('subscriptions', 'plan:basic|plus|pro, start_date:date, end_date:date, active:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'subscriptions')],
    },
  },
  {
    text: 'Returns for each order with a reason, a condition of new, used or broken, and a number of items.',
    gives: { resources: [resource('returns', 'reason, condition:new|used|broken, number_of_items:number', { of: 'order' })] },
  },
  {
    text: 'Suppliers with a name, an email and a phone number, and shipments with a tracking code and an arrival date.',
    gives: { resources: [resource('suppliers', 'name, email, phone_number'), resource('shipments', 'tracking_code, arrival_date:date')] },
  },
  {
    text: 'Store measurements (height as number, width as number, checked on as date) under every product.',
    gives: {
      resources: [resource('measurements', 'height:number, width:number, checked_on:date', { of: 'product' })],
      views: [view('product.tabs', 'measurements')],
    },
  },
  {
    text: 'Log visits with a mandatory date, a duration in minutes and a comment for customers.',
    gives: { resources: [resource('visits', 'date:date!, duration:number, comment', { of: 'contact' })] },
  },
  {
    text: 'Create a resource called coupons with fields code (required), percent (number), used (boolean) and valid_until (date).',
    gives: { resources: [resource('coupons', 'code!, percent:number, used:boolean, valid_until:date')] },
  },
  // Flows.
  { text: 'When an order is paid, tag the customer as vip.', gives: { flows: [flow('order.paid', [tag('vip')])] } },
  { text: 'Tag the customer "paid" whenever an order is paid.', gives: { flows: [flow('order.paid', [tag('paid')])] } },
  {
    text: 'When an order over 500 is paid, tag the contact with big-spender and notify the team.',
    gives: { flows: [flow('order.paid', [tag('big-spender'), tell], [when('event.order.total_amount', 'gt', 50_000)])] },
  },
  {
    text: 'If an order of at least 100 EUR is placed, tell the team.',
    gives: {
      flows: [flow('order.created', [tell], [when('event.order.total_amount', 'gte', 10_000), when('event.order.currency', 'eq', 'EUR')])],
    },
  },
  {
    text: 'After an order is shipped, wait 7 days and send the customer "How do you like your order?"',
    gives: { flows: [flow('order.shipped', [wait(7 * DAY), say])] },
  },
  { text: 'When a product runs low on stock, warn the team.', gives: { flows: [flow('product.low_stock', [warn])] } },
  { text: 'Notify us when stock is low.', gives: { flows: [flow('product.low_stock', [tell])] } },
  {
    text: 'When a customer writes a message that contains "refund", notify the team.',
    gives: { flows: [flow('message.received', [tell], [when('event.message.text', 'contains', 'refund')])] },
  },
  {
    text: 'When an order is cancelled, write to the customer: "We are sorry to see you go."',
    gives: { flows: [flow('order.cancelled', [say])] },
  },
  {
    text: 'As soon as a new contact is created, tag them as new and wait an hour, then send them "Welcome to our shop!"',
    gives: { flows: [flow('contact.created', [tag('new'), wait(HOUR), say])] },
  },
  {
    text: 'When a contact is tagged vip, alert the team.',
    gives: { flows: [flow('contact.tagged', [tell], [when('event.added', 'contains', 'vip')])] },
  },
  {
    text: 'When an order is delivered, tag the customer as happy.',
    gives: { flows: [flow('order.status_changed', [tag('happy')], [when('event.to', 'eq', 'DELIVERED')])] },
  },
  {
    text: 'When an order is refunded, call https://crm.acme.example/refunds.',
    gives: {
      skills: [skill('https://crm.acme.example/refunds', 'order_id')],
      flows: [flow('order.refunded', [call('https://crm.acme.example/refunds', ORDER)])],
    },
  },
  {
    text: 'When an order is paid, post the customer’s email and the order total to https://crm.acme.example/paid',
    gives: {
      skills: [skill('https://crm.acme.example/paid', 'email total')],
      flows: [
        flow('order.paid', [
          call('https://crm.acme.example/paid', { email: '{{event.order.customer.email}}', total: '{{event.order.total_amount}}' }),
        ]),
      ],
    },
  },
  {
    text: 'Every time a conversation starts, call https://hooks.acme.example/new with the customer’s name and the platform.',
    gives: {
      skills: [skill('https://hooks.acme.example/new', 'name platform')],
      flows: [
        flow('conversation.started', [
          call('https://hooks.acme.example/new', { name: '{{event.contact.name}}', platform: '{{event.conversation.platform}}' }),
        ]),
      ],
    },
  },
  { text: 'When the assistant asks for a person, warn the team.', gives: { flows: [flow('ai.escalation_requested', [warn])] } },
  { text: 'Tell the team when a payment is disputed.', gives: { flows: [flow('payment.disputed', [tell])] } },
  { text: 'When a channel fails, warn us.', gives: { flows: [flow('channel.failing', [warn])] } },
  {
    text: 'When an order is placed, wait two days and then message the customer "Is everything fine?". When an order is cancelled, tag the customer as cancelled.',
    gives: { flows: [flow('order.created', [wait(2 * DAY), say]), flow('order.cancelled', [tag('cancelled')])] },
  },
  {
    text: 'When an order is shipped: tag the customer with shipped, notify the team, and wait 30 minutes.',
    gives: { flows: [flow('order.shipped', [tag('shipped'), tell, wait(30)])] },
  },
  {
    text: 'When a message arrives on telegram, tag the customer telegram.',
    gives: { flows: [flow('message.received', [tag('telegram')], [when('event.conversation.platform', 'eq', 'telegram')])] },
  },
  {
    text: 'When an order below 20 is created, notify the staff.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.total_amount', 'lt', 2_000)])] },
  },
  {
    text: 'Once a conversation is closed, send "Thank you for talking to us!" to the customer.',
    gives: { flows: [flow('conversation.closed', [say])] },
  },
  { text: 'When a webhook is disabled, notify the team.', gives: { flows: [flow('webhook.disabled', [tell])] } },
  {
    text: 'When a product is updated, call https://search.acme.example/index.',
    gives: {
      skills: [skill('https://search.acme.example/index', 'product_id')],
      flows: [flow('product.updated', [call('https://search.acme.example/index', { product_id: '{{event.product_id}}' })])],
    },
  },
  {
    text: 'When an order is cancelled because of fraud, warn the team and tag the customer as fraud.',
    gives: { flows: [flow('order.cancelled', [warn, tag('fraud')], [when('event.reason', 'eq', 'fraud')])] },
  },
  // Resources and flows.
  {
    text: 'Loyalty points with an amount and a reason of order or gift for each customer. When an order is paid, create a point with amount 10 and reason order, and tag the customer as member.',
    gives: { resources: [resource('points', 'amount:number, reason:order|gift', { of: 'contact' })], flows: [awarding] },
  },
  {
    text: 'Keep warranties with a serial number and a start date under each product. When a product is created, add a warranty.',
    gives: {
      resources: [resource('warranties', 'serial_number, start_date:date', { of: 'product' })],
      views: [view('product.tabs', 'warranties')],
      flows: [flow('product.created', [record('warranties', { start_date: '{{trigger.created_at}}' })])],
    },
  },
  {
    text: 'Store complaints with a text and a level (low, high) linked to customers, and show them on a page. When a message contains "complaint", save a complaint with level high and warn the team.',
    gives: {
      resources: [resource('complaints', 'text, level:low|high', { of: 'contact' })],
      views: [view('dashboard.page', 'complaints')],
      flows: [
        flow(
          'message.received',
          [record('complaints', { text: '{{event.message.text}}', level: 'high' }), warn],
          [when('event.message.text', 'contains', 'complaint')],
        ),
      ],
    },
  },
  {
    text: 'Track purchases with an email, a total and a date for each customer. Whenever an order is paid, record a purchase.',
    gives: {
      resources: [resource('purchases', 'email, total:number, date:date', { of: 'contact' })],
      flows: [
        flow('order.paid', [
          record('purchases', {
            email: '{{event.order.customer.email}}',
            total: '{{event.order.total_amount}}',
            date: '{{trigger.created_at}}',
          }),
        ]),
      ],
    },
  },
  // Skills, knowledge, settings, pages.
  {
    text: 'The assistant can look up the balance of a customer at https://loyalty.acme.example/balance with an email.',
    gives: { skills: [skill('https://loyalty.acme.example/balance', 'email')] },
  },
  {
    text: 'Add a skill that checks the delivery date at https://ship.acme.example/date given an order number and a postal code.',
    gives: { skills: [skill('https://ship.acme.example/date', 'order_number postal_code')] },
  },
  {
    text: 'The assistant should know that points expire after a year.',
    gives: { knowledge: known('Points expire after a year.') },
  },
  {
    text: 'Knowledge: "Our shop is open from nine to five." Knowledge: "We ship to Austria and Germany."',
    gives: { knowledge: known('Our shop is open from nine to five.', 'We ship to Austria and Germany.') },
  },
  {
    text: 'It needs a secret api key and a setting for the region, which is eu or us.',
    gives: { config: setting('api_key:secret!, region:eu|us') },
  },
  {
    text: 'The admin sets a discount rate as a number. A secret token is required.',
    gives: { config: setting('discount_rate:number, token:secret!') },
  },
  {
    text: 'Show https://dash.acme.example/stats as a page, and https://dash.acme.example/customer under each contact.',
    gives: {
      views: [view('dashboard.page', 'https://dash.acme.example/stats'), view('contact.tabs', 'https://dash.acme.example/customer')],
    },
  },
  {
    text: 'A tab on products that shows https://pim.acme.example/sheet.',
    gives: { views: [view('product.tabs', 'https://pim.acme.example/sheet')] },
  },
  {
    text: 'Optional setting called greeting. When a conversation is started, send the customer "Hello!"',
    gives: { config: setting('greeting'), flows: [flow('conversation.started', [say])] },
  },
  {
    text: 'An app named Stock Watch by Acme Ltd: when stock of a product is low, call https://erp.acme.example/reorder and notify the team. It requires an api token, which is secret.',
    gives: {
      skills: [skill('https://erp.acme.example/reorder', 'product_id')],
      config: setting('api_token:secret!'),
      flows: [flow('product.low_stock', [call('https://erp.acme.example/reorder', { product_id: '{{event.product_id}}' }), tell])],
    },
  },
  // Edits.
  {
    text: 'Add a boolean field called urgent to points.',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift, urgent:boolean')], views: [TAB] },
  },
  {
    text: 'Add a required date called awarded on to points',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift, awarded_on:date!')], views: [TAB] },
  },
  {
    text: 'Points should also have an expiry date and a note.',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift, expiry_date:date, note')], views: [TAB] },
  },
  {
    text: 'Rename the field amount to value.',
    from: whole,
    gives: {
      resources: [points('value:number, reason:order|gift')],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { value: 10, reason: 'order' }), tag('member')])],
    },
  },
  {
    text: 'Rename points to stars.',
    from: whole,
    gives: {
      resources: [{ ...points(), id: 'stars' }],
      views: [view('contact.tabs', 'stars')],
      flows: [flow('order.paid', [record('stars', { amount: 10, reason: 'order' }), tag('member')])],
    },
  },
  { text: 'Rename the app to Bonus Club.', from: small, gives: { resources: [points()], views: [TAB] } },
  {
    text: 'Remove the reason from points.',
    from: whole,
    gives: {
      resources: [points('amount:number')],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { amount: 10 }), tag('member')])],
    },
  },
  { text: 'Remove the tab.', from: small, gives: { resources: [points()] } },
  { text: 'Delete the flow', from: whole, gives: { resources: [points()], views: [TAB] } },
  { text: 'Drop the resource points.', from: whole, gives: { flows: [flow('order.paid', [tag('member')])] } },
  {
    text: 'Also tag the customer as gold.',
    from: whole,
    gives: { resources: [points()], views: [TAB], flows: [flow('order.paid', [...awarding.steps, tag('gold')])] },
  },
  {
    text: 'Also notify the team when an order is cancelled.',
    from: whole,
    gives: { resources: [points()], views: [TAB], flows: [awarding, flow('order.cancelled', [tell])] },
  },
  { text: 'Make amount required.', from: small, gives: { resources: [points('amount:number!, reason:order|gift')], views: [TAB] } },
  { text: 'Let the assistant read points.', from: small, gives: { resources: [points(undefined, { read: true })], views: [TAB] } },
  {
    text: 'The assistant may also write points',
    from: app({ resources: [points(undefined, { read: true })] }, RECORDS),
    gives: { resources: [points(undefined, { read: true, write: true })] },
  },
  {
    text: 'Add bonus to the values of reason.',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift|bonus')], views: [TAB] },
  },
  { text: 'Show points on a page too.', from: small, gives: { resources: [points()], views: [TAB, view('dashboard.page', 'points')] } },
  {
    text: 'Show the reviews under each product.',
    from: reviews,
    gives: { resources: [resource('reviews', 'stars:number!, text', { of: 'product' })], views: [view('product.tabs', 'reviews')] },
  },
  {
    text: 'Stars should be optional.',
    from: reviews,
    gives: { resources: [resource('reviews', 'stars:number, text', { of: 'product' })] },
  },
  {
    text: 'Call https://bonus.acme.example/award instead.',
    from: calling,
    gives: {
      skills: [skill('https://bonus.acme.example/award', 'order_id')],
      flows: [flow('order.paid', [call('https://bonus.acme.example/award', ORDER)])],
    },
  },
  {
    text: 'Then wait 3 hours and message the customer "You have new points."',
    from: calling,
    gives: { skills: [skill(AWARD, 'order_id')], flows: [flow('order.paid', [call(AWARD, ORDER), wait(3 * HOUR), say])] },
  },
  {
    text: 'Only for orders over 50.',
    from: calling,
    gives: {
      skills: [skill(AWARD, 'order_id')],
      flows: [flow('order.paid', [call(AWARD, ORDER)], [when('event.order.total_amount', 'gt', 5_000)])],
    },
  },
  {
    text: 'Disable the flow.',
    from: calling,
    gives: { skills: [skill(AWARD, 'order_id')], flows: [{ ...flow('order.paid', [call(AWARD, ORDER)]), enabled: false }] },
  },
  {
    text: 'It needs a secret called signing key.',
    from: calling,
    gives: {
      skills: [skill(AWARD, 'order_id')],
      flows: [flow('order.paid', [call(AWARD, ORDER)])],
      config: setting('signing_key:secret!'),
    },
  },
  {
    text: 'Don’t tag the customer any more.',
    from: whole,
    gives: { resources: [points()], views: [TAB], flows: [flow('order.paid', [record('points', { amount: 10, reason: 'order' })])] },
  },
  {
    text: 'Do it when an order is shipped instead.',
    from: whole,
    gives: { resources: [points()], views: [TAB], flows: [flow('order.shipped', awarding.steps)] },
  },
  {
    text: 'The assistant should know that a review takes a day to appear.',
    from: reviews,
    gives: {
      resources: [resource('reviews', 'stars:number!, text', { of: 'product' })],
      knowledge: known('A review takes a day to appear.'),
    },
  },
  {
    text: 'Change the tag to platinum.',
    from: whole,
    gives: {
      resources: [points()],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { amount: 10, reason: 'order' }), tag('platinum')])],
    },
  },
  {
    text: 'Add a resource rewards with a title and a cost in points.',
    from: small,
    gives: { resources: [points(), resource('rewards', 'title, cost:number')], views: [TAB] },
  },
  {
    text: 'Link reviews to customers.',
    from: reviews,
    gives: { resources: [resource('reviews', 'stars:number!, text', { of: 'product contact' })] },
  },
]
