// The cases in which alone something is done, wherever they are said, of all that a flow does or of one of its steps; and one or the other of two.
import { flowOf, row, same } from './edited.ts'
import * as expected from './expected.ts'
import { boats } from './moods.ts'

const { flow, HOUR, off, say, tag, tell, total, wait, warn, when, wrote } = expected
const only = (step: typeof say, ...conditions: ReturnType<typeof when>[]) => ({ ...step, conditions })
const REGULAR = [tag('regular'), tell]
const paid = (steps: (typeof say)[], conditions?: ReturnType<typeof total>) => ({ flows: [flow('order.paid', steps, conditions)] })
const goesTo = (...codes: string[]) =>
  codes.length === 1
    ? when('event.order.shipping_address.country', 'eq', codes[0])
    : when('event.order.shipping_address.country', 'in', codes)
const BIG = total('gt', 4_000, 'USD')

export const LIMITS: expected.Described[] = [
  ...[
    'Do it all only for orders above 40 dollars.',
    'This applies to orders above 40 dollars only.',
    'Both only for orders above 40 dollars.',
    'It should only happen for orders above 40 dollars.',
    'Limit this to orders above 40 dollars.',
    'The order must be above 40 dollars.',
    'All of that if it is above 40 dollars only.',
  ].map(text => ({ text: `When an order is paid, tag the customer as regular and notify the team. ${text}`, gives: paid(REGULAR, BIG) })),
  {
    text: 'When an order is paid, tag the customer as regular, notify the team and send them "Thanks!" - all of this only for orders over 40 dollars.',
    gives: paid([...REGULAR, say], BIG),
  },
  {
    text: 'When an order is paid, tag the customer as regular, wait an hour and notify the team, but only for orders over 100 euros going to Austria or Germany.',
    gives: paid([tag('regular'), wait(HOUR), tell], [...total('gt', 10_000, 'EUR'), goesTo('AT', 'DE')]),
  },
  {
    text: 'When an order is paid, tag the customer as regular and notify the team. The notification is only for orders above 40 dollars.',
    gives: paid([tag('regular'), only(tell, ...BIG)]),
  },
  {
    text: 'When an order is paid, tag the customer as regular and notify the team. Never tag them for orders below 5 dollars.',
    gives: paid([only(tag('regular'), ...total('gte', 500)), tell]),
  },
  {
    text: 'When an order is paid, tag the customer as regular and, if it is over 40 dollars, notify the team.',
    gives: paid([tag('regular'), only(tell, ...BIG)]),
  },
  // A case before what is done in it is of all that follows, and not of the wait before it.
  {
    text: 'Three days after an order is shipped, if it was over 40 dollars, ask the customer "Would you review us?" and tag them asked.',
    gives: { flows: [flow('order.shipped', [wait(72 * HOUR), say, tag('asked')], BIG)] },
  },
  {
    text: 'When an order is paid, tag the customer as regular, wait an hour, if it is over 40 dollars, notify the team and tag them big.',
    gives: paid([tag('regular'), wait(HOUR), only(tell, ...BIG), only(tag('big'), ...BIG)]),
  },
  {
    text: 'When an order is paid, tag the customer as regular, if it is over 40 dollars, and notify the team.',
    gives: paid([only(tag('regular'), ...BIG), tell]),
  },
  {
    text: 'When an order is paid, tag the customer as regular and notify the team. Only do this for orders from Germany, Austria or Switzerland.',
    gives: paid(REGULAR, [goesTo('DE', 'AT', 'CH')]),
  },
  {
    text: 'When an order is paid by card or bank transfer, tag the customer quick unless it goes to Italy or Malta.',
    gives: paid(
      [tag('quick')],
      [
        when('event.order.payment.method', 'in', ['card', 'bank_transfer']),
        when('event.order.shipping_address.country', 'not_in', ['IT', 'MT']),
      ],
    ),
  },
  {
    text: 'Orders of 75 dollars or more, when paid: tag vip, notify team. Except when they ship to Canada.',
    gives: paid([tag('vip'), tell], [...total('gte', 7_500, 'USD'), when('event.order.shipping_address.country', 'ne', 'CA')]),
  },
  {
    text: 'Only when an order of more than 100 euros is paid should the team be notified.',
    gives: paid([tell], total('gt', 10_000, 'EUR')),
  },
  // One or the other is a flow each, and what cannot be asked for disables.
  {
    text: 'Paid orders over 1,000 EUR or from Switzerland should be notified to the team.',
    gives: { flows: [flow('order.paid', [tell], total('gt', 100_000, 'EUR')), flow('order.paid', [tell], [goesTo('CH')])] },
  },
  {
    text: 'When a message on WhatsApp or Viber mentions "help", warn the team.',
    gives: {
      flows: [flow('message.received', [warn], [...wrote('help'), when('event.conversation.platform', 'in', ['whatsapp', 'viber'])])],
    },
  },
  {
    text: 'When an order is paid, notify the team if it is over 100 euros or goes to Switzerland.',
    gives: { flows: [off(flow('order.paid', [tell]))] },
    quoted: ['over 100 euros or goes to Switzerland'],
  },
  {
    text: 'When an order is paid, tag the customer as regular and notify the team. This is for blue orders only.',
    gives: { flows: [off(flow('order.paid', REGULAR))] },
    quoted: ['This is for blue orders only'],
  },
  // Whom nobody named is no tag.
  { text: 'When an order is paid, tag the customer.', gives: {}, quoted: ['tag the customer'] },
  row(boats, 'The tag sailor is only for orders going to Poland.', parts =>
    Object.assign(flowOf(parts, 'paid').steps[0] as object, { conditions: [goesTo('PL')] }),
  ),
  row(boats, 'The blue tag is only for orders going to Poland.', same, ['The blue tag']),
]
