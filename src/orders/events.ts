import { Type } from 'typebox'
import { defineEvent } from '../events/emit.ts'
import { choice, nullable, Time } from '../shapes.ts'
import { CANCEL_REASONS, Order, OrderId } from './schema.ts'

const snapshot = { order_id: OrderId, order: Order }
const Status = Order.properties.status

export const OrderCreated = defineEvent('order.created', 'An order was placed, here or in an external CRM.', Type.Object(snapshot))

export const OrderShipped = defineEvent(
  'order.shipped',
  'A waybill was issued and the order moved to SHIPPED.',
  Type.Object({ ...snapshot, fulfillment: Order.properties.fulfillment, previous_status: Status }),
)

export const OrderCancelled = defineEvent(
  'order.cancelled',
  'The order was cancelled and its stock released.',
  Type.Object({ ...snapshot, reason: choice(CANCEL_REASONS), previous_status: Status, refund_pending: Type.Boolean() }),
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
)

const OrderPaid = defineEvent('order.paid', 'A payment was confirmed.', Type.Object({ ...snapshot, payment: Order.properties.payment }))

const OrderRefunded = defineEvent(
  'order.refunded',
  'A refund completed.',
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
)

export const events = [OrderCreated, OrderPaid, OrderShipped, OrderCancelled, OrderRefunded, OrderStatusChanged]
