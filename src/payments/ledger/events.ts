import { Type } from 'typebox'
import { defineEvent } from '../../events/emit.ts'
import { PaymentId } from '../../orders/refund-schema.ts'
import { OrderId } from '../../orders/schema.ts'
import { nullable } from '../../schemas.ts'
import { disputed, mismatched } from './example.ts'
import { Payment } from './schema.ts'

const data = Type.Object({ payment_id: PaymentId, payment: Payment, order_id: nullable(OrderId) })
const of = (payment: Payment) => ({ payment_id: payment.id, payment, order_id: payment.order_id })

export const PaymentMismatched = defineEvent(
  'payment.mismatched',
  'A payment came that is not exactly what its order still owes: the order is untouched, and a person has to decide.',
  data,
  { webhook: false, example: of(mismatched) },
)

export const PaymentDisputed = defineEvent(
  'payment.disputed',
  'A customer disputes a payment at their bank. `payment.dispute` is that dispute.',
  data,
  {
    webhook: false,
    example: of(disputed),
  },
)

export const events = [PaymentMismatched, PaymentDisputed]
