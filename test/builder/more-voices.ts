// More of very different shops and voices, with what each should give: written before the generator was run on any of them.
import { fieldOf, fieldsOf, flowOf, row } from './edited.ts'
import * as expected from './expected.ts'
import { crumb, stage, torque } from './more-shop-apps.ts'
import { cellar, leafy, spoke } from './shop-apps.ts'

const { call, DAY, flow, HOUR, known, ORDER, resource, say, setting, skill, tag, tell, total, view, wait, warn, when, wrote } = expected
const DELIVERED = [when('event.to', 'eq', 'DELIVERED')]

export const MORE_VOICES: expected.Described[] = [
  {
    text: 'For weddings I want to note down: bride (required), groom, date of the wedding, budget in euros, and style: classic, boho or modern. Linked with the customer and seen in a tab there.',
    gives: {
      resources: [resource('weddings', 'bride!, groom, date_of_wedding:date, budget:number, style:classic|boho|modern', { of: 'contact' })],
      views: [view('contact.tabs', 'weddings')],
    },
  },
  {
    text: 'Create a resource "guarantees" (fields: serial: text required; until: date required; kind: basic/extended). Relation: product. Tab on the product.',
    gives: {
      resources: [resource('guarantees', 'serial!, until:date!, kind:basic|extended', { of: 'product' })],
      views: [view('product.tabs', 'guarantees')],
    },
  },
  {
    text: 'We’d like the assistant to be able to see the loyalty cards but never to change them. Loyalty cards: number (text, required), points (number), since (date). One per customer.',
    gives: { resources: [resource('loyalty-cards', 'number!, points:number, since:date', { of: 'contact', read: true })] },
  },
  {
    text: 'I’d like to be warned if a message to a customer fails, including the customer’s name and what the message said.',
    gives: { flows: [flow('message.failed', [warn])] },
  },
  {
    text: 'Only when an order is paid by card and goes to France: tag the customer fr-card.',
    gives: {
      flows: [
        flow(
          'order.paid',
          [tag('fr-card')],
          [when('event.order.payment.method', 'eq', 'card'), when('event.order.shipping_address.country', 'eq', 'FR')],
        ),
      ],
    },
  },
  {
    text: 'If the customer writes the word refund on telegram, tag them refund-wanted, wait 15 minutes and let the team know.',
    gives: {
      flows: [
        flow(
          'message.received',
          [tag('refund-wanted'), wait(15), tell],
          [...wrote('refund'), when('event.conversation.platform', 'eq', 'telegram')],
        ),
      ],
    },
  },
  { text: 'two settings needed: shop_code (text, required), api_key (secret)', gives: { config: setting('shop_code!, api_key:secret!') } },
  { text: 'Our bot must know the following: we deliver on Mondays only.', gives: { knowledge: known('We deliver on Mondays only.') } },
  {
    text: 'The assistant should be able to book a table at https://book.example/table. It has to be given a date, a time and how many persons.',
    gives: { skills: [skill('https://book.example/table', 'date time number_of_persons')] },
  },
  {
    text: 'I would appreciate a notification each time the assistant is paused, with the reason.',
    gives: { flows: [flow('ai.paused', [tell])] },
  },
  {
    text: 'Once an order is delivered the customer shall receive after 3 days the message "Enjoying it?"',
    gives: { flows: [flow('order.status_changed', [wait(3 * DAY), say], DELIVERED)] },
  },
  {
    text: 'order shipped -> wait 4 days -> message customer "Everything ok?" -> tag asked',
    gives: { flows: [flow('order.shipped', [wait(4 * DAY), say, tag('asked')])] },
  },
  {
    text: 'If an order is cancelled by the customer, then tag him as "changed-mind"; if it is cancelled because we’re out of stock, warn the team.',
    gives: {
      flows: [
        flow('order.cancelled', [tag('changed-mind')], [when('event.reason', 'eq', 'customer')]),
        flow('order.cancelled', [warn], [when('event.reason', 'eq', 'out_of_stock')]),
      ],
    },
  },
  {
    text: 'For all orders which are paid in dollars, tag the customer usd.',
    gives: { flows: [flow('order.paid', [tag('usd')], [when('event.order.currency', 'eq', 'USD')])] },
  },
  {
    text: 'As soon as the payment for an order arrives, post the order id and the total to https://books.example/in, together with the secret setting books_token. The admin has to enter the books_token.',
    gives: {
      config: setting('books_token:secret!'),
      skills: [skill('https://books.example/in', 'order_id total books_token')],
      flows: [
        flow('order.paid', [
          call('https://books.example/in', { ...ORDER, total: '{{event.order.total_amount}}', books_token: '{{config.books_token}}' }),
        ]),
      ],
    },
  },
  {
    text: 'After an order was paid, if the order total is above 400 EUR, wait two hours and then notify the sales team: "Call this customer".',
    gives: { flows: [flow('order.paid', [wait(2 * HOUR), tell], total('gt', 40_000, 'EUR'))] },
  },
  {
    text: 'Could you store, for each order, who packed it, the weight in kg, and whether it is fragile?',
    gives: { resources: [resource('details', 'packed_by, weight:number, fragile:boolean', { of: 'order' })] },
  },
  {
    text: 'When an order has been paid, give it two days, then write to the buyer: "Your order is being prepared."',
    gives: { flows: [flow('order.paid', [wait(2 * DAY), say])] },
  },
  {
    text: "I want: 1) contacts get the tag 'hello' when they are created 2) the team is told when an order above 999 EUR is placed",
    gives: { flows: [flow('contact.created', [tag('hello')]), flow('order.created', [tell], total('gt', 99_900, 'EUR'))] },
    quoted: ['I want:'],
  },
  {
    text: 'If an order was cancelled and the reason is out of stock, apologise to the customer with "Sorry, we ran out."',
    gives: { flows: [flow('order.cancelled', [say], [when('event.reason', 'eq', 'out_of_stock')])] },
  },
  {
    text: 'When a conversation on the web is closed then tag the customer web-chat.',
    gives: { flows: [flow('conversation.closed', [tag('web-chat')], [when('event.conversation.platform', 'eq', 'web')])] },
  },
  row(spoke, 'Change the tag from customer to client and wait 3 days, not 2, in the follow-up.', parts => {
    Object.assign(flowOf(parts, 'paid').steps[0] as object, { tag: 'client' })
    Object.assign(flowOf(parts, 'follow-up').steps[0] as object, { minutes: 3 * DAY })
  }),
  row(spoke, 'Turn the frame number into a required number.', parts => {
    Object.assign(fieldOf(parts, 'frame_number'), { type: 'number', required: true })
  }),
  row(spoke, 'Delete the follow-up flow and the due field.', parts => {
    parts.flows.pop()
    fieldsOf(parts).splice(3, 1)
  }),
  row(cellar, 'tasted_on becomes required, notes goes away', parts => {
    fieldOf(parts, 'tasted_on').required = true
    fieldsOf(parts).pop()
  }),
  row(cellar, 'Rename wine to bottle and add a vintage (number) after it.', parts => {
    fieldOf(parts, 'wine').name = 'bottle'
    fieldsOf(parts).splice(1, 0, { name: 'vintage', type: 'number' })
  }),
  row(leafy, 'light: remove "half shade", add "morning sun"', parts => {
    fieldOf(parts, 'light').enumValues = ['shade', 'full sun', 'morning sun']
  }),
  row(leafy, 'Make toxic a choice of none, mild or strong.', parts => {
    Object.assign(fieldOf(parts, 'toxic'), { type: 'enum', enumValues: ['none', 'mild', 'strong'] })
  }),
  row(leafy, 'Make the low stock notification an info instead of a warning.', parts => {
    Object.assign(flowOf(parts, 'low').steps[0] as object, { level: 'info' })
  }),
  row(leafy, 'Warn the team as well when a customer writes "wilted".', parts => flowOf(parts, 'wilted').steps.push(warn)),
  row(stage, 'Don’t wait before the reminder.', parts => flowOf(parts, 'issue').steps.splice(2, 1)),
  row(stage, 'Please show the tickets on a page as well and rename event_name to show.', parts => {
    parts.views.push(view('dashboard.page', 'tickets'))
    fieldOf(parts, 'event_name').name = 'show'
    const { values } = flowOf(parts, 'issue').steps[1] as { values: Record<string, unknown> }
    values['show'] = values['event_name']
    delete values['event_name']
  }),
  row(crumb, 'Remove market from pickup_place and add "harbour" and "station".', parts => {
    Object.assign(parts.config[0] as object, { enumValues: ['shop', 'harbour', 'station'] })
  }),
  row(torque, 'Delivered tools: wait ten days before telling the team.', parts => {
    Object.assign(flowOf(parts, 'delivered').steps[2] as object, { minutes: 10 * DAY })
  }),
  row(torque, 'Do all this only for orders from Switzerland.', parts => {
    flowOf(parts, 'delivered').conditions?.push(when('event.order.shipping_address.country', 'eq', 'CH'))
  }),
  row(spoke, 'Please don’t tag buyers any more, send them "Enjoy the ride!" instead.', parts =>
    flowOf(parts, 'paid').steps.splice(0, 1, say),
  ),
  row(spoke, 'status: rename "in progress" to "in work" and make it optional.', parts => {
    fieldOf(parts, 'status').enumValues = ['received', 'in work', 'ready']
    delete fieldOf(parts, 'status').required
  }),
  row(cellar, 'Add knowledge titled "Gifts" saying "We wrap gifts for free." and remove the entry on shipping.', parts => {
    parts.knowledge.shift()
    parts.knowledge.push(...known('We wrap gifts for free.'))
  }),
  row(cellar, 'Big orders should wait 2 hours before the team is notified.', parts =>
    flowOf(parts, 'big-order').steps.splice(1, 0, wait(2 * HOUR)),
  ),
  row(crumb, 'Tag cake askers "cake-fan" rather than "cake-lover", and let the team know too.', parts => {
    flowOf(parts, 'cake-question').steps = [tag('cake-fan'), tell]
  }),
  row(torque, 'late_fee should be called fee_per_day and be required.', parts => {
    Object.assign(parts.config[1] as object, { key: 'fee_per_day', required: true })
  }),
]
