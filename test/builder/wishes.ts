// What owners of shops and authors of apps wish for, in sentences of many shapes, with what each should give.
import { drop, fieldOf, fieldsOf, flowOf, row } from './edited.ts'
import * as expected from './expected.ts'
import { boats, stepsOf } from './moods.ts'

const { call, DAY, flow, HOUR, known, off, record, resource, say, setting, skill, tag, tell, total, view, wait, warn, when, wrote } =
  expected
const goesTo = (op: string, value: unknown) => when('event.order.shipping_address.country', op, value)
const paid = (steps: Parameters<typeof flow>[1], conditions?: Parameters<typeof flow>[2]) => ({
  flows: [flow('order.paid', steps, conditions)],
})

export const WISHES: expected.Described[] = [
  // What is kept.
  {
    text: 'I need somewhere to write down the allergies of each of my customers: what it is, how bad (mild, moderate or severe) and since when. I want to see that on their page.',
    gives: {
      resources: [resource('allergies', 'name, bad:mild|moderate|severe, since:date', { of: 'contact' })],
      views: [view('contact.tabs', 'allergies')],
    },
  },
  {
    text: 'Can you make a wish list for each contact? A wish has a title, a maximum price and a flag for whether it was fulfilled.',
    gives: { resources: [resource('wishes', 'title, maximum_price:number, fulfilled:boolean', { of: 'contact' })] },
  },
  {
    text: 'Keep two things: gift cards with a code, a balance and an expiry date, and complaints with a subject and a severity of low, medium or high. Both belong to customers.',
    gives: {
      resources: [
        resource('cards', 'code, balance:number, expiry_date:date', { of: 'contact' }),
        resource('complaints', 'subject, severity:low|medium|high', { of: 'contact' }),
      ],
    },
  },
  {
    text: "We're a tailor's shop. For each customer, measurements: chest, waist, hips (all in cm), plus notes. I'd like these in a tab.",
    gives: {
      resources: [resource('measurements', 'chest:number, waist:number, hips:number, notes', { of: 'contact' })],
      views: [view('contact.tabs', 'measurements')],
    },
  },
  {
    text: 'What we need: a place for customer feedback. It has a score between 1 and 5 and a comment.',
    gives: { resources: [resource('feedback', 'score:number, comment')] },
  },
  {
    text: 'I want a resource called "Fabrics" which holds colour, width in cm, and whether it\'s in stock; it should be attached to products.',
    gives: { resources: [resource('fabrics', 'colour, width:number, in_stock:boolean', { of: 'product' })] },
  },
  {
    text: 'Every product should have care instructions: light (low, medium, high) and a note.',
    gives: { resources: [resource('care', 'light:low|medium|high, note', { of: 'product' })] },
  },
  {
    text: "Let's store vehicle registrations for customers: plate, make and model.",
    gives: { resources: [resource('registrations', 'plate, make, model', { of: 'contact' })] },
  },
  // What is nothing to be kept.
  { text: 'Show the last five orders on the dashboard.', gives: {}, quoted: ['last five orders'] },
  // What happens and what is done.
  { text: "As soon as somebody pays for their order we'd like to give them the tag buyer.", gives: paid([tag('buyer')]) },
  {
    text: 'A contact who is tagged wholesale triggers a note to the team.',
    gives: { flows: [flow('contact.tagged', [tell], [when('event.added', 'contains', 'wholesale')])] },
  },
  { text: 'Greet new chats with "Hi there! What can we do for you?"', gives: { flows: [flow('conversation.started', [say])] } },
  {
    text: 'The customer should get a message after payment. The message: "Thanks for shopping with us!"',
    gives: paid([say]),
  },
  {
    text: "On every paid order I'd like these three things: tag the customer paid, wait 3 hours, tell the team.",
    gives: paid([tag('paid'), wait(3 * HOUR), tell]),
  },
  { text: "When an order is paid and it isn't going to Germany, tag them abroad.", gives: paid([tag('abroad')], [goesTo('ne', 'DE')]) },
  {
    text: 'When an order not paid by card is created, notify the team.',
    gives: { flows: [flow('order.created', [tell], [when('event.order.payment.method', 'ne', 'card')])] },
  },
  {
    text: 'When an order that does not go to Germany or Austria is paid, tag them abroad.',
    gives: paid([tag('abroad')], [goesTo('not_in', ['DE', 'AT'])]),
  },
  {
    text: 'As soon as stock falls under three pieces, email the admins.',
    gives: { flows: [flow('product.low_stock', [warn], [when('event.available', 'lt', 3)])] },
  },
  {
    text: 'Post every paid order to https://books.example/in. Pass the order number and the total.',
    gives: {
      skills: [skill('https://books.example/in', 'order_number total')],
      ...paid([call('https://books.example/in', { order_number: '{{event.order.number}}', total: '{{event.order.total_amount}}' })]),
    },
  },
  {
    text: 'Log each refund as a record in "payouts" with the amount and the reason, and show the payouts on a dashboard page.',
    gives: {
      resources: [resource('payouts', 'amount:number, reason')],
      views: [view('dashboard.page', 'payouts')],
      flows: [flow('order.refunded', [record('payouts', { amount: '{{event.refund.amount}}', reason: '{{event.refund.reason}}' })])],
    },
  },
  {
    text: 'When a message comes in, forward it to https://bot.example/in with the text, unless the customer is tagged vip.',
    gives: {
      skills: [skill('https://bot.example/in', 'text')],
      flows: [off(flow('message.received', [call('https://bot.example/in', { text: '{{event.message.text}}' })]))],
    },
    quoted: ['unless the customer is tagged vip'],
  },
  { text: 'When an order is paid, tag the customer by country.', gives: {}, quoted: ['tag the customer by country'] },
  {
    text: 'Customers whose paid order is between 50 and 100 pounds are to be tagged mid.',
    gives: paid(
      [tag('mid')],
      [
        when('event.order.total_amount', 'gte', 5_000),
        when('event.order.total_amount', 'lte', 10_000),
        when('event.order.currency', 'eq', 'GBP'),
      ],
    ),
  },
  {
    text: 'When an order under £20 gets paid, do nothing except tag the customer as small.',
    gives: paid([tag('small')], total('lt', 2_000, 'GBP')),
  },
  {
    text: 'When an order is paid, tag the customer as vip if it is over 500, otherwise tag the customer as standard.',
    gives: paid([
      { ...tag('vip'), conditions: total('gt', 50_000) },
      { ...tag('standard'), conditions: total('lte', 50_000) },
    ]),
  },
  {
    text: 'When someone pays, a) tag them as customer b) wait 2 weeks c) send them "Time for a refill?"',
    gives: paid([tag('customer'), wait(14 * DAY), say]),
  },
  {
    text: 'Could you build me something that texts people "Your order is paid, thank you!" after they pay, exept for orders below 10 euros?',
    gives: paid([say], total('gte', 1_000)),
  },
  // Skills, settings, knowledge.
  {
    text: 'Our assistant can reserve a table: https://book.example/reserve, needs a name and a date.',
    gives: { skills: [skill('https://book.example/reserve', 'date name')] },
  },
  {
    text: 'Let the shop owner set a minimum order value (number, required).',
    gives: { config: setting('minimum_order_value:number!') },
  },
  {
    text: "Let the bot know that gift wrapping costs 3 dollars and that we don't deliver on Sundays.",
    gives: { knowledge: known('Gift wrapping costs 3 dollars.', "We don't deliver on Sundays.") },
  },
  // Edits.
  row(boats, "We don't need the day date any more, please take it out.", parts => {
    drop(fieldsOf(parts), 'day')
    stepsOf(parts, 'keep').map(step => 'values' in step && delete step.values['day'])
  }),
  row(boats, 'Get rid of the value full.', parts =>
    Object.assign(fieldOf(parts, 'state'), { type: 'enum', enumValues: ['open', 'full'].slice(0, 1) }),
  ),
  row(boats, 'Add an optional field named note to trips.', parts => fieldsOf(parts).push({ name: 'note', type: 'string' })),
  row(boats, 'Seats should be a whole number, required.', parts => Object.assign(fieldOf(parts, 'seats'), { required: true })),
  row(boats, 'Damages may be written by the assistant, but not read.', ({ resources }) =>
    Object.assign(resources[1] as object, { allowAiWrite: true }),
  ),
  row(boats, 'The assistant may still read trips but is not to write them any more.', () => {}),
  row(boats, 'The boat should no longer be required.', parts => delete fieldOf(parts, 'boat').required),
  row(boats, 'Weight is now one of light, normal or heavy instead of yes or no.', parts =>
    Object.assign(fieldOf(parts, 'weight', 1), { enumValues: ['light', 'normal', 'heavy'] }),
  ),
  row(boats, 'Stop tagging people as sailor.', parts => stepsOf(parts, 'paid').splice(0, 1)),
  row(boats, 'Please delete the greeting.', parts => drop(parts.flows, 'hello')),
  row(boats, 'Also look for the word "stolen" in messages and warn the team then.', parts =>
    parts.flows.push(flow('message.received', [warn], wrote('stolen'))),
  ),
  row(boats, 'Put a two hour wait in front of the notification for paid orders.', parts =>
    stepsOf(parts, 'paid').splice(1, 0, wait(2 * HOUR)),
  ),
  row(boats, "Don't tag people as sailor if the order is from Austria.", parts =>
    Object.assign(stepsOf(parts, 'paid')[0] as object, { conditions: [goesTo('ne', 'AT')] }),
  ),
  row(boats, 'Hello message: "Ahoy!"', () => {}),
  row(boats, 'Raise the limit for paid orders from 50 to 75.', parts =>
    Object.assign(flowOf(parts, 'paid'), { conditions: total('gte', 7_500) }),
  ),
  row(boats, 'After tagging the sailor, wait a day.', parts => stepsOf(parts, 'paid').splice(1, 0, wait(DAY))),
]
