// A payment account as Stripe keeps one, for tests: what happens to one payment there, told of by Stripe's events or in the generic format, and what
// has to stand in the books in the end. Nothing here knows how the service books.
import type { Stripe } from 'stripe'
import type { GenericEvent } from '../../src/payments/reading/generic-schema.ts'
import { charge, dispute, event, intent, refund, type StripeEvent, session } from './stripe-events.ts'

/** Amounts of steps are fractions of what there is at that moment, so that any list of steps is a history. */
export type Step =
  | { do: 'decline' | 'capture' }
  | { do: 'refund'; part: number }
  | { do: 'fail'; which: number; canceled: boolean }
  | { do: 'dispute'; part: number; end: 'won' | 'lost' | 'under_review' | 'warning_closed' }

export interface History {
  format: 'stripe' | 'generic'
  /** Before 2025-03-31 Stripe counted what it released in `amount_refunded`. */
  version: '2024-06-20' | '2026-10-29.clover'
  currency: 'EUR' | 'JPY' | 'KWD' | 'ISK' | 'MGA'
  /** What the order costs, in minor units. */
  total: number
  /** How many captures there are, and how much more than them was authorized. */
  captures: number
  spare: number
  /** By how much what is captured is not what the order owes. */
  off: number
  cancelled: boolean
  /** Seconds between two events. */
  pauses: number[]
  steps: Step[]
}

interface Refunded {
  id: string
  amount: number
  failed: boolean
}

/** What the books have to say in the end. */
export interface End {
  status: 'paid' | 'mismatched'
  /** What is not there any more, of refunds and of lost disputes, as the customer and the bank have it. */
  refunds: Refunded[]
  lost: number[]
  disputes: number
}

/** @returns what was told, in the order in which it happened, and the end */
export function live(history: History, names: { order: string; payment: string }): { told: object[]; end: End } {
  return history.format === 'stripe' ? atStripe(history, names) : elsewhere(history, names)
}

/** How Stripe counts a minor unit, and the least that can be paid or given back, in minor units. */
const FACTOR = { EUR: 1, JPY: 1, KWD: 1, ISK: 100, MGA: 0.01 }
const LEAST = { EUR: 1, JPY: 1, KWD: 10, ISK: 1, MGA: 100 }

/** @returns a part of an amount that can be paid */
const partOf = (amount: number, part: number, { currency }: History): number =>
  Math.max(1, Math.floor((amount * part) / LEAST[currency])) * LEAST[currency]

