// What a provider tells about money, in the words of this service: each provider's events are read into these.
import type { Naming } from '../../orders/orders.ts'

interface Told {
  /** The provider's id of the event: it is taken once. */
  event_id: string
  /** The provider's clock, ISO 8601 with milliseconds. */
  at: string
  /** The provider's id of the payment: Stripe's payment intent, else its checkout session. */
  reference: string | null
  /** Stripe's charge, by which refunds and disputes may name a payment alone. */
  charge: string | null
  /** Which order, where the event says so itself. */
  order: Naming | null
  currency: string
  /** Two events with the same are of one refund, whatever their ids. */
  same?: string
}

/** Amounts are integers in minor units. */
export type PaymentUpdate =
  | (Told & { kind: 'paid' | 'authorized'; amount: number })
  | (Told & { kind: 'failed'; amount: number; error: { code: string; message: string } })
  /**
   * So much was given back in all, of this payment; before the last refund it was `before`, where the provider says so.
   */
  | (Told & { kind: 'refunded'; amount: number; total: number; before: number | null })
  /** One refund. @property refund_id null: the event alone tells it from others */
  | (Told & { kind: 'refund'; amount: number; refund_id: string | null; reason: string | null })
  | (Told & { kind: 'refund_failed'; amount: number; refund_id: string; reason: string | null })
  /** @property status the provider's word; `won`, `lost`, `warning_closed` and `prevented` are final */
  | (Told & { kind: 'dispute'; id: string; status: string; reason: string | null; amount: number; due_by: string | null })

/** Nothing to book: @property reason in plain English */
export interface Ignored {
  kind: 'ignored'
  reason: string
}

export const ignored = (reason: string): Ignored => ({ kind: 'ignored', reason })
