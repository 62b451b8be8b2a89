// Stripe's events as what they say of a payment. The rows are those of docs/payments.md; whatever is not among them is ignored.
// Format: https://docs.stripe.com/api/events/types (November 2026). The names of fields are checked against the types of Stripe's own package.
import type { Stripe } from 'stripe'
import { isId } from '../../ids.ts'
import type { Naming } from '../../orders/orders.ts'
import { currency, type Fields, fieldsOf, id, idOf, instant, integer, text } from './fields.ts'
import { type Ignored, ignored, type PaymentUpdate } from './update.ts'

type Read = (from: Event) => PaymentUpdate | Ignored
interface Event {
  event_id: string
  at: string
  object: unknown
  /** What has changed since the event before, as it was then. */
  previous: unknown
  /** Stripe's version of the API in whose words the object is: `2026-10-29.clover`. */
  version: string
}

const READERS: Record<string, Read> = {
  'checkout.session.completed': from =>
    fieldsOf<Stripe.Checkout.Session>(from.object).payment_status === 'paid' ? session(from) : ignored('The session is not paid yet.'),
  'checkout.session.async_payment_succeeded': session,
  'checkout.session.async_payment_failed': sessionFailed,
  'payment_intent.succeeded': from => intent(from, 'paid', 'amount_received'),
  'payment_intent.amount_capturable_updated': from => intent(from, 'authorized', 'amount_capturable'),
  'payment_intent.payment_failed': intentFailed,
  'charge.refunded': refunded,
  'refund.failed': refundFailed,
  'refund.updated': refundUpdated,
  'charge.refund.updated': refundUpdated,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
}

/** A refund for which the customer had to do something first can be canceled: https://docs.stripe.com/api/refunds/object#refund_object-status */
const CAME_TO_NOTHING = ['failed', 'canceled']

/** The types of events that are read: those to subscribe to. */
export const STRIPE_TYPES = Object.keys(READERS)

/** Whether a callback is an event of Stripe's; anything else is of the generic format. */
export const isStripe = (value: unknown): boolean => fieldsOf<Stripe.Event>(value).object === 'event'

export function readStripe(value: unknown): PaymentUpdate | Ignored {
  const { id: event, object: v2, type, created, data, api_version } = fieldsOf<Stripe.Event>(value)
  const { object, previous_attributes } = fieldsOf<Stripe.Event.Data>(data)
  const [event_id, at] = [id(event), instant(created)]
  if (text(v2) === 'v2.core.event') return ignored('It is a thin event, which does not say what was paid: choose snapshots at Stripe.')
  if (event_id === null || at === null) return ignored('It is no event of Stripe: it has no id or no time.')
  const read = typeof type === 'string' && Object.hasOwn(READERS, type) ? READERS[type] : undefined
  return read
    ? read({ event_id, at, object, previous: previous_attributes, version: text(api_version) ?? '' })
    : ignored(`${text(type) ?? 'This'} is no type of event that says what was paid.`)
}

function session(from: Event): PaymentUpdate | Ignored {
  return ofSession(from, amount => ({ kind: 'paid', amount }))
}

function sessionFailed(from: Event): PaymentUpdate | Ignored {
  const error = { code: 'async_payment_failed', message: 'The payment did not come.' }
  return ofSession(from, amount => ({ kind: 'failed', amount, error }))
}

function ofSession(from: Event, own: (amount: number) => Own): PaymentUpdate | Ignored {
  const object = fieldsOf<Stripe.Checkout.Session>(from.object)
  const names = { reference: idOf(object.payment_intent) ?? id(object.id), order: namedBy(object) }
  return money(from, names, object.amount_total, object.currency, own)
}

function intent(from: Event, kind: 'paid' | 'authorized', field: 'amount_received' | 'amount_capturable'): PaymentUpdate | Ignored {
  const object = fieldsOf<Stripe.PaymentIntent>(from.object)
  return money(from, ofIntent(object), object[field], object.currency, amount => ({ kind, amount }))
}

function intentFailed(from: Event): PaymentUpdate | Ignored {
  const object = fieldsOf<Stripe.PaymentIntent>(from.object)
  const told = fieldsOf<NonNullable<Stripe.PaymentIntent['last_payment_error']>>(object.last_payment_error)
  const error = {
    code: text(told.decline_code) ?? text(told.code) ?? 'payment_failed',
    message: text(told.message) ?? 'The payment failed.',
  }
  return money(from, ofIntent(object), object.amount, object.currency, amount => ({ kind: 'failed', amount, error }))
}

const ofIntent = (object: Fields<Stripe.PaymentIntent>) => ({
  reference: id(object.id),
  charge: idOf(object.latest_charge),
  order: namedBy(object),
})

