// Descriptions and edits as shop owners and developers put them: passive, British and American, lists with commas, "whenever" and "as soon as". They were
// written with what each should give before the generator was run on any of them.
import {
  AWARD,
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

const total = (op: string, amount: number) => when('event.order.total_amount', op, amount)

export const HELD_OUT: Described[] = [
  {
    text: 'Each product has a list of ingredients with name, percentage and allergen (yes/no).',
    gives: { resources: [resource('ingredients', 'name, percentage:number, allergen:boolean', { of: 'product' })] },
  },
  {
    text: 'Whenever an order gets cancelled, the team should be notified.',
    gives: { flows: [flow('order.cancelled', [tell])] },
  },
  {
    text: 'As soon as a payment is received, the customer should be tagged "paying".',
    gives: { flows: [flow('order.paid', [tag('paying')])] },
  },
  {
    text: 'I need a loyalty card record for every customer: card number (required), issued on, tier which is bronze, silver or gold.',
    gives: { resources: [resource('loyalty_cards', 'card_number!, issued_on:date, tier:bronze|silver|gold', { of: 'contact' })] },
  },
  {
    text: 'Once an order has been shipped, wait 3 days and then send the customer a message: "How do you like it?"',
    gives: { flows: [flow('order.shipped', [wait(3 * DAY), say])] },
  },
  {
    text: 'If an order is over 200 EUR, tag the customer as vip.',
    gives: { flows: [flow('order.created', [tag('vip')], [total('gt', 20_000), when('event.order.currency', 'eq', 'EUR')])] },
  },
  {
    text: 'A warranty should have a serial number, a date of purchase and a colour that is one of red, green or blue.',
    gives: { resources: [resource('warranties', 'serial_number, date_of_purchase:date, colour:red|green|blue')] },
  },
  {
    text: 'Repairs are tracked per customer. A repair has a device, a fault description, a status (received, in progress, done) and a price estimate as a number.',
    gives: {
      resources: [
        resource('repairs', 'device, fault_description, status:received|in progress|done, price_estimate:number', { of: 'contact' }),
      ],
    },
  },
  {
    text: 'When stock runs low, warn the team.',
    gives: { flows: [flow('product.low_stock', [warn])] },
  },
  {
    text: 'Let the assistant look up the delivery time by calling https://api.shop.example/delivery with a postcode.',
    gives: { skills: [skill('https://api.shop.example/delivery', 'postcode')] },
  },
  {
    text: 'The assistant should be able to check a gift card balance at https://cards.shop.example/balance; it needs the card number.',
    gives: { skills: [skill('https://cards.shop.example/balance', 'card_number')] },
  },
  {
    text: 'After payment: call https://erp.shop.example/orders with the order id, then notify the team.',
    gives: {
      skills: [skill('https://erp.shop.example/orders', 'order_id')],
      flows: [flow('order.paid', [call('https://erp.shop.example/orders', ORDER), tell])],
    },
  },
  {
    text: 'We need an API key (secret, required) and a region setting that is eu or us.',
    gives: { config: setting('api_key:secret!, region:eu|us') },
  },
  {
    text: 'Add a page to the dashboard that shows https://reports.shop.example/weekly.',
    gives: { views: [view('dashboard.page', 'https://reports.shop.example/weekly')] },
  },
  {
    text: 'The assistant must know that returns are accepted within 30 days.',
    gives: { knowledge: known('Returns are accepted within 30 days.') },
  },
  {
    text: 'Keep notes for each order, with text and author, both required.',
    gives: { resources: [resource('notes', 'text!, author!', { of: 'order' })] },
  },
  {
    text: 'When a customer writes "cancel", notify the team urgently.',
    gives: { flows: [flow('message.received', [warn], [when('event.message.text', 'contains', 'cancel')])] },
  },
  {
    text: 'Orders of at least 1,000 USD should be flagged to the team the moment they are paid.',
    gives: { flows: [flow('order.paid', [tell], [total('gte', 100_000), when('event.order.currency', 'eq', 'USD')])] },
  },
  {
    text: 'When a contact is tagged wholesale, wait 2 hours and message them "Welcome to wholesale".',
    gives: { flows: [flow('contact.tagged', [wait(2 * HOUR), say], [when('event.added', 'contains', 'wholesale')])] },
  },
  {
    text: 'Subscriptions: plan (monthly, yearly), started at, cancelled at, active. They belong to contacts and the assistant can read them.',
    gives: {
      resources: [
        resource('subscriptions', 'plan:monthly|yearly, started_at:date, cancelled_at:date, active:boolean', { of: 'contact', read: true }),
      ],
    },
  },
  {
    text: 'Suppliers have a name, an e-mail address, a phone number and a rating from 1 to 5. Show them on a dashboard page.',
    gives: {
      resources: [resource('suppliers', 'name, e_mail_address, phone_number, rating:number')],
      views: [view('dashboard.page', 'suppliers')],
    },
  },
  {
    text: 'When an order is refunded, tag the customer as refunded and make coffee.',
    gives: { flows: [flow('order.refunded', [tag('refunded')])] },
    quoted: ['make coffee'],
  },
  {
    text: 'When the moon is full, tag the customer as werewolf.',
    gives: {},
    quoted: ['moon is full'],
  },
  {
    text: 'For every new conversation on WhatsApp, tag the customer as whatsapp.',
    gives: { flows: [flow('conversation.started', [tag('whatsapp')], [when('event.conversation.platform', 'eq', 'whatsapp')])] },
  },
  {
    text: 'Store size charts for products: chest, waist and hips are numbers, size is S, M, L or XL. Display them in a product tab.',
    gives: {
      resources: [resource('size_charts', 'chest:number, waist:number, hips:number, size:S|M|L|XL', { of: 'product' })],
      views: [view('product.tabs', 'size_charts')],
    },
  },
  {
    text: 'When an order is placed from Germany, notify the team.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.shipping_address.country', 'eq', 'DE')])] },
  },
  {
    text: 'Every time a product runs out, email the admins.',
    gives: { flows: [flow('product.low_stock', [warn])] },
  },
  {
    text: 'When an order is paid, a point record with amount 5 and reason "order" should be created and the customer tagged member.',
    from: small,
    gives: {
      resources: [points()],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { amount: 5, reason: 'order' }), tag('member')])],
    },
  },
  {
    text: 'Points should also have an expiry date and a boolean called used.',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift, expiry_date:date, used:boolean')], views: [TAB] },
  },
  {
    text: 'Make the amount required.',
    from: small,
    gives: { resources: [points('amount:number!, reason:order|gift')], views: [TAB] },
  },
  {
    text: 'Drop the tab.',
    from: small,
    gives: { resources: [points()] },
  },
  {
    text: 'Reason can also be refund.',
    from: small,
    gives: { resources: [points('amount:number, reason:order|gift|refund')], views: [TAB] },
  },
  {
    text: 'Rename stars to rating and let the assistant read reviews.',
    from: reviews,
    gives: { resources: [resource('reviews', 'rating:number!, text', { of: 'product', read: true })] },
  },
  {
    text: 'Please wait one day before tagging.',
    from: whole,
    gives: {
      resources: [points()],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { amount: 10, reason: 'order' }), wait(DAY), tag('member')])],
    },
  },
  {
    text: 'Only for orders above 50 euros.',
    from: calling,
    gives: {
      skills: [skill(AWARD, 'order_id')],
      flows: [flow('order.paid', [call(AWARD, ORDER)], [total('gt', 5_000), when('event.order.currency', 'eq', 'EUR')])],
    },
  },
  {
    text: 'Turn the flow off.',
    from: whole,
    gives: {
      resources: [points()],
      views: [TAB],
      flows: [off(flow('order.paid', [record('points', { amount: 10, reason: 'order' }), tag('member')]))],
    },
  },
  {
    text: 'The tag should be "loyal" instead of "member".',
    from: whole,
    gives: {
      resources: [points()],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { amount: 10, reason: 'order' }), tag('loyal')])],
    },
  },
  {
    text: 'Also send the customer a message saying "You got 10 points!"',
    from: whole,
    gives: {
      resources: [points()],
      views: [TAB],
      flows: [flow('order.paid', [record('points', { amount: 10, reason: 'order' }), tag('member'), say])],
    },
  },
  {
    text: 'Remove the reason field and add a comment.',
    from: small,
    gives: { resources: [points('amount:number, comment')], views: [TAB] },
  },
  {
    text: 'Add a secret setting called partner_token and a number setting called bonus.',
    from: small,
    gives: { resources: [points()], views: [TAB], config: setting('partner_token:secret, bonus:number') },
  },
]
