import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { Currency, choice, nullable, Time, Total } from '../schemas.ts'
import { OrderId } from './schema.ts'

const REFUND_STATUSES = ['pending', 'completed', 'failed'] as const

export const RefundId = Type.String({ pattern: idPattern('ref') })
export const PaymentId = Type.String({ pattern: idPattern('pmt') })
export const RefundReason = Type.String({ minLength: 1, maxLength: 500, description: 'Why, in words of your own or the provider’s.' })

export const Refund = Type.Object(
  {
    object: Type.Literal('refund'),
    id: RefundId,
    order_id: OrderId,
    payment_id: nullable(PaymentId, { description: 'What was given back, where that is known.' }),
    reference: nullable(Type.String(), { description: 'The provider’s own id, or one of yours.' }),
    amount: Total,
    currency: Currency,
    reason: nullable(RefundReason),
    full: Type.Boolean({ description: 'With this refund all that was paid was given back.' }),
    status: choice(REFUND_STATUSES, { description: 'pending: the order is cancelled, and this is still to be given back.' }),
    completed_at: nullable(Time),
    created_at: Time,
  },
  { title: 'Refund' },
)
export type Refund = Static<typeof Refund>
