import { Type } from 'typebox'
import { defineEvent } from '../events/emit.ts'
import { choice, nullable, Time } from '../schemas.ts'
import * as example from './example.ts'
import { CANCEL_REASONS, Order, OrderId } from './schema.ts'

const snapshot = { order_id: OrderId, order: Order }
const Status = Order.properties.status
const of = (order: Order) => ({ order_id: order.id, order })

export const OrderCreated = defineEvent('order.created', 'An order was placed, here or in an external CRM.', Type.Object(snapshot), {
  example: of(example.placed),
})

export const OrderShipped = defineEvent(
  'order.shipped',
  'A waybill was issued and the order moved to SHIPPED.',
  Type.Object({ ...snapshot, fulfillment: Order.properties.fulfillment, previous_status: Status }),
  { example: { ...of(example.shipped), fulfillment: example.shipped.fulfillment, previous_status: 'confirmed' } },
)

export const OrderCancelled = defineEvent(
  'order.cancelled',
  'The order was cancelled and its stock released.',
  Type.Object({ ...snapshot, reason: choice(CANCEL_REASONS), previous_status: Status, refund_pending: Type.Boolean() }),
  { example: { ...of(example.cancelled), reason: 'customer', previous_status: 'pending', refund_pending: false } },
)

export const OrderStatusChanged = defineEvent(
  'order.status_changed',
  'The order moved from one status to another.',
  Type.Object({
    ...snapshot,
    from: Status,
    to: Status,
    actor: Type.Object({ type: Type.String(), id: nullable(Type.String()) }),
    reason: nullable(Type.String()),
  }),
  {
    example: {
      ...of(example.shipped),
      from: 'confirmed',
      to: 'SHIPPED',
      actor: { type: 'api_key', id: 'key_01jz0000000000000000000000' },
      reason: null,
    },
  },
)

export const OrderPaid = defineEvent(
  'order.paid',
  'All of the order is paid: a payment was confirmed.',
  Type.Object({ ...snapshot, payment: Order.properties.payment }),
  {
    example: { ...of(example.paid), payment: example.paid.payment },
  },
)

export const OrderRefunded = defineEvent(
  'order.refunded',
  'A refund completed; `full` where with it all that was paid was given back.',
  Type.Object({
    ...snapshot,
    refund: Type.Object({
      id: Type.String(),
      amount: Type.Integer(),
      currency: Type.String(),
      reason: nullable(Type.String()),
      full: Type.Boolean(),
      completed_at: Time,
    }),
  }),
  {
    example: {
      ...of(example.refunded),
      refund: {
        id: 'ref_01jz0000000000000000000000',
        amount: example.refunded.refunded_amount,
        currency: example.refunded.currency,
        reason: null,
        full: true,
        completed_at: '2026-05-29T09:15:00.000Z',
      },
    },
  },
)

export const events = [OrderCreated, OrderPaid, OrderShipped, OrderCancelled, OrderRefunded, OrderStatusChanged]
