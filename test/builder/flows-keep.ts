// What flows keep: records that they make, in very different voices, with what each should give.
import * as expected from './expected.ts'

const { call, flow, record, resource, say, skill, wrote } = expected

export const FLOWS_KEEP: expected.Described[] = [
  // Records that flows make.
  {
    text: 'Stamps: count (number, required), given on (date). They belong to customers. For each paid order, a stamp should be saved with count 1.',
    gives: {
      resources: [resource('stamps', 'count:number!, given_on:date', { of: 'contact' })],
      flows: [flow('order.paid', [record('stamps', { count: 1 })])],
    },
  },
  {
    text: 'When a message contains "repair", open a ticket with the text of the message and status new. Tickets have a text (required) and a status of new, doing or done. They are linked to contacts and the assistant can see them.',
    gives: {
      resources: [resource('tickets', 'text!, status:new|doing|done', { of: 'contact', read: true })],
      flows: [flow('message.received', [record('tickets', { text: '{{event.message.text}}', status: 'new' })], wrote('repair'))],
    },
  },
  {
    text: 'After an order is paid, call https://keys.example/new with the email, save a licence with the key from the response, and tell the customer "Thanks, your licence is ready." Licences: key (text, required), active (yes/no). They belong to the contact.',
    gives: {
      resources: [resource('licences', 'key!, active:boolean', { of: 'contact' })],
      skills: [skill('https://keys.example/new', 'email')],
      flows: [
        flow('order.paid', [
          call('https://keys.example/new', { email: '{{event.order.customer.email}}' }),
          record('licences', { key: '{{steps.call.output.key}}' }),
          say,
        ]),
      ],
    },
  },
]
