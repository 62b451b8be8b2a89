import { type Static, Type } from 'typebox'
import { idPattern } from '../../ids.ts'
import { conflict } from '../../ingress/problem-schemas.ts'
import { PaymentId, RefundId, RefundReason } from '../../orders/refund-schema.ts'
import { OrderId, PAYMENT_METHODS } from '../../orders/schema.ts'
import { Amount, anyCase, Currency, choice, nullable, strict, Time, Total } from '../../schemas.ts'

export const PROVIDERS = ['stripe', 'generic', 'manual'] as const
export const PAYMENT_STATUSES = ['authorized', 'paid', 'failed', 'mismatched', 'unmatched'] as const

const ProviderId = Type.String({ pattern: idPattern('pay') })
const Reference = Type.String({ minLength: 1, maxLength: 255 })

const Fault = Type.Object({
  code: Type.String({ description: 'Why it failed, in the provider’s word, or why it pays no order.' }),
  message: Type.String(),
})

const Dispute = Type.Object({
  id: Type.String(),
  status: Type.String({ description: 'The provider’s word, such as needs_response, won or lost.' }),
  reason: nullable(Type.String()),
  amount: Type.Integer(),
  due_by: nullable(Time, { description: 'Until when the provider takes your answer.' }),
})
export type Dispute = Static<typeof Dispute>

export const Payment = Type.Object(
  {
    object: Type.Literal('payment'),
    id: PaymentId,
    order_id: nullable(OrderId),
    provider: choice(PROVIDERS, { description: 'manual: recorded by hand.' }),
    provider_id: nullable(ProviderId),
    reference: nullable(Type.String(), { description: 'The provider’s own id of it; unique for a provider.' }),
    method: nullable(choice(PAYMENT_METHODS)),
    amount: Type.Integer({ description: 'In minor units, as the provider told it: where it is mismatched, it may be zero or negative.' }),
    currency: Type.String({ description: 'An ISO 4217 code in upper case.' }),
    status: choice(PAYMENT_STATUSES, {
      description:
        'mismatched: it is not what its order still owes. unmatched: it names no order. Neither pays anything before it is accepted.',
    }),
    refunded_amount: Total,
    dispute: nullable(Dispute, { description: 'The dispute to be answered first; where all are decided, the last decided.' }),
    error: nullable(Fault),
    paid_at: nullable(Time),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Payment' },
)
export type Payment = Static<typeof Payment>

const Positive = { ...Amount, minimum: 1 } as typeof Amount
const OwnReference = Type.Optional(nullable(Reference, { description: 'An id of yours, such as a receipt’s number.' }))

export const NewPayment = strict(
  {
    amount: Type.Optional({ ...Positive, description: 'In minor units; what is still owed, unless given, and no more than that.' }),
    method: Type.Optional(anyCase(PAYMENT_METHODS, { description: 'As the order was placed, unless given.' })),
    reference: OwnReference,
    paid_at: Type.Optional({ ...Time, description: 'When it was paid; now, unless given.' }),
  },
  { title: 'NewPayment' },
)
export type NewPayment = Static<typeof NewPayment>

export const NewRefund = strict(
  {
    amount: Type.Optional({ ...Positive, description: 'In minor units; all that was paid and not given back, unless given.' }),
    reason: Type.Optional(nullable(RefundReason)),
    reference: OwnReference,
  },
  { title: 'NewRefund' },
)
export type NewRefund = Static<typeof NewRefund>

export const Acceptance = strict(
  { order_id: Type.Optional({ ...OrderId, description: 'The order that an unmatched payment is for.' }) },
  { title: 'Acceptance' },
)
export type Acceptance = Static<typeof Acceptance>

const owed = { owed_amount: Type.Integer({ description: 'What the order still owes.' }) }
export const AlreadyPaid = conflict('already_paid', owed)
export const PaymentTooLarge = conflict('payment_too_large', owed)
export const RefundTooLarge = conflict('refund_too_large', {
  refundable_amount: Type.Integer({ description: 'What was paid and not given back.' }),
})
export const DuplicateRefund = conflict('duplicate_refund')
export const AlreadyTold = conflict('already_told', { refund_id: RefundId })
/** The Location header names the payment too. */
export const DuplicateReference = conflict('duplicate_reference', { payment_id: PaymentId })
export const NotAcceptable = [
  conflict('payment_settled', { payment_status: choice(PAYMENT_STATUSES) }),
  conflict('amount_not_positive'),
  conflict('currency_mismatch', { currency: Currency }),
  conflict('payment_refunded'),
  conflict('sum_too_large'),
]
