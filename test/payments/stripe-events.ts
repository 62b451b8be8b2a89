// Stripe's events in the shape of its own pages (https://docs.stripe.com/api/events/types, November 2026), with as many fields as matter and a few that
// do not; typed by Stripe's package, and signed by it.
import { Stripe } from 'stripe'

const stripe = new Stripe('sk_test_unused')
export const SECRET = `whsec_${'5e'.repeat(32)}`

/** The header that Stripe would send with this body. @param timestamp seconds since 1970 */
export const signature = (payload: string, secret = SECRET, timestamp = Math.floor(Date.now() / 1000)): string =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

let made = 0
/** 2026-05-28T20:26:40Z */
const BEGAN = 1_780_000_000

export interface StripeEvent {
  id: string
  object: 'event'
  type: string
  created: number
  data: { object: Record<string, unknown>; previous_attributes?: Record<string, unknown> }
  [field: string]: unknown
}

/** @param over members of the event itself */
export const event = (
  type: Stripe.Event.Type | (string & {}),
  object: Record<string, unknown>,
  over: Partial<StripeEvent> & { previous?: object } = {},
): StripeEvent => {
  const { previous, ...rest } = over
  const n = ++made
  return {
    id: `evt_1RTx${n}`,
    object: 'event',
    api_version: '2026-10-29.clover',
    created: BEGAN + n,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...rest,
    data: { object, ...(previous && { previous_attributes: previous as Record<string, unknown> }) },
  }
}

type Of<T> = { [K in keyof T]?: unknown }

export const session = (over: Of<Stripe.Checkout.Session> = {}): Record<string, unknown> => ({
  id: 'cs_test_a1',
  object: 'checkout.session',
  amount_subtotal: 4900,
  amount_total: 4900,
  client_reference_id: null,
  currency: 'eur',
  customer_details: { email: 'ada@example.com' },
  livemode: false,
  metadata: {},
  mode: 'payment',
  payment_intent: 'pi_1',
  payment_status: 'paid',
  status: 'complete',
  ...over,
})

export const intent = (over: Of<Stripe.PaymentIntent> = {}): Record<string, unknown> => ({
  id: 'pi_1',
  object: 'payment_intent',
  amount: 4900,
  amount_capturable: 0,
  amount_received: 4900,
  capture_method: 'automatic_async',
  currency: 'eur',
  last_payment_error: null,
  latest_charge: 'ch_1',
  metadata: {},
  status: 'succeeded',
  ...over,
})

export const charge = (over: Of<Stripe.Charge> = {}): Record<string, unknown> => ({
  id: 'ch_1',
  object: 'charge',
  amount: 4900,
  amount_captured: 4900,
  amount_refunded: 4900,
  captured: true,
  currency: 'eur',
  metadata: {},
  payment_intent: 'pi_1',
  refunded: true,
  status: 'succeeded',
  ...over,
})

export const refund = (over: Of<Stripe.Refund> = {}): Record<string, unknown> => ({
  id: 're_1',
  object: 'refund',
  amount: 4900,
  charge: 'ch_1',
  currency: 'eur',
  failure_reason: 'lost_or_stolen_card',
  metadata: {},
  payment_intent: 'pi_1',
  status: 'failed',
  ...over,
})

export const dispute = (over: Of<Stripe.Dispute> = {}): Record<string, unknown> => ({
  id: 'dp_1',
  object: 'dispute',
  amount: 4900,
  charge: 'ch_1',
  currency: 'eur',
  evidence_details: { due_by: 1_781_000_000, has_evidence: false, past_due: false, submission_count: 0 },
  metadata: {},
  payment_intent: 'pi_1',
  reason: 'product_not_received',
  status: 'needs_response',
  ...over,
})