function refunded(from: Event): PaymentUpdate | Ignored {
  const object = fieldsOf<Stripe.Charge>(from.object)
  const [charge, told] = [id(object.id), integer(object.amount_refunded)]
  const before = integer(fieldsOf<Stripe.Charge>(from.previous).amount_refunded)
  const captured = capturedOf(object)
  const rest = countsReleases(from) ? Math.max(0, wholeOf(object) - captured) : 0
  // It is released once: what is given back later may be as much.
  const isRelease = told !== null && before !== null && before < rest && told - before === rest
  if (captured === 0 || isRelease) return ignored('It was authorized and not captured: what was never paid is released.')
  // The refunds that come between several captures come before anything is released.
  const released = told !== null && (before ?? told) >= rest ? rest : 0
  const names = { reference: idOf(object.payment_intent), charge, order: namedBy(object) }
  return money(from, names, told === null ? null : told - released, object.currency, (total, minor) => ({
    kind: 'refunded',
    amount: minor(captured) ?? total,
    total,
    before: before === null ? null : minor(before - released),
    ...(before !== null && { same: `charge.refunded ${charge} ${before} ${told} ${from.at}` }),
  }))
}

/** What was paid of a charge. */
const capturedOf = (charge: Fields<Stripe.Charge>): number =>
  charge.captured === false ? 0 : (integer(charge.amount_captured) ?? wholeOf(charge))

const wholeOf = ({ amount }: Fields<Stripe.Charge>): number => integer(amount) ?? 0

/**
 * Whether `amount_refunded` counts what was authorized and is released, as it did in older versions of Stripe's API:
 * https://docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
 */
const countsReleases = ({ version }: Event): boolean => /^\d{4}-\d\d-\d\d/.test(version) && version < '2025-03-31'

function refundUpdated(from: Event): PaymentUpdate | Ignored {
  const { status } = fieldsOf<Stripe.Refund>(from.object)
  return CAME_TO_NOTHING.includes(`${status}`) ? refundFailed(from) : ignored('The refund has not failed.')
}

function refundFailed(from: Event): PaymentUpdate | Ignored {
  const object = fieldsOf<Stripe.Refund>(from.object)
  const refund_id = id(object.id)
  if (refund_id === null) return ignored('The refund has no id.')
  const names = { reference: idOf(object.payment_intent), charge: idOf(object.charge) }
  const reason = text(object.failure_reason)
  const same = `refund.failed ${refund_id}`
  return money(from, names, object.amount, object.currency, amount => ({ kind: 'refund_failed', amount, refund_id, reason, same }))
}

function dispute(from: Event): PaymentUpdate | Ignored {
  const object = fieldsOf<Stripe.Dispute>(from.object)
  const [own, status] = [id(object.id), id(object.status)]
  if (own === null || status === null) return ignored('The dispute has no id or no status.')
  const due_by = instant(fieldsOf<Stripe.Dispute['evidence_details']>(object.evidence_details).due_by)
  const names = { reference: idOf(object.payment_intent), charge: idOf(object.charge) }
  const reason = text(object.reason)
  return money(from, names, object.amount, object.currency, amount => ({ kind: 'dispute', id: own, status, reason, amount, due_by }))
}

interface Names {
  reference: string | null
  charge?: string | null
  order?: Naming | null
}

// Without `Omit` over the union its kinds would lose what is their own.
type Own = PaymentUpdate extends infer U
  ? U extends PaymentUpdate
    ? Omit<U, 'event_id' | 'at' | 'reference' | 'charge' | 'order' | 'currency'>
    : never
  : never

function money(
  { event_id, at }: Event,
  { reference, charge = null, order = null }: Names,
  amount: unknown,
  code: unknown,
  own: (amount: number, minor: (amount: number) => number | null) => Own,
): PaymentUpdate | Ignored {
  const [known, whole] = [currency(code), integer(amount)]
  if (reference === null && charge === null) return ignored('It names no payment.')
  if (known === null || whole === null) return ignored('It has no amount or no currency.')
  const minor = (each: number) => inMinorUnits(each, known)
  const told = minor(whole)
  if (told === null) return ignored(`${whole} is no whole amount of ${known}.`)
  return { event_id, at, reference, charge, order, currency: known, ...own(told, minor) } as PaymentUpdate
}

/** Currencies without minor units that Stripe counts in hundredths all the same: https://docs.stripe.com/currencies#special-cases */
const IN_HUNDREDTHS = ['ISK', 'UGX']
/** One with hundredths that it counts whole: https://docs.stripe.com/currencies#zero-decimal */
const WHOLE = ['MGA']

function inMinorUnits(amount: number, code: string): number | null {
  if (WHOLE.includes(code)) return integer(amount * 100)
  if (!IN_HUNDREDTHS.includes(code)) return amount
  return amount % 100 === 0 ? amount / 100 : null
}

/** The order that an object names. What is given and is no order's id names none: a payment is never booked by guessing. */
function namedBy({ metadata, client_reference_id }: { metadata?: unknown; client_reference_id?: unknown }): Naming | null {
  const { order_id } = fieldsOf<{ order_id: string }>(metadata)
  // An empty text is what programs write that have no id at hand.
  const given = [order_id, client_reference_id].find(each => each !== undefined && each !== null && each !== '')
  if (given === undefined) return null
  return typeof given === 'string' && isId('ord', given) ? { id: given } : {}
}