function atStripe(history: History, { order, payment }: { order: string; payment: string }): { told: StripeEvent[]; end: End } {
  const { version, total, off, spare, currency, steps } = history
  const [pi, ch] = [`pi_${payment}`, `ch_${payment}`]
  const counted = (amount: number) => Math.round(amount * FACTOR[currency])
  const metadata = { order_id: order }
  const told: StripeEvent[] = []
  let clock = 1_780_000_000
  const tell = (type: Stripe.Event.Type, object: Record<string, unknown>, previous?: object) => {
    clock += history.pauses[told.length % history.pauses.length] ?? 1
    told.push({
      ...event(type, object, previous && { previous }),
      id: `evt_${payment}_${told.length}`,
      created: clock,
      api_version: version,
    })
  }
  const whole = total + off
  // What an old version says of a refund between captures may read as a release does, where anything is released in the end.
  const authorized = whole + (version < '2025-03-31' && history.captures > 1 ? 0 : spare)
  const common = { currency: currency.toLowerCase(), metadata }
  const ofIntent = (over: object) => intent({ id: pi, latest_charge: ch, amount: counted(authorized), ...common, ...over })
  let [captured, refunded, released] = [0, 0, 0]
  let left = history.captures
  const refunds: Refunded[] = []
  const disputes: { id: string; amount: number; status: string }[] = []
  const ofCharge = (before: number): [Record<string, unknown>, object] => [
    charge({
      id: ch,
      payment_intent: pi,
      amount: counted(authorized),
      amount_captured: counted(captured),
      amount_refunded: counted(refunded + released),
      captured: captured > 0,
      refunded: refunded + released >= authorized,
      ...common,
    }),
    { amount_refunded: counted(before) },
  ]
  const capture = () => {
    if (left === 0) return
    left--
    const isLast = left === 0
    captured = isLast ? whole : captured + partOf(whole - captured, 1 / (left + 1), history)
    if (captured >= whole) left = 0
    if (left > 0)
      return tell(
        'payment_intent.amount_capturable_updated',
        ofIntent({ amount_capturable: counted(authorized - captured), amount_received: counted(captured) }),
      )
    if (version < '2025-03-31' && authorized > captured) {
      const before = refunded
      released = authorized - captured
      tell('charge.refunded', ...ofCharge(before))
    }
    tell('payment_intent.succeeded', ofIntent({ amount_received: counted(captured) }))
    tell('checkout.session.completed', session({ id: `cs_${payment}`, payment_intent: pi, amount_total: counted(captured), ...common }))
  }

  if (history.captures > 1 || spare > 0)
    tell('payment_intent.amount_capturable_updated', ofIntent({ amount_capturable: counted(authorized), amount_received: 0 }))
  for (const step of steps) {
    if (step.do === 'decline' && captured === 0) tell('payment_intent.payment_failed', ofIntent({ amount_received: 0 }))
    if (step.do === 'capture') capture()
    if (step.do === 'refund' && captured > refunded) {
      const amount = partOf(captured - refunded, step.part, history)
      // What an old version says of these two is the same.
      if (version < '2025-03-31' && left > 0 && amount === authorized - captured) continue
      const before = refunded + released
      refunded += amount
      refunds.push({ id: `re_${payment}_${refunds.length}`, amount, failed: false })
      tell('charge.refunded', ...ofCharge(before))
    }
    if (step.do === 'fail') {
      const standing = refunds.filter(each => !each.failed)
      const one = standing[step.which % Math.max(1, standing.length)]
      if (!one) continue
      one.failed = true
      refunded -= one.amount
      const object = refund({
        id: one.id,
        charge: ch,
        payment_intent: pi,
        amount: counted(one.amount),
        status: step.canceled ? 'canceled' : 'failed',
        ...common,
      })
      if (!step.canceled) tell('refund.failed', object)
      tell('charge.refund.updated', object)
      tell('refund.updated', object)
    }
    if (step.do === 'dispute' && captured > 0 && left === 0 && disputes.length < 5) {
      const one = { id: `dp_${payment}_${disputes.length}`, amount: partOf(captured, step.part, history), status: step.end }
      disputes.push(one)
      const object = (status: string) =>
        dispute({ id: one.id, charge: ch, payment_intent: pi, amount: counted(one.amount), status: status as 'won', ...common })
      tell('charge.dispute.created', object('needs_response'))
      tell('charge.dispute.updated', object('under_review'))
      if (one.status !== 'under_review') tell('charge.dispute.closed', object(one.status))
    }
  }
  while (left > 0) capture()
  return { told, end: ended(history, refunds, disputes) }
}

function elsewhere(history: History, { order, payment }: { order: string; payment: string }): { told: GenericEvent[]; end: End } {
  const { total, off, currency, steps } = history
  const told: GenericEvent[] = []
  let clock = 1_780_000_000
  const tell = (type: GenericEvent['type'], amount: number, over: Partial<GenericEvent> = {}) => {
    clock += history.pauses[told.length % history.pauses.length] ?? 1
    const occurred_at = new Date(clock * 1000).toISOString()
    told.push({ id: `e_${payment}_${told.length}`, type, reference: payment, amount, currency, occurred_at, ...over })
  }
  const whole = total + off
  let [paid, refunded] = [0, 0]
  const refunds: Refunded[] = []
  const disputes: { amount: number; status: string }[] = []
  const capture = () => {
    if (paid > 0) return
    paid = whole
    tell('payment.succeeded', whole, { order_id: order })
  }
  if (history.captures > 1) tell('payment.authorized', whole, { order_id: order })
  for (const step of steps) {
    if (step.do === 'decline' && paid === 0) tell('payment.failed', whole, { order_id: order })
    if (step.do === 'capture') capture()
    if (step.do === 'refund' && paid > refunded) {
      const amount = partOf(paid - refunded, step.part, history)
      refunded += amount
      const id = `r_${payment}_${refunds.length}`
      refunds.push({ id, amount, failed: false })
      tell('refund.succeeded', amount, { refund_id: id })
    }
    if (step.do === 'fail') {
      const standing = refunds.filter(each => !each.failed)
      const one = standing[step.which % Math.max(1, standing.length)]
      if (!one) continue
      one.failed = true
      refunded -= one.amount
      tell('refund.failed', one.amount, { refund_id: one.id })
    }
    if (step.do === 'dispute' && paid > 0 && disputes.length === 0) {
      const one = { amount: partOf(paid, step.part, history), status: step.end }
      disputes.push(one)
      tell('dispute.opened', one.amount)
      if (one.status === 'won' || one.status === 'lost') tell(`dispute.${one.status}`, one.amount)
    }
  }
  capture()
  return { told, end: ended(history, refunds, disputes) }
}

const ended = ({ off }: History, refunds: Refunded[], disputes: { amount: number; status: string }[]): End => ({
  status: off === 0 ? 'paid' : 'mismatched',
  refunds,
  lost: disputes.filter(({ status }) => status === 'lost').map(({ amount }) => amount),
  disputes: disputes.length,
})
