// Text of an author who never saw the builder, in words that no reader knew: with what each should give.
import * as expected from './expected.ts'

const { app, call, DAY, flow, known, record, resource, say, setting, skill, tag, tell, total, view, wait, warn, when } = expected

const repairs = app({ resources: [resource('repairs', 'bike:string!, status:received|fixed')] }, ['read:records', 'write:records'])
const big = app({ flows: [flow('order.paid', [tag('vip'), tell], total('gt', 20_000)), flow('product.low_stock', [tell])] }, [
  'write:contacts',
  'notify:team',
  'subscribe:order.paid',
  'subscribe:product.low_stock',
])
const low = app({ flows: [flow('product.low_stock', [tell])] }, ['notify:team', 'subscribe:product.low_stock'])

export const IN_OTHER_WORDS: expected.Described[] = [
  {
    text: "Hi! I run a barber shop. I'd like to keep what each client had done last time: the style, the clipper number, the date of the visit and whether they want a beard trim. Put it in a tab on the contact please.",
    gives: {
      resources: [resource('details', 'style, clipper_number, date_of_visit:date, want_beard_trim:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'details')],
    },
  },
  {
    text: 'Bike workshop. Job cards: frame no. (required), make, problem, due date, state = waiting / on stand / done. Linked to contact. Tab there.',
    gives: {
      resources: [resource('job', 'frame_no!, make, problem, due_date:date, state:waiting|on stand|done', { of: 'contact' })],
      views: [view('contact.tabs', 'job')],
    },
  },
  {
    text: 'name: Parcel Watch\nversion: 2.1.0\nauthor: Nordlicht GmbH\nFlow on order.shipped: wait 3 days, then send the message "Has your parcel arrived safely?"',
    gives: { flows: [flow('order.shipped', [wait(3 * DAY), say])] },
  },
  {
    text: 'Our assistant should be able to look up whether a table is free. Make a skill "Check table" which calls https://tables.example/check and needs a date and the number of guests.',
    gives: { skills: [skill('https://tables.example/check', 'date number_of_guests')] },
  },
  {
    text: "Add something to the assistant's knowledge. Title: Sending things back. Text: You can send anything back within 30 days. Shoes must be unworn.",
    gives: { knowledge: known('You can send anything back within 30 days. Shoes must be unworn.') },
  },
  {
    text: 'We need two settings: an API key for our courier, which is secret and has to be set, and the default parcel size, one of S, M or L.',
    gives: { config: setting('api_key_for_courier:secret!, default_parcel_size:S|M|L') },
  },
  {
    text: 'Greet everybody who starts a chat with: Hello and welcome to Pottery Lane! How can we help?',
    gives: { flows: [flow('conversation.started', [say])] },
  },
  {
    text: 'on order cancelled, if reason is out_of_stock: tag contact lost-sale, then notify team "Lost a sale"',
    gives: { flows: [flow('order.cancelled', [tag('lost-sale'), tell], [when('event.reason', 'eq', 'out_of_stock')])] },
  },
  {
    text: 'The list "refunds" has the fields order number (text) and amount (number). When an order is refunded, create a record in it with the order number and the refunded amount.',
    gives: {
      resources: [resource('refunds', 'order_number, amount:number')],
      flows: [flow('order.refunded', [record('refunds', { amount: '{{event.refund.amount}}', order_number: '#{{event.order.number}}' })])],
    },
  },
  {
    text: 'For each new product that is added to the shop our translation service should be called at https://translate.example/product, giving it the product id and the product name.',
    gives: {
      skills: [skill('https://translate.example/product', 'name product_id')],
      flows: [
        flow('product.created', [
          call('https://translate.example/product', { product_id: '{{event.product_id}}', name: '{{event.product.name}}' }),
        ]),
      ],
    },
  },
  {
    text: 'whenever a product is running low, warn my staff. Title of the warning: Reorder now',
    gives: { flows: [flow('product.low_stock', [warn])] },
  },
  {
    text: 'Give repairs a technician (text, must be filled in), and add "waiting for parts" to the statuses.',
    from: repairs,
    gives: { resources: [resource('repairs', 'bike!, status:received|fixed|waiting for parts, technician!')] },
  },
  {
    text: 'Get rid of status completely, we use another system for it now.',
    from: repairs,
    gives: { resources: [resource('repairs', 'bike!')] },
  },
  {
    text: 'Bike ought to be a number rather than text, and it ought to be optional.',
    from: repairs,
    gives: { resources: [resource('repairs', 'bike:number, status:received|fixed')] },
  },
  {
    text: 'Make the low stock alert a warning, and change its title to "Nearly gone".',
    from: low,
    gives: { flows: [flow('product.low_stock', [warn])] },
  },
  {
    text: 'Allergen sheets. each product has one. fields: gluten, nuts, milk - all yes/no and all required. last checked is a date. tab at product',
    gives: {
      resources: [resource('sheets', 'gluten:boolean!, nuts:boolean!, milk:boolean!, last_checked:date', { of: 'product' })],
      views: [view('product.tabs', 'sheets')],
    },
  },
  {
    text: "We keep a waiting list. For each entry we need the customer's wish, the number of persons and whether they have been called back.",
    gives: { resources: [resource('waiting', 'customer_wish, number_of_persons:number, called_back:boolean')] },
  },
  {
    text: 'Settings needed:\n* shop name, text, mandatory\n* free delivery from, number\n* test mode, on/off\n* region: north, south, islands',
    gives: { config: setting('shop_name!, free_delivery_from:number, test_mode:boolean, region:north|south|islands') },
  },
  {
    text: 'The assistant ought to know these two things.\nOpening hours: Monday to Friday 9 to 6, Saturday 10 to 2.\nParking: Behind the building, free for two hours.',
    gives: { knowledge: known('Monday to Friday 9 to 6, Saturday 10 to 2.', 'Behind the building, free for two hours.') },
  },
  {
    text: 'If a proposal is approved tell the team "Go ahead". If it is denied, tell them "Stop".',
    gives: {
      flows: [
        flow('proposal.decided', [tell], [when('event.decision', 'eq', 'approved')]),
        flow('proposal.decided', [tell], [when('event.decision', 'eq', 'denied')]),
      ],
    },
  },
  {
    text: 'If a paid order is worth between 50 and 100 pounds, the customer gets the tag bronze. If it is worth more than 100 pounds, they get the tag silver instead.',
    gives: {
      flows: [
        flow('order.paid', [tag('bronze')], [...total('gte', 5_000), ...total('lte', 10_000, 'GBP')]),
        flow('order.paid', [tag('silver')], total('gt', 10_000, 'GBP')),
      ],
    },
  },
  {
    text: 'If somebody asks about gift wrapping, the assistant should answer that it costs 3 euros.',
    gives: { knowledge: known('If somebody asks about gift wrapping, answer that it costs 3 euros.') },
  },
  {
    text: 'Thank customers after their order was delivered, but wait a day first.',
    gives: { flows: [flow('order.status_changed', [wait(DAY), say], [when('event.to', 'eq', 'DELIVERED')])] },
  },
  {
    text: 'Bike does not have to be filled in any longer. We say jobs, not repairs.',
    from: repairs,
    gives: { resources: [resource('jobs', 'bike, status:received|fixed')] },
  },
  {
    text: 'Status: remove fixed, add urgent.',
    from: repairs,
    gives: { resources: [resource('repairs', 'bike!, status:received|urgent')] },
  },
  {
    text: 'Do not alert us as long as there are more than 3 left.',
    from: low,
    gives: { flows: [flow('product.low_stock', [tell], [when('event.available', 'lte', 3)])] },
  },
  {
    text: 'Drop the tag from the flow of paid orders, the notification is enough.',
    from: big,
    gives: { flows: [flow('order.paid', [tell], total('gt', 20_000)), flow('product.low_stock', [tell])] },
  },
  {
    text: 'Move the vip limit up to 500.',
    from: big,
    gives: { flows: [flow('order.paid', [tag('vip'), tell], total('gt', 50_000)), flow('product.low_stock', [tell])] },
  },
  {
    text: 'A rose nursery keeps prunings with a date and a length as a number, in a tab on each product.',
    gives: {
      resources: [resource('prunings', 'date:date, length:number', { of: 'product' })],
      views: [view('product.tabs', 'prunings')],
    },
  },
  {
    text: 'A dog groomer keeps visits with a coat of short, curly or none needed. My shop wants to keep toys with a name.',
    gives: { resources: [resource('visits', 'coat:short|curly|none needed'), resource('toys', 'name')] },
  },
  {
    text: 'For a paint shop: recipes, each with a code and a base that is white or clear. Code has to be there.',
    gives: { resources: [resource('recipes', 'code!, base:white|clear')] },
  },
  {
    text: 'I sell tea and want tastings under each product. A tasting has a score as a number.',
    gives: { resources: [resource('tastings', 'score:number', { of: 'product' })], views: [view('product.tabs', 'tastings')] },
  },
  {
    text: 'A tool library needs loans and fines. Loans have a due date. Fines have a sum. Both belong to a contact. Show both in tabs on the contact, and loans on a dashboard page too.',
    gives: {
      resources: [resource('loans', 'due_date:date', { of: 'contact' }), resource('fines', 'sum:number', { of: 'contact' })],
      views: [view('contact.tabs', 'loans'), view('contact.tabs', 'fines'), view('dashboard.page', 'loans')],
    },
  },
  {
    text: 'When an order is paid, tag the customer gold and silver and notify the team with the title "Paid" and a text saying "Pack it."',
    gives: { flows: [flow('order.paid', [tag('gold'), tag('silver'), tell])] },
  },
  {
    text: 'When an order is paid, tell the team "New order" and the customer "Thank you". When an order is refunded, tag the customer late and print a label.',
    gives: { flows: [flow('order.paid', [tell, say]), flow('order.refunded', [tag('late')])] },
    quoted: ['print a label'],
  },
  {
    text: 'Keep returns with an order number, an amount as a number and a reason. When an order is refunded, create a return with the number of the order, the refunded amount and the reason of the refund.',
    gives: {
      resources: [resource('returns', 'order_number:number, amount:number, reason')],
      flows: [
        flow('order.refunded', [
          record('returns', {
            order_number: '{{event.order.number}}',
            amount: '{{event.refund.amount}}',
            reason: '{{event.refund.reason}}',
          }),
        ]),
      ],
    },
  },
]
