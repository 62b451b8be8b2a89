// Descriptions and edits as owners of shops type them, clipped or polite, with what each should give: written before the generator was taught to read them.
import {
  AWARD,
  app,
  call,
  calling,
  DAY,
  type Described,
  flow,
  HOUR,
  known,
  ORDER,
  off,
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

type Flow = ReturnType<typeof flow>

const awards = (steps: Flow['steps']) => ({ resources: [points()], views: [TAB], flows: [flow('order.paid', steps)] })
const calls = (steps: Flow['steps'], conditions?: Flow['conditions']) => ({
  skills: [skill(AWARD, 'order_id')],
  flows: [flow('order.paid', steps, conditions)],
})
const TEN = record('points', { amount: 10, reason: 'order' })

export const SHOP_TALK: Described[] = [
  {
    text: 'Store gift cards for my customers with code, balance and expiry date. Show them on the customer card.',
    gives: {
      resources: [resource('cards', 'code, balance:number, expiry_date:date', { of: 'contact' })],
      views: [view('contact.tabs', 'cards')],
    },
  },
  {
    text: 'Birthday club: remember birthdays of customers and show them in a tab.',
    gives: { resources: [resource('birthdays', 'name', { of: 'contact' })], views: [view('contact.tabs', 'birthdays')] },
  },
  {
    text: 'Track appointments (date, time, notes) per contact and allow the bot to create them.',
    gives: { resources: [resource('appointments', 'date:date, time:date, notes', { of: 'contact', write: true })] },
  },
  {
    text: 'Create a table of suppliers with name, phone, country (one of UA, PL, DE) and active flag. Page in dashboard.',
    gives: {
      resources: [resource('suppliers', 'name, phone, country:UA|PL|DE, active:boolean')],
      views: [view('dashboard.page', 'suppliers')],
    },
  },
  {
    text: 'I want to see complaints on the customer page. A complaint has a topic, a text and whether it is solved.',
    gives: {
      resources: [resource('complaints', 'topic, text, solved:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'complaints')],
    },
  },
  { text: 'Our return policy is 30 days. The assistant should know that.', gives: { knowledge: known('Our return policy is 30 days.') } },
  {
    text: 'After an order ships, wait 3 days and ask the customer for a review.',
    gives: { flows: [flow('order.shipped', [wait(3 * DAY), say])] },
  },
  {
    text: 'when order total is less than 20 dollars tag customer small',
    gives: {
      flows: [
        flow('order.created', [tag('small')], [when('event.order.total_amount', 'lt', 2000), when('event.order.currency', 'eq', 'USD')]),
      ],
    },
  },
  { text: 'Escalations from the AI should go to the team as a warning.', gives: { flows: [flow('ai.escalation_requested', [warn])] } },
  {
    text: 'Forward all messages to https://crm.example/in.',
    gives: {
      skills: [skill('https://crm.example/in', 'message_id')],
      flows: [flow('message.received', [call('https://crm.example/in', { message_id: '{{event.message.id}}' })])],
    },
  },
  {
    text: 'Upon payment, hit https://x.example/hook with order id, email and total',
    gives: {
      skills: [skill('https://x.example/hook', 'order_id email total')],
      flows: [
        flow('order.paid', [
          call('https://x.example/hook', {
            ...ORDER,
            email: '{{event.order.customer.email}}',
            total: '{{event.order.total_amount}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'When order is paid and total over 200 and paid by card, tag vip and message "Thanks!"',
    gives: {
      flows: [
        flow(
          'order.paid',
          [tag('vip'), say],
          [when('event.order.total_amount', 'gt', 20000), when('event.order.payment.method', 'eq', 'card')],
        ),
      ],
    },
  },
  // What is kept.
  {
    text: 'Hi! I run a bike shop and would like to keep service jobs for my customers: the bike, the fault, a price estimate and whether it has been picked up. Thanks!',
    gives: { resources: [resource('jobs', 'bike, fault, price_estimate:number, picked_up:boolean', { of: 'contact' })] },
  },
  {
    text: 'vet practice - pets per customer: name, species (dog/cat/rabbit/other), date of birth, neutered yes/no',
    gives: { resources: [resource('pets', 'name, species:dog|cat|rabbit|other, date_of_birth:date, neutered:boolean', { of: 'contact' })] },
  },
  {
    text: 'We need somewhere to store our wine tastings. Every tasting has a date, a maximum number of seats and a price.',
    gives: { resources: [resource('tastings', 'date:date, maximum_number_of_seats:number, price:number')] },
  },
  {
    text: 'Add a list of allergens to each product: allergen name and severity, one of trace, contains or may contain.',
    gives: { resources: [resource('allergens', 'allergen_name, severity:trace|contains|may contain', { of: 'product' })] },
  },
  {
    text: 'Customers can book fittings. A fitting has a date, a garment type (suit, dress, shirt), chest in cm, waist in cm and notes.',
    gives: {
      resources: [resource('fittings', 'date:date, garment_type:suit|dress|shirt, chest:number, waist:number, notes', { of: 'contact' })],
    },
  },
  {
    text: 'Log phone calls with customers: agent, date, length in minutes, summary. Show them on the contact page.',
    gives: {
      resources: [resource('calls', 'agent, date:date, length:number, summary', { of: 'contact' })],
      views: [view('contact.tabs', 'calls')],
    },
  },
  {
    text: 'Warranty registrations for products. Fields: serial number (mandatory), bought on (date), shop, extended (yes/no).',
    gives: {
      resources: [resource('warranties', 'serial_number!, bought_on:date, shop, extended:boolean', { of: 'product' })],
    },
  },
  {
    text: "I'd like the bot to be able to see customers' prescriptions but not change them. A prescription has a left eye and a right eye (both numbers) and an expiry date.",
    gives: {
      resources: [resource('prescriptions', 'left_eye:number, right_eye:number, expiry_date:date', { of: 'contact', read: true })],
    },
  },
  {
    text: 'Could you please set up a table of trade accounts? Company name, VAT number, credit limit, payment terms in days, approved or not.',
    gives: {
      resources: [resource('accounts', 'company_name, vat_number, credit_limit:number, payment_terms:number, approved:boolean')],
    },
  },
  {
    text: 'Waiting list for products: email, desired quantity and date.',
    gives: { resources: [resource('waiting', 'email, desired_quantity:number, date:date', { of: 'product' })] },
  },
  {
    text: 'For each order I want to note the gift wrap colour (red, gold, silver), the card text and who packed it.',
    gives: { resources: [resource('wraps', 'gift_wrap_colour:red|gold|silver, card_text, packed_by', { of: 'order' })] },
  },
  // What is done when something happens.
  {
    text: 'When somebody buys something, send them "Thanks a lot for your purchase!"',
    gives: { flows: [flow('order.created', [say])] },
  },
  {
    text: 'Three days after an order is delivered, ask the customer "How was everything?"',
    gives: { flows: [flow('order.status_changed', [wait(3 * DAY), say], [when('event.to', 'eq', 'DELIVERED')])] },
  },
  {
    text: 'Send every new order to https://erp.acme.example/orders.',
    gives: {
      skills: [skill('https://erp.acme.example/orders', 'order_id')],
      flows: [flow('order.created', [call('https://erp.acme.example/orders', ORDER)])],
    },
  },
  {
    text: 'On a customer’s birthday send them "Happy birthday!" and tag them birthday.',
    gives: {},
    quoted: ["On a customer's birthday"],
  },
  {
    text: 'Thank customers with "You are the best!" after they have paid.',
    gives: { flows: [flow('order.paid', [say])] },
  },
  {
    text: 'If someone spends more than £250 in one go, label them as VIP and let the team know.',
    gives: {
      flows: [
        flow(
          'order.created',
          [tag('VIP'), tell],
          [when('event.order.total_amount', 'gt', 25_000), when('event.order.currency', 'eq', 'GBP')],
        ),
      ],
    },
  },
  {
    text: 'Orders over $1,000 must be flagged to the staff.',
    gives: {
      flows: [flow('order.created', [tell], [when('event.order.total_amount', 'gt', 100_000), when('event.order.currency', 'eq', 'USD')])],
    },
  },
  {
    text: 'low stock -> tell the team and ping https://supplier.acme.example/restock',
    gives: {
      skills: [skill('https://supplier.acme.example/restock', 'product_id')],
      flows: [flow('product.low_stock', [tell, call('https://supplier.acme.example/restock', { product_id: '{{event.product_id}}' })])],
    },
  },
  {
    text: 'New customers should get "Hi and welcome to Bean & Co!" straight away.',
    gives: { flows: [flow('contact.created', [say])] },
  },
  {
    text: 'Whenever a shopper asks about returns, tag them returns.',
    gives: { flows: [flow('message.received', [tag('returns')], [when('event.message.text', 'contains', 'returns')])] },
  },
  {
    text: 'Please let me know if an order gets cancelled or refunded.',
    gives: { flows: [flow('order.cancelled', [tell]), flow('order.refunded', [tell])] },
  },
  {
    text: 'When an order ships, text the customer "Your parcel is on the way 🚚" and a week later ask "Did it fit?"',
    gives: { flows: [flow('order.shipped', [say, wait(7 * DAY), say])] },
  },
  {
    text: 'Every time we ship an order to Germany, tell the team.',
    gives: { flows: [flow('order.shipped', [tell], [when('event.order.shipping_address.country', 'eq', 'DE')])] },
  },
  {
    text: 'When a customer tagged VIP writes to us, alert the team at once.',
    gives: { flows: [flow('message.received', [tell], [when('event.contact.tags', 'contains', 'VIP')])] },
  },
  {
    text: 'When a customer orders for the first time, send "Welcome to the family!"',
    gives: { flows: [off(flow('order.created', [say]))] },
    quoted: ['for the first time'],
  },
  {
    text: 'When an order is paid by bank transfer, notify the team.',
    gives: { flows: [flow('order.paid', [tell], [when('event.order.payment.method', 'eq', 'bank_transfer')])] },
  },
  {
    text: 'When an order with more than three items comes in, warn the warehouse team.',
    gives: { flows: [off(flow('order.created', [warn]))] },
    quoted: ['more than three items'],
  },
  {
    text: 'After delivery of an order, wait five days then send "Would you leave us a review?"',
    gives: { flows: [flow('order.status_changed', [wait(5 * DAY), say], [when('event.to', 'eq', 'DELIVERED')])] },
  },
  {
    text: 'Every Monday at 9 am, send the team a list of open orders.',
    gives: {},
    quoted: ['Every Monday at 9 am'],
  },
  {
    text: 'Once a conversation ends, wait 2 hrs & message the client "Anything else we can help with?"',
    gives: { flows: [flow('conversation.closed', [wait(2 * HOUR), say])] },
  },
  {
    text: 'If an order is cancelled because it is out of stock, tag the customer "lost sale" and call https://erp.acme.example/lost with the order number and the reason.',
    gives: {
      skills: [skill('https://erp.acme.example/lost', 'order_number reason')],
      flows: [
        flow(
          'order.cancelled',
          [tag('lost sale'), call('https://erp.acme.example/lost', { order_number: '{{event.order.number}}', reason: '{{event.reason}}' })],
          [when('event.reason', 'eq', 'out_of_stock')],
        ),
      ],
    },
  },
  {
    text: 'Anytime the bot can’t help, warn the team straight away.',
    gives: { flows: [flow('ai.escalation_requested', [warn])] },
  },
  {
    text: 'For orders under 30 euros: tag the customer small-basket.',
    gives: {
      flows: [
        flow(
          'order.created',
          [tag('small-basket')],
          [when('event.order.total_amount', 'lt', 3_000), when('event.order.currency', 'eq', 'EUR')],
        ),
      ],
    },
  },
  {
    text: 'Customers who pay more than 300 get the tag gold, and the team gets a message.',
    gives: { flows: [flow('order.paid', [tag('gold'), tell], [when('event.order.total_amount', 'gt', 30_000)])] },
  },
  {
    text: 'Repairs per customer with a title and a status of open or done. When a customer’s message mentions "broken", open a repair and tell the team.',
    gives: {
      resources: [resource('repairs', 'title, status:open|done', { of: 'contact' })],
      flows: [flow('message.received', [record('repairs', {}), tell], [when('event.message.text', 'contains', 'broken')])],
    },
  },
  // What the assistant knows and can do, settings and pages.
  { text: 'Tell the bot that we are closed on Sundays.', gives: { knowledge: known('We are closed on Sundays.') } },
  {
    text: 'The chatbot ought to know our returns policy: unworn items can be sent back within 30 days.',
    gives: { knowledge: known('Unworn items can be sent back within 30 days.') },
  },
  {
    text: 'Let the assistant check delivery slots by calling https://slots.acme.example/free with the postcode and the day.',
    gives: { skills: [skill('https://slots.acme.example/free', 'postcode day')] },
  },
  {
    text: 'The bot should be able to find out the price of a repair from https://repair.acme.example/quote using the model and the fault.',
    gives: { skills: [skill('https://repair.acme.example/quote', 'model fault')] },
  },
  {
    text: 'Settings: API key (secret, required), shop code (text) and colour (red, green or blue).',
    gives: { config: setting('api_key:secret!, shop_code, colour:red|green|blue') },
  },
  {
    text: 'Put our booking calendar https://cal.acme.example/week on a page of its own.',
    gives: { views: [view('dashboard.page', 'https://cal.acme.example/week')] },
  },
  {
    text: 'Open https://crm.acme.example/card next to every customer.',
    gives: { views: [view('contact.tabs', 'https://crm.acme.example/card')] },
  },
  // Edits.
  {
    text: 'Please add a "comment" text field to the points.',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift, comment')], views: [TAB] },
  },
  {
    text: 'points need an expiry date too',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift, expiry_date:date')], views: [TAB] },
  },
  { text: 'Get rid of the reason field.', from: small, gives: { resources: [points('amount:number')], views: [TAB] } },
  { text: 'Make it gold instead of member.', from: whole, gives: awards([TEN, tag('gold')]) },
  {
    text: 'Give 20 points rather than 10.',
    from: whole,
    gives: awards([record('points', { amount: 20, reason: 'order' }), tag('member')]),
  },
  { text: 'Wait a day before calling.', from: calling, gives: calls([wait(DAY), call(AWARD, ORDER)]) },
  {
    text: 'Turn the flow off for now, please.',
    from: calling,
    gives: { skills: [skill(AWARD, 'order_id')], flows: [off(flow('order.paid', [call(AWARD, ORDER)]))] },
  },
  { text: 'Send them "You have earned 10 points!" as well.', from: whole, gives: awards([TEN, tag('member'), say]) },
  {
    text: 'Could you only do this for orders above €100?',
    from: calling,
    gives: calls([call(AWARD, ORDER)], [when('event.order.total_amount', 'gt', 10_000), when('event.order.currency', 'eq', 'EUR')]),
  },
  {
    text: 'The bot must not see the points any more.',
    from: app({ resources: [points(undefined, { read: true })] }, RECORDS),
    gives: { resources: [points()] },
  },
  {
    text: 'Actually, do it when the order is placed, not when it is paid.',
    from: calling,
    gives: { skills: [skill(AWARD, 'order_id')], flows: [flow('order.created', [call(AWARD, ORDER)])] },
  },
  {
    text: 'Change amount to a text.',
    from: small,
    gives: { resources: [points('amount, reason:order|gift')], views: [TAB] },
  },
  { text: 'We no longer need the tab on the contact.', from: small, gives: { resources: [points()] } },
  {
    text: 'Also pass the customer’s email to it.',
    from: calling,
    gives: {
      skills: [skill(AWARD, 'order_id email')],
      flows: [flow('order.paid', [call(AWARD, { ...ORDER, email: '{{event.order.customer.email}}' })])],
    },
  },
  {
    text: 'Rename stars to rating and make the text mandatory.',
    from: reviews,
    gives: { resources: [resource('reviews', 'rating:number!, text!', { of: 'product' })] },
  },
]
