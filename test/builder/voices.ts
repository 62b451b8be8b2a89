// Descriptions of very different shops and voices, with what each should give: written before the generator was run on any of them.
import * as expected from './expected.ts'

const { call, DAY, flow, ORDER, say, skill, tag, tell, total, wait, warn, when, wrote } = expected

const DELIVERED = [when('event.to', 'eq', 'DELIVERED')]
const only = (step: ReturnType<typeof tag>, ...conditions: ReturnType<typeof when>[]) => ({ ...step, conditions })

export const VOICES: expected.Described[] = [
  // What is done when something happens.
  {
    text: 'Whenever somebody pays an order of more than 1000 zloty, the customer is to be tagged "premium" and our team must be informed about it.',
    gives: { flows: [flow('order.paid', [tag('premium'), tell], total('gt', 100_000, 'PLN'))] },
  },
  {
    text: 'After an order has been cancelled please wait one day and then write to the customer "Was something wrong?"',
    gives: { flows: [flow('order.cancelled', [wait(DAY), say])] },
  },
  { text: 'Our staff should get a warning when a channel stops working.', gives: { flows: [flow('channel.failing', [warn])] } },
  {
    text: 'As soon as a parcel has left the warehouse, customers get the message "Your parcel is on its way".',
    gives: { flows: [flow('order.shipped', [say])] },
  },
  {
    text: 'New contacts: tag them "fresh", then after 2 weeks send them "Still with us?"',
    gives: { flows: [flow('contact.created', [tag('fresh'), wait(14 * DAY), say])] },
  },
  {
    text: 'If an order is paid and its total is at least 75 dollars, tag the customer free-shipping. If it is over 300 dollars, also tag the customer gold.',
    gives: {
      flows: [flow('order.paid', [tag('free-shipping'), only(tag('gold'), ...total('gt', 30_000, 'USD'))], total('gte', 7_500, 'USD'))],
    },
  },
  {
    text: 'Tag the buyer as "trade" when an order comes from the CRM.',
    gives: { flows: [flow('order.created', [tag('trade')], [when('event.order.source', 'eq', 'crm')])] },
  },
  {
    text: 'When the stock of a product falls low, the team should be told the name of the product, its SKU and how many pieces are left.',
    gives: { flows: [flow('product.low_stock', [tell])] },
  },
  {
    text: 'Please call https://post.example/labels with the order number, the city and the postcode each time an order is shipped.',
    gives: {
      skills: [skill('https://post.example/labels', 'order_number city postcode')],
      flows: [
        flow('order.shipped', [
          call('https://post.example/labels', {
            order_number: '{{event.order.number}}',
            city: '{{event.order.shipping_address.city}}',
            postcode: '{{event.order.shipping_address.postal_code}}',
          }),
        ]),
      ],
    },
  },
  {
    text: 'If a message mentions "allergy", then the customer should be labelled as allergic and a warning should go to the team.',
    gives: { flows: [flow('message.received', [tag('allergic'), warn], wrote('allergy'))] },
  },
  {
    text: 'When a refund is made over 50 euro, warn the team with the reason.',
    gives: {
      flows: [flow('order.refunded', [warn], [when('event.refund.amount', 'gt', 5_000), when('event.refund.currency', 'eq', 'EUR')])],
    },
  },
  {
    text: 'When an order gets delivered, wait 10 days, then ask the customer "How does it taste?", unless the order is below 15 euros.',
    gives: {
      flows: [flow('order.status_changed', [wait(10 * DAY), say], [...DELIVERED, when('event.order.total_amount', 'gte', 1_500)])],
    },
  },
  {
    text: 'Two things. First: if an order is placed by bank transfer, notify the accountant. Second: once a conversation is closed, send the customer "Bye for now!".',
    gives: {
      flows: [
        flow('order.created', [tell], [when('event.order.payment.method', 'eq', 'bank_transfer')]),
        flow('conversation.closed', [say]),
      ],
    },
  },
  {
    text: 'I want to be notified whenever a product is added to the catalogue.',
    gives: { flows: [flow('product.created', [tell])] },
  },
  {
    text: 'An order with a note came in? Let the team know, with the note.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.note', 'exists', true)])] },
  },
  {
    text: 'If an order contains a note, let the team know about it, with the note.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.note', 'exists', true)])] },
  },
  {
    text: 'Orders going to Austria: when they are paid, call https://at.example/vat with the order id and the total.',
    gives: {
      skills: [skill('https://at.example/vat', 'order_id total')],
      flows: [
        flow(
          'order.paid',
          [call('https://at.example/vat', { ...ORDER, total: '{{event.order.total_amount}}' })],
          [when('event.order.shipping_address.country', 'eq', 'AT')],
        ),
      ],
    },
  },
  {
    text: 'Clients tagged "noisy" who write to us: notify the team at once.',
    gives: { flows: [flow('message.received', [tell], [when('event.contact.tags', 'contains', 'noisy')])] },
  },
  {
    text: 'Once a contact gets the tag wholesale, our team needs to know, and the contact should receive the message "Welcome, partner!"',
    gives: { flows: [flow('contact.tagged', [tell, say], [when('event.added', 'contains', 'wholesale')])] },
  },
  {
    text: 'When the bot hands over to a human, alert the staff with the summary.',
    gives: { flows: [flow('ai.escalation_requested', [tell])] },
  },
  {
    text: 'When an order is shipped, message the customer with the tracking link.',
    gives: { flows: [flow('order.shipped', [say])] },
  },
  {
    text: 'As soon as a payment gets disputed, raise a warning for the team and tag nobody.',
    gives: { flows: [flow('payment.disputed', [warn])] },
    quoted: ['tag nobody'],
  },
  {
    text: 'When an order is paid, print a label and send me a fax.',
    gives: {},
    quoted: ['print a label', 'send me a fax'],
  },
  {
    text: 'When the order status changes to returned, warn the team, but only if the order was over 200 EUR.',
    gives: { flows: [flow('order.status_changed', [warn], [when('event.to', 'eq', 'RETURNED'), ...total('gt', 20_000, 'EUR')])] },
  },
  {
    text: 'If a chat starts on Instagram: tag the customer insta; half an hour later send them "Anything else?"',
    gives: {
      flows: [flow('conversation.started', [tag('insta'), wait(30), say], [when('event.conversation.platform', 'eq', 'instagram')])],
    },
  },
]
