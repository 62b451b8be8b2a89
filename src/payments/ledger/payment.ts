// A payment, made and changed: pure.
import { newId } from '../../ids.ts'
import type { Order } from '../../orders/schema.ts'
import type { Dispute, Payment } from './schema.ts'

/** A payment with what is not shown of it. */
export interface Entry {
  payment: Payment
  /** Stripe's charge. */
  charge: string | null
  /** What the provider says was given back in all, without what came to nothing. */
  told_refunded_amount: number
  /** What it said was given back, and came to nothing: the latest failures, each by the provider's clock, ISO 8601. */
  told_failures: { at: string; amount: number }[]
  /** Up to then, ISO 8601 by the provider's clock, what is known of refunds is a sum: an event from before it adds nothing. */
  told_sum_at: string | null
  /** Each that was told of; the payment shows one. */
  disputes: KnownDispute[]
}

export interface KnownDispute extends Dispute {
  currency: string
  /** When the provider told this of it, ISO 8601 by its clock. */
  at: string
  /** By which event: of two of one moment the same one counts, whichever comes first. */
  event_id: string
  /** The refunds by which a lost one is booked; not there of what was lost before this was noted. */
  booked?: { id: string; amount: number }[]
}

/** A payment of which its provider has told nothing but itself. */
export const UNTOLD: Omit<Entry, 'payment'> = {
  charge: null,
  told_refunded_amount: 0,
  told_failures: [],
  told_sum_at: null,
  disputes: [],
}

export type Origin = Pick<Payment, 'provider' | 'provider_id' | 'reference' | 'amount' | 'currency'> &
  Partial<Pick<Payment, 'order_id' | 'method'>>

/** @param at ISO 8601 */
export const newPayment = (
  { provider, provider_id, reference, amount, currency, ...origin }: Origin,
  status: Payment['status'],
  at: string,
): Payment => ({
  object: 'payment',
  id: newId('pmt'),
  order_id: origin.order_id ?? null,
  provider,
  provider_id,
  reference,
  method: origin.method ?? null,
  amount,
  currency,
  status,
  refunded_amount: 0,
  dispute: null,
  error: null,
  paid_at: null,
  created_at: at,
  updated_at: at,
})

/** Why a payment does not pay its order; undefined where it is exactly what the order still owes. */
export function mismatch(
  order: Order,
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
): NonNullable<Payment['error']> | undefined {
  const owed = order.total_amount - order.paid_amount
  if (amount <= 0) return { code: 'amount_not_positive', message: `A payment of ${amount} pays nothing.` }
  if (owed <= 0) return { code: 'already_paid', message: 'The order is paid already.' }
  if (currency !== order.currency)
    return { code: 'currency_mismatch', message: `The order is in ${order.currency}, the payment in ${currency}.` }
  if (amount !== owed) return { code: 'amount_mismatch', message: `The order owes ${owed}, the payment is of ${amount}.` }
  return undefined
}
