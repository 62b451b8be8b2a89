// Descriptions by shop owners who never saw the generator, with what each should give.
import * as expected from './expected.ts'

const { call, DAY, flow, ORDER, record, resource, say, setting, skill, tag, tell, total, view, wait, warn, when, wrote } = expected

export const OWNERS: expected.Described[] = [
  {
    text: "Hi there! I run a little bike repair shop in Leeds. I'd like to keep track of repairs: the make of the bike, its frame number, a description of the fault, the date it was dropped off, and whether it's urgent. Make and frame number are a must, the rest is optional. And I want to see a customer's repairs on their contact card. Thanks ever so much!",
    gives: {
      resources: [
        resource('repairs', 'make_of_bike!, frame_number!, description_of_fault, date_dropped_off:date, urgent:boolean', { of: 'contact' }),
      ],
      views: [view('contact.tabs', 'repairs')],
    },
  },
  {
    text: 'If a customer\'s message contains the word "recall", then warn the team (as a warning please, not just info) and tag the customer as recall-asked. We sell toys so this matters.',
    gives: { flows: [flow('message.received', [warn, tag('recall-asked')], wrote('recall'))] },
  },
  {
    text: 'I make suits by measure. I need for every client to save his measures: chest, waist, hip and inside leg (all numbers, in cm), the date when was measured, and a remark. This must be visible at the contact.',
    gives: {
      resources: [
        resource('measures', 'chest:number, waist:number, hip:number, inside_leg:number, date_measured:date, remark', { of: 'contact' }),
      ],
      views: [view('contact.tabs', 'measures')],
    },
  },
  {
    text: 'We\'re a coffee roaster in Portland. Once an order has shipped, wait 5 days, then message the customer: "How do you like the coffee? If you have any questions about grinding, just ask."',
    gives: { flows: [flow('order.shipped', [wait(5 * DAY), say])] },
  },
  {
    text: 'Every refund should be sent to https://api.skinlab.example/refunds - with the order number, the amount refunded and the reason. If the refund is more than 100 dollars, also notify the team.',
    gives: {
      skills: [skill('https://api.skinlab.example/refunds', 'order_number amount_refunded reason')],
      flows: [
        flow('order.refunded', [
          call('https://api.skinlab.example/refunds', {
            order_number: '{{event.order.number}}',
            amount_refunded: '{{event.refund.amount}}',
            reason: '{{event.refund.reason}}',
          }),
          { ...tell, conditions: [when('event.refund.amount', 'gt', 10_000), when('event.refund.currency', 'eq', 'USD')] },
        ]),
      ],
    },
  },
  {
    text: 'Tool rental app. Rentals have: the tool (text, mandatory), a serial number, rented from (date, mandatory), due back (date, mandatory), a deposit as a number, and "returned" (true/false). A rental belongs to a contact and to a product; show the rentals in a tab on both.',
    gives: {
      resources: [
        resource('rentals', 'tool!, serial_number, rented_from:date!, due_back:date!, deposit:number, returned:boolean', {
          of: 'contact product',
        }),
      ],
      views: [view('contact.tabs', 'rentals'), view('product.tabs', 'rentals')],
    },
  },
  {
    text: "When an order gets paid, call https://gate.tix.example/issue with the order id and the buyer's email, and then store a ticket with the code from the answer (it is called `code`) and scanned set to false. Tickets: code (string, required), scanned (boolean). Tickets belong to contact.",
    gives: {
      resources: [resource('tickets', 'code!, scanned:boolean', { of: 'contact' })],
      skills: [skill('https://gate.tix.example/issue', 'order_id email')],
      flows: [
        flow('order.paid', [
          call('https://gate.tix.example/issue', { ...ORDER, email: '{{event.order.customer.email}}' }),
          record('tickets', { code: '{{steps.call.output.code}}', scanned: false }),
        ]),
      ],
    },
  },
  {
    text: 'Once an order\'s status changes to delivered, wait two weeks and then send the customer "Did everything arrive in good shape?"',
    gives: { flows: [flow('order.status_changed', [wait(14 * DAY), say], [when('event.to', 'eq', 'DELIVERED')])] },
  },
  {
    text: 'if an order is placed with cash on delivery, tag the buyer `cod`',
    gives: { flows: [flow('order.created', [tag('cod')], [when('event.order.payment.method', 'eq', 'cod')])] },
  },
  {
    text: 'All I need is one page in the dashboard that opens https://stats.brewhouse.example/board and is called "Brew board".',
    gives: { views: [view('dashboard.page', 'https://stats.brewhouse.example/board')] },
  },
  {
    text: "The assistant should be able to look up the state of a repair by its repair number. The address is https://desk.pedalworks.example/status. Don't store anything.",
    gives: { skills: [skill('https://desk.pedalworks.example/status', 'repair_number')] },
  },
  {
    text: 'Hello! My shop sells pet food and I have quite a few wishes, I hope it\'s not too much :) First, when a new contact is created I\'d like the tag "newcomer" put on them. Second, when an order is paid that costs more than 80 pounds, they should get tagged "big-bowl". And third, whenever an order is cancelled the team needs to hear about it. That\'s all for now!',
    gives: {
      flows: [
        flow('contact.created', [tag('newcomer')]),
        flow('order.paid', [tag('big-bowl')], total('gt', 8_000, 'GBP')),
        flow('order.cancelled', [tell]),
      ],
    },
  },
  {
    text: "For each paid order post the order id and the total to https://erp.partsworld.example/orders together with our licence key. The licence key is a secret setting, licence_key, and it's required.",
    gives: {
      config: setting('licence_key:secret!'),
      skills: [skill('https://erp.partsworld.example/orders', 'order_id total licence_key')],
      flows: [
        flow('order.paid', [
          call('https://erp.partsworld.example/orders', {
            ...ORDER,
            total: '{{event.order.total_amount}}',
            licence_key: '{{config.licence_key}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'When the assistant asks for a human, the team should be warned, with the reason and the summary.',
    gives: { flows: [flow('ai.escalation_requested', [warn])] },
  },
  {
    text: 'Every time a new product is added to the catalogue a check should be created for it, with photographed = no and described = no. A product check has: photographed (boolean), described (boolean), checked_by (text). Show the checks under the product.',
    gives: {
      resources: [resource('checks', 'photographed:boolean, described:boolean, checked_by', { of: 'product' })],
      views: [view('product.tabs', 'checks')],
      flows: [flow('product.created', [record('checks', { photographed: false, described: false })])],
    },
  },
  {
    text: 'If an order above $150 is paid, tag the customer as loyal and create a 10% discount code for them.',
    gives: { flows: [flow('order.paid', [tag('loyal')], total('gt', 15_000, 'USD'))] },
    quoted: ['10% discount code'],
  },
  {
    text: "When a product runs low: notify the team with the product's name and how many are left, and email a purchase order to the supplier.",
    gives: { flows: [flow('product.low_stock', [tell])] },
    quoted: ['email a purchase order to the supplier'],
  },
  {
    text: 'A skincare profile per customer please: skin type (dry, oily, combination, sensitive - required), allergies, birthday. In a tab at the contact. On their birthday send each customer a message with congratulations.',
    gives: {
      resources: [resource('profiles', 'skin_type:dry|oily|combination|sensitive!, allergies, birthday:date', { of: 'contact' })],
      views: [view('contact.tabs', 'profiles')],
    },
    quoted: ['On their birthday'],
  },
  {
    text: 'When a payment is disputed, warn the team. Also send me an SMS at +44 7700 900123.',
    gives: { flows: [flow('payment.disputed', [warn])] },
    quoted: ['an SMS at +44 7700 900123'],
  },
  {
    text: 'Orders of at least five hundred euros: as soon as they are paid, the customer is to be tagged as patron, and the team is to be notified.',
    gives: { flows: [flow('order.paid', [tag('patron'), tell], total('gte', 50_000, 'EUR'))] },
  },
  {
    text: 'If somebody who is tagged vip writes to us, let the team know at once, with what they wrote.',
    gives: { flows: [flow('message.received', [tell], [when('event.contact.tags', 'contains', 'vip')])] },
  },
  {
    text: 'Please inform our team, as a warning, each time that a message to a customer could not be delivered. In the notification should stand the name of the customer and the text.',
    gives: { flows: [flow('message.failed', [warn])] },
  },
  {
    text: "We want a warranty recorded for every order that is paid. A warranty has an order number (number, required) and a level, which is gold or silver. It's linked to the customer and the order. Fill the order number from the order; the level is silver.",
    gives: {
      resources: [resource('warranties', 'order_number:number!, level:gold|silver', { of: 'contact order' })],
      flows: [flow('order.paid', [record('warranties', { order_number: '{{event.order.number}}', level: 'silver' })])],
    },
  },
  {
    text: 'orders which come from the CRM: when created, call https://sync.motorteile.example/in with the order id',
    gives: {
      skills: [skill('https://sync.motorteile.example/in', 'order_id')],
      flows: [flow('order.created', [call('https://sync.motorteile.example/in', ORDER)], [when('event.order.source', 'eq', 'crm')])],
    },
  },
  {
    text: 'Appointments for fittings. Fields:\n* when (date, required)\n* tailor (Maria, Jorge or Anne)\n* colour\n* confirmed (yes/no)\nLinked with the contact, visible there. Settings: reminder_text (text, required) and max_per_day (number). When a customer writes "appointment", tell the team.',
    gives: {
      resources: [resource('appointments', 'when:date!, tailor:Maria|Jorge|Anne, colour, confirmed:boolean', { of: 'contact' })],
      views: [view('contact.tabs', 'appointments')],
      config: setting('reminder_text!, max_per_day:number'),
      flows: [flow('message.received', [tell], wrote('appointment'))],
    },
  },
]
