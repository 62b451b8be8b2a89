import { type Static, Type } from 'typebox'
import { open } from '../ingress/mcp/shapes.ts'
import { STATUSES, type Status } from '../orders/lifecycle.ts'
import { nullable, Time } from '../schemas.ts'

export const PERIODS = ['today', '7d', '30d'] as const
export type Period = (typeof PERIODS)[number]

/** The days of a period, today included. */
export const DAYS: Record<Period, number> = { today: 1, '7d': 7, '30d': 30 }

const Count = Type.Integer()
const Money = Type.Integer({ description: 'In minor units of currency, such as cents.' })
const ByStatus = Type.Object(Object.fromEntries(STATUSES.map(status => [status, Count])) as Record<Status, typeof Count>)

export const Figures = Type.Object({
  period: open({
    name: Type.String(),
    from: { ...Time, description: 'The workspace’s local midnight at which the period began, in UTC.' },
    to: { ...Time, description: 'The moment of this answer, in UTC.' },
    time_zone: Type.String({ description: 'Of the workspace: its days begin at midnight there.' }),
  }),
  currency: Type.String({ description: 'Of the workspace, and of all amounts but those in other_currencies.' }),
  orders: open({
    count: { ...Count, description: 'Orders created in the period.' },
    by_status: { ...ByStatus, description: 'The same by their status now.' },
  }),
  revenue: open({
    paid_amount: { ...Money, description: 'Received in the period, for whichever order; in minor units, such as cents.' },
    refunded_amount: { ...Money, description: 'Given back in the period, of whichever order.' },
    average_order_amount: { ...Money, description: 'Of orders created in the period and not CANCELLED; 0 where there is none.' },
  }),
  other_currencies: Type.Array(open({ currency: Type.String(), orders: Count, paid_amount: Count, refunded_amount: Count })),
  conversations: open({
    started: Count,
    inbound: { ...Count, description: 'Messages of customers.' },
    ai_replies: { ...Count, description: 'Messages of the shop’s assistant.' },
    human_takeovers: { ...Count, description: 'How often a person answered and so paused the assistant.' },
    escalations: { ...Count, description: 'How often the assistant asked for a person.' },
  }),
  top_products: Type.Array(
    open({
      product_id: Type.String(),
      name: Type.String(),
      sku: nullable(Type.String()),
      quantity: { ...Count, description: 'Pieces in orders created in the period and not CANCELLED.' },
      amount: Money,
    }),
  ),
  by_day: Type.Array(
    open({ date: Type.String({ description: 'As the workspace’s calendar says.' }), orders: Count, paid_amount: Money, inbound: Count }),
  ),
})
export type Figures = Static<typeof Figures>
