// Events of the generic format. Their shape was checked before they were kept.
import { isId } from '../../ids.ts'
import { check } from '../../ingress/validate.ts'
import type { Naming } from '../../orders/orders.ts'
import { GenericEvent } from './generic-schema.ts'
import { type Ignored, ignored, type PaymentUpdate } from './update.ts'

/** @param receivedAt stands in where the event does not say when it happened */
export function readGeneric(value: unknown, receivedAt: Date): PaymentUpdate | Ignored {
  const [fault] = check(GenericEvent, value)
  // Kept before the format became what it is now.
  if (fault) return ignored(`${fault.field} ${fault.message}`)
  const event = value as GenericEvent
  const told = {
    event_id: event.id,
    at: new Date(event.occurred_at ?? receivedAt).toISOString(),
    reference: event.reference,
    charge: null,
    order: namedBy(event),
    currency: event.currency,
    amount: event.amount,
  }
  const reason = event.reason || null
  switch (event.type) {
    case 'payment.succeeded':
      return { ...told, kind: 'paid' }
    case 'payment.authorized':
      return { ...told, kind: 'authorized' }
    case 'payment.failed':
      return { ...told, kind: 'failed', error: { code: 'payment_failed', message: reason ?? 'The payment failed.' } }
    case 'refund.succeeded':
      return { ...told, ...sameOf(event), kind: 'refund', refund_id: event.refund_id ?? null, reason }
    case 'refund.failed':
      return { ...told, ...sameOf(event), kind: 'refund_failed', refund_id: event.refund_id ?? event.id, reason }
    default:
      return { ...told, kind: 'dispute', id: event.reference, status: DISPUTES[event.type], reason, due_by: null }
  }
}

// A program that tells of a refund twice may give each event an id of its own.
const sameOf = ({ type, reference, refund_id, amount, currency }: GenericEvent): { same?: string } =>
  refund_id === undefined ? {} : { same: JSON.stringify([type, reference, refund_id, amount, currency]) }

/** In Stripe's words, so that a dispute reads the same wherever it was told. */
const DISPUTES = { 'dispute.opened': 'needs_response', 'dispute.won': 'won', 'dispute.lost': 'lost' } as const

function namedBy({ order_id, order_number, external_id }: GenericEvent): Naming | null {
  if (order_id !== undefined) return isId('ord', order_id) ? { id: order_id } : {}
  if (order_number !== undefined) return { number: order_number }
  return external_id === undefined ? null : { external_id }
}
